/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The oracle for styles: what a style's public options mean, a character at a time, in code that shares nothing with
 * the library. `style` is the options that a style is made of; NULL is the minimum of RFC 8259.
 */
#ifndef QUERN_TESTS_REFERENCE_STYLE_H
#define QUERN_TESTS_REFERENCE_STYLE_H

#include <quern/kernels.h>

/** What quern_escape_write returns, and what it tells by `used`. */
typedef struct reference_escaped {
    size_t written;
    size_t used;
    quern_stop why;
} reference_escaped;

/** As quern_escape_write: as many whole units as fit. `flags`: 0 or QUERN_ESCAPE_FINAL. Writes those bytes alone. */
reference_escaped reference_escape(const quern_style_options *style, char *dst, size_t room, const char *src,
                                   size_t len, unsigned flags);

/** As quern_escape_size. */
size_t reference_escape_size(const quern_style_options *style, const char *src, size_t len, unsigned flags);

/** As quern_escape_find, and so the count of quern_escape_copy. */
size_t reference_style_find(const quern_style_options *style, const char *src, size_t len);

/** As quern_text_copy, whose bytes are those of `src`. */
quern_span reference_text_prefix(const quern_style_options *style, const char *src, size_t len);

#endif
