/* SPDX-License-Identifier: MIT */
/*
 * The vector shim on SSE4.2. The templates in src/kernels are written over these names; every shim has all of them.
 *
 * vec          VEC_BYTES bytes
 * vec_flags    a truth value per byte, as comparisons give it
 * uint64_t     flags as bits, VEC_MASK_STEP bits a byte, the first byte lowest
 * vec_tally    a counter of flags; holds at least VEC_TALLY_ROUNDS additions
 * block        BLOCK_BYTES bytes, in vectors v[0], v[1], …
 */
#ifndef QUERN_VEC_H
#define QUERN_VEC_H

#include "common/block16.h"
#include "common/kernel.h"

#if defined(QUERN_EMULATE)
#    define SIMDE_ENABLE_NATIVE_ALIASES
#    include <simde/x86/sse4.2.h>
#else
#    include <nmmintrin.h>
#endif

#define VEC_BYTES 16
#define VEC_MASK_STEP 1
#define VEC_TALLY_ROUNDS 255

typedef __m128i vec, vec_flags, vec_tally;

typedef struct block {
    vec v[4];
} block;

QUERN_INLINE vec vec_load(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

QUERN_INLINE void vec_store(void *p, vec v)
{
    _mm_storeu_si128((__m128i *)p, v);
}

QUERN_INLINE vec vec_of_words(const uint32_t words[4])
{
    return _mm_setr_epi32((int)words[0], (int)words[1], (int)words[2], (int)words[3]);
}

/* The four words of an input of 4 to 15 bytes (see common/windows.h), as one vector. */
QUERN_INLINE vec sse_words(const void *src, size_t n)
{
    const char *p = src;
    const size_t o = windows4_step(n);
    return _mm_setr_epi32((int)load32_raw(p), (int)load32_raw(p + o), (int)load32_raw(p + n - 4 - o),
                          (int)load32_raw(p + n - 4));
}

/* The first n bytes at p, n < 16, with zeros behind; reads no others. */
QUERN_INLINE vec sse_load_first(const void *p, size_t n)
{
    if (QUERN_UNLIKELY(n < 4))
        return _mm_cvtsi32_si128((int)bits_memory_order_32(load_first_of_4(p, n)));
    return _mm_shuffle_epi8(sse_words(p, n), _mm_loadu_si128((const __m128i *)block16_join[n]));
}

/* The first n bytes at p, n <= 64, with zeros behind; reads no others. */
QUERN_INLINE block block_load_first(const void *p, size_t n)
{
    block b;
    if (n < 16) {
        b.v[0] = sse_load_first(p, n);
        b.v[1] = b.v[2] = b.v[3] = _mm_setzero_si128();
        return b;
    }
    for (size_t k = 0; k < 4; k++) {
        size_t down;
        const size_t offset = block16_offset(n, k, &down);
        b.v[k] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)((const char *)p + offset)),
                                  _mm_loadu_si128((const __m128i *)(block16_down + down)));
    }
    return b;
}

/* Copies n bytes, n < VEC_BYTES; touches no others. */
QUERN_INLINE void copy_below_vector(void *dst, const void *src, size_t n)
{
    copy_below_16(dst, src, n);
}

/* Keeps a constant in its register: gcc 12 else builds it anew in each round of a loop. */
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

/* `nibble` is a splat of 0x0F. */
QUERN_INLINE vec vec_high_nibble(vec v, vec nibble)
{
    return _mm_and_si128(_mm_srli_epi16(v, 4), nibble);
}

/* table[index], index < 16 in each byte. */
QUERN_INLINE vec vec_lookup(vec table, vec index)
{
    return _mm_shuffle_epi8(table, index);
}

/* The bytes of each element of `width` bytes reversed; `order` says the same as a table. */
QUERN_INLINE vec vec_reverse(vec v, vec order, size_t width)
{
    (void)width;
    return _mm_shuffle_epi8(v, order);
}

/* table[index % 16] where index is below 0x80; elsewhere an entry or 0. */
QUERN_INLINE vec vec_lookup_ascii(vec table, vec index)
{
    return _mm_shuffle_epi8(table, index);
}

/* table[index] where index < 16, else 0. */
QUERN_INLINE vec vec_lookup_low(vec table, vec index)
{
    return _mm_shuffle_epi8(table, _mm_adds_epu8(index, _mm_set1_epi8(0x70)));
}

/* Writes 16 bytes at p: those that `which` picks out of the eight bytes of v from 8 k on, and a reverse solidus for 8.
 */
QUERN_INLINE void vec_expand_8(void *p, vec v, unsigned k, const unsigned char which[16])
{
    const __m128i solidus = _mm_set1_epi8('\\');
    const __m128i from = k ? _mm_unpackhi_epi64(v, solidus) : _mm_unpacklo_epi64(v, solidus);
    vec_store(p, _mm_shuffle_epi8(from, _mm_loadu_si128((const __m128i *)which)));
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

/* The flags of a block, a bit for each byte. */
QUERN_INLINE uint64_t block_mask(const vec_flags f[4])
{
    const uint32_t low = (uint32_t)_mm_movemask_epi8(f[0]) | (uint32_t)_mm_movemask_epi8(f[1]) << 16;
    const uint32_t high = (uint32_t)_mm_movemask_epi8(f[2]) | (uint32_t)_mm_movemask_epi8(f[3]) << 16;
    return (uint64_t)high << 32 | low;
}

QUERN_INLINE uint64_t flags_mask(vec_flags f)
{
    return (uint32_t)_mm_movemask_epi8(f);
}

/* The flags of a vector of 16 bytes, a bit for each. */
QUERN_INLINE uint32_t vector_mask(vec_flags f)
{
    return (uint32_t)_mm_movemask_epi8(f);
}

/* Whether any bit of v is set. */
QUERN_INLINE bool vec_any(vec v)
{
#if defined(QUERN_EMULATE)
    /* SIMDe 0.7.4 has PTEST wrong: either half being zero is enough for it. */
    return _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_setzero_si128())) != 0xFFFF;
#else
    return !_mm_testz_si128(v, v);
#endif
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
#if defined(QUERN_EMULATE)
    /* On big-endian machines the low half of a 64-bit lane is not where x86 has it. */
    return (size_t)_mm_extract_epi64(sums, 0) + (size_t)_mm_extract_epi64(sums, 1);
#else
    return (size_t)(uint32_t)_mm_cvtsi128_si32(sums) + (size_t)(uint32_t)_mm_extract_epi32(sums, 2);
#endif
}

#endif
