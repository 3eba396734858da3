/* SPDX-License-Identifier: MIT */
/* The vector shim on AVX2; src/sse42/vec.h says what each name means. */
#ifndef QUERN_VEC_H
#define QUERN_VEC_H

#include "common/kernel.h"
#include "common/load.h"

#if defined(QUERN_EMULATE)
#    define SIMDE_ENABLE_NATIVE_ALIASES
#    include <simde/x86/avx2.h>
#else
#    include <immintrin.h>
#endif

#define VEC_BYTES 32
#define VEC_MASK_STEP 1
#define VEC_TALLY_ROUNDS 255

typedef __m256i vec, vec_flags, vec_tally;

typedef struct block {
    vec v[2];
} block;

QUERN_INLINE vec vec_load(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

QUERN_INLINE void vec_store(void *p, vec v)
{
    _mm256_storeu_si256((__m256i *)p, v);
}

/*
 * The whole words among the first n bytes at p, n <= 64, from byte 32 k on, with zeros behind: a masked load, so that
 * the length decides on a mask, not on a branch, which random lengths would mispredict.
 */
QUERN_INLINE vec avx2_load_words(const void *p, size_t n, size_t k)
{
    static const int32_t masks[32] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    const __m256i mask = _mm256_loadu_si256((const __m256i *)(masks + 16 - n / 4 + 8 * k));
#if defined(QUERN_EMULATE)
    /* SIMDe's masked load reads the words that are masked off as well. */
    int32_t words[8] = {0};
    (void)mask;
    for (size_t i = 0; i < 8 && 8 * k + i < n / 4; i++)
        memcpy(&words[i], (const char *)p + (8 * k + i) * 4, 4);
    return _mm256_loadu_si256((const __m256i *)words);
#else
    /* As an integer: the address may lie beyond the input, and nothing is read there then. */
    return _mm256_maskload_epi32((const int *)((uintptr_t)p + k * VEC_BYTES), mask);
#endif
}

QUERN_INLINE block block_load_first(const void *p, size_t n)
{
    /* The last n % 4 bytes: the top of the word that ends the input, or all there is. */
    uint32_t rest;
    if (QUERN_LIKELY(n >= 4))
        rest = (uint32_t)((uint64_t)load32((const char *)p + n - 4) >> (32 - n % 4 * 8));
    else
        rest = load_first_of_4(p, n);
    const __m256i words = _mm256_set1_epi32((int)(n / 4)), tail = _mm256_set1_epi32((int)bits_memory_order_32(rest));
    const __m256i low = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                  high = _mm256_setr_epi32(8, 9, 10, 11, 12, 13, 14, 15);
    block b;
    b.v[0] = _mm256_or_si256(avx2_load_words(p, n, 0), _mm256_and_si256(tail, _mm256_cmpeq_epi32(words, low)));
    b.v[1] = _mm256_or_si256(avx2_load_words(p, n, 1), _mm256_and_si256(tail, _mm256_cmpeq_epi32(words, high)));
    return b;
}

QUERN_INLINE void copy_below_vector(void *dst, const void *src, size_t n)
{
    if (n >= 16) {
        /* Two stores that overlap; a masked store is very slow on some processors. */
        __m128i first = _mm_loadu_si128((const __m128i *)src);
        __m128i last = _mm_loadu_si128((const __m128i *)((const char *)src + n - 16));
        _mm_storeu_si128((__m128i *)dst, first);
        _mm_storeu_si128((__m128i *)((char *)dst + n - 16), last);
    } else {
        copy_below_16(dst, src, n);
    }
}

QUERN_INLINE void vec_pin(vec *v)
{
#if defined(__GNUC__) && !defined(__clang__) && !defined(QUERN_EMULATE)
    __asm__("" : "+x"(*v));
#else
    (void)v;
#endif
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

QUERN_INLINE vec vec_high_nibble(vec v, vec nibble)
{
    return _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble);
}

QUERN_INLINE vec vec_lookup(vec table, vec index)
{
    return _mm256_shuffle_epi8(table, index);
}

QUERN_INLINE vec vec_reverse(vec v, vec order, size_t width)
{
    (void)width;
    return _mm256_shuffle_epi8(v, order);
}

QUERN_INLINE vec vec_lookup_ascii(vec table, vec index)
{
    return _mm256_shuffle_epi8(table, index);
}

QUERN_INLINE vec vec_lookup_low(vec table, vec index)
{
    return _mm256_shuffle_epi8(table, _mm256_adds_epu8(index, _mm256_set1_epi8(0x70)));
}

QUERN_INLINE void vec_expand_8(void *p, vec v, unsigned k, const unsigned char which[16])
{
    const __m128i solidus = _mm_set1_epi8('\\');
    const __m128i half = k < 2 ? _mm256_castsi256_si128(v) : _mm256_extracti128_si256(v, 1);
    const __m128i from = k & 1 ? _mm_unpackhi_epi64(half, solidus) : _mm_unpacklo_epi64(half, solidus);
    _mm_storeu_si128((__m128i *)p, _mm_shuffle_epi8(from, _mm_loadu_si128((const __m128i *)which)));
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

QUERN_INLINE uint64_t block_mask(const vec_flags f[2])
{
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(f[1]) << 32 | (uint32_t)_mm256_movemask_epi8(f[0]);
}

QUERN_INLINE uint64_t flags_mask(vec_flags f)
{
    return (uint32_t)_mm256_movemask_epi8(f);
}

QUERN_INLINE bool vec_any(vec v)
{
#if defined(QUERN_EMULATE)
    /* SIMDe 0.7.4 has PTEST wrong: either half being zero is enough for it. */
    return _mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_setzero_si256())) != -1;
#else
    return !_mm256_testz_si256(v, v);
#endif
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
#if defined(QUERN_EMULATE)
    /* On big-endian machines the low half of a 64-bit lane is not where x86 has it. */
    return (size_t)_mm_extract_epi64(both, 0) + (size_t)_mm_extract_epi64(both, 1);
#else
    return (size_t)(uint32_t)_mm_cvtsi128_si32(both) + (size_t)(uint32_t)_mm_extract_epi32(both, 2);
#endif
}

#endif
