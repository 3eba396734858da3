/* SPDX-License-Identifier: MIT */
/* Inputs of 0 to 64 bytes on AVX-512: masked loads; src/sse42/short.h says what each name means. */
#ifndef QUERN_SHORT_H
#define QUERN_SHORT_H

#include "kernels/escape_flags.h"

#define SHORT_TAKES(n) true

QUERN_INLINE void short_copy(char *dst, const char *src, size_t n)
{
    /* Two halves: a store of 64 bytes, which nearly always crosses a cache line, is slower on Zen 4. */
    const uint64_t first = _cvtmask64_u64(avx512_first(n));
    const __m256i low = _mm256_maskz_loadu_epi8((__mmask32)first, src);
    /* As an integer: the address may lie beyond the input, and nothing is read there then. */
    const __m256i high = _mm256_maskz_loadu_epi8((__mmask32)(first >> 32), (const void *)((uintptr_t)src + 32));
    _mm256_storeu_si256((__m256i *)dst, low);
    _mm256_storeu_si256((__m256i *)(dst + 32), high);
}

QUERN_INLINE size_t short_escape(char *dst, const char *src, size_t n, bool *high)
{
    const vec v = _mm512_maskz_loadu_epi8(avx512_first(n), src);
    if (dst)
        vec_store(dst, v);
    *high = flags_any(vec_is_high(v));
    /* The zeros behind the input count as escaped; 64 bytes have none. */
    return bits_first(flags_mask(escape_flags(v)));
}

#endif
