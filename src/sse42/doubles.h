/* SPDX-License-Identifier: MIT */
/* Two doubles as CBOR items. */
#ifndef QUERN_SSE42_DOUBLES_H
#define QUERN_SSE42_DOUBLES_H

#include "sse42/vec.h"

#include "kernels/doubles16.h"

QUERN_INLINE bool doubles_stay(const char *src)
{
    const __m128i v = vec_load(src), exponent = _mm_set1_epi64x(0x7FF0000000000000);
    const __m128i narrow = _mm_cmpeq_epi64(_mm_and_si128(v, _mm_set1_epi64x(0x1FFFFFFF)), vec_zero());
    const __m128i infinite = _mm_cmpeq_epi64(_mm_and_si128(v, exponent), exponent);
    return _mm_movemask_epi8(_mm_or_si128(narrow, infinite)) == 0;
}

#endif
