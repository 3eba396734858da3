/* SPDX-License-Identifier: MIT */
/* The vector shim on AVX-512 (the bundle of Ice Lake); src/sse42/vec.h says what each name means. */
#ifndef QUERN_VEC_H
#define QUERN_VEC_H

#include "common/bits.h"
#include "common/kernel.h"

#include <immintrin.h>

#define VEC_BYTES 64
#define VEC_MASK_STEP 1
#define VEC_TALLY_ROUNDS 4096

typedef __m512i vec;
typedef __mmask64 vec_flags;
typedef uint64_t vec_tally;

typedef struct block {
    vec v[1];
} block;

QUERN_INLINE vec vec_load(const void *p)
{
    return _mm512_loadu_si512(p);
}

QUERN_INLINE void vec_store(void *p, vec v)
{
    _mm512_storeu_si512(p, v);
}

/* The first n bits; n <= 64. */
QUERN_INLINE __mmask64 avx512_first(size_t n)
{
    return _cvtu64_mask64(_bzhi_u64(~UINT64_C(0), (unsigned)n));
}

/* A masked load reads nothing where the mask is clear: no fault, and no branch on n. */
QUERN_INLINE block block_load_first(const void *p, size_t n)
{
    return (block){{_mm512_maskz_loadu_epi8(avx512_first(n), p)}};
}

QUERN_INLINE void copy_below_vector(void *dst, const void *src, size_t n)
{
    const __mmask64 first = avx512_first(n);
    _mm512_mask_storeu_epi8(dst, first, _mm512_maskz_loadu_epi8(first, src));
}

QUERN_INLINE void vec_pin(vec *v)
{
#if defined(__GNUC__) && !defined(__clang__)
    __asm__("" : "+v"(*v));
#else
    (void)v;
#endif
}

QUERN_INLINE vec vec_zero(void)
{
    return _mm512_setzero_si512();
}

QUERN_INLINE vec vec_splat(uint8_t byte)
{
    return _mm512_set1_epi8((char)byte);
}

QUERN_INLINE vec vec_table(const uint8_t table[16])
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)table));
}

QUERN_INLINE vec vec_and(vec a, vec b)
{
    return _mm512_and_si512(a, b);
}

QUERN_INLINE vec vec_or(vec a, vec b)
{
    return _mm512_or_si512(a, b);
}

QUERN_INLINE vec vec_xor(vec a, vec b)
{
    return _mm512_xor_si512(a, b);
}

QUERN_INLINE vec vec_min(vec a, vec b)
{
    return _mm512_min_epu8(a, b);
}

QUERN_INLINE vec vec_add_saturated(vec a, vec b)
{
    return _mm512_adds_epu8(a, b);
}

QUERN_INLINE vec vec_subtract_saturated(vec a, vec b)
{
    return _mm512_subs_epu8(a, b);
}

QUERN_INLINE vec vec_high_nibble(vec v, vec nibble)
{
    return _mm512_and_si512(_mm512_srli_epi16(v, 4), nibble);
}

QUERN_INLINE vec vec_lookup(vec table, vec index)
{
    return _mm512_shuffle_epi8(table, index);
}

QUERN_INLINE vec vec_reverse(vec v, vec order, size_t width)
{
    (void)width;
    return _mm512_shuffle_epi8(v, order);
}

QUERN_INLINE vec vec_lookup_ascii(vec table, vec index)
{
    return _mm512_shuffle_epi8(table, index);
}

/* The 16 bytes before each of the four lanes. */
QUERN_INLINE vec avx512_lanes_before(vec before, vec v)
{
    return _mm512_alignr_epi64(v, before, 6);
}

QUERN_INLINE vec vec_before_1(vec before, vec v)
{
    return _mm512_alignr_epi8(v, avx512_lanes_before(before, v), 15);
}

QUERN_INLINE vec vec_before_2(vec before, vec v)
{
    return _mm512_alignr_epi8(v, avx512_lanes_before(before, v), 14);
}

QUERN_INLINE vec vec_before_3(vec before, vec v)
{
    return _mm512_alignr_epi8(v, avx512_lanes_before(before, v), 13);
}

QUERN_INLINE vec_flags vec_is_equal(vec a, vec b)
{
    return _mm512_cmpeq_epi8_mask(a, b);
}

QUERN_INLINE vec_flags vec_is_at_most(vec a, vec b)
{
    return _mm512_cmple_epu8_mask(a, b);
}

QUERN_INLINE vec_flags vec_is_high(vec v)
{
    return _mm512_movepi8_mask(v);
}

QUERN_INLINE vec_flags flags_or(vec_flags a, vec_flags b)
{
    return _kor_mask64(a, b);
}

QUERN_INLINE bool flags_any(vec_flags f)
{
    return !_kortestz_mask64_u8(f, f);
}

QUERN_INLINE uint64_t block_mask(const vec_flags f[1])
{
    return _cvtmask64_u64(f[0]);
}

QUERN_INLINE uint64_t flags_mask(vec_flags f)
{
    return _cvtmask64_u64(f);
}

QUERN_INLINE bool vec_any(vec v)
{
    __mmask64 f = _mm512_test_epi8_mask(v, v);
    return !_kortestz_mask64_u8(f, f);
}

QUERN_INLINE vec_tally tally_zero(void)
{
    return 0;
}

QUERN_INLINE vec_tally tally_add(vec_tally t, vec_flags f)
{
    return t + (uint64_t)_mm_popcnt_u64(_cvtmask64_u64(f));
}

QUERN_INLINE size_t tally_sum(vec_tally t)
{
    return (size_t)t;
}

#endif
