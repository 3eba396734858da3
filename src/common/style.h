/* SPDX-License-Identifier: MIT */
/* Styles as the kernels see them: one unit of text at a time, after the contract of include/quern/style.h. */
#ifndef QUERN_COMMON_STYLE_H
#define QUERN_COMMON_STYLE_H

#include "common/load.h"
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

/* What NULL's style writes for each byte, as many as 6. */
extern const quern_replacement quern_escape_units[256];

/* Eight bytes with a reverse solidus before each of a set: where the bytes come from, 8 for the reverse solidus. */
extern const unsigned char quern_escape_shuffles[256][16];

static inline const quern_style *style_or_minimum(const quern_style *style)
{
    return style ? style : &quern_style_minimum;
}

/* Whether the style replaces the same bytes as NULL's, and looks at nothing else. */
static inline bool style_scans_as_minimum(const quern_style *style)
{
    return !style || !(style->looks_ & ~(unsigned)STYLE_OWN_TEXT);
}

/* The same, leaving ill-formed text aside. */
static inline bool style_escapes_as_minimum(const quern_style *style)
{
    return !style || !(style->looks_ & (STYLE_OWN_SET | STYLE_LINES | STYLE_ASCII));
}

/* Whether it writes the same as NULL's. */
static inline bool style_writes_as_minimum(const quern_style *style)
{
    return !style || !style->looks_;
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

/*
 * NULL's style, byte by byte: n bytes in full, may write 8 more than the end that it returns; and as many of n as fit,
 * strictly.
 */
static inline char *units_write(char *out, const char *src, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const quern_replacement *unit = &quern_escape_units[(unsigned char)src[i]];
        QUERN_MEMCPY(out, unit, sizeof *unit);
        out += unit->length;
    }
    return out;
}

static inline quern_span units_fit(char *dst, size_t room, const char *src, size_t len, size_t *used)
{
    size_t i = 0, out = 0;
    for (; i < len; i++) {
        const quern_replacement *unit = &quern_escape_units[(unsigned char)src[i]];
        if (unit->length > room - out)
            break;
        for (size_t k = 0; k < unit->length; k++)
            dst[out++] = unit->text[k];
    }
    *used = i;
    return (quern_span){out, i < len ? QUERN_STOP_ROOM : QUERN_STOP_END};
}

/* Whether the unit that begins at p is written as it is; *used is its length. */
static inline bool style_passes(const quern_style *style, const unsigned char *p, size_t len, size_t *used)
{
    *used = 1;
    if (*p < 0x80)
        return !style_replaces(style, *p);
    char text[QUERN_ESCAPE_MAX];
    const style_unit unit = style_next(style, p, len, 0, text);
    *used = unit.used;
    return unit.why == QUERN_STOP_END && unit.same;
}

/* The kernels, a unit at a time; `style` is not NULL. */

static inline size_t style_find(const quern_style *style, const char *src, size_t len)
{
    size_t i = 0, used;
    while (i < len && style_passes(style, (const unsigned char *)src + i, len - i, &used))
        i += used;
    return i;
}

static inline size_t style_copy(const quern_style *style, char *dst, const char *src, size_t len)
{
    size_t i = 0, used;
    while (i < len && style_passes(style, (const unsigned char *)src + i, len - i, &used)) {
        for (size_t end = i + used; i < end; i++)
            dst[i] = src[i];
    }
    return i;
}

static inline quern_span style_write(const quern_style *style, char *dst, size_t room, const char *src, size_t len,
                                     size_t *used, unsigned flags)
{
    quern_span span = {0, QUERN_STOP_END};
    size_t i = 0;
    while (i < len) {
        char text[QUERN_ESCAPE_MAX];
        const style_unit unit = style_next(style, (const unsigned char *)src + i, len - i, flags, text);
        span.why = unit.why;
        if (unit.why == QUERN_STOP_END && unit.length > room - span.length)
            span.why = QUERN_STOP_ROOM;
        if (span.why != QUERN_STOP_END)
            break;
        const char *from = unit.same ? src + i : text;
        for (size_t k = 0; k < unit.length; k++)
            dst[span.length++] = from[k];
        i += unit.used;
    }
    *used = i;
    return span;
}

/* A sum of lengths as escape_size returns it. */
static inline size_t style_size_of(uint64_t size)
{
    return size < SIZE_MAX ? (size_t)size : SIZE_MAX;
}

static inline size_t style_size(const quern_style *style, const char *src, size_t len, unsigned flags)
{
    uint64_t size = 0;
    for (size_t i = 0; i < len;) {
        char text[QUERN_ESCAPE_MAX];
        const style_unit unit = style_next(style, (const unsigned char *)src + i, len - i, flags, text);
        if (unit.why != QUERN_STOP_END)
            break;
        size += unit.length;
        i += unit.used;
    }
    return style_size_of(size);
}

static inline quern_span style_text_copy(const quern_style *style, char *dst, const char *src, size_t len)
{
    size_t i = 0;
    while (i < len) {
        const unsigned char *p = (const unsigned char *)src + i;
        const quern_span sequence = utf8_sequence(p, len - i);
        if (sequence.why != QUERN_STOP_END)
            return (quern_span){i, sequence.why};
        if (*p < 0x80 ? style_replaces(style, *p) : style_escapes_point(style, p))
            return (quern_span){i, QUERN_STOP_ESCAPE};
        for (size_t end = i + sequence.length; i < end; i++)
            dst[i] = src[i];
    }
    return (quern_span){len, QUERN_STOP_END};
}

#endif
