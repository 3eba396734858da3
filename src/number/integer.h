/* SPDX-License-Identifier: MIT */
/*
 * Integers: up to six digits two by two from tables, the first pair as one digit or two; else eight or 16 at a time,
 * and the zeros in front shifted out of the word. So branches are few: widths within 1 and 2, 3 and 4, 5 and 6, 7 and
 * 8, 9 to 16 and 17 to 20 digits can change from number to number.
 *
 * Inline, for loops and calls in which the text is the smaller part of the work.
 */
#ifndef QUERN_NUMBER_INTEGER_H
#define QUERN_NUMBER_INTEGER_H

#include "common/kernel.h"
#include "number/digits.h"
#include "number/tables.h"

/* Writes a number below 100. */
QUERN_INLINE size_t integer_below_100(char *dst, uint64_t value)
{
    const unsigned char *entry = pinned_address(small[value]);
    memcpy(dst, entry, 4);
    return entry[3];
}

/* Writes a number of three or four digits: two and two, the first of which may be one. */
QUERN_INLINE size_t integer_of_3_or_4(char *dst, uint32_t value)
{
    const uint32_t top = value * 5243 >> 19;
    const uint32_t rest = value - top * 100;
    const size_t length = integer_below_100(dst, top);
    memcpy(dst + length, pairs + 2 * rest, 2);
    return length + 2;
}

/* Writes a number below 10^4, not 0. */
QUERN_INLINE size_t integer_below_10000(char *dst, uint32_t value)
{
    const uint32_t digits = digits_of_4(value);
    const unsigned zeros = bits_trailing_zeros(digits | UINT32_C(1) << 24) & 24;
    store32(dst, (digits + (uint32_t)DIGITS_ZEROS) >> zeros);
    return 4 - zeros / 8;
}

/* Writes the digits of a number that is not 0. */
QUERN_INLINE size_t integer_word(char *dst, uint64_t digits)
{
    const unsigned zeros = bits_trailing_zeros(digits) & 56;
    store64(dst, (digits + DIGITS_ZEROS) >> zeros);
    return 8 - zeros / 8;
}

QUERN_INLINE size_t integer_write(char *dst, uint64_t value)
{
    if (value < 100)
        return integer_below_100(dst, value);
    if (value < 10000)
        return integer_of_3_or_4(dst, (uint32_t)value);
    if (value < 1000000) {
        const uint32_t top = (uint32_t)value / 10000;
        const size_t length = integer_below_100(dst, top);
        const uint32_t rest = (uint32_t)value - top * 10000;
        const uint32_t mid = rest * 5243 >> 19;
        memcpy(dst + length, pairs + 2 * mid, 2);
        memcpy(dst + length + 2, pairs + 2 * (rest - mid * 100), 2);
        return length + 4;
    }
    if (value < 100000000)
        return integer_word(dst, digits_of_8(value));
    uint64_t high = value / 100000000;
    uint64_t low = value - high * 100000000;
    if (high < 100000000) {
        digits_of_16(&high, &low);
        const size_t length = integer_word(dst, high);
        store64(dst + length, low + DIGITS_ZEROS);
        return length + 8;
    }
    const uint64_t top = high / 100000000;
    high -= top * 100000000;
    digits_of_16(&high, &low);
    const size_t length = integer_below_10000(dst, (uint32_t)top);
    store64(dst + length, high + DIGITS_ZEROS);
    store64(dst + length + 8, low + DIGITS_ZEROS);
    return length + 16;
}

QUERN_INLINE size_t integer_write_signed(char *dst, int64_t value)
{
    /* The magnitude in unsigned arithmetic: INT64_MIN has no negative. */
    const uint64_t sign = value < 0;
    dst[0] = '-';
    return (size_t)sign + integer_write(dst + sign, ((uint64_t)value ^ (0 - sign)) + sign);
}

#endif
