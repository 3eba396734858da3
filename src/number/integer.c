/* SPDX-License-Identifier: MIT */
/* Integers: four, eight or 16 digits at a time, and zeros in front shifted out of the word: most widths have no branch of their own. */
#include "number/number.h"

#include "common/kernel.h"
#include "number/digits.h"

/* Writes a number below 10^4. */
QUERN_INLINE size_t write_below_4(char *dst, uint32_t value)
{
    const uint32_t digits = (uint32_t)(bits_swap_bytes(digits_of_4(value)) >> 32);
    const unsigned zeros = bits_trailing_zeros(digits | UINT32_C(1) << 24) & 24;
    store32(dst, (digits + (uint32_t)DIGITS_ZEROS) >> zeros);
    return 4 - zeros / 8;
}

/* Writes 8 digits without the zeros in front. */
QUERN_INLINE size_t write_word(char *dst, uint64_t digits)
{
    digits = bits_swap_bytes(digits);
    const unsigned zeros = bits_trailing_zeros(digits | UINT64_C(1) << 56) & 56;
    store64(dst, (digits + DIGITS_ZEROS) >> zeros);
    return 8 - zeros / 8;
}

QUERN_INLINE size_t write_integer(char *dst, uint64_t value)
{
    if (value < 10000)
        return write_below_4(dst, (uint32_t)value);
    if (value < 100000000)
        return write_word(dst, digits_of_8(value));
    uint64_t high = value / 100000000;
    uint64_t low = value - high * 100000000;
    if (high < 100000000) {
        digits_of_16(&high, &low);
        const size_t length = write_word(dst, high);
        digits_store(dst + length, low + DIGITS_ZEROS);
        return length + 8;
    }
    const uint64_t top = high / 100000000;
    high -= top * 100000000;
    digits_of_16(&high, &low);
    const size_t length = write_below_4(dst, (uint32_t)top);
    digits_store(dst + length, high + DIGITS_ZEROS);
    digits_store(dst + length + 8, low + DIGITS_ZEROS);
    return length + 16;
}

size_t quern_number_from_uint64(char *dst, uint64_t value)
{
    return write_integer(dst, value);
}

size_t quern_number_from_int64(char *dst, int64_t value)
{
    const uint64_t sign = value < 0;
    dst[0] = '-';
    return sign + write_integer(dst + sign, ((uint64_t)value ^ (0 - sign)) + sign);
}
