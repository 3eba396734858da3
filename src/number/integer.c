/* SPDX-License-Identifier: MIT */
/* Integers: eight digits at a time, and the zeros in front shifted out of the word, so that no width has a branch of
 * its own. */
#include "number/number.h"

#include "common/kernel.h"
#include "number/digits.h"

/* Writes a number below 10^8. */
QUERN_INLINE size_t write_below_8(char *dst, uint64_t value)
{
    const uint64_t digits = bits_swap_bytes(digits_of_8(value));
    const unsigned zeros = bits_trailing_zeros(digits | UINT64_C(1) << 56) & 56;
    store64(dst, (digits + DIGITS_ZEROS) >> zeros);
    return 8 - zeros / 8;
}

size_t quern_number_from_uint64(char *dst, uint64_t value)
{
    if (value < 100000000)
        return write_below_8(dst, value);
    uint64_t high = value / 100000000;
    const uint64_t low = digits_of_8(value - high * 100000000) + DIGITS_ZEROS;
    if (high < 100000000) {
        const size_t length = write_below_8(dst, high);
        digits_store(dst + length, low);
        return length + 8;
    }
    const uint64_t top = high / 100000000;
    high -= top * 100000000;
    const size_t length = write_below_8(dst, top);
    digits_store(dst + length, digits_of_8(high) + DIGITS_ZEROS);
    digits_store(dst + length + 8, low);
    return length + 16;
}

size_t quern_number_from_int64(char *dst, int64_t value)
{
    const uint64_t sign = value < 0;
    dst[0] = '-';
    return sign + quern_number_from_uint64(dst + sign, ((uint64_t)value ^ (0 - sign)) + sign);
}
