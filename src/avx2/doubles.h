/* SPDX-License-Identifier: MIT */
/* Three doubles as CBOR items: two lanes of two doubles each, the middle one in both, make 27 bytes in their order. */
#ifndef QUERN_AVX2_DOUBLES_H
#define QUERN_AVX2_DOUBLES_H

#include "avx2/vec.h"
#include "common/cbor.h"

enum { DOUBLES_STEP = 3, DOUBLES_READ = 4 };

/* Byte k of a double's item, k from 1 on: where it is in its lane. */
#define DOUBLES_BYTE(i, k) (8 * (i) + (QUERN_BIG_ENDIAN ? (k)-1 : 8 - (k)))
#define DOUBLES_6(i)                                                                                    \
    DOUBLES_BYTE(i, 1), DOUBLES_BYTE(i, 2), DOUBLES_BYTE(i, 3), DOUBLES_BYTE(i, 4), DOUBLES_BYTE(i, 5), \
        DOUBLES_BYTE(i, 6)
#define DOUBLES_LAST_2(i) DOUBLES_BYTE(i, 7), DOUBLES_BYTE(i, 8)
static const uint8_t doubles_order[32] = {0xFF, DOUBLES_6(0), DOUBLES_LAST_2(0), 0xFF, DOUBLES_6(1), DOUBLES_LAST_2(0),
                                          0xFF, DOUBLES_6(1), DOUBLES_LAST_2(1), 0xFF, 0xFF,         0xFF,
                                          0xFF, 0xFF};
static const uint8_t doubles_heads[32] = {[0] = CBOR_DOUBLE, [9] = CBOR_DOUBLE, [18] = CBOR_DOUBLE};

QUERN_INLINE bool doubles_stay(const char *src)
{
    const __m256i v = vec_load(src), exponent = _mm256_set1_epi64x(0x7FF0000000000000);
    const __m256i narrow = _mm256_cmpeq_epi64(_mm256_and_si256(v, _mm256_set1_epi64x(0x1FFFFFFF)), vec_zero());
    const __m256i infinite = _mm256_cmpeq_epi64(_mm256_and_si256(v, exponent), exponent);
    return (_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_or_si256(narrow, infinite))) & 7) == 0;
}

QUERN_INLINE void doubles_step(uint8_t *dst, const char *src)
{
    const __m128i low = _mm_loadu_si128((const __m128i *)src), high = _mm_loadu_si128((const __m128i *)(src + 8));
    const __m256i v = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
    vec_store(dst, vec_or(vec_lookup(v, vec_load(doubles_order)), vec_load(doubles_heads)));
}

#endif
