/* SPDX-License-Identifier: MIT */
/*
 * Eight decimal digits at a time, within a word: the number is split into two, four and eight lanes by multiplications
 * with reciprocals (Khuong, "How to print integers really fast", 2017,
 * https://pvk.ca/Blog/2017/12/22/appnexus-common-framework/; the reciprocals are exact for all values that a lane can
 * have, which tests/test_number.c tries).
 */
#ifndef QUERN_NUMBER_DIGITS_H
#define QUERN_NUMBER_DIGITS_H

#include "common/load.h"

#define DIGITS_ZEROS UINT64_C(0x3030303030303030)

/* The eight digits of a number below 10^8, one a byte, from 0 to 9; the last digit in the lowest byte. */
static inline uint64_t digits_of_8(uint64_t x)
{
    /* Each step turns a lane's x into x / n in its upper half and x % n in its lower one: x + x / n * (2^half - n). */
    x += (x * 109951163 >> 40) * ((UINT64_C(1) << 32) - 10000);
    x += (x * 10486 >> 20 & UINT64_C(0x0000007f0000007f)) * ((1 << 16) - 100);
    x += (x * 103 >> 10 & UINT64_C(0x000f000f000f000f)) * ((1 << 8) - 10);
    return x;
}

/* Writes the eight bytes of a word of digits, the highest first. */
static inline void digits_store(char *dst, uint64_t digits)
{
    store64(dst, bits_swap_bytes(digits));
}

#endif
