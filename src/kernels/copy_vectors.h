/* SPDX-License-Identifier: MIT */
/* Copies of a length that is neither very short nor long, in vectors. */
#ifndef QUERN_KERNELS_COPY_VECTORS_H
#define QUERN_KERNELS_COPY_VECTORS_H

QUERN_INLINE void copy_64(char *dst, const char *src)
{
    for (size_t k = 0; k < 64; k += VEC_BYTES)
        vec_store(dst + k, vec_load(src + k));
}

/* len >= VEC_BYTES. The last bytes are copied by vectors that overlap the ones before. */
QUERN_INLINE void copy_vectors(char *dst, const char *src, size_t len)
{
    if (len <= 64) {
        const vec last = vec_load(src + len - VEC_BYTES);
        for (size_t i = 0; len - i > VEC_BYTES; i += VEC_BYTES)
            vec_store(dst + i, vec_load(src + i));
        vec_store(dst + len - VEC_BYTES, last);
    } else if (len <= 256) {
        /* Two blocks of 64 bytes or four: lengths are random, and a loop would end in a mispredicted branch. */
        copy_64(dst, src);
        if (len > 128) {
            copy_64(dst + 64, src + 64);
            copy_64(dst + len - 128, src + len - 128);
        }
        copy_64(dst + len - 64, src + len - 64);
    } else {
        size_t i = 0;
        for (; len - i > 128; i += 128) {
            copy_64(dst + i, src + i);
            copy_64(dst + i + 64, src + i + 64);
        }
        copy_64(dst + len - 128, src + len - 128);
        copy_64(dst + len - 64, src + len - 64);
    }
}

/* Any length; touches [dst, dst + len) alone. */
QUERN_INLINE void copy_strict(char *dst, const char *src, size_t len)
{
    if (len >= VEC_BYTES)
        copy_vectors(dst, src, len);
    else
        copy_below_vector(dst, src, len);
}

#endif
