/* SPDX-License-Identifier: MIT */
#include "reference/reference.h"

void reference_swap(unsigned char *dst, const unsigned char *src, size_t count, size_t width)
{
    for (size_t i = 0; i < count * width; i++)
        dst[i - i % width + (width - 1 - i % width)] = src[i];
}
