/* SPDX-License-Identifier: MIT */
/*
 * A string, be it an element, a key or its value: comma or colon, quotation marks, UTF-8 check, escape scan and copy in
 * one function without a frame, for text of at most a block. Everything else goes on in other functions by a tail call.
 *
 * The writer prepares the bytes before the text, and what they become behind it; and their number so that one
 * comparison asks all that must be asked: where the string may not come, or has to go the long way, it is below 0,
 * which is larger than any room. The cursor moves by the length that is given, not by one that a kernel returns: the
 * next string's stores do not wait for this one's scan.
 */
#include "common/json.h"
#include "kernels/escape_scan.h"
#include "kernels/utf8_faults.h"

#include <string.h>

/* These of this variant, in their own files. */
quern_escape_copy_function QUERN_KERNEL(escape_copy_slack);
quern_text_copy_function QUERN_KERNEL(text_copy_slack);

/* Room for what precedes a block, its longest output, the quotation mark, and what expand_block writes behind. */
#define JSON_ESCAPED_ROOM (sizeof((quern_json_head *)0)->text + 6 * BLOCK_BYTES + 1 + 64)

/* Both long ways are functions of their own, so that the short one needs no frame. */
QUERN_INLINE quern_status json_long(quern_json_writer *w, const char *data, size_t length, size_t where, bool check)
{
    quern_sink *sink = w->sink_;
    const size_t room = (size_t)(sink->limit - sink->cursor), head = (size_t)w->place_.now[where].length;
    /* (A length from outside: no sum before it is known to be small.) */
    if (length >= room || length + head >= room)
        return quern_json_string_slow(w, data, length, where);
    char *out = (char *)sink->cursor;
    memcpy(out, w->place_.now[where].text, sizeof w->place_.now[where].text);
    out += head;
    if (check) {
        const quern_span span = QUERN_KERNEL(text_copy_slack)(NULL, out, data, length);
        if (QUERN_UNLIKELY(span.why != QUERN_STOP_END)) {
            if (span.why != QUERN_STOP_ESCAPE)
                return quern_json_string_slow(w, data, length, where);
            sink->cursor = (uint8_t *)out + span.length;
            return quern_json_string_from(w, data, length, span.length, where);
        }
    } else {
        const size_t clean = QUERN_KERNEL(escape_copy_slack)(NULL, out, data, length);
        if (QUERN_UNLIKELY(clean < length)) {
            sink->cursor = (uint8_t *)out + clean;
            return quern_json_string_from(w, data, length, clean, where);
        }
    }
    out[length] = '"';
    sink->cursor = (uint8_t *)out + length + 1;
    memcpy(w->place_.now, w->place_.then[where], sizeof w->place_.now);
    return sink->status_;
}

static QUERN_NOINLINE quern_status json_long_check(quern_json_writer *w, const char *data, size_t length, size_t where)
{
    return json_long(w, data, length, where, true);
}

static QUERN_NOINLINE quern_status json_long_keep(quern_json_writer *w, const char *data, size_t length, size_t where)
{
    return json_long(w, data, length, where, false);
}

/* Short text with something to escape, its UTF-8 in order, or nobody asked. */
static QUERN_NOINLINE quern_status json_escaped(quern_json_writer *w, const char *data, size_t length, size_t where)
{
    quern_sink *sink = w->sink_;
    char *out = (char *)sink->cursor;
    const size_t head = (size_t)w->place_.now[where].length;
    if ((size_t)(sink->limit - sink->cursor) < JSON_ESCAPED_ROOM)
        return quern_json_string_slow(w, data, length, where);
    memcpy(out, w->place_.now[where].text, sizeof w->place_.now[where].text);
    out += head;
    unsigned any;
    out += expand_block(out, data, length, &any);
    *out = '"';
    sink->cursor = (uint8_t *)out + 1;
    memcpy(w->place_.now, w->place_.then[where], sizeof w->place_.now);
    return sink->status_;
}

static quern_status json_text(quern_json_writer *w, const char *data, size_t length, size_t where);

QUERN_INLINE quern_status json_short(quern_json_writer *w, const char *data, size_t length, size_t where, bool check)
{
    quern_sink *sink = w->sink_;
    char *out = (char *)sink->cursor;
    const size_t head = (size_t)w->place_.now[where].length;
    if (QUERN_UNLIKELY(length > BLOCK_BYTES))
        return check ? json_long_check(w, data, length, where) : json_long_keep(w, data, length, where);
    if (QUERN_UNLIKELY(length + head >= (size_t)(sink->limit - sink->cursor)))
        return quern_json_string_slow(w, data, length, where);
    memcpy(out, w->place_.now[where].text, sizeof w->place_.now[where].text);
    out += head;
    bool high;
    const size_t clean =
        SHORT_TAKES(length) ? short_escape(out, data, length, &high) : tiny_escape(out, data, length, &high);
    out[length] = '"'; /* before any test, or the compiler takes the scan's result, which is late, for the length */
    if (check && high)
        return json_text(w, data, length, where);
    if (QUERN_UNLIKELY(clean != length))
        return json_escaped(w, data, length, where);
    sink->cursor = (uint8_t *)out + length + 1;
    memcpy(w->place_.now, w->place_.then[where], sizeof w->place_.now);
    return sink->status_;
}

/* Short text that is not ASCII: a function of its own, so that the tables are not loaded for what is. */
static QUERN_NOINLINE quern_status json_text(quern_json_writer *w, const char *data, size_t length, size_t where)
{
    const block b = block_load_first(data, length);
    if (QUERN_UNLIKELY(utf8_block_is_faulty(&b, data, length)))
        return quern_json_string_slow(w, data, length, where);
    return json_short(w, data, length, where, false);
}

quern_json_string_function QUERN_KERNEL(json_string), QUERN_KERNEL(json_string_keep);
quern_status QUERN_KERNEL(json_string)(quern_json_writer *w, const char *data, size_t length, size_t where)
{
    return json_short(w, data, length, where, true);
}

quern_status QUERN_KERNEL(json_string_keep)(quern_json_writer *w, const char *data, size_t length, size_t where)
{
    return json_short(w, data, length, where, false);
}
