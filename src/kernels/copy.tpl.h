/* SPDX-License-Identifier: MIT */
/*
 * Byte-sink copy: up to 64 bytes each instruction set has its own way (short.h), without a loop; whole vectors and an
 * overlapping last one above. From COPY_LONG on the C library's memcpy takes over, which knows the machine's caches.
 */
#include "common/load.h"
#include "kernels/block.h"
#include "kernels/copy_vectors.h"

#include <string.h>

#define COPY_LONG 2048

quern_copy_function QUERN_KERNEL(copy), QUERN_KERNEL(copy_slack);
void QUERN_KERNEL(copy)(void *dst, const void *src, size_t len)
{
    if (len < COPY_LONG)
        copy_strict(dst, src, len);
    else
        memcpy(dst, src, len);
}

void QUERN_KERNEL(copy_slack)(void *dst, const void *src, size_t len)
{
    if (len <= BLOCK_BYTES) {
        if (SHORT_TAKES(len))
            short_copy(dst, src, len);
        else
            store32(dst, load_first_of_4(src, len));
    } else if (len < COPY_LONG) {
        copy_vectors(dst, src, len);
    } else {
        memcpy(dst, src, len);
    }
}
