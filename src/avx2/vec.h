/* SPDX-License-Identifier: MIT */
/* The vector shim on AVX2; src/sse42/vec.h says what each name means. */
#ifndef QUERN_VEC_H
#define QUERN_VEC_H

#include "common/kernel.h"
#include "common/load.h"

#include <immintrin.h>

#define VEC_BYTES 32
#define VEC_MASK_STEP 1
#define VEC_TALLY_ROUNDS 255

typedef __m256i vec, vec_flags, vec_tally;

QUERN_INLINE vec vec_load(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

QUERN_INLINE void vec_store(void *p, vec v)
{
    _mm256_storeu_si256((__m256i *)p, v);
}

/*
 * A masked load takes the whole words, and the rest is put behind them: the length decides on addresses and shifts, not
 * on branches, which random lengths would mispredict.
 */
QUERN_INLINE vec vec_load_first(const void *p, size_t n)
{
    const unsigned char *bytes = p;
    const size_t words = n / 4;
    uint32_t rest;
    if (n >= 4)
        rest = (uint32_t)((uint64_t)load32(bytes + n - 4) >> (32 - n % 4 * 8));
    else
        rest = load_first_of_4(p, n);
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), count = _mm256_set1_epi32((int)words);
    __m256i whole = _mm256_maskload_epi32((const int *)p, _mm256_cmpgt_epi32(count, lane));
    return _mm256_or_si256(whole, _mm256_and_si256(_mm256_set1_epi32((int)rest), _mm256_cmpeq_epi32(count, lane)));
}

QUERN_INLINE void vec_store_first(void *p, vec v, const void *src, size_t n)
{
    if (n >= 16) {
        /* Two stores that overlap; a masked store is very slow on some processors. */
        __m128i last = _mm_loadu_si128((const __m128i *)((const char *)src + n - 16));
        _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(v));
        _mm_storeu_si128((__m128i *)((char *)p + n - 16), last);
    } else {
        copy_below_16(p, src, n);
    }
}

QUERN_INLINE vec vec_zero(void)
{
    return _mm256_setzero_si256();
}

QUERN_INLINE vec vec_splat(uint8_t byte)
{
    return _mm256_set1_epi8((char)byte);
}

QUERN_INLINE vec vec_table(const uint8_t table[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table));
}

QUERN_INLINE vec vec_and(vec a, vec b)
{
    return _mm256_and_si256(a, b);
}

QUERN_INLINE vec vec_or(vec a, vec b)
{
    return _mm256_or_si256(a, b);
}

QUERN_INLINE vec vec_xor(vec a, vec b)
{
    return _mm256_xor_si256(a, b);
}

QUERN_INLINE vec vec_min(vec a, vec b)
{
    return _mm256_min_epu8(a, b);
}

QUERN_INLINE vec vec_add_saturated(vec a, vec b)
{
    return _mm256_adds_epu8(a, b);
}

QUERN_INLINE vec vec_subtract_saturated(vec a, vec b)
{
    return _mm256_subs_epu8(a, b);
}

QUERN_INLINE vec vec_high_nibble(vec v)
{
    return _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(0x0F));
}

QUERN_INLINE vec vec_lookup(vec table, vec index)
{
    return _mm256_shuffle_epi8(table, index);
}

/* The two lanes are moved apart: `between` holds the 16 bytes before each lane. */
#define AVX2_BEFORE(before, v, n) _mm256_alignr_epi8(v, _mm256_permute2x128_si256(before, v, 0x21), 16 - (n))

QUERN_INLINE vec vec_before_1(vec before, vec v)
{
    return AVX2_BEFORE(before, v, 1);
}

QUERN_INLINE vec vec_before_2(vec before, vec v)
{
    return AVX2_BEFORE(before, v, 2);
}

QUERN_INLINE vec vec_before_3(vec before, vec v)
{
    return AVX2_BEFORE(before, v, 3);
}

QUERN_INLINE vec_flags vec_is_equal(vec a, vec b)
{
    return _mm256_cmpeq_epi8(a, b);
}

QUERN_INLINE vec_flags vec_is_at_most(vec a, vec b)
{
    return _mm256_cmpeq_epi8(_mm256_min_epu8(a, b), a);
}

QUERN_INLINE vec_flags vec_is_high(vec v)
{
    return v;
}

QUERN_INLINE vec_flags flags_or(vec_flags a, vec_flags b)
{
    return _mm256_or_si256(a, b);
}

QUERN_INLINE bool flags_any(vec_flags f)
{
    return _mm256_movemask_epi8(f) != 0;
}

QUERN_INLINE uint64_t flags_mask(vec_flags f)
{
    return (uint32_t)_mm256_movemask_epi8(f);
}

QUERN_INLINE bool vec_any(vec v)
{
    return !_mm256_testz_si256(v, v);
}

QUERN_INLINE vec_tally tally_zero(void)
{
    return _mm256_setzero_si256();
}

QUERN_INLINE vec_tally tally_add(vec_tally t, vec_flags f)
{
    return _mm256_sub_epi8(t, f);
}

QUERN_INLINE size_t tally_sum(vec_tally t)
{
    __m256i sums = _mm256_sad_epu8(t, _mm256_setzero_si256());
    __m128i both = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return (size_t)(uint32_t)_mm_cvtsi128_si32(both) + (size_t)(uint32_t)_mm_extract_epi32(both, 2);
}

#endif
