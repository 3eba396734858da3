/* SPDX-License-Identifier: MIT */
/* Styles as the kernels see them: one unit of text at a time, after the contract of include/quern/style.h. */
#ifndef QUERN_COMMON_STYLE_H
#define QUERN_COMMON_STYLE_H

#include "common/utf8.h"

#include <quern/style.h>

/* Bits of looks_. A style without STYLE_POINTS is byte-only: it passes every byte from 0x80 on. */
enum {
    STYLE_POINTS = 1,   /* code points are looked at: ill-formed text is found */
    STYLE_LINES = 2,    /* U+2028 and U+2029 are escaped */
    STYLE_ASCII = 4,    /* all from U+0080 on are */
    STYLE_OWN_SET = 8,  /* other ASCII bytes are replaced than by NULL's style */
    STYLE_OWN_TEXT = 16 /* what replaces them may differ from NULL's style */
};

/* low_ of NULL's style: control characters (h = 0, 1), the quotation mark (0x22), the reverse solidus (0x5C). */
#define STYLE_MINIMUM_LOW                                       \
    {                                                           \
        3, 3, 7, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3 | 1 << 5, 3, 3, 3 \
    }
#define STYLE_HIGH                  \
    {                               \
        1, 2, 4, 8, 16, 32, 64, 128 \
    }

/* The style that NULL stands for. */
extern const quern_style quern_style_minimum;

/*
 * The library's table for lower and for upper case: entry c is what stands for the ASCII character c wherever a style
 * escapes it, entry 128 + c its \u00xx where that differs. Which characters are escaped is in the style.
 */
extern const quern_replacement quern_style_table[2][256];

static inline const quern_style *style_or_minimum(const quern_style *style)
{
    return style ? style : &quern_style_minimum;
}

/* Whether the ASCII byte is replaced. */
static inline bool style_replaces(const quern_style *style, unsigned char byte)
{
    return (style->low_[byte & 15] & style->high_[byte >> 4]) != 0;
}

/* What stands for a byte that is replaced. */
static inline const quern_replacement *style_replacement(const quern_style *style, unsigned char byte)
{
    const unsigned no_letter = byte < 32 ? style->long_ >> byte & 1 : 0;
    return &style->table_[byte | no_letter << 7];
}

/* What is written for a stretch of text. */
typedef struct style_unit {
    size_t used;    /* bytes of the text, at least 1, but 0 if it stops the kernel */
    size_t length;  /* of what is written */
    quern_stop why; /* END, or why it stops the kernel */
    bool same;      /* what is written are these bytes of the text */
} style_unit;

static inline char *style_hex(char *out, uint32_t unit, bool upper)
{
    const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    out[0] = '\\';
    out[1] = 'u';
    out[2] = digits[unit >> 12 & 15];
    out[3] = digits[unit >> 8 & 15];
    out[4] = digits[unit >> 4 & 15];
    out[5] = digits[unit & 15];
    return out + 6;
}

/* \uXXXX of a code point, or two of them; returns the length. */
static inline size_t style_escape_point(char *out, uint32_t c, bool upper)
{
    if (c < 0x10000) {
        style_hex(out, c, upper);
        return 6;
    }
    /* RFC 8259 section 7: a UTF-16 surrogate pair. */
    style_hex(style_hex(out, 0xD800 + ((c - 0x10000) >> 10), upper), 0xDC00 + ((c - 0x10000) & 0x3FF), upper);
    return 12;
}

/* U+FFFD as the style writes it in place of ill-formed text; returns the length. */
static inline size_t style_put_fffd(const quern_style *style, char *out)
{
    if (style->mark_fffd_ || style->looks_ & STYLE_ASCII)
        return style_escape_point(out, 0xFFFD, style->upper_);
    out[0] = (char)0xEF;
    out[1] = (char)0xBF;
    out[2] = (char)0xBD;
    return 3;
}

/* Whether the well-formed sequence at p, of more than one byte, is escaped. */
static inline bool style_escapes_point(const quern_style *style, const unsigned char *p)
{
    if (style->looks_ & STYLE_ASCII)
        return true;
    return (style->looks_ & STYLE_LINES) && p[0] == 0xE2 && p[1] == 0x80 && (p[2] | 1) == 0xA9;
}

/* A sum of lengths as escape_size returns it. */
static inline size_t style_size(uint64_t size)
{
    return size < SIZE_MAX ? (size_t)size : SIZE_MAX;
}

/*
 * The unit that begins at p, a byte from 0x80 on, of a style that looks at code points. What is written is put in `out`
 * if it is not the same.
 */
static inline style_unit style_point(const quern_style *style, const unsigned char *p, size_t len, unsigned flags,
                                     char out[QUERN_ESCAPE_MAX])
{
    style_unit unit = {.why = QUERN_STOP_END, .same = true};
    const quern_span sequence = utf8_sequence(p, len);
    unit.used = unit.length = sequence.length;
    if (sequence.why == QUERN_STOP_END) {
        if (style_escapes_point(style, p)) {
            unit.same = false;
            unit.length = style_escape_point(out, utf8_decode(p, sequence.length), style->upper_);
        }
        return unit;
    }
    if (sequence.why == QUERN_STOP_TRUNCATED && !(flags & QUERN_ESCAPE_FINAL))
        return (style_unit){.why = QUERN_STOP_TRUNCATED};
    switch (style->ill_formed_) {
    case QUERN_ILL_FORMED_STOP: return (style_unit){.why = QUERN_STOP_ILL_FORMED};
    case QUERN_ILL_FORMED_REPLACE_BYTES: unit.used = 1; /* fall through */
    case QUERN_ILL_FORMED_REPLACE:
        unit.same = false;
        unit.length = style_put_fffd(style, out);
        break;
    case QUERN_ILL_FORMED_DROP:
        unit.same = false;
        unit.length = 0;
        break;
    default: break; /* KEEP */
    }
    return unit;
}

/* The unit that begins at p, len >= 1. */
static inline style_unit style_next(const quern_style *style, const unsigned char *p, size_t len, unsigned flags,
                                    char out[QUERN_ESCAPE_MAX])
{
    if (*p >= 0x80 && style->looks_ & STYLE_POINTS)
        return style_point(style, p, len, flags, out);
    style_unit unit = {.used = 1, .length = 1, .why = QUERN_STOP_END, .same = true};
    if (style_replaces(style, *p)) {
        const quern_replacement *r = style_replacement(style, *p);
        unit.same = false;
        unit.length = r->length;
        for (size_t i = 0; i < r->length; i++)
            out[i] = r->text[i];
    }
    return unit;
}

#endif
