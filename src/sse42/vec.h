/* SPDX-License-Identifier: MIT */
/*
 * The vector shim on SSE4.2. The templates in src/kernels are written over these names; every shim has all of them.
 *
 * vec          VEC_BYTES bytes
 * vec_flags    a truth value per byte, as comparisons give it
 * uint64_t     flags as bits, VEC_MASK_STEP bits a byte, the first byte lowest
 * vec_tally    a counter of flags; holds at least VEC_TALLY_ROUNDS additions
 */
#ifndef QUERN_VEC_H
#define QUERN_VEC_H

#include "common/kernel.h"
#include "common/load.h"

#include <nmmintrin.h>

#define VEC_BYTES 16
#define VEC_MASK_STEP 1
#define VEC_TALLY_ROUNDS 255

typedef __m128i vec, vec_flags, vec_tally;

QUERN_INLINE vec vec_load(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

QUERN_INLINE void vec_store(void *p, vec v)
{
    _mm_storeu_si128((__m128i *)p, v);
}

/* The first n bytes at p, n < VEC_BYTES, with zeros behind; reads no others. */
QUERN_INLINE vec vec_load_first(const void *p, size_t n)
{
    uint64_t low, high;
    load_first_of_16(p, n, &low, &high);
    return _mm_set_epi64x((long long)high, (long long)low);
}

/* Stores the first n bytes of v, n < VEC_BYTES, which were loaded from src; writes no others. */
QUERN_INLINE void vec_store_first(void *p, vec v, const void *src, size_t n)
{
    (void)v;
    copy_below_16(p, src, n);
}

QUERN_INLINE vec vec_zero(void)
{
    return _mm_setzero_si128();
}

QUERN_INLINE vec vec_splat(uint8_t byte)
{
    return _mm_set1_epi8((char)byte);
}

/* 16 bytes, repeated: a table for vec_lookup. */
QUERN_INLINE vec vec_table(const uint8_t table[16])
{
    return vec_load(table);
}

QUERN_INLINE vec vec_and(vec a, vec b)
{
    return _mm_and_si128(a, b);
}

QUERN_INLINE vec vec_or(vec a, vec b)
{
    return _mm_or_si128(a, b);
}

QUERN_INLINE vec vec_xor(vec a, vec b)
{
    return _mm_xor_si128(a, b);
}

QUERN_INLINE vec vec_min(vec a, vec b)
{
    return _mm_min_epu8(a, b);
}

/* a + b and a - b, held at 255 and at 0. */
QUERN_INLINE vec vec_add_saturated(vec a, vec b)
{
    return _mm_adds_epu8(a, b);
}

QUERN_INLINE vec vec_subtract_saturated(vec a, vec b)
{
    return _mm_subs_epu8(a, b);
}

QUERN_INLINE vec vec_high_nibble(vec v)
{
    return _mm_and_si128(_mm_srli_epi16(v, 4), _mm_set1_epi8(0x0F));
}

/* table[index], index < 16 in each byte. */
QUERN_INLINE vec vec_lookup(vec table, vec index)
{
    return _mm_shuffle_epi8(table, index);
}

/* The text before, followed by v, moved on by 1, 2 or 3 bytes: byte i is the one that stands 1, 2 or 3 before v's byte
 * i. */
QUERN_INLINE vec vec_before_1(vec before, vec v)
{
    return _mm_alignr_epi8(v, before, 15);
}

QUERN_INLINE vec vec_before_2(vec before, vec v)
{
    return _mm_alignr_epi8(v, before, 14);
}

QUERN_INLINE vec vec_before_3(vec before, vec v)
{
    return _mm_alignr_epi8(v, before, 13);
}

QUERN_INLINE vec_flags vec_is_equal(vec a, vec b)
{
    return _mm_cmpeq_epi8(a, b);
}

/* a <= b, without a sign. */
QUERN_INLINE vec_flags vec_is_at_most(vec a, vec b)
{
    return _mm_cmpeq_epi8(_mm_min_epu8(a, b), a);
}

/* Bit 7 is set. */
QUERN_INLINE vec_flags vec_is_high(vec v)
{
    return v;
}

QUERN_INLINE vec_flags flags_or(vec_flags a, vec_flags b)
{
    return _mm_or_si128(a, b);
}

QUERN_INLINE bool flags_any(vec_flags f)
{
    return _mm_movemask_epi8(f) != 0;
}

QUERN_INLINE uint64_t flags_mask(vec_flags f)
{
    return (uint32_t)_mm_movemask_epi8(f);
}

/* Whether any bit of v is set. */
QUERN_INLINE bool vec_any(vec v)
{
    return !_mm_testz_si128(v, v);
}

QUERN_INLINE vec_tally tally_zero(void)
{
    return _mm_setzero_si128();
}

QUERN_INLINE vec_tally tally_add(vec_tally t, vec_flags f)
{
    return _mm_sub_epi8(t, f);
}

QUERN_INLINE size_t tally_sum(vec_tally t)
{
    __m128i sums = _mm_sad_epu8(t, _mm_setzero_si128());
    return (size_t)(uint32_t)_mm_cvtsi128_si32(sums) + (size_t)(uint32_t)_mm_extract_epi32(sums, 2);
}

#endif
