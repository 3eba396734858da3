/* SPDX-License-Identifier: MIT */
/* Unaligned loads and stores of machine words. On a machine of either byte order, byte i of memory is bits 8i up. */
#ifndef QUERN_COMMON_LOAD_H
#define QUERN_COMMON_LOAD_H

#include "common/bits.h"

#include <stddef.h>
#include <string.h>

/* The scalar and swar objects are compiled with -fno-builtin (so that loops stay loops): name the builtin. */
#if defined(__GNUC__)
#    define QUERN_MEMCPY __builtin_memcpy
#else
#    define QUERN_MEMCPY memcpy
#endif

static inline uint64_t load64(const void *p)
{
    uint64_t x;
    QUERN_MEMCPY(&x, p, sizeof x);
    return QUERN_BIG_ENDIAN ? bits_swap_bytes(x) : x;
}

static inline uint32_t load32(const void *p)
{
    uint32_t x;
    QUERN_MEMCPY(&x, p, sizeof x);
    return QUERN_BIG_ENDIAN ? (uint32_t)(bits_swap_bytes(x) >> 32) : x;
}

static inline void store64(void *p, uint64_t x)
{
    x = QUERN_BIG_ENDIAN ? bits_swap_bytes(x) : x;
    QUERN_MEMCPY(p, &x, sizeof x);
}

static inline void store32(void *p, uint32_t x)
{
    x = QUERN_BIG_ENDIAN ? (uint32_t)(bits_swap_bytes(x) >> 32) : x;
    QUERN_MEMCPY(p, &x, sizeof x);
}

/* The first n bytes at p, n < 4, with zeros above; reads no others, and has one branch. */
static inline uint32_t load_first_of_4(const void *src, size_t n)
{
    const unsigned char *p = src;
    if (n == 0)
        return 0;
    /* p[n / 2] and p[n - 1] repeat bytes for n < 3: the same bytes land on the same place. */
    return (uint32_t)p[0] | (uint32_t)p[n / 2] << (n / 2 * 8) | (uint32_t)p[n - 1] << (n * 8 - 8);
}

/* The first n bytes at p, n < 8, with zeros above; reads no others. */
static inline uint64_t load_first_of_8(const void *src, size_t n)
{
    const unsigned char *p = src;
    if (n >= 4)
        return load32(p) | (uint64_t)load32(p + n - 4) << (n * 8 - 32);
    return load_first_of_4(p, n);
}

/* The first n bytes at p, n < 16, with zeros above, in two words; reads no others. */
static inline void load_first_of_16(const void *src, size_t n, uint64_t *low, uint64_t *high)
{
    const unsigned char *p = src;
    if (n >= 8) {
        *low = load64(p);
        /* A shift by 64 in two steps where n is 8. */
        *high = load64(p + n - 8) >> (120 - n * 8) >> 8;
    } else {
        *low = load_first_of_8(p, n);
        *high = 0;
    }
}

/* Copies n bytes, n < 16, touching no others: two overlapping words of the largest size that fits. */
static inline void copy_below_16(void *dst, const void *src, size_t n)
{
    unsigned char *d = dst;
    const unsigned char *s = src;
    if (n >= 8) {
        uint64_t first = load64(s), last = load64(s + n - 8);
        store64(d, first);
        store64(d + n - 8, last);
    } else if (n >= 4) {
        uint32_t first = load32(s), last = load32(s + n - 4);
        store32(d, first);
        store32(d + n - 4, last);
    } else if (n > 0) {
        unsigned char first = s[0], middle = s[n / 2], last = s[n - 1];
        d[0] = first;
        d[n / 2] = middle;
        d[n - 1] = last;
    }
}

#endif
