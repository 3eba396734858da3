/* SPDX-License-Identifier: MIT */
/*
 * Integers: two digits from a table, or four, eight or 16 at a time, and the zeros in front shifted out of the word. So
 * branches are few: widths within 3 and 4, 7 and 8, 9 to 16 and 17 to 20 digits can change from number to number.
 */
#include "number/number.h"

#include "common/kernel.h"
#include "number/digits.h"
#include "number/tables.h"

/* Writes a number below 100. */
QUERN_INLINE size_t write_small(char *dst, uint64_t value)
{
    memcpy(dst, small[value], 4);
    return (unsigned char)small[value][3];
}

/* Writes a number below 10^4, not 0. */
QUERN_INLINE size_t write_below_4(char *dst, uint32_t value)
{
    const uint32_t digits = digits_of_4(value);
    const unsigned zeros = bits_trailing_zeros(digits | UINT32_C(1) << 24) & 24;
    store32(dst, (digits + (uint32_t)DIGITS_ZEROS) >> zeros);
    return 4 - zeros / 8;
}

/* Writes the digits of a number that is not 0. */
QUERN_INLINE size_t write_word(char *dst, uint64_t digits)
{
    const unsigned zeros = bits_trailing_zeros(digits) & 56;
    store64(dst, (digits + DIGITS_ZEROS) >> zeros);
    return 8 - zeros / 8;
}

QUERN_INLINE size_t write_integer(char *dst, uint64_t value)
{
    if (value < 100)
        return write_small(dst, value);
    if (value < 10000)
        return write_below_4(dst, (uint32_t)value);
    if (value < 1000000) {
        const uint32_t top = (uint32_t)value / 10000;
        const size_t length = write_small(dst, top);
        store32(dst + length, digits_of_4((uint32_t)value - top * 10000) + (uint32_t)DIGITS_ZEROS);
        return length + 4;
    }
    if (value < 100000000)
        return write_word(dst, digits_of_8(value));
    uint64_t high = value / 100000000;
    uint64_t low = value - high * 100000000;
    if (high < 100000000) {
        digits_of_16(&high, &low);
        const size_t length = write_word(dst, high);
        store64(dst + length, low + DIGITS_ZEROS);
        return length + 8;
    }
    const uint64_t top = high / 100000000;
    high -= top * 100000000;
    digits_of_16(&high, &low);
    const size_t length = write_below_4(dst, (uint32_t)top);
    store64(dst + length, high + DIGITS_ZEROS);
    store64(dst + length + 8, low + DIGITS_ZEROS);
    return length + 16;
}

size_t quern_number_from_uint64(char *dst, uint64_t value)
{
    return write_integer(dst, value);
}

size_t quern_number_from_int64(char *dst, int64_t value)
{
    /* The magnitude in unsigned arithmetic: INT64_MIN has no negative. */
    const size_t sign = value < 0;
    dst[0] = '-';
    return sign + write_integer(dst + sign, sign ? 0 - (uint64_t)value : (uint64_t)value);
}
