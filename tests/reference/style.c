/* SPDX-License-Identifier: MIT */
#include "reference/style.h"

#include "reference/reference.h"

#include <string.h>

static const quern_style_options minimum = {0};

static bool has(const quern_style_options *style, unsigned flag)
{
    return (style->flags & flag) != 0;
}

/* Whether the style looks at code points, as quern/style.h marks flags and policies. */
static bool looks(const quern_style_options *style)
{
    if (has(style, QUERN_STYLE_ASCII) || has(style, QUERN_STYLE_LINES) || has(style, QUERN_STYLE_HTML) ||
        has(style, QUERN_STYLE_UTF8))
        return true;
    return style->ill_formed == QUERN_ILL_FORMED_REPLACE || style->ill_formed == QUERN_ILL_FORMED_REPLACE_BYTES ||
           style->ill_formed == QUERN_ILL_FORMED_DROP;
}

/* ---- what is written for one thing; each returns the number of bytes ------------------------------ */

static size_t put_unit(const quern_style_options *style, char *out, unsigned unit)
{
    const char *digits = has(style, QUERN_STYLE_UPPER) ? "0123456789ABCDEF" : "0123456789abcdef";
    out[0] = 0x5C;
    out[1] = 0x75; /* u */
    for (unsigned i = 0; i < 4; i++)
        out[5 - i] = digits[unit >> (4 * i) & 0xF];
    return 6;
}

/* RFC 8259, section 7: a character outside the Basic Multilingual Plane is the pair of UTF-16's surrogates. */
static size_t put_point(const quern_style_options *style, char *out, unsigned point)
{
    if (point <= 0xFFFF)
        return put_unit(style, out, point);
    const unsigned rest = point - 0x10000;
    put_unit(style, out, 0xD800 + rest / 0x400);
    put_unit(style, out + 6, 0xDC00 + rest % 0x400);
    return 12;
}

static size_t put_pair(char *out, char letter)
{
    out[0] = 0x5C;
    out[1] = letter;
    return 2;
}

/* The replacement of an ASCII character; 0: it is passed. */
static size_t put_ascii(const quern_style_options *style, char *out, unsigned byte)
{
    if (style->table) {
        memcpy(out, style->table[byte].text, style->table[byte].length);
        return style->table[byte].length;
    }
    const char *letters = style->letters ? style->letters : "bfnrt";
    if (byte == 0x22 || byte == 0x5C)
        return put_pair(out, (char)byte);
    if (byte == 0x08 && strchr(letters, 'b'))
        return put_pair(out, 'b');
    if (byte == 0x0C && strchr(letters, 'f'))
        return put_pair(out, 'f');
    if (byte == 0x0A && strchr(letters, 'n'))
        return put_pair(out, 'n');
    if (byte == 0x0D && strchr(letters, 'r'))
        return put_pair(out, 'r');
    if (byte == 0x09 && strchr(letters, 't'))
        return put_pair(out, 't');
    if (byte == 0x2F && has(style, QUERN_STYLE_SOLIDUS))
        return put_pair(out, '/');
    if (byte < 0x20 || (byte == 0x7F && has(style, QUERN_STYLE_DELETE)))
        return put_unit(style, out, byte);
    if ((byte == 0x3C || byte == 0x3E || byte == 0x26) && has(style, QUERN_STYLE_HTML))
        return put_unit(style, out, byte);
    return 0;
}

/* Whether a code point from U+0080 on is escaped. */
static bool escapes(const quern_style_options *style, unsigned point)
{
    if (has(style, QUERN_STYLE_ASCII))
        return true;
    const bool lines = has(style, QUERN_STYLE_LINES) || has(style, QUERN_STYLE_HTML);
    return lines && (point == 0x2028 || point == 0x2029);
}

static size_t put_fffd(const quern_style_options *style, char *out)
{
    if (has(style, QUERN_STYLE_ASCII) || has(style, QUERN_STYLE_MARK_FFFD))
        return put_unit(style, out, 0xFFFD);
    memcpy(out, "\xEF\xBF\xBD", 3);
    return 3;
}

/* ---- UTF-8, by the oracle of it -------------------------------------------------------------------- */

/* The length of the first character of a range that begins with a well-formed one, else 0. */
static size_t character(const char *src, size_t len)
{
    for (size_t n = 1; n <= 4 && n <= len; n++) {
        if (reference_utf8_prefix(src, n).length == n)
            return n;
    }
    return 0;
}

/* Unicode Standard, section 3.9: the longest beginning that could go on to be a character, or else one byte. */
static size_t maximal_subpart(const char *src, size_t len)
{
    size_t longest = 1;
    for (size_t n = 1; n <= 3 && n <= len; n++) {
        const quern_span span = reference_utf8_prefix(src, n);
        if (span.length == 0 && span.why == QUERN_STOP_TRUNCATED)
            longest = n;
    }
    return longest;
}

