/* SPDX-License-Identifier: MIT */
/*
 * Escaping a block of up to 64 bytes on AVX-512: every byte is given the slots of an escape at once, and VPCOMPRESSB
 * takes those that are used, in the register (to memory it is very slow on Zen 4). Two slots a byte do for text without
 * a \u00xx; what follows one is compressed anew, four bytes further on; and if there are many, every byte is given six
 * slots.
 */
#ifndef QUERN_EXPAND_H
#define QUERN_EXPAND_H

#include "common/style.h"
#include "kernels/escape_flags.h"
#include "kernels/expand_found.h"

#include <string.h>

/* clang-format off */
/* What follows the reverse solidus for each control character. */
static const char avx512_letters[64] = {
    'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'b', 't', 'n', 'u', 'f', 'r', 'u', 'u',
    'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u'};

/* For each control character the last byte of its escape, then, from 32 on, the one before it. */
static const char avx512_controls[64] = {
    '0', '1', '2', '3', '4', '5', '6', '7', 'b', 't', 'n', 'b', 'f', 'r', 'e', 'f',
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    '0', '0', '0', '0', '0', '0', '0', '0', '\\', '\\', '\\', '0', '\\', '\\', '0', '0',
    '1', '1', '1', '1', '1', '1', '1', '1', '1', '1', '1', '1', '1', '1', '1', '1'};

/* Ten bytes of six slots each, the last slot being that of the byte itself: whose slot, and what stands in the first
 * four. */
#define TEN(x) x(0), x(1), x(2), x(3), x(4), x(5), x(6), x(7), x(8), x(9), 0, 0, 0, 0
#define WHOSE(i) i, i, i, i, i, i
#define TEXT(i) '\\', 'u', '0', '0', 0, 0
#define SLOT(i) 0, 1, 2, 3, 4, 5
static const uint8_t avx512_six_whose[64] = {TEN(WHOSE)};
static const uint8_t avx512_six_text[64] = {TEN(TEXT)};
static const uint8_t avx512_six_slot[64] = {TEN(SLOT)};
#undef TEN
#undef WHOSE
#undef TEXT
#undef SLOT
/* clang-format on */

/* More \u00xx in a block than are worth a step each. */
#define AVX512_MANY 6

/* Sixty slots; the last one of each of ten bytes, and the one before. */
#define AVX512_SLOTS UINT64_C(0xFFFFFFFFFFFFFFF)
#define AVX512_SLOT_5 UINT64_C(0x820820820820820)
#define AVX512_SLOT_4 (AVX512_SLOT_5 >> 1)

/*
 * Ten bytes from `at` on. `last` and `before` are the last two bytes of each escape, `first` the slot where each
 * begins; above 5 where there is no byte.
 */
QUERN_INLINE char *avx512_expand_ten(char *out, vec last, vec before, vec first, uint8_t at)
{
    const __mmask64 used = _cvtu64_mask64(at < 60 ? AVX512_SLOTS : AVX512_SLOTS >> 36); /* the block ends at 64 */
    const vec whose = _mm512_add_epi8(vec_load(avx512_six_whose), vec_splat(at));
    vec slots = _mm512_mask_permutexvar_epi8(vec_load(avx512_six_text), _cvtu64_mask64(AVX512_SLOT_5), whose, last);
    slots = _mm512_mask_permutexvar_epi8(slots, _cvtu64_mask64(AVX512_SLOT_4), whose, before);
    const __mmask64 keep =
        _mm512_mask_cmpge_epi8_mask(used, vec_load(avx512_six_slot), _mm512_permutexvar_epi8(whose, first));
    vec_store(out, _mm512_maskz_compress_epi8(keep, slots));
    return out + _mm_popcnt_u64(_cvtmask64_u64(keep));
}

/* A block with many \u00xx. */
static QUERN_NOINLINE size_t avx512_expand_six(char *dst, vec v, uint64_t there, uint64_t escaped, uint64_t longs)
{
    const vec controls = vec_load(avx512_controls), solidus = vec_splat('\\');
    const __mmask64 control = _mm512_mask_cmplt_epu8_mask(_cvtu64_mask64(escaped), v, vec_splat(0x20));
    const vec last = _mm512_mask_permutexvar_epi8(v, control, v, controls);
    const vec before = _mm512_mask_permutexvar_epi8(solidus, control, vec_or(v, vec_splat(0x20)), controls);
    vec first = _mm512_mask_mov_epi8(vec_splat(0x7F), _cvtu64_mask64(there), vec_splat(5));
    first = _mm512_mask_mov_epi8(first, _cvtu64_mask64(escaped), vec_splat(4));
    first = _mm512_mask_mov_epi8(first, _cvtu64_mask64(longs), vec_zero());
    char *out = dst;
    out = avx512_expand_ten(out, last, before, first, 0);
    out = avx512_expand_ten(out, last, before, first, 10);
    out = avx512_expand_ten(out, last, before, first, 20);
    out = avx512_expand_ten(out, last, before, first, 30);
    out = avx512_expand_ten(out, last, before, first, 40);
    out = avx512_expand_ten(out, last, before, first, 50);
    out = avx512_expand_ten(out, last, before, first, 60);
    return (size_t)(out - dst);
}

