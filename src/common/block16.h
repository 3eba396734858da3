/* SPDX-License-Identifier: MIT */
/*
 * The first n bytes of an input, n <= 64, as four vectors of 16 bytes with zeros behind: the arithmetic that the
 * instruction sets with vectors of 16 bytes have in common. What they add is a shuffle in which an index of 0x80 gives
 * a zero.
 */
#ifndef QUERN_COMMON_BLOCK16_H
#define QUERN_COMMON_BLOCK16_H

#include "common/windows.h"

#define Z 0x80

/* From i on, 16 indices that move a vector down by i bytes, and bring zeros in. */
static const uint8_t block16_down[32] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                                         Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z,  Z,  Z,  Z,  Z,  Z};

/* clang-format off */
/* Four words of four bytes at 0, o, n - 4 - o, n - 4, with o = n / 8 * 4, to the n bytes from which they come. */
static const uint8_t block16_join[16][16] = {
    {Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z},
    {Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z},
    {Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z},
    {Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z},
    {0, 1, 2, 3, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z},
    {0, 1, 2, 3, 15, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z},
    {0, 1, 2, 3, 14, 15, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z},
    {0, 1, 2, 3, 13, 14, 15, Z, Z, Z, Z, Z, Z, Z, Z, Z},
    {0, 1, 2, 3, 4, 5, 6, 7, Z, Z, Z, Z, Z, Z, Z, Z},
    {0, 1, 2, 3, 4, 5, 6, 7, 15, Z, Z, Z, Z, Z, Z, Z},
    {0, 1, 2, 3, 4, 5, 6, 7, 14, 15, Z, Z, Z, Z, Z, Z},
    {0, 1, 2, 3, 4, 5, 6, 7, 13, 14, 15, Z, Z, Z, Z, Z},
    {0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, Z, Z, Z, Z},
    {0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, Z, Z, Z},
    {0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, Z, Z},
    {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, Z},
};
/* clang-format on */

#undef Z

/* Where vector k of the block comes from: 16 bytes at this offset, moved down by *down; n >= 16. */
static inline size_t block16_offset(size_t n, size_t k, size_t *down)
{
    const size_t last = n - 16, offset = 16 * k < last ? 16 * k : last, distance = 16 * k - offset;
    *down = distance < 16 ? distance : 16;
    return offset;
}

#endif
