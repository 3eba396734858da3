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
 * within its room: `[dst, dst + len)`, or `[dst, dst + room)` where there is a `room`. The *slack* one may also
 * scribble on the 64 bytes behind that; where there is a `room`, on the 64 bytes behind those that it returns. Bytes
 * between what is returned and the end of the room are unspecified after the call. (swap_copy16, 32 and 64 are strict
 * alone: slack would not make them faster.)
 *
 * The functions here take the strict form of the variant that was picked when the library was loaded.
 */
#ifndef QUERN_KERNELS_H
#define QUERN_KERNELS_H

#include <quern/style.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How far a slack kernel may write behind its range, in bytes. */
#define QUERN_SLACK 64

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
typedef quern_span quern_escape_write_function(const quern_style *style, char *dst, size_t room, const char *src,
                                               size_t len, size_t *used, unsigned flags);
typedef size_t quern_escape_size_function(const quern_style *style, const char *src, size_t len, unsigned flags);
typedef quern_span quern_text_copy_function(const quern_style *style, char *dst, const char *src, size_t len);
typedef quern_line quern_line_locate_function(const char *src, size_t offset);
typedef void quern_swap_copy16_function(void *dst, const void *src, size_t count);
typedef void quern_swap_copy32_function(void *dst, const void *src, size_t count);
typedef void quern_swap_copy64_function(void *dst, const void *src, size_t count);

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
    quern_escape_write_function *escape_write;
    quern_escape_write_function *escape_write_slack;
    quern_escape_size_function *escape_size;
    quern_text_copy_function *text_copy;
    quern_text_copy_function *text_copy_slack;
    quern_swap_copy16_function *swap_copy16;
    quern_swap_copy32_function *swap_copy32;
    quern_swap_copy64_function *swap_copy64;
} quern_kernels;

/**
 * Finds the first byte of `[src, src + len)` that `style` escapes. A style that looks at code points also stops where a
 * sequence begins that it escapes, that its policy for ill-formed text does not pass, or that the end of the range
 * cuts.
 * @return its offset, or `len` if there is none.
 */
QUERN_API size_t quern_escape_find(const quern_style *style, const char *src, size_t len);

/**
 * Copies `[src, src + len)` to `dst` up to, not including, what quern_escape_find finds.
 * @param dst  has room for `len` bytes; all of them may be written, however many are returned.
 * @return how many bytes were copied.
 */
QUERN_API size_t quern_escape_copy(const quern_style *style, char *dst, const char *src, size_t len);

/** `src` ends the text: a sequence that its end cuts is ill-formed. Without it such a sequence stays unconsumed. */
#define QUERN_ESCAPE_FINAL 1u

/**
 * Writes `[src, src + len)` to `dst` as the text of a JSON string, escaped as `style` says, as much as fits in `room`
 * bytes. An escape is never split, nor, in a style that looks at code points, a character; otherwise the room is used
 * up. Progress is certain with `room >= QUERN_ESCAPE_MAX`. To resume, call it again with what is left of the input.
 * @param used   how many bytes of the input were consumed.
 * @param flags  0 or QUERN_ESCAPE_FINAL.
 * @return how many bytes were written, and QUERN_STOP_END when all is consumed; QUERN_STOP_ROOM when what follows does
 * not fit; and in a style that looks at code points QUERN_STOP_ILL_FORMED when what follows is ill-formed and its
 * policy is to stop; QUERN_STOP_TRUNCATED when the end cuts what follows, without QUERN_ESCAPE_FINAL.
 */
QUERN_API quern_span quern_escape_write(const quern_style *style, char *dst, size_t room, const char *src, size_t len,
                                        size_t *used, unsigned flags);

/**
 * The number of bytes that quern_escape_write would write, given endless room, before it returns; SIZE_MAX if that is
 * more than size_t holds.
 */
QUERN_API size_t quern_escape_size(const quern_style *style, const char *src, size_t len, unsigned flags);

/**
 * Copies `[src, src + len)` to `dst` up to the first fault, in one pass: what `style` escapes, or what is not
 * well-formed UTF-8 (which is looked for in every style, whatever its policy).
 * @param dst  has room for `len` bytes; all of them may be written, however many are returned.
 * @return how many bytes were copied, and QUERN_STOP_END when that is `len`, else what stands there: QUERN_STOP_ESCAPE,
 * QUERN_STOP_ILL_FORMED or QUERN_STOP_TRUNCATED (see quern_utf8_prefix).
 */
QUERN_API quern_span quern_text_copy(const quern_style *style, char *dst, const char *src, size_t len);

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
 * Copies an array of `count` elements of 2, 4 or 8 bytes with the bytes of each element reversed, on every machine: so
 * a little-endian one gets the big-endian form of RFC 8949 and RFC 8746, and the other way round. Reads
 * `[src, src + count * width)` and writes as much to `dst`; elements need no alignment.
 */
QUERN_API void quern_swap_copy16(void *dst, const void *src, size_t count);
QUERN_API void quern_swap_copy32(void *dst, const void *src, size_t count);
QUERN_API void quern_swap_copy64(void *dst, const void *src, size_t count);

/**
 * Finds the line of the byte at `offset`, reading `[src, src + offset)`.
 * @return the number of LF bytes before `offset` and the offset behind the last of them (0 if there is none).
 */
QUERN_API quern_line quern_line_locate(const char *src, size_t offset);

#ifdef __cplusplus
}
#endif
#endif
