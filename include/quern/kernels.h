/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The kernels: pure functions on byte ranges, each in several variants (see variant.h).
 *
 * What holds for all of them:
 * - They read only `[src, src + len)`: no padding is asked for, nothing is read "safely by alignment".
 * - No allocation, no errno, no locale, no state; any number of threads may call them at once.
 * - `(NULL, 0)` is a valid range. No pointer needs any alignment. Ranges must not overlap.
 * - Every variant returns the same result, and the bytes that it names are the same.
 *
 * A kernel that writes stands in the row (struct quern_kernels) in two forms. The *strict* one writes only
 * within `[dst, dst + len)`. The *slack* one may also scribble on the 64 bytes behind `dst + len`. Bytes
 * between what is returned and the end of the room are unspecified after the call.
 *
 * The functions here take the strict form of the variant that was picked when the library was loaded.
 */
#ifndef QUERN_KERNELS_H
#define QUERN_KERNELS_H

#include <quern/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How far a slack kernel may write behind `dst + len`, in bytes. */
#define QUERN_SLACK 64

/**
 * What is escaped and how. NULL is the minimum of RFC 8259 section 7: the quotation mark, the reverse
 * solidus, and the control characters U+0000 to U+001F. There is no other style yet.
 */
typedef struct quern_style quern_style;

/** Why a kernel stopped. */
typedef enum quern_stop {
    QUERN_STOP_END = 0,        /**< at the end of the input */
    QUERN_STOP_ESCAPE = 1,     /**< at a byte that the style escapes */
    QUERN_STOP_ILL_FORMED = 2, /**< at a sequence that no continuation can make well-formed UTF-8 */
    QUERN_STOP_TRUNCATED = 3,  /**< at a sequence that the end of the input cuts, well-formed so far */
    QUERN_STOP_ROOM = 4,       /**< the output is full */
    QUERN_STOP_CLOSED = 5,     /**< at the closing quotation mark */
    QUERN_STOP_FAULT = 6       /**< at a byte that may not stand here */
} quern_stop;

/** How far a kernel came, in bytes of its input, and why it stopped there. */
typedef struct quern_span {
    size_t length;
    quern_stop why;
} quern_span;

/** The place of an offset in a text whose lines end at LF (0x0A). */
typedef struct quern_line {
    size_t newlines; /**< LF bytes before the offset: the line's number, counted from 0 */
    size_t start;    /**< offset of the line's first byte; the column in bytes is offset - start */
} quern_line;

/* The types of the kernels; each contract stands at the function of the same name below. */
typedef size_t quern_escape_find_function(const quern_style *style, const char *src, size_t len);
typedef size_t quern_escape_copy_function(const quern_style *style, char *dst, const char *src, size_t len);
typedef quern_span quern_utf8_prefix_function(const char *src, size_t len);
typedef void quern_copy_function(void *dst, const void *src, size_t len);
typedef quern_line quern_line_locate_function(const char *src, size_t offset);

/**
 * One variant's kernels. Rows are constant and live as long as the library; get them with
 * quern_variant_get. New members are only ever appended: a member is there when
 * `offsetof(struct quern_kernels, member) < size`.
 */
typedef struct quern_kernels {
    size_t size; /**< sizeof(struct quern_kernels) of the library */
    quern_escape_find_function *escape_find;
    quern_escape_copy_function *escape_copy;
    quern_escape_copy_function *escape_copy_slack;
    quern_utf8_prefix_function *utf8_prefix;
    quern_copy_function *copy;
    quern_copy_function *copy_slack;
    quern_line_locate_function *line_locate;
} quern_kernels;

/**
 * Finds the first byte of `[src, src + len)` that `style` escapes.
 * @return its offset, or `len` if there is none.
 */
QUERN_API size_t quern_escape_find(const quern_style *style, const char *src, size_t len);

/**
 * Copies `[src, src + len)` to `dst` up to, not including, the first byte that `style` escapes.
 * @param dst  has room for `len` bytes; all of them may be written, however many are returned.
 * @return how many bytes were copied.
 */
QUERN_API size_t quern_escape_copy(const quern_style *style, char *dst, const char *src, size_t len);

/**
 * Measures the longest prefix of `[src, src + len)` that is well-formed UTF-8: Unicode Standard, table 3-7
 * (no overlong forms, no surrogates, nothing above U+10FFFF).
 * @return its length, with QUERN_STOP_END when that is `len`, else the offset where the first faulty
 * sequence begins, with QUERN_STOP_ILL_FORMED, or QUERN_STOP_TRUNCATED when the range ends inside a sequence
 * that more bytes could still complete.
 */
QUERN_API quern_span quern_utf8_prefix(const char *src, size_t len);

/** Copies `[src, src + len)` to `dst`, as memcpy does, and fastest for the short runs that sinks see. */
QUERN_API void quern_copy(void *dst, const void *src, size_t len);

/**
 * Finds the line of the byte at `offset`, reading `[src, src + offset)`.
 * @return the number of LF bytes before `offset` and the offset behind the last of them (0 if there is none).
 */
QUERN_API quern_line quern_line_locate(const char *src, size_t offset);

#ifdef __cplusplus
}
#endif
#endif
