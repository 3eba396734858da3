/* SPDX-License-Identifier: MIT */
/*
 * Copy, escape scan and UTF-8 check in one pass: each vector is loaded once, stored, and asked all questions. How
 * faults of UTF-8 are found is in utf8_faults.h: the check reads the three bytes before each vector again, so nothing
 * is carried from step to step but whether a sequence may be open.
 */
#include "kernels/escape_scan.h"
#include "kernels/style_scan.h"
#include "kernels/utf8_faults.h"

enum { TEXT_VECTORS = 4, TEXT_STEP = TEXT_VECTORS * VEC_BYTES };

/*
 * The first fault of [src, src + len) at or behind `from`, up to which there is none, but for a sequence that may go on
 * behind it; there is one.
 */
QUERN_COLD static quern_span text_locate(const char *src, size_t len, size_t from)
{
    size_t i = utf8_boundary(src, from);
    while (i < len) {
        const quern_span sequence = utf8_sequence((const unsigned char *)src + i, len - i);
        if (sequence.why != QUERN_STOP_END)
            return (quern_span){i, sequence.why};
        if (style_replaces(&quern_style_minimum, (unsigned char)src[i]))
            return (quern_span){i, QUERN_STOP_ESCAPE};
        i += sequence.length;
    }
    return (quern_span){len, QUERN_STOP_END};
}

/* The first byte to escape of [src, src + len) from `from` on, where there is one. */
QUERN_INLINE quern_span text_escape(const char *src, size_t len, size_t from)
{
    return (quern_span){from + escape_scan(NULL, src + from, len - from, false), QUERN_STOP_ESCAPE};
}

QUERN_INLINE quern_span text_short(char *dst, const char *src, size_t len, bool slack)
{
    bool high;
    char *slack_dst = slack ? dst : NULL;
    if (!slack && len > 0)
        copy_strict(dst, src, len);
    const size_t clean =
        SHORT_TAKES(len) ? short_escape(slack_dst, src, len, &high) : tiny_escape(slack_dst, src, len, &high);
    if (high) {
        const block b = block_load_first(src, len);
        if (QUERN_UNLIKELY(utf8_block_is_faulty(&b)))
            return text_locate(src, len, 0);
    }
    return (quern_span){clean, clean < len ? QUERN_STOP_ESCAPE : QUERN_STOP_END};
}

/* A text of more than a block that is not ASCII from its start. */
static QUERN_NOINLINE quern_span text_checked(char *dst, const char *src, size_t len)
{
    utf8_tables tables = utf8_load_tables();
    vec_pin(&tables.nibble);
    vec_pin(&tables.lead_of_3);
    vec_pin(&tables.lead_of_4);
    vec_pin(&tables.high);
    const vec bound = vec_splat(0x20);
    block start;
    vec keys = vec_splat(0xFF);
    for (size_t k = 0; k < BLOCK_VECTORS; k++) {
        start.v[k] = vec_load(src + k * VEC_BYTES);
        vec_store(dst + k * VEC_BYTES, start.v[k]);
        keys = vec_min(keys, escape_key(start.v[k]));
    }
    /* Whether what stands before i is not ASCII, and may have left a sequence open. */
    bool high = block_any_high(start.v);
    if (high && QUERN_UNLIKELY(vec_any(utf8_block_faults(&tables, &start))))
        return text_locate(src, len, 0);
    if (QUERN_UNLIKELY(flags_any(vec_is_at_most(keys, bound))))
        return text_escape(src, len, 0);

    size_t i = BLOCK_BYTES;
    for (; len - i >= TEXT_STEP; i += TEXT_STEP) {
        vec v[TEXT_VECTORS];
        for (size_t k = 0; k < TEXT_VECTORS; k++) {
            v[k] = vec_load(src + i + k * VEC_BYTES);
            vec_store(dst + i + k * VEC_BYTES, v[k]);
        }
        keys = vec_min(vec_min(escape_key(v[0]), escape_key(v[1])), vec_min(escape_key(v[2]), escape_key(v[3])));
        const bool escapes = flags_any(vec_is_at_most(keys, bound));
        if (!flags_any(vec_is_high(vec_or(vec_or(v[0], v[1]), vec_or(v[2], v[3]))))) {
            /* A sequence left open shows in the first vector. */
            if (high && QUERN_UNLIKELY(vec_any(utf8_faults_at(&tables, src + i, v[0]))))
                return text_locate(src, len, i);
            high = false;
        } else {
            high = true;
            for (size_t k = 0; k < TEXT_VECTORS; k += 2) {
                const char *p = src + i + k * VEC_BYTES;
                const vec faults =
                    vec_or(utf8_faults_at(&tables, p, v[k]), utf8_faults_at(&tables, p + VEC_BYTES, v[k + 1]));
                if (QUERN_UNLIKELY(vec_any(faults)))
                    return text_locate(src, len, i);
            }
        }
        if (QUERN_UNLIKELY(escapes))
            return text_escape(src, len, i);
    }

    /* The rest, less than a step. Its last vector overlaps what is done: a second look finds the same. */
    const size_t step = i;
    vec faults = vec_zero();
    keys = vec_splat(0xFF);
    if (VEC_BYTES == BLOCK_BYTES && len < VEC_BYTES + 3) {
        /* That vector would lack the three bytes before it. */
        const vec last = vec_load(src + len - VEC_BYTES);
        vec_store(dst + len - VEC_BYTES, last);
        keys = escape_key(last);
        const block rest = block_load_first(src + i, len - i);
        high = high || block_any_high(rest.v);
        faults = utf8_faults_after(&tables, start.v[BLOCK_VECTORS - 1], rest.v[0]);
        i = len;
    }
    for (; i < len; i += VEC_BYTES) {
        const size_t at = len - i < VEC_BYTES ? len - VEC_BYTES : i;
        const vec v = vec_load(src + at);
        vec_store(dst + at, v);
        keys = vec_min(keys, escape_key(v));
        if (high || flags_any(vec_is_high(v))) {
            faults = vec_or(faults, utf8_faults_at(&tables, src + at, v));
            high = true;
        }
    }
    if (QUERN_UNLIKELY(vec_any(faults)) || (high && QUERN_UNLIKELY(utf8_is_cut(src, len))))
        return text_locate(src, len, step);
    if (QUERN_UNLIKELY(flags_any(vec_is_at_most(keys, bound))))
        return text_escape(src, len, step);
    return (quern_span){len, QUERN_STOP_END};
}