static unsigned code_point(const char *src, size_t bytes)
{
    const unsigned char *p = (const unsigned char *)src;
    switch (bytes) {
    case 2: return (p[0] - 0xC0u) * 0x40 + (p[1] - 0x80u);
    case 3: return (p[0] - 0xE0u) * 0x1000 + (p[1] - 0x80u) * 0x40 + (p[2] - 0x80u);
    case 4: return (p[0] - 0xF0u) * 0x40000 + (p[1] - 0x80u) * 0x1000 + (p[2] - 0x80u) * 0x40 + (p[3] - 0x80u);
    default: return p[0];
    }
}

/* ---- one unit ---------------------------------------------------------------------------------------- */

typedef struct unit {
    quern_stop why;   /* END, or why nothing is consumed */
    size_t used;      /* bytes of the text */
    size_t length;    /* of `text` */
    bool passed;      /* `text` is what stands in the source */
    char text[2 * 6]; /* what is written */
} unit;

static void pass(unit *u, const char *src, size_t bytes)
{
    memcpy(u->text, src, bytes);
    u->used = u->length = bytes;
    u->passed = true;
}

static void read_ill_formed(const quern_style_options *style, unit *u, const char *src, size_t len)
{
    u->used = maximal_subpart(src, len);
    switch (style->ill_formed) {
    case QUERN_ILL_FORMED_STOP:
        u->why = QUERN_STOP_ILL_FORMED;
        u->used = 0;
        break;
    case QUERN_ILL_FORMED_REPLACE: u->length = put_fffd(style, u->text); break;
    case QUERN_ILL_FORMED_REPLACE_BYTES:
        u->used = 1;
        u->length = put_fffd(style, u->text);
        break;
    case QUERN_ILL_FORMED_DROP: break;
    case QUERN_ILL_FORMED_KEEP: pass(u, src, u->used); break;
    }
}

static unit read_unit(const quern_style_options *style, const char *src, size_t len, unsigned flags)
{
    unit u = {.why = QUERN_STOP_END};
    const unsigned char byte = (unsigned char)src[0];
    if (byte < 0x80) {
        u.used = 1;
        u.length = put_ascii(style, u.text, byte);
        if (u.length == 0)
            pass(&u, src, 1);
        return u;
    }
    if (!looks(style)) {
        pass(&u, src, 1);
        return u;
    }
    const size_t bytes = character(src, len);
    if (bytes == 0) {
        const bool cut = reference_utf8_prefix(src, len).why == QUERN_STOP_TRUNCATED;
        if (cut && !(flags & QUERN_ESCAPE_FINAL))
            u.why = QUERN_STOP_TRUNCATED;
        else
            read_ill_formed(style, &u, src, len);
        return u;
    }
    if (escapes(style, code_point(src, bytes))) {
        u.used = bytes;
        u.length = put_point(style, u.text, code_point(src, bytes));
    } else {
        pass(&u, src, bytes);
    }
    return u;
}

/* ---- the kernels ------------------------------------------------------------------------------------- */

reference_escaped reference_escape(const quern_style_options *style, char *dst, size_t room, const char *src,
                                   size_t len, unsigned flags)
{
    reference_escaped result = {0, 0, QUERN_STOP_END};
    while (result.used < len) {
        const unit u = read_unit(style ? style : &minimum, src + result.used, len - result.used, flags);
        result.why = u.why;
        if (u.why == QUERN_STOP_END && u.length > room - result.written)
            result.why = QUERN_STOP_ROOM;
        if (result.why != QUERN_STOP_END)
            return result;
        memcpy(dst + result.written, u.text, u.length);
        result.written += u.length;
        result.used += u.used;
    }
    return result;
}

size_t reference_escape_size(const quern_style_options *style, const char *src, size_t len, unsigned flags)
{
    size_t size = 0;
    for (size_t i = 0; i < len;) {
        const unit u = read_unit(style ? style : &minimum, src + i, len - i, flags);
        if (u.why != QUERN_STOP_END)
            break;
        size += u.length;
        i += u.used;
    }
    return size;
}

size_t reference_style_find(const quern_style_options *style, const char *src, size_t len)
{
    size_t i = 0;
    while (i < len) {
        const unit u = read_unit(style ? style : &minimum, src + i, len - i, 0);
        if (u.why != QUERN_STOP_END || !u.passed)
            return i;
        i += u.used;
    }
    return i;
}

quern_span reference_text_prefix(const quern_style_options *style, const char *src, size_t len)
{
    const quern_span well_formed = reference_utf8_prefix(src, len);
    size_t i = 0;
    while (i < well_formed.length) {
        const unit u = read_unit(style ? style : &minimum, src + i, well_formed.length - i, 0);
        if (!u.passed)
            return (quern_span){i, QUERN_STOP_ESCAPE};
        i += u.used;
    }
    return well_formed;
}
