/* SPDX-License-Identifier: MIT */
/*
 * Escape scanning, alone and with a copy.
 *
 * A byte is escaped if x ^ 2 <= 0x20 (that maps the quotation mark to 0x20 and the control characters onto
 * themselves) or x == 0x5C. Below one vector, the input is loaded with zeros behind it: a zero counts as escaped, so
 * the first flag is at the input's end if there is none before, and no length is tested. From one vector on, blocks of
 * four vectors share one test, and the last vector overlaps the one before: what it shows again was clean.
 */
#include "common/bits.h"

QUERN_INLINE vec_flags escape_flags(vec v)
{
    return flags_or(vec_is_at_most(vec_xor(v, vec_splat(2)), vec_splat(0x20)), vec_is_equal(v, vec_splat('\\')));
}

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
    if (len < VEC_BYTES) {
        vec v = vec_load_first(src, len);
        if (dst && slack)
            vec_store(dst, v);
        else if (dst)
            vec_store_first(dst, v, src, len);
        return escape_first(escape_flags(v));
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

quern_escape_find_function QUERN_KERNEL(escape_find);
size_t QUERN_KERNEL(escape_find)(const quern_style *style, const char *src, size_t len)
{
    (void)style;
    return escape_scan(NULL, src, len, false);
}

quern_escape_copy_function QUERN_KERNEL(escape_copy), QUERN_KERNEL(escape_copy_slack);
size_t QUERN_KERNEL(escape_copy)(const quern_style *style, char *dst, const char *src, size_t len)
{
    (void)style;
    if (len == 0)
        return 0; /* dst may be NULL */
    return escape_scan(dst, src, len, false);
}

size_t QUERN_KERNEL(escape_copy_slack)(const quern_style *style, char *dst, const char *src, size_t len)
{
    (void)style;
    return escape_scan(dst, src, len, true);
}
