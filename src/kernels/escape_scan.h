/* SPDX-License-Identifier: MIT */
/*
 * Escape scanning, alone and with a copy.
 *
 * Up to 64 bytes each instruction set has its own way (short.h), without a loop. Above, four vectors share one test,
 * and the last vector overlaps the one before: what it shows again was clean.
 */
#ifndef QUERN_KERNELS_ESCAPE_SCAN_H
#define QUERN_KERNELS_ESCAPE_SCAN_H

#include "common/tiny.h"
#include "kernels/block.h"
#include "kernels/copy_vectors.h"
#include "kernels/escape_flags.h"

/*
 * The same for four vectors at once, of which only "any?" is asked: both conditions become "is at most 0x20" (0x5C ^ x,
 * with 0x20 added, is 0x20 for the reverse solidus alone), so the smallest value of all decides.
 */
QUERN_INLINE vec escape_key(vec v)
{
    return vec_min(vec_xor(v, vec_splat(2)), vec_add_saturated(vec_xor(v, vec_splat('\\')), vec_splat(0x20)));
}

QUERN_INLINE size_t escape_first(vec_flags flags)
{
    return bits_trailing_zeros(flags_mask(flags)) / VEC_MASK_STEP;
}

/* Scans, and copies if `dst` is not NULL; `slack` is a constant at each call. */
QUERN_INLINE size_t escape_scan(char *dst, const char *src, size_t len, bool slack)
{
    if (len <= BLOCK_BYTES) {
        bool high;
        char *slack_dst = slack ? dst : NULL;
        if (dst && !slack)
            copy_strict(dst, src, len);
        return SHORT_TAKES(len) ? short_escape(slack_dst, src, len, &high) : tiny_escape(slack_dst, src, len, &high);
    }

    size_t i = 0;
    while (len - i >= 4 * VEC_BYTES) {
        vec a = vec_load(src + i), b = vec_load(src + i + VEC_BYTES);
        vec c = vec_load(src + i + 2 * VEC_BYTES), d = vec_load(src + i + 3 * VEC_BYTES);
        if (dst) {
            vec_store(dst + i, a);
            vec_store(dst + i + VEC_BYTES, b);
            vec_store(dst + i + 2 * VEC_BYTES, c);
            vec_store(dst + i + 3 * VEC_BYTES, d);
        }
        vec keys = vec_min(vec_min(escape_key(a), escape_key(b)), vec_min(escape_key(c), escape_key(d)));
        if (QUERN_UNLIKELY(flags_any(vec_is_at_most(keys, vec_splat(0x20)))))
            break;
        i += 4 * VEC_BYTES;
    }
    while (len - i >= VEC_BYTES) {
        vec v = vec_load(src + i);
        if (dst)
            vec_store(dst + i, v);
        vec_flags flags = escape_flags(v);
        if (flags_any(flags))
            return i + escape_first(flags);
        i += VEC_BYTES;
    }
    if (i == len)
        return len;
    vec v = vec_load(src + len - VEC_BYTES);
    if (dst)
        vec_store(dst + len - VEC_BYTES, v);
    vec_flags flags = escape_flags(v);
    return flags_any(flags) ? len - VEC_BYTES + escape_first(flags) : len;
}

#endif
