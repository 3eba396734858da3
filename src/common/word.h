/* SPDX-License-Identifier: MIT */
/*
 * Predicates on the eight bytes of a word. Each sets bit 7 of exactly the bytes that satisfy it: no carry
 * leaves a byte, so that the answer holds for all eight, not only for the first.
 */
#ifndef QUERN_COMMON_WORD_H
#define QUERN_COMMON_WORD_H

#include "common/bits.h"

#define WORD_ONES UINT64_C(0x0101010101010101)
#define WORD_HIGH UINT64_C(0x8080808080808080)
#define WORD_LOW7 UINT64_C(0x7f7f7f7f7f7f7f7f)

/* Bytes that the default style escapes: below 0x20, 0x22, 0x5C. */
static inline uint64_t word_escaped(uint64_t x)
{
    /* x ^ 2 maps 0x22 to 0x20 and the control characters onto themselves: one comparison for both. */
    uint64_t not_low = ((x ^ 2 * WORD_ONES) & WORD_LOW7) + (0x80 - 0x21) * WORD_ONES;
    uint64_t not_solidus = ((x ^ 0x5C * WORD_ONES) & WORD_LOW7) + 0x7F * WORD_ONES;
    return ~((not_low & not_solidus) | x) & WORD_HIGH;
}

/* Bytes equal to LF. */
static inline uint64_t word_newlines(uint64_t x)
{
    x ^= '\n' * WORD_ONES;
    return ~(((x & WORD_LOW7) + WORD_LOW7) | x) & WORD_HIGH;
}

/* The index in memory order of the first byte whose bit 7 is set; `flags` is not 0. */
static inline unsigned word_first(uint64_t flags)
{
    return bits_trailing_zeros(flags) / 8;
}

#endif
