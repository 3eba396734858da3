/* SPDX-License-Identifier: MIT */
/* The vector shim on NEON (AArch64, and ARMv7 where it has NEON), little-endian; src/sse42/vec.h says what each name
 * means. */
#ifndef QUERN_VEC_H
#define QUERN_VEC_H

#include "common/block16.h"
#include "common/kernel.h"

#if defined(QUERN_EMULATE)
#    define SIMDE_ENABLE_NATIVE_ALIASES
#    include <simde/arm/neon.h>
#else
#    include <arm_neon.h>
#endif

/* AArch64 has instructions that ARMv7 lacks; SIMDe has all of them. */
#if defined(__aarch64__) || defined(QUERN_EMULATE)
#    define NEON_A64 1
#else
#    define NEON_A64 0
#endif

#define VEC_BYTES 16
#define VEC_MASK_STEP 4
#define VEC_TALLY_ROUNDS 255

typedef uint8x16_t vec, vec_flags, vec_tally;

typedef struct block {
    vec v[4];
} block;

QUERN_INLINE vec vec_load(const void *p)
{
    return vld1q_u8((const uint8_t *)p);
}

QUERN_INLINE void vec_store(void *p, vec v)
{
    vst1q_u8((uint8_t *)p, v);
}

QUERN_INLINE vec vec_lookup(vec table, vec index)
{
#if NEON_A64
    return vqtbl1q_u8(table, index);
#else
    uint8x8x2_t halves = {{vget_low_u8(table), vget_high_u8(table)}};
    return vcombine_u8(vtbl2_u8(halves, vget_low_u8(index)), vtbl2_u8(halves, vget_high_u8(index)));
#endif
}

QUERN_INLINE vec vec_reverse(vec v, vec order, size_t width)
{
    (void)order;
    return width == 2 ? vrev16q_u8(v) : width == 4 ? vrev32q_u8(v) : vrev64q_u8(v);
}

QUERN_INLINE vec vec_lookup_ascii(vec table, vec index)
{
    return vec_lookup(table, vandq_u8(index, vdupq_n_u8(0x0F)));
}

QUERN_INLINE vec vec_lookup_low(vec table, vec index)
{
    return vec_lookup(table, index); /* an index from 16 on gives 0 */
}

QUERN_INLINE void vec_expand_8(void *p, vec v, unsigned k, const unsigned char which[16])
{
    const vec from = vcombine_u8(k ? vget_high_u8(v) : vget_low_u8(v), vdup_n_u8('\\'));
    vec_store(p, vec_lookup(from, vld1q_u8(which)));
}

QUERN_INLINE vec vec_of_words(const uint32_t words[4])
{
    return vreinterpretq_u8_u32(vld1q_u32(words));
}

/* The four words of an input of 4 to 15 bytes (see common/windows.h), as one vector. */
QUERN_INLINE vec neon_words(const void *src, size_t n)
{
    const char *p = src;
    const size_t o = windows4_step(n);
    const uint32_t words[4] = {load32(p), load32(p + o), load32(p + n - 4 - o), load32(p + n - 4)};
    return vreinterpretq_u8_u32(vld1q_u32(words));
}

QUERN_INLINE vec neon_load_first(const void *p, size_t n)
{
    if (QUERN_UNLIKELY(n < 4))
        return vreinterpretq_u8_u32(vsetq_lane_u32(load_first_of_4(p, n), vdupq_n_u32(0), 0));
    return vec_lookup(neon_words(p, n), vld1q_u8(block16_join[n]));
}

QUERN_INLINE block block_load_first(const void *p, size_t n)
{
    block b;
    if (n < 16) {
        b.v[0] = neon_load_first(p, n);
        b.v[1] = b.v[2] = b.v[3] = vdupq_n_u8(0);
        return b;
    }
    for (size_t k = 0; k < 4; k++) {
        size_t down;
        const size_t offset = block16_offset(n, k, &down);
        b.v[k] = vec_lookup(vec_load((const char *)p + offset), vld1q_u8(block16_down + down));
    }
    return b;
}

QUERN_INLINE void copy_below_vector(void *dst, const void *src, size_t n)
{
    copy_below_16(dst, src, n);
}

QUERN_INLINE void vec_pin(vec *v)
{
#if defined(__GNUC__) && !defined(__clang__) && !defined(QUERN_EMULATE)
    __asm__("" : "+w"(*v));
#else
    (void)v;
#endif
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

QUERN_INLINE vec vec_high_nibble(vec v, vec nibble)
{
    (void)nibble;
    return vshrq_n_u8(v, 4);
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

/* A bit of each byte, then pairs of bytes are added until eight of them are one. */
QUERN_INLINE uint64_t block_mask(const vec_flags f[4])
{
    static const uint8_t bits[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t bit = vld1q_u8(bits);
#if NEON_A64
    uint8x16_t low = vpaddq_u8(vandq_u8(f[0], bit), vandq_u8(f[1], bit));
    uint8x16_t high = vpaddq_u8(vandq_u8(f[2], bit), vandq_u8(f[3], bit));
    low = vpaddq_u8(low, high);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(low, low)), 0);
#else
    uint8x8_t sums[4];
    for (size_t k = 0; k < 4; k++) {
        const uint8x16_t some = vandq_u8(f[k], bit);
        sums[k] = vpadd_u8(vget_low_u8(some), vget_high_u8(some));
    }
    return vget_lane_u64(vreinterpret_u64_u8(vpadd_u8(vpadd_u8(sums[0], sums[1]), vpadd_u8(sums[2], sums[3]))), 0);
#endif
}

QUERN_INLINE uint32_t vector_mask(vec_flags f)
{
    const vec_flags none = vdupq_n_u8(0), flags[4] = {f, none, none, none};
    return (uint32_t)block_mask(flags);
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
#if NEON_A64
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
