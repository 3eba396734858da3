/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The oracle: what the kernels must answer, in obvious byte-at-a-time code that shares nothing with the library.
 */
#ifndef QUERN_TESTS_REFERENCE_H
#define QUERN_TESTS_REFERENCE_H

#include <quern/kernels.h>

/** Offset of the first byte that RFC 8259 section 7 does not allow to stand unescaped in a string, or `len`. */
size_t reference_escape_find(const char *src, size_t len);

/**
 * Writes `[src, src + len)` as a JSON string, quotation marks included: \b \f \n \r \t \" \\, the other controls
 * as \u00xx in lower case, all other bytes as they are. `dst` has 6 * len + 2 bytes.
 * @return how many were written.
 */
size_t reference_json_string(char *dst, const char *src, size_t len);

/** The longest well-formed prefix by Unicode table 3-7, as quern_utf8_prefix. */
quern_span reference_utf8_prefix(const char *src, size_t len);

/** The line of the byte at `offset`, as quern_line_locate. */
quern_line reference_line_locate(const char *src, size_t offset);

/** An array whose elements of `width` bytes are reversed, as quern_swap_copy16 and its kin. */
void reference_swap(unsigned char *dst, const unsigned char *src, size_t count, size_t width);

/**
 * ECMAScript's Number::toString of a finite number, in the locale "C"; `dst` has 32 bytes. The float's digits are
 * those that a reader of floats needs.
 */
size_t reference_number_from_double(char *dst, double value);
size_t reference_number_from_float(char *dst, float value);

#endif
