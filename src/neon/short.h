/* SPDX-License-Identifier: MIT */
/* Inputs of 4 to 64 bytes on NEON: windows that overlap (common/windows.h); src/sse42/short.h says what each name
 * means. */
#ifndef QUERN_SHORT_H
#define QUERN_SHORT_H

#include "kernels/escape_flags.h"

#define SHORT_TAKES(n) ((n) >= 4)

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
        const vec v = vreinterpretq_u8_u32(vld1q_u32(words));
        *high = flags_any(vec_is_high(v));
        const vec_flags none = vdupq_n_u8(0), flags[4] = {escape_flags(v), none, none, none};
        return windows4_first((uint32_t)block_mask(flags), n);
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