/* 32 bytes in two slots each, and a \u00xx for each bit of `longs`. */
QUERN_INLINE char *avx512_expand_two(char *out, const char *src, __m256i letters, uint64_t there, uint64_t escaped,
                                     uint32_t longs)
{
    /* Even slots: the reverse solidus; odd ones: the byte, its letter, or u. */
    const __m512i pairs = _mm512_or_si512(_mm512_slli_epi16(_mm512_cvtepu8_epi16(letters), 8), _mm512_set1_epi16('\\'));
    uint64_t keep = _pdep_u64(there, UINT64_C(0xAAAAAAAAAAAAAAAA)) | _pdep_u64(escaped, UINT64_C(0x5555555555555555));
    vec_store(out, _mm512_maskz_compress_epi8(_cvtu64_mask64(keep), pairs));
    for (; QUERN_UNLIKELY(longs); longs &= longs - 1) {
        const unsigned i = bits_trailing_zeros(longs);
        const uint64_t done = _bzhi_u64(keep, 2 * i + 2);
        out += _mm_popcnt_u64(done);
        memcpy(out, quern_escape_units[(unsigned char)src[i]].text + 2, 4);
        out += 4;
        keep ^= done;
        vec_store(out, _mm512_maskz_compress_epi8(_cvtu64_mask64(keep), pairs));
    }
    return out + _mm_popcnt_u64(keep);
}

/*
 * Writes the escaped form of [src, src + n), n <= 64, at dst, and returns its length; may write 64 bytes more. *found:
 * what the text has, of EXPAND_ESCAPES and EXPAND_HIGH.
 */
QUERN_INLINE size_t expand_block(char *dst, const char *src, size_t n, unsigned *found)
{
    const __mmask64 there = avx512_first(n);
    const vec v = _mm512_maskz_loadu_epi8(there, src);
    const __mmask64 control = _mm512_mask_cmplt_epu8_mask(there, v, vec_splat(0x20));
    const vec letters = _mm512_mask_permutexvar_epi8(v, control, v, vec_load(avx512_letters));
    const uint64_t longs = _cvtmask64_u64(_mm512_mask_cmpeq_epi8_mask(control, letters, vec_splat('u')));
    const uint64_t escaped = _cvtmask64_u64(_kand_mask64(there, escape_flags(v))), t = _cvtmask64_u64(there);
    *found = (escaped ? EXPAND_ESCAPES : 0) | (flags_any(vec_is_high(v)) ? EXPAND_HIGH : 0);
    if (QUERN_UNLIKELY(_mm_popcnt_u64(longs) > AVX512_MANY))
        return avx512_expand_six(dst, v, t, escaped, longs);
    char *out = avx512_expand_two(dst, src, _mm512_castsi512_si256(letters), t, escaped, (uint32_t)longs);
    /* As an integer: src may be NULL, and nothing is read behind the input. */
    const char *rest = (const char *)((uintptr_t)src + 32);
    out = avx512_expand_two(out, rest, _mm512_extracti64x4_epi64(letters, 1), t >> 32, escaped >> 32,
                            (uint32_t)(longs >> 32));
    return (size_t)(out - dst);
}

/* By how many bytes the escaped form of [src, src + n), n <= 64, is longer. */
QUERN_INLINE size_t expand_growth(const char *src, size_t n)
{
    const __mmask64 there = avx512_first(n);
    const vec v = _mm512_maskz_loadu_epi8(there, src);
    const __mmask64 control = _mm512_mask_cmplt_epu8_mask(there, v, vec_splat(0x20));
    const __mmask64 longs =
        _mm512_mask_cmpeq_epi8_mask(control, _mm512_permutexvar_epi8(v, vec_load(avx512_letters)), vec_splat('u'));
    return (size_t)(_mm_popcnt_u64(_cvtmask64_u64(_kand_mask64(there, escape_flags(v)))) +
                    4 * _mm_popcnt_u64(_cvtmask64_u64(longs)));
}

#endif
