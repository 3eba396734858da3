/* SPDX-License-Identifier: MIT */
/* Byte-sink copy on words of eight bytes; the last word overlaps the one before it. */
#include "common/kernel.h"
#include "common/load.h"

quern_copy_function QUERN_KERNEL(copy), QUERN_KERNEL(copy_slack);
void QUERN_KERNEL(copy)(void *dst, const void *src, size_t len)
{
    unsigned char *to = dst;
    const unsigned char *from = src;
    if (len < 16) {
        copy_below_16(to, from, len);
        return;
    }
    for (size_t i = 0; len - i > 16; i += 16) {
        uint64_t low = load64(from + i), high = load64(from + i + 8);
        store64(to + i, low);
        store64(to + i + 8, high);
    }
    uint64_t low = load64(from + len - 16), high = load64(from + len - 8);
    store64(to + len - 16, low);
    store64(to + len - 8, high);
}

void QUERN_KERNEL(copy_slack)(void *dst, const void *src, size_t len)
{
    unsigned char *to = dst;
    if (len < 16) {
        uint64_t low, high;
        load_first_of_16(src, len, &low, &high);
        store64(to, low);
        store64(to + 8, high);
        return;
    }
    QUERN_KERNEL(copy)(dst, src, len);
}
