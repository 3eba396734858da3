/* SPDX-License-Identifier: MIT */
/* Seven doubles as CBOR items: one shuffle of bytes makes 63 in their order. */
#ifndef QUERN_AVX512_DOUBLES_H
#define QUERN_AVX512_DOUBLES_H

#include "avx512/vec.h"
#include "common/cbor.h"

enum { DOUBLES_STEP = 7, DOUBLES_READ = 8 };

/* Where the bytes of double i are; what stands at its head is masked out. */
#define DOUBLES_ITEM(i) \
    0, 8 * (i) + 7, 8 * (i) + 6, 8 * (i) + 5, 8 * (i) + 4, 8 * (i) + 3, 8 * (i) + 2, 8 * (i) + 1, 8 * (i)
static const uint8_t doubles_order[64] = {DOUBLES_ITEM(0), DOUBLES_ITEM(1), DOUBLES_ITEM(2), DOUBLES_ITEM(3),
                                          DOUBLES_ITEM(4), DOUBLES_ITEM(5), DOUBLES_ITEM(6)};
#define DOUBLES_HEADS UINT64_C(0x8040201008040201)

QUERN_INLINE bool doubles_stay(const char *src)
{
    const __m512i v = vec_load(src), exponent = _mm512_set1_epi64(0x7FF0000000000000);
    const __mmask8 wide = _mm512_test_epi64_mask(v, _mm512_set1_epi64(0x1FFFFFFF));
    const __mmask8 finite = _mm512_cmpneq_epi64_mask(_mm512_and_si512(v, exponent), exponent);
    return (wide & finite & 0x7F) == 0x7F;
}

QUERN_INLINE void doubles_step(uint8_t *dst, const char *src)
{
    const __m512i bytes = _mm512_permutexvar_epi8(vec_load(doubles_order), vec_load(src));
    vec_store(dst, _mm512_mask_mov_epi8(bytes, DOUBLES_HEADS, vec_splat(CBOR_DOUBLE)));
}

#endif
