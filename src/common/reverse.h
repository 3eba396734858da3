/* SPDX-License-Identifier: MIT */
/* Arrays whose elements are copied with their bytes reversed, in words of eight bytes; the last word overlaps. */
#ifndef QUERN_COMMON_REVERSE_H
#define QUERN_COMMON_REVERSE_H

#include "common/kernel.h"
#include "common/load.h"

/* Reverses the bytes of each element of `width` bytes, 2, 4 or 8. */
QUERN_INLINE uint64_t reverse_word(uint64_t x, size_t width)
{
    if (width == 2) {
        const uint64_t low = UINT64_C(0x00FF00FF00FF00FF);
        return (x & low) << 8 | (x >> 8 & low);
    }
    x = bits_swap_bytes(x);
    return width == 4 ? x << 32 | x >> 32 : x;
}

/* Any length that is a multiple of `width`; touches [dst, dst + len) alone. */
QUERN_INLINE void reverse_words(unsigned char *dst, const unsigned char *src, size_t len, size_t width)
{
    if (len >= 8) {
        const uint64_t last = reverse_word(load64(src + len - 8), width);
        for (size_t i = 0; len - i > 8; i += 8)
            store64(dst + i, reverse_word(load64(src + i), width));
        store64(dst + len - 8, last);
    } else if (len >= 4) {
        const uint32_t first = (uint32_t)reverse_word(load32(src), width);
        const uint32_t last = (uint32_t)reverse_word(load32(src + len - 4), width);
        store32(dst, first);
        store32(dst + len - 4, last);
    } else if (len > 0) {
        const unsigned char first = src[0];
        dst[0] = src[1];
        dst[1] = first;
    }
}

#endif
