/* SPDX-License-Identifier: MIT */
/*
 * Styles other than NULL's. A byte's two nibbles look up a bit set each; where they meet, the byte is replaced (the
 * idea is that of Langdale and Lemire, Parsing Gigabytes of JSON per Second, 2019, section 3.1.2). Bytes from 0x80 on
 * are candidates if the style looks at code points: all of them, as long as the text is ASCII; in a piece that was
 * found to be well-formed UTF-8 only the first byte of U+2028 and U+2029. What is found is a candidate, common/style.h
 * decides.
 */
#ifndef QUERN_KERNELS_STYLE_SCAN_H
#define QUERN_KERNELS_STYLE_SCAN_H

#include "common/style.h"
#include "kernels/block.h"
#include "kernels/copy_vectors.h"

/* This variant's, in its own file. */
quern_utf8_prefix_function QUERN_KERNEL(utf8_prefix);

/* The longest piece that is checked before it is scanned: both passes find it in the first-level cache. */
enum { STYLE_PIECE = 4096 };

typedef struct style_set {
    vec low, high, nibble, one;
    vec lead;     /* in text that is checked this byte is a candidate */
    vec high_bit; /* in text that is not, a byte with this bit is; 0 if none */
} style_set;

/* No well-formed text has it. */
#define STYLE_NO_BYTE 0xFF

QUERN_INLINE style_set style_load(const quern_style *style, unsigned char lead, unsigned char high_bit)
{
    return (style_set){vec_table(style->low_), vec_table(style->high_), vec_splat(0x0F),
                       vec_splat(1),           vec_splat(lead),         vec_splat(high_bit)};
}

/* Not zero where a byte is a candidate in text that is not checked. */
QUERN_INLINE vec style_marks(const style_set *s, vec v)
{
    const vec bits = vec_and(vec_lookup_ascii(s->low, v), vec_lookup(s->high, vec_high_nibble(v, s->nibble)));
    return vec_or(bits, vec_and(v, s->high_bit));
}

/* Flags of the candidates; `checked` is a constant. */
QUERN_INLINE vec_flags style_flags(const style_set *s, vec v, bool checked)
{
    if (!checked)
        return vec_is_at_most(s->one, style_marks(s, v));
    const vec bits = vec_and(vec_lookup_ascii(s->low, v), vec_lookup(s->high, vec_high_nibble(v, s->nibble)));
    return flags_or(vec_is_at_most(s->one, bits), vec_is_equal(v, s->lead));
}

/* A bit for each candidate of 64 bytes at p. */
QUERN_INLINE uint64_t style_block_mask(const style_set *s, const char *p, bool checked)
{
    vec_flags flags[BLOCK_VECTORS];
    for (size_t k = 0; k < BLOCK_VECTORS; k++)
        flags[k] = style_flags(s, vec_load(p + k * VEC_BYTES), checked);
    return block_mask(flags);
}

/* Whether there is a candidate in 64 bytes at p, which are copied if dst is not NULL. */
QUERN_INLINE bool style_block_any(const style_set *s, char *dst, const char *p, bool checked)
{
    vec marks = vec_zero();
    vec_flags flags[BLOCK_VECTORS];
    for (size_t k = 0; k < BLOCK_VECTORS; k++) {
        const vec v = vec_load(p + k * VEC_BYTES);
        if (dst)
            vec_store(dst + k * VEC_BYTES, v);
        if (checked)
            flags[k] = style_flags(s, v, true);
        else
            marks = vec_or(marks, style_marks(s, v));
    }
    if (!checked)
        return vec_any(marks);
    vec_flags all = flags[0];
    for (size_t k = 1; k < BLOCK_VECTORS; k++)
        all = flags_or(all, flags[k]);
    return flags_any(all);
}

QUERN_INLINE size_t style_candidate_in(const style_set *s, char *dst, const char *src, size_t len, bool checked)
{
    if (len < BLOCK_BYTES) {
        const block b = block_load_first(src, len);
        vec_flags flags[BLOCK_VECTORS];
        for (size_t k = 0; k < BLOCK_VECTORS; k++)
            flags[k] = style_flags(s, b.v[k], checked);
        if (dst)
            copy_strict(dst, src, len);
        return bits_trailing_zeros(block_mask(flags) | (uint64_t)1 << len);
    }
    size_t i = 0;
    for (; len - i >= BLOCK_BYTES; i += BLOCK_BYTES) {
        if (QUERN_UNLIKELY(style_block_any(s, dst ? dst + i : NULL, src + i, checked)))
            return i + bits_trailing_zeros(style_block_mask(s, src + i, checked));
    }
    if (i == len)
        return len;
    /* What the last block shows again had no candidate. */
    const char *last = src + len - BLOCK_BYTES;
    if (!style_block_any(s, dst ? dst + len - BLOCK_BYTES : NULL, last, checked))
        return len;
    return len - BLOCK_BYTES + bits_trailing_zeros(style_block_mask(s, last, checked));
}

/* The offset of the first candidate, or len. Copies what is before it, and more, to [dst, dst + len) if dst is not
 * NULL. */
QUERN_INLINE size_t style_candidate(const style_set *s, char *dst, const char *src, size_t len, bool checked)
{
    return checked ? style_candidate_in(s, dst, src, len, true) : style_candidate_in(s, dst, src, len, false);
}

/* A stretch of text that one set of candidates is right for. */
typedef struct style_piece {
    size_t length;
    bool checked; /* well-formed UTF-8: from 0x80 on only `lead` matters */
} style_piece;

/*
 * The piece that begins at src, len >= 1: in a style that looks at code points but does not escape them all, text that
 * is not ASCII is checked first. Length 0: what begins there is no well-formed sequence.
 */
QUERN_INLINE style_piece style_next_piece(const quern_style *style, const char *src, size_t len)
{
    if (!(style->looks_ & STYLE_POINTS) || style->looks_ & STYLE_ASCII || (unsigned char)src[0] < 0x80)
        return (style_piece){len, false};
    return (style_piece){QUERN_KERNEL(utf8_prefix)(src, len < STYLE_PIECE ? len : STYLE_PIECE).length, true};
}

QUERN_INLINE style_set style_load_for(const quern_style *style, bool checked)
{
    if (checked)
        return style_load(style, style->looks_ & STYLE_LINES ? 0xE2 : STYLE_NO_BYTE, 0);
    return style_load(style, STYLE_NO_BYTE, style->looks_ & STYLE_POINTS ? 0x80 : 0);
}

/* Whether the byte, a candidate, is where a piece ends since text begins that is not ASCII. */
QUERN_INLINE bool style_ends_piece(const quern_style *style, style_piece piece, char byte)
{
    return !piece.checked && (unsigned char)byte >= 0x80 &&
           (style->looks_ & (STYLE_POINTS | STYLE_ASCII)) == STYLE_POINTS;
}

#endif
