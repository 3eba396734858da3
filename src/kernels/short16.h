/* SPDX-License-Identifier: MIT */
/* Inputs of 4 to 64 bytes in vectors of 16 bytes: windows that overlap (common/windows.h). */
#ifndef QUERN_SHORT_H
#define QUERN_SHORT_H

#include "common/windows.h"
#include "kernels/escape_flags.h"

/* Whether the functions here take so short an input, of at most 64 bytes. */
#define SHORT_TAKES(n) ((n) >= 4)

/* Copies [src, src + n), 4 <= n <= 64; may write 64 bytes. */
QUERN_INLINE void short_copy(char *dst, const char *src, size_t n)
{
    if (n < 16) {
        const size_t o = windows4_step(n);
        const uint32_t a = load32_raw(src), b = load32_raw(src + o), c = load32_raw(src + n - 4 - o),
                       d = load32_raw(src + n - 4);
        store32_raw(dst, a);
        store32_raw(dst + o, b);
        store32_raw(dst + n - 4 - o, c);
        store32_raw(dst + n - 4, d);
    } else {
        const size_t o = windows16_step(n);
        const vec a = vec_load(src), b = vec_load(src + o), c = vec_load(src + n - 16 - o), d = vec_load(src + n - 16);
        vec_store(dst, a);
        vec_store(dst + o, b);
        vec_store(dst + n - 16 - o, c);
        vec_store(dst + n - 16, d);
    }
}

/*
 * The offset of the first byte to escape in [src, src + n), 4 <= n <= 64, or n. *high: whether a byte is not
 * ASCII. Copies to `dst` as well if that is not NULL; may write 64 bytes there.
 */
QUERN_INLINE size_t short_escape(char *dst, const char *src, size_t n, bool *high)
{
    if (n < 16) {
        const size_t o = windows4_step(n);
        const uint32_t words[4] = {load32_raw(src), load32_raw(src + o), load32_raw(src + n - 4 - o),
                                   load32_raw(src + n - 4)};
        if (dst) {
            store32_raw(dst, words[0]);
            store32_raw(dst + o, words[1]);
            store32_raw(dst + n - 4 - o, words[2]);
            store32_raw(dst + n - 4, words[3]);
        }
        const vec v = vec_of_words(words);
        *high = flags_any(vec_is_high(v));
        return windows4_first(vector_mask(escape_flags(v)), n);
    }
    const size_t o = windows16_step(n);
    const vec a = vec_load(src), b = vec_load(src + o), c = vec_load(src + n - 16 - o), d = vec_load(src + n - 16);
    if (dst) {
        vec_store(dst, a);
        vec_store(dst + o, b);
        vec_store(dst + n - 16 - o, c);
        vec_store(dst + n - 16, d);
    }
    const vec_flags flags[4] = {escape_flags(a), escape_flags(b), escape_flags(c), escape_flags(d)};
    *high = flags_any(vec_is_high(vec_or(vec_or(a, b), vec_or(c, d))));
    return windows16_first(block_mask(flags), n);
}

#endif
