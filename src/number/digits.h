/* SPDX-License-Identifier: MIT */
/*
 * Decimal digits four or eight at a time within a word, or 16 in a vector of SSE2: a number is split into two, four and
 * eight lanes by multiplications with reciprocals (Paul Khuong, "How to print integers really fast", 2017). The
 * reciprocals are exact for all values that a lane can have; tests/test_number.c tries them.
 */
#ifndef QUERN_NUMBER_DIGITS_H
#define QUERN_NUMBER_DIGITS_H

#include "common/load.h"

#if defined(__SSE2__) && defined(__x86_64__) && !defined(QUERN_NUMBER_PORTABLE)
#    include <emmintrin.h>
#    define DIGITS_SSE2 1
#else
#    define DIGITS_SSE2 0
#endif

#define DIGITS_ZEROS UINT64_C(0x3030303030303030)

/* The four digits of a number below 10^4, from 0 to 9 each, the first one in the lowest byte. */
static inline uint32_t digits_of_4(uint32_t x)
{
    /* Each step turns a lane's x into x / n in its lower half and x % n in its upper one. */
    x = (x << 16) - (x * 5243 >> 19) * ((100 << 16) - 1);
    return (x << 8) - (x * 103 >> 10 & UINT32_C(0x000f000f)) * ((10 << 8) - 1);
}

/* Likewise the eight digits of a number below 10^8. */
static inline uint64_t digits_of_8(uint64_t x)
{
    x = (x << 32) - (x * 109951163 >> 40) * ((UINT64_C(10000) << 32) - 1);
    x = (x << 16) - (x * 10486 >> 20 & UINT64_C(0x0000007f0000007f)) * ((100 << 16) - 1);
    return (x << 8) - (x * 103 >> 10 & UINT64_C(0x000f000f000f000f)) * ((10 << 8) - 1);
}

#if DIGITS_SSE2
/* The digits of two numbers below 10^8 in 16 bytes, the first digit of `high` in the last one. */
static inline __m128i digits_vector(uint64_t high, uint64_t low)
{
    const __m128i v = _mm_unpacklo_epi64(_mm_cvtsi64_si128((long long)low), _mm_cvtsi64_si128((long long)high));
    const __m128i v4 = _mm_srli_epi64(_mm_mul_epu32(v, _mm_set1_epi64x(109951163)), 40);
    const __m128i d4 =
        _mm_add_epi64(_mm_sub_epi64(v, _mm_mul_epu32(v4, _mm_set1_epi64x(10000))), _mm_slli_epi64(v4, 32));
    const __m128i v2 = _mm_srli_epi16(_mm_mulhi_epu16(d4, _mm_set1_epi32(5243)), 3);
    const __m128i d2 =
        _mm_add_epi32(_mm_sub_epi32(d4, _mm_mullo_epi16(v2, _mm_set1_epi32(100))), _mm_slli_epi32(v2, 16));
    const __m128i v1 = _mm_mulhi_epu16(d2, _mm_set1_epi16(6554));
    return _mm_add_epi16(_mm_sub_epi16(d2, _mm_mullo_epi16(v1, _mm_set1_epi16(10))), _mm_slli_epi16(v1, 8));
}
#endif

/* The digits of two numbers below 10^8. */
static inline void digits_of_16(uint64_t *high, uint64_t *low)
{
#if DIGITS_SSE2
    const __m128i digits = digits_vector(*high, *low);
    *high = bits_swap_bytes((uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(digits, digits)));
    *low = bits_swap_bytes((uint64_t)_mm_cvtsi128_si64(digits));
#else
    *high = digits_of_8(*high);
    *low = digits_of_8(*low);
#endif
}

/* 16 digits as characters, the first in the highest byte; how many zeros are at the end of them and a 17th one. */
typedef struct digits_text {
    uint64_t high, low;
    unsigned zeros;
} digits_text;

/* `x` is from 10^15 to 10^16 - 1. */
static inline digits_text digits_of_17(uint64_t x, uint64_t last)
{
    const uint64_t high = x / 100000000;
    const uint64_t low = x - high * 100000000;
#if DIGITS_SSE2
    const __m128i digits = digits_vector(high, low);
    const __m128i text = _mm_add_epi8(digits, _mm_set1_epi8('0'));
    const unsigned some = (unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(digits, _mm_setzero_si128()));
    return (digits_text){(uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(text, text)), (uint64_t)_mm_cvtsi128_si64(text),
                         bits_trailing_zeros(some * 2 + (last != 0))};
#else
    const uint64_t h = bits_swap_bytes(digits_of_8(high)), l = bits_swap_bytes(digits_of_8(low));
    /* Masks, lest one of these becomes a branch. */
    const uint64_t only_high = 0 - (uint64_t)(l == 0), no_last = 0 - (uint64_t)(last == 0);
    const unsigned zeros = bits_trailing_zeros(l | (h & only_high)) / 8 + (unsigned)(only_high & 8) + 1;
    return (digits_text){h + DIGITS_ZEROS, l + DIGITS_ZEROS, zeros & (unsigned)no_last};
#endif
}

#endif
