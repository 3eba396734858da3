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

/* The same, and 64 if `x` is 0. */
static inline unsigned bits_first(uint64_t x)
{
#if defined(__BMI__) && defined(__x86_64__)
    return (unsigned)__builtin_ia32_tzcnt_u64(x);
#elif defined(__POPCNT__) && defined(__x86_64__)
    /* The bits below the first one, counted: no branch for 0. The compiler must not see a bit scan in it. */
    uint64_t below = x - 1;
    __asm__("" : "+r"(below));
    return (unsigned)__builtin_popcountll(~x & below);
#else
    return x ? bits_trailing_zeros(x) : 64;
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

/* The number of bits that are set. */
static inline unsigned bits_count(uint64_t x)
{
#if defined(__POPCNT__) && defined(__GNUC__)
    return (unsigned)__builtin_popcountll(x);
#else
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(x * UINT64_C(0x0101010101010101) >> 56);
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

/* The word whose bytes lie in memory in the order of `x`'s bytes from the lowest up, or the other way round. */
static inline uint64_t bits_memory_order(uint64_t x)
{
    return QUERN_BIG_ENDIAN ? bits_swap_bytes(x) : x;
}

static inline uint32_t bits_memory_order_32(uint32_t x)
{
    return QUERN_BIG_ENDIAN ? (uint32_t)(bits_swap_bytes(x) >> 32) : x;
}

#endif
