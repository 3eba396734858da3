/* SPDX-License-Identifier: MIT */
/* Byte-sink copy, a byte at a time. */
#include "common/kernel.h"

quern_copy_function QUERN_KERNEL(copy), QUERN_KERNEL(copy_slack);
void QUERN_KERNEL(copy)(void *dst, const void *src, size_t len)
{
    unsigned char *to = dst;
    const unsigned char *from = src;
    for (size_t i = 0; i < len; i++)
        to[i] = from[i];
}

void QUERN_KERNEL(copy_slack)(void *dst, const void *src, size_t len)
{
    QUERN_KERNEL(copy)(dst, src, len);
}
