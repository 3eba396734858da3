/* SPDX-License-Identifier: MIT */
/* Unaligned loads and stores of machine words. On a machine of either byte order, byte i of memory is bits 8i up. */
#ifndef QUERN_COMMON_LOAD_H
#define QUERN_COMMON_LOAD_H

#include "common/bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The scalar and swar objects are compiled with -fno-builtin (so that loops stay loops): name the builtin. */
#if defined(__GNUC__)
#    define QUERN_MEMCPY __builtin_memcpy
#else
#    define QUERN_MEMCPY memcpy
#endif

/*
 * The address in one register. Zen 4 seems to hold a load with an index back until all stores before it have their
 * addresses; where those depend on lengths that are still being computed, that joins one step's chain to the next one's
 * (measured: 36 instead of 12 ns a double with clang 14; integers showed no difference).
 */
static inline const void *pinned_address(const void *p)
{
#if defined(__GNUC__)
    __asm__("" : "+r"(p));
#endif
    return p;
}

static inline uint64_t load64(const void *p)
{
    uint64_t x;
    QUERN_MEMCPY(&x, p, sizeof x);
    return bits_memory_order(x);
}

static inline uint32_t load32(const void *p)
{
    uint32_t x;
    QUERN_MEMCPY(&x, p, sizeof x);
    return bits_memory_order_32(x);
}

/* The same in the machine's own byte order, for words that are only moved, or become part of a vector. */
static inline uint32_t load32_raw(const void *p)
{
    uint32_t x;
    QUERN_MEMCPY(&x, p, sizeof x);
    return x;
}

static inline void store32_raw(void *p, uint32_t x)
{
    QUERN_MEMCPY(p, &x, sizeof x);
}

static inline void store64(void *p, uint64_t x)
{
    x = bits_memory_order(x);
    QUERN_MEMCPY(p, &x, sizeof x);
}

static inline void store32(void *p, uint32_t x)
{
    x = bits_memory_order_32(x);
    QUERN_MEMCPY(p, &x, sizeof x);
}

/*
 * `yes` if a < b, else `no`, without a branch: lengths are random, and a mispredicted branch costs more than all that
 * is done with the bytes. A comparison could become a branch again; the sign of a difference does not. a and b are
 * below half of what size_t holds.
 */
static inline size_t select_below(size_t a, size_t b, size_t yes, size_t no)
{
    const size_t mask = 0 - ((a - b) >> (sizeof a * 8 - 1));
    return no ^ ((yes ^ no) & mask);
}

/* The first n bytes at p, n < 4, with zeros above; reads no others. */
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
