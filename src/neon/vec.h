/* SPDX-License-Identifier: MIT */
/* The vector shim on NEON (AArch64, and ARMv7 where it has NEON), little-endian; src/sse42/vec.h says what each name
 * means. */
#ifndef QUERN_VEC_H
#define QUERN_VEC_H

#include "common/kernel.h"
#include "common/load.h"

#include <arm_neon.h>

#define VEC_BYTES 16
#define VEC_MASK_STEP 4
#define VEC_TALLY_ROUNDS 255

typedef uint8x16_t vec, vec_flags, vec_tally;

QUERN_INLINE vec vec_load(const void *p)
{
    return vld1q_u8((const uint8_t *)p);
}

QUERN_INLINE void vec_store(void *p, vec v)
{
    vst1q_u8((uint8_t *)p, v);
}

QUERN_INLINE vec vec_load_first(const void *p, size_t n)
{
    uint64_t low, high;
    load_first_of_16(p, n, &low, &high);
    return vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)));
}

QUERN_INLINE void vec_store_first(void *p, vec v, const void *src, size_t n)
{
    (void)v;
    copy_below_16(p, src, n);
}

QUERN_INLINE vec vec_zero(void)
{
    return vdupq_n_u8(0);
}

QUERN_INLINE vec vec_splat(uint8_t byte)
{
    return vdupq_n_u8(byte);
}

QUERN_INLINE vec vec_table(const uint8_t table[16])
{
    return vld1q_u8(table);
}

QUERN_INLINE vec vec_and(vec a, vec b)
{
    return vandq_u8(a, b);
}

QUERN_INLINE vec vec_or(vec a, vec b)
{
    return vorrq_u8(a, b);
}

QUERN_INLINE vec vec_xor(vec a, vec b)
{
    return veorq_u8(a, b);
}

QUERN_INLINE vec vec_min(vec a, vec b)
{
    return vminq_u8(a, b);
}

QUERN_INLINE vec vec_add_saturated(vec a, vec b)
{
    return vqaddq_u8(a, b);
}

QUERN_INLINE vec vec_subtract_saturated(vec a, vec b)
{
    return vqsubq_u8(a, b);
}

QUERN_INLINE vec vec_high_nibble(vec v)
{
    return vshrq_n_u8(v, 4);
}

QUERN_INLINE vec vec_lookup(vec table, vec index)
{
#if defined(__aarch64__)
    return vqtbl1q_u8(table, index);
#else
    uint8x8x2_t halves = {{vget_low_u8(table), vget_high_u8(table)}};
    return vcombine_u8(vtbl2_u8(halves, vget_low_u8(index)), vtbl2_u8(halves, vget_high_u8(index)));
#endif
}

QUERN_INLINE vec vec_before_1(vec before, vec v)
{
    return vextq_u8(before, v, 15);
}

QUERN_INLINE vec vec_before_2(vec before, vec v)
{
    return vextq_u8(before, v, 14);
}

QUERN_INLINE vec vec_before_3(vec before, vec v)
{
    return vextq_u8(before, v, 13);
}

QUERN_INLINE vec_flags vec_is_equal(vec a, vec b)
{
    return vceqq_u8(a, b);
}

QUERN_INLINE vec_flags vec_is_at_most(vec a, vec b)
{
    return vcleq_u8(a, b);
}

QUERN_INLINE vec_flags vec_is_high(vec v)
{
    return vcltq_s8(vreinterpretq_s8_u8(v), vdupq_n_s8(0));
}

QUERN_INLINE vec_flags flags_or(vec_flags a, vec_flags b)
{
    return vorrq_u8(a, b);
}

/* There is no movemask: a narrowing shift leaves four bits a byte. */
QUERN_INLINE uint64_t flags_mask(vec_flags f)
{
    uint8x8_t nibbles = vshrn_n_u16(vreinterpretq_u16_u8(f), 4);
    return vget_lane_u64(vreinterpret_u64_u8(nibbles), 0);
}

QUERN_INLINE bool flags_any(vec_flags f)
{
    return flags_mask(f) != 0;
}

QUERN_INLINE bool vec_any(vec v)
{
#if defined(__aarch64__)
    return vmaxvq_u8(v) != 0;
#else
    uint8x8_t half = vorr_u8(vget_low_u8(v), vget_high_u8(v));
    return vget_lane_u64(vreinterpret_u64_u8(half), 0) != 0;
#endif
}

QUERN_INLINE vec_tally tally_zero(void)
{
    return vdupq_n_u8(0);
}

QUERN_INLINE vec_tally tally_add(vec_tally t, vec_flags f)
{
    return vsubq_u8(t, f);
}

QUERN_INLINE size_t tally_sum(vec_tally t)
{
    uint64x2_t sums = vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(t)));
    return (size_t)(vgetq_lane_u64(sums, 0) + vgetq_lane_u64(sums, 1));
}

#endif
