/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Numbers as text, for the front ends. Private to the library. No locale, no errno, no allocation, no state; results do
 * not depend on the rounding mode. Any thread may call anything.
 *
 * Each function writes from `dst` on, adds no NUL, and returns the length of the text. The 32 bytes at `dst` must be
 * writable: those behind the text are scribbled on.
 */
#ifndef QUERN_NUMBER_NUMBER_H
#define QUERN_NUMBER_NUMBER_H

#include <stddef.h>
#include <stdint.h>

enum {
    QUERN_NUMBER_ROOM = 32,       /**< what must be writable at `dst` */
    QUERN_NUMBER_MAX_DOUBLE = 25, /**< the longest double: -0.0000012345678901234567 */
    QUERN_NUMBER_MAX_FLOAT = 22,  /**< the longest float: -123456790000000000000 */
    QUERN_NUMBER_MAX_INTEGER = 20 /**< 18446744073709551615, -9223372036854775808 */
};

/**
 * A finite double as ECMAScript's Number::toString writes it (ECMA-262, 6.1.6.1.20; so does RFC 8785, 3.2.2.3): the
 * fewest digits that a correct reader takes for the same double, of those the nearest to it, of two equally near ones
 * the even one; with an exponent from 1e21 up and below 1e-6. For infinities and NaN the text means nothing.
 *
 * Both zeros are "0". A caller that wants "-0" tests `value == 0 && signbit(value)` itself.
 */
size_t quern_number_from_double(char *dst, double value);

/** The same for a float: the fewest digits that a correct reader of floats takes for the same float. */
size_t quern_number_from_float(char *dst, float value);

size_t quern_number_from_uint64(char *dst, uint64_t value);

size_t quern_number_from_int64(char *dst, int64_t value);

#endif
