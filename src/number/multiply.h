/* SPDX-License-Identifier: MIT */
/* The product of two 64-bit words, in two words. (Tests define QUERN_NUMBER_PORTABLE, to have what other machines
 * have.) */
#ifndef QUERN_NUMBER_MULTIPLY_H
#define QUERN_NUMBER_MULTIPLY_H

#include <stdint.h>

/* High word; the low one goes to *low. In 32-bit steps, for compilers without 128-bit integers. */
static inline uint64_t multiply_portable(uint64_t a, uint64_t b, uint64_t *low)
{
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t low0 = a0 * b0;
    const uint64_t middle0 = a1 * b0 + (low0 >> 32);
    const uint64_t middle1 = a0 * b1 + (uint32_t)middle0;
    *low = middle1 << 32 | (uint32_t)low0;
    return a1 * b1 + (middle0 >> 32) + (middle1 >> 32);
}

static inline uint64_t multiply(uint64_t a, uint64_t b, uint64_t *low)
{
#if defined(__SIZEOF_INT128__) && !defined(QUERN_NUMBER_PORTABLE)
    __extension__ typedef unsigned __int128 wide;
    const wide product = (wide)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#else
    return multiply_portable(a, b, low);
#endif
}

#endif
