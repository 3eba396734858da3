/* SPDX-License-Identifier: MIT */
/*
 * Copies of arrays with the bytes of each element reversed: vectors, and a last one that overlaps the one before. A
 * vector holds whole elements, so whatever overlaps is written twice alike. Below a vector it is words.
 */
#include "common/reverse.h"

static const uint8_t reverse_orders[3][16] = {{1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14},
                                              {3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12},
                                              {7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8}};

QUERN_INLINE void reverse_vectors(char *dst, const char *src, size_t len, size_t width)
{
    if (len < VEC_BYTES) {
        reverse_words((unsigned char *)dst, (const unsigned char *)src, len, width);
        return;
    }
    const vec order = vec_table(reverse_orders[width / 4]);
    const vec last = vec_reverse(vec_load(src + len - VEC_BYTES), order, width);
    size_t i = 0;
    for (; len - i > 4 * VEC_BYTES; i += 4 * VEC_BYTES)
        for (size_t k = 0; k < 4 * VEC_BYTES; k += VEC_BYTES)
            vec_store(dst + i + k, vec_reverse(vec_load(src + i + k), order, width));
    for (; len - i > VEC_BYTES; i += VEC_BYTES)
        vec_store(dst + i, vec_reverse(vec_load(src + i), order, width));
    vec_store(dst + len - VEC_BYTES, last);
}

quern_swap_copy16_function QUERN_KERNEL(swap_copy16);
void QUERN_KERNEL(swap_copy16)(void *dst, const void *src, size_t count)
{
    reverse_vectors(dst, src, count * 2, 2);
}

quern_swap_copy32_function QUERN_KERNEL(swap_copy32);
void QUERN_KERNEL(swap_copy32)(void *dst, const void *src, size_t count)
{
    reverse_vectors(dst, src, count * 4, 4);
}

quern_swap_copy64_function QUERN_KERNEL(swap_copy64);
void QUERN_KERNEL(swap_copy64)(void *dst, const void *src, size_t count)
{
    reverse_vectors(dst, src, count * 8, 8);
}
