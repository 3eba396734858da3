/* SPDX-License-Identifier: MIT */
/*
 * Windows that overlap: an input of 4 to 15 bytes as four words, one of 16 to 64 bytes as four vectors, without a
 * branch on the length within each class and without reading anything else. (The trick is that of wyhash.) The windows
 * cover the input in order, but may show bytes twice. This is the arithmetic that the instruction sets with vectors of
 * 16 bytes have in common: windows of `width` bytes at 0, o, n - width - o and n - width.
 */
#ifndef QUERN_COMMON_WINDOWS_H
#define QUERN_COMMON_WINDOWS_H

#include "common/bits.h"
#include "common/load.h"

/* o for n bytes, 4 <= n < 16, in words of 4 bytes. */
static inline size_t windows4_step(size_t n)
{
    return n / 8 * 4;
}

/* The offset in the input of the first bit of a mask, a bit for each byte of the four words; n if there is none. */
static inline size_t windows4_first(uint32_t mask, size_t n)
{
    /* Below 8 bytes the words are two, each twice: a bit where the third one ends stands for "none". */
    const size_t o = windows4_step(n), first = bits_first((uint64_t)mask | (uint64_t)1 << (12 + o));
    return first + select_below(first, 8, 0, n - 12 - o);
}

/* o for n bytes, 16 <= n <= 64, in vectors of 16 bytes. */
static inline size_t windows16_step(size_t n)
{
    return (size_t)(n >= 32) * 16;
}

/* The offset in the input of the first bit of a mask, a bit for each byte of the four vectors; n if there is none. */
static inline size_t windows16_first(uint64_t mask, size_t n)
{
    /* Below 32 bytes the vectors are two, each twice: a bit where the third one ends stands for "none". */
    const size_t o = windows16_step(n), first = bits_first(mask | (uint64_t)(n < 32) << 48);
    return first + select_below(first, 32, 0, n - 48 - o);
}

#endif