/* The fault that stands behind `from`, in a text without any before. */
static QUERN_NOINLINE quern_span text_go_on(char *dst, const char *src, size_t len, size_t from)
{
    const size_t rest = len - from;
    quern_span span = rest <= BLOCK_BYTES ? text_short(dst + from, src + from, rest, false)
                                          : text_checked(dst + from, src + from, rest);
    span.length += from;
    return span;
}

QUERN_INLINE quern_span text_pass(char *dst, const char *src, size_t len, bool slack)
{
    if (len <= BLOCK_BYTES)
        return text_short(dst, src, len, slack);

    /* Text in another script shows at once. */
    if (flags_any(vec_is_high(vec_load(src))))
        return text_checked(dst, src, len);
    /* As long as it is ASCII without an escape. */
    const vec bound = vec_splat(0x20);
    size_t i = 0;
    for (; len - i >= TEXT_STEP; i += TEXT_STEP) {
        vec v[TEXT_VECTORS];
        for (size_t k = 0; k < TEXT_VECTORS; k++) {
            v[k] = vec_load(src + i + k * VEC_BYTES);
            vec_store(dst + i + k * VEC_BYTES, v[k]);
        }
        const vec keys =
            vec_min(vec_min(escape_key(v[0]), escape_key(v[1])), vec_min(escape_key(v[2]), escape_key(v[3])));
        const vec all = vec_or(vec_or(v[0], v[1]), vec_or(v[2], v[3]));
        if (QUERN_UNLIKELY(flags_any(flags_or(vec_is_high(all), vec_is_at_most(keys, bound)))))
            return text_go_on(dst, src, len, i);
    }
    /* The rest, its last vector overlapping what is done. */
    vec keys = vec_splat(0xFF), all = vec_zero();
    for (size_t done = i; done < len; done += VEC_BYTES) {
        const size_t at = len - done < VEC_BYTES ? len - VEC_BYTES : done;
        const vec v = vec_load(src + at);
        vec_store(dst + at, v);
        keys = vec_min(keys, escape_key(v));
        all = vec_or(all, v);
    }
    if (QUERN_UNLIKELY(flags_any(flags_or(vec_is_high(all), vec_is_at_most(keys, bound)))))
        return text_go_on(dst, src, len, i);
    return (quern_span){len, QUERN_STOP_END};
}

/* Styles that escape something else. Text that is not ASCII is checked in pieces, then scanned and copied. */
static QUERN_NOINLINE quern_span styled_text(const quern_style *style, char *dst, const char *src, size_t len)
{
    const unsigned char lead = style->looks_ & STYLE_LINES ? 0xE2 : STYLE_NO_BYTE;
    size_t i = 0;
    while (i < len) {
        /* In a style that escapes all that is not ASCII, the first such byte ends the text, checked or not. */
        const bool ascii = (unsigned char)src[i] < 0x80, checked = !ascii && !(style->looks_ & STYLE_ASCII);
        const size_t rest = len - i, part = rest < STYLE_PIECE ? rest : STYLE_PIECE;
        const quern_span span = ascii ? (quern_span){rest, QUERN_STOP_END} : QUERN_KERNEL(utf8_prefix)(src + i, part);
        const style_set set = style_load(style, lead, 0x80);
        const size_t end = i + span.length;
        while (i < end) {
            i += style_candidate(&set, dst + i, src + i, end - i, checked);
            if (i == end)
                break;
            const unsigned char *p = (const unsigned char *)src + i;
            if (ascii && *p >= 0x80)
                break;
            if (*p < 0x80 || style_escapes_point(style, p))
                return (quern_span){i, QUERN_STOP_ESCAPE};
            /* U+2000 to U+2FFF, all three bytes long. */
            memcpy(dst + i, p, 3);
            i += 3;
        }
        if (i == end && span.why != QUERN_STOP_END && !(span.why == QUERN_STOP_TRUNCATED && part < rest))
            return (quern_span){i, span.why};
    }
    return (quern_span){len, QUERN_STOP_END};
}

quern_text_copy_function QUERN_KERNEL(text_copy), QUERN_KERNEL(text_copy_slack);
quern_span QUERN_KERNEL(text_copy)(const quern_style *style, char *dst, const char *src, size_t len)
{
    if (!style_escapes_as_minimum(style))
        return styled_text(style, dst, src, len);
    return text_pass(dst, src, len, false);
}

quern_span QUERN_KERNEL(text_copy_slack)(const quern_style *style, char *dst, const char *src, size_t len)
{
    if (!style_escapes_as_minimum(style))
        return styled_text(style, dst, src, len);
    return text_pass(dst, src, len, true);
}
