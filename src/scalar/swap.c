/* SPDX-License-Identifier: MIT */
/* Copies of arrays with the bytes of each element reversed, a byte at a time. */
#include "common/kernel.h"

static void copy_reversed(unsigned char *dst, const unsigned char *src, size_t count, size_t width)
{
    for (size_t i = 0; i < count * width; i += width)
        for (size_t k = 0; k < width; k++)
            dst[i + k] = src[i + width - 1 - k];
}

quern_swap_copy16_function QUERN_KERNEL(swap_copy16);
void QUERN_KERNEL(swap_copy16)(void *dst, const void *src, size_t count)
{
    copy_reversed(dst, src, count, 2);
}

quern_swap_copy32_function QUERN_KERNEL(swap_copy32);
void QUERN_KERNEL(swap_copy32)(void *dst, const void *src, size_t count)
{
    copy_reversed(dst, src, count, 4);
}

quern_swap_copy64_function QUERN_KERNEL(swap_copy64);
void QUERN_KERNEL(swap_copy64)(void *dst, const void *src, size_t count)
{
    copy_reversed(dst, src, count, 8);
}
