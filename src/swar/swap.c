/* SPDX-License-Identifier: MIT */
/* Copies of arrays with the bytes of each element reversed, in words of eight bytes. */
#include "common/reverse.h"

quern_swap_copy16_function QUERN_KERNEL(swap_copy16);
void QUERN_KERNEL(swap_copy16)(void *dst, const void *src, size_t count)
{
    reverse_words(dst, src, count * 2, 2);
}

quern_swap_copy32_function QUERN_KERNEL(swap_copy32);
void QUERN_KERNEL(swap_copy32)(void *dst, const void *src, size_t count)
{
    reverse_words(dst, src, count * 4, 4);
}

quern_swap_copy64_function QUERN_KERNEL(swap_copy64);
void QUERN_KERNEL(swap_copy64)(void *dst, const void *src, size_t count)
{
    reverse_words(dst, src, count * 8, 8);
}
