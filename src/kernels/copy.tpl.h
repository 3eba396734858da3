/* SPDX-License-Identifier: MIT */
/*
 * Byte-sink copy: one vector with a computed tail below VEC_BYTES, whole vectors and an overlapping last one above.
 * From COPY_LONG on the C library's memcpy takes over, which knows the machine's caches.
 */
#include <string.h>

#define COPY_LONG 2048

QUERN_INLINE void copy_vectors(char *dst, const char *src, size_t len)
{
    size_t i = 0;
    /* The last 1 to VEC_BYTES bytes are left to the overlapping vector. */
    while (len - i > 4 * VEC_BYTES) {
        vec a = vec_load(src + i), b = vec_load(src + i + VEC_BYTES);
        vec c = vec_load(src + i + 2 * VEC_BYTES), d = vec_load(src + i + 3 * VEC_BYTES);
        vec_store(dst + i, a);
        vec_store(dst + i + VEC_BYTES, b);
        vec_store(dst + i + 2 * VEC_BYTES, c);
        vec_store(dst + i + 3 * VEC_BYTES, d);
        i += 4 * VEC_BYTES;
    }
    vec last = vec_load(src + len - VEC_BYTES);
    for (; len - i > VEC_BYTES; i += VEC_BYTES)
        vec_store(dst + i, vec_load(src + i));
    vec_store(dst + len - VEC_BYTES, last);
}

quern_copy_function QUERN_KERNEL(copy), QUERN_KERNEL(copy_slack);
void QUERN_KERNEL(copy)(void *dst, const void *src, size_t len)
{
    if (len < VEC_BYTES) {
        if (len > 0)
            vec_store_first(dst, vec_load_first(src, len), src, len);
    } else if (len < COPY_LONG) {
        copy_vectors(dst, src, len);
    } else {
        memcpy(dst, src, len);
    }
}

void QUERN_KERNEL(copy_slack)(void *dst, const void *src, size_t len)
{
    if (len < VEC_BYTES)
        vec_store(dst, vec_load_first(src, len));
    else if (len < COPY_LONG)
        copy_vectors(dst, src, len);
    else
        memcpy(dst, src, len);
}
