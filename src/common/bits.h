/* SPDX-License-Identifier: MIT */
/* Bit counting and byte order, with a portable form for compilers without the builtins. */
#ifndef QUERN_COMMON_BITS_H
#define QUERN_COMMON_BITS_H

#include <stdint.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#    define QUERN_BIG_ENDIAN 1
#else
#    define QUERN_BIG_ENDIAN 0
#endif

/* The number of zero bits below the lowest set bit; `x` is not 0. */
static inline unsigned bits_trailing_zeros(uint64_t x)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(x);
#else
    unsigned n = 0;
    for (; !(x & 1); x >>= 1)
        n++;
    return n;
#endif
}

/* The index of the highest set bit; `x` is not 0. */
static inline unsigned bits_highest(uint64_t x)
{
#if defined(__GNUC__)
    return 63u - (unsigned)__builtin_clzll(x);
#else
    unsigned n = 0;
    while (x >>= 1)
        n++;
    return n;
#endif
}

static inline uint64_t bits_swap_bytes(uint64_t x)
{
#if defined(__GNUC__)
    return __builtin_bswap64(x);
#else
    x = (x & UINT64_C(0x00ff00ff00ff00ff)) << 8 | (x >> 8 & UINT64_C(0x00ff00ff00ff00ff));
    x = (x & UINT64_C(0x0000ffff0000ffff)) << 16 | (x >> 16 & UINT64_C(0x0000ffff0000ffff));
    return x << 32 | x >> 32;
#endif
}

#endif
