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

/* What precedes the text, it, and the quotation mark are written. */
QUERN_INLINE quern_status json_done(quern_json_writer *w, quern_sink *sink, char *out, size_t length, size_t where)
{
    sink->cursor = (uint8_t *)out + length + 1;
    memcpy(w->place_.now, w->place_.then[where], sizeof w->place_.now);
    return sink->status_;
}

/* Both long ways are functions of their own, so that the short one needs no frame. */
QUERN_INLINE quern_status json_long(quern_json_writer *w, const char *data, size_t length, size_t where, bool check)
{
    quern_sink *sink = w->sink_;
    const size_t room = (size_t)(sink->limit - sink->cursor), head = (size_t)w->place_.now[where].length;
    /* (A length from outside, and a head that may be as good as endless: no sum of them.) */
    if (length >= room || head >= room - length)
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
        const size_t clean = escape_scan(out, data, length, true);
        if (QUERN_UNLIKELY(clean < length)) {
            sink->cursor = (uint8_t *)out + clean;
            return quern_json_string_from(w, data, length, clean, where);
        }
    }
    out[length] = '"';
    return json_done(w, sink, out, length, where);
}

static QUERN_NOINLINE quern_status json_long_check(quern_json_writer *w, const char *data, size_t length, size_t where)
{
    return json_long(w, data, length, where, true);
}

static QUERN_NOINLINE quern_status json_long_keep(quern_json_writer *w, const char *data, size_t length, size_t where)
{
    return json_long(w, data, length, where, false);
}

/* Strings without an escape, one after the other, until it is worth looking for clean ones again. */
#define JSON_QUIET 16

/*
 * Escapes short text without asking first whether it has an escape: where many strings have one, and many have none,
 * the answer is a mispredicted branch. False: it has to go another way, and nothing is written.
 */
QUERN_INLINE bool json_expand(quern_json_writer *w, const char *data, size_t length, size_t where, bool check)
{
    quern_sink *sink = w->sink_;
    char *out = (char *)sink->cursor;
    const int32_t head = w->place_.now[where].length;
    if (QUERN_UNLIKELY(length > BLOCK_BYTES || head < 0 || (size_t)(sink->limit - sink->cursor) < JSON_ESCAPED_ROOM))
        return false;
    memcpy(out, w->place_.now[where].text, sizeof w->place_.now[where].text);
    out += head;
    unsigned found;
    out += expand_block(out, data, length, &found);
    if (check && QUERN_UNLIKELY(found & EXPAND_HIGH)) {
        const block b = block_load_first(data, length);
        if (utf8_block_is_faulty(&b))
            return false;
    }
    *out = '"';
    sink->cursor = (uint8_t *)out + 1;
    memcpy(w->place_.now, w->place_.then[where], sizeof w->place_.now);
    w->quiet_ = (unsigned char)((w->quiet_ + 1) & ((found & EXPAND_ESCAPES) - 1));
    return true;
}

/* These of this file. */
quern_json_string_function QUERN_KERNEL(json_string), QUERN_KERNEL(json_string_keep);

/* While many strings have something to escape, one of these is the writer's function. */
static quern_status json_dense(quern_json_writer *w, const char *data, size_t length, size_t where)
{
    if (w->quiet_ >= JSON_QUIET)
        w->string_ = QUERN_KERNEL(json_string);
    if (json_expand(w, data, length, where, true))
        return w->sink_->status_;
    return QUERN_KERNEL(json_string)(w, data, length, where);
}

static quern_status json_dense_keep(quern_json_writer *w, const char *data, size_t length, size_t where)
{
    if (w->quiet_ >= JSON_QUIET)
        w->string_ = QUERN_KERNEL(json_string_keep);
    if (json_expand(w, data, length, where, false))
        return w->sink_->status_;
    return QUERN_KERNEL(json_string_keep)(w, data, length, where);
}

/* Short text with something to escape, its UTF-8 in order, or nobody asked. */
static QUERN_NOINLINE quern_status json_escaped(quern_json_writer *w, const char *data, size_t length, size_t where)
{
    w->quiet_ = 0;
    w->string_ = w->checks_ ? json_dense : json_dense_keep;
    return json_expand(w, data, length, where, false) ? w->sink_->status_
                                                      : quern_json_string_slow(w, data, length, where);
}

static quern_status json_text(quern_json_writer *w, const char *data, size_t length, size_t where, size_t clean);

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
        return json_text(w, data, length, where, clean);
    if (QUERN_UNLIKELY(clean != length))
        return json_escaped(w, data, length, where);
    return json_done(w, sink, out, length, where);
}

/*
 * Short text that is not ASCII, copied and scanned: a function of its own, so that the tables are not loaded for what
 * is ASCII.
 */
static QUERN_NOINLINE quern_status json_text(quern_json_writer *w, const char *data, size_t length, size_t where,
                                             size_t clean)
{
    const block b = block_load_first(data, length);
    if (QUERN_UNLIKELY(utf8_block_is_faulty(&b)))
        return quern_json_string_slow(w, data, length, where);
    if (QUERN_UNLIKELY(clean != length))
        return json_escaped(w, data, length, where);
    quern_sink *sink = w->sink_;
    return json_done(w, sink, (char *)sink->cursor + w->place_.now[where].length, length, where);
}

quern_status QUERN_KERNEL(json_string)(quern_json_writer *w, const char *data, size_t length, size_t where)
{
    return json_short(w, data, length, where, true);
}

quern_status QUERN_KERNEL(json_string_keep)(quern_json_writer *w, const char *data, size_t length, size_t where)
{
    return json_short(w, data, length, where, false);
}
