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
    vec lead;     /* this byte is a candidate, */
    vec at_least; /* and those from this one on */
} style_set;

/* No text has a byte 0xFF where that may not be a candidate. */
#define STYLE_NO_BYTE 0xFF

QUERN_INLINE style_set style_load(const quern_style *style, unsigned char lead, unsigned char at_least)
{
    return (style_set){vec_table(style->low_), vec_table(style->high_), vec_splat(0x0F),
                       vec_splat(1),           vec_splat(lead),         vec_splat(at_least)};
}

QUERN_INLINE vec_flags style_flags(const style_set *s, vec v)
{
    const vec bits =
        vec_and(vec_lookup(s->low, vec_and(v, s->nibble)), vec_lookup(s->high, vec_high_nibble(v, s->nibble)));
    return flags_or(vec_is_at_most(s->one, bits), flags_or(vec_is_equal(v, s->lead), vec_is_at_most(s->at_least, v)));
}

/* A bit for each candidate of 64 bytes at p. */
QUERN_INLINE uint64_t style_block_mask(const style_set *s, const char *p)
{
    vec_flags flags[BLOCK_VECTORS];
    for (size_t k = 0; k < BLOCK_VECTORS; k++)
        flags[k] = style_flags(s, vec_load(p + k * VEC_BYTES));
    return block_mask(flags);
}

/* The offset of the first candidate, or len. Copies what is before it, and more, to [dst, dst + len) if dst is not
 * NULL. */
QUERN_INLINE size_t style_candidate(const style_set *s, char *dst, const char *src, size_t len)
{
    if (len < BLOCK_BYTES) {
        const block b = block_load_first(src, len);
        vec_flags flags[BLOCK_VECTORS];
        for (size_t k = 0; k < BLOCK_VECTORS; k++)
            flags[k] = style_flags(s, b.v[k]);
        if (dst)
            copy_strict(dst, src, len);
        return bits_trailing_zeros(block_mask(flags) | (uint64_t)1 << len);
    }
    size_t i = 0;
    while (len - i >= BLOCK_BYTES) {
        vec_flags any[BLOCK_VECTORS];
        for (size_t k = 0; k < BLOCK_VECTORS; k++) {
            const vec v = vec_load(src + i + k * VEC_BYTES);
            if (dst)
                vec_store(dst + i + k * VEC_BYTES, v);
            any[k] = style_flags(s, v);
        }
        vec_flags all = any[0];
        for (size_t k = 1; k < BLOCK_VECTORS; k++)
            all = flags_or(all, any[k]);
        if (QUERN_UNLIKELY(flags_any(all)))
            return i + bits_trailing_zeros(block_mask(any));
        i += BLOCK_BYTES;
    }
    if (i == len)
        return len;
    /* What the last block shows again had no candidate. */
    const char *last = src + len - BLOCK_BYTES;
    if (dst)
        copy_64(dst + len - BLOCK_BYTES, last);
    const uint64_t mask = style_block_mask(s, last);
    return mask ? len - BLOCK_BYTES + bits_trailing_zeros(mask) : len;
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
        return style_load(style, style->looks_ & STYLE_LINES ? 0xE2 : STYLE_NO_BYTE, STYLE_NO_BYTE);
    return style_load(style, STYLE_NO_BYTE, style->looks_ & STYLE_POINTS ? 0x80 : STYLE_NO_BYTE);
}

/* Whether the byte, a candidate, is where a piece ends since text begins that is not ASCII. */
QUERN_INLINE bool style_ends_piece(const quern_style *style, style_piece piece, char byte)
{
    return !piece.checked && (unsigned char)byte >= 0x80 &&
           (style->looks_ & (STYLE_POINTS | STYLE_ASCII)) == STYLE_POINTS;
}

#endif
