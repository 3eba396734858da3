/* SPDX-License-Identifier: MIT */
/*
 * Inputs of 4 to 64 bytes on AVX2: whole words by masked loads, then the word that ends the input, which overlaps them;
 * src/sse42/short.h says what each name means.
 */
#ifndef QUERN_SHORT_H
#define QUERN_SHORT_H

#include "kernels/escape_flags.h"

#define SHORT_TAKES(n) ((n) >= 4)

QUERN_INLINE void short_copy(char *dst, const char *src, size_t n)
{
    const vec a = avx2_load_words(src, n, 0), b = avx2_load_words(src, n, 1);
    const uint32_t last = load32_raw(src + n - 4);
    vec_store(dst, a);
    vec_store(dst + VEC_BYTES, b);
    store32_raw(dst + n - 4, last);
}

QUERN_INLINE size_t short_escape(char *dst, const char *src, size_t n, bool *high)
{
    const vec a = avx2_load_words(src, n, 0), b = avx2_load_words(src, n, 1);
    const uint32_t last = load32_raw(src + n - 4);
    if (dst) {
        vec_store(dst, a);
        vec_store(dst + VEC_BYTES, b);
        store32_raw(dst + n - 4, last);
    }
    const __m128i c = _mm_cvtsi32_si128((int)last);
    *high = flags_any(vec_is_high(vec_or(vec_or(a, b), _mm256_zextsi128_si256(c))));
    /* The zeros behind the words count as escaped, and so do those behind the last word: there is always a first. */
    const vec_flags flags[2] = {escape_flags(a), escape_flags(b)};
    const __m128i bound = _mm_set1_epi8(0x20), x = _mm_xor_si128(c, _mm_set1_epi8(2));
    const __m128i found =
        _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(x, bound), x), _mm_cmpeq_epi8(c, _mm_set1_epi8('\\')));
    const size_t first = bits_first(block_mask(flags)), words = n / 4 * 4;
    const size_t in_last = n - 4 + bits_trailing_zeros((uint32_t)_mm_movemask_epi8(found));
    return select_below(first, words, first, in_last);
}

#endif
