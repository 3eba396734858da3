/* SPDX-License-Identifier: MIT */
/*
 * The JSON writer's strings and keys: whole, in pieces, prepared. The short ones are the variant's function
 * (kernels/json.tpl.h); here is everything else. A first clean run is copied and checked in one pass; where that stops,
 * text goes through the kernels in blocks that stay in the first-level cache between the UTF-8 check and the copy.
 */
#include "json/writer.h"

enum { TEXT_BLOCK = 8192, SCAN_BLOCK = 2048 };

/* A window of `wanted` bytes, or of what the sink has, at least 16; returns its length, or 0 if the sink has failed. */
static size_t window(quern_sink *sink, size_t wanted)
{
    const size_t room = (size_t)(sink->limit - sink->cursor);
    if (room >= 16 || room >= wanted)
        return room;
    /* Ask for all that is wanted, so that a memory sink grows once; then make do with what every sink has. */
    if (quern_sink_reserve(sink, wanted) != QUERN_OK && quern_sink_reserve(sink, 16) != QUERN_OK)
        return 0;
    return (size_t)(sink->limit - sink->cursor);
}

/* Writes text that needs no further check, escaped. False if the sink has failed. */
static bool write_escaped(quern_json_writer *w, const char *data, size_t length)
{
    quern_sink *sink = w->sink_;
    while (length > 0) {
        size_t used;
        const size_t room = window(sink, length < QUERN_ESCAPE_MAX ? QUERN_ESCAPE_MAX : length);
        if (room == 0)
            return false;
        const quern_span span =
            w->row_->escape_write_slack(w->style_, (char *)sink->cursor, room, data, length, &used, QUERN_ESCAPE_FINAL);
        sink->cursor += span.length;
        data += used;
        length -= used;
    }
    return true;
}

/* What stands for a maximal subpart of ill-formed text at `data`, `offset` bytes into the string. False: stop. */
static bool write_ill_formed(quern_json_writer *w, const char *data, size_t length, uint64_t offset)
{
    switch (w->invalid_) {
    case QUERN_JSON_INVALID_DROP: return true;
    case QUERN_JSON_INVALID_KEEP: return quern_sink_write(w->sink_, data, length) == QUERN_OK || w->sink_->counts_;
    case QUERN_JSON_INVALID_REPLACE: length = 1; /* fall through */
    case INVALID_REPLACE_BYTES:
        while (length-- > 0) {
            char *out = room_for(w, 6);
            if (!out)
                return false;
            w->sink_->cursor += style_put_fffd(style_or_minimum(w->style_), out);
        }
        return true;
    case QUERN_JSON_INVALID_SKIP_ITEM: quern_json_skip_text(w); return false;
    default: quern_json_fail(w, QUERN_ERROR_UTF8, offset); return false;
    }
}

/*
 * Writes a part of a string's text, which begins `base` bytes into the string. `length` of the result is how much was
 * consumed, `why`: END; TRUNCATED, the part's end cuts the sequence there (at most 3 bytes); or FAULT: it must not go
 * on, for a failure or since the item is skipped. `stopped`: the first byte is known to be escaped.
 */
static quern_span write_text(quern_json_writer *w, const char *data, size_t length, uint64_t base, bool stopped)
{
    quern_sink *sink = w->sink_;
    if (!w->checks_)
        return write_escaped(w, data, length) ? (quern_span){length, QUERN_STOP_END}
                                              : (quern_span){0, QUERN_STOP_FAULT};
    size_t done = 0;
    while (done < length) {
        size_t rest = length - done;
        if (!stopped) {
            const size_t room = window(sink, rest), part = rest < room ? rest : room;
            if (room == 0)
                return (quern_span){done, QUERN_STOP_FAULT};
            const quern_span span = w->row_->text_copy_slack(w->style_, (char *)sink->cursor, data + done, part);
            sink->cursor += span.length;
            done += span.length;
            if (span.why == QUERN_STOP_TRUNCATED && part == rest)
                return (quern_span){done, QUERN_STOP_TRUNCATED};
            if (span.why == QUERN_STOP_END || (span.why == QUERN_STOP_TRUNCATED && span.length > 0))
                continue;
            rest = length - done;
        }
        stopped = false;
        const size_t block = rest < TEXT_BLOCK ? rest : TEXT_BLOCK;
        const quern_span span = w->row_->utf8_prefix(data + done, block);
        if (!write_escaped(w, data + done, span.length))
            return (quern_span){done, QUERN_STOP_FAULT};
        done += span.length;
        if (span.why == QUERN_STOP_TRUNCATED && block == rest)
            return (quern_span){done, QUERN_STOP_TRUNCATED};
        if (span.why == QUERN_STOP_ILL_FORMED) {
            const size_t subpart = utf8_sequence((const unsigned char *)data + done, length - done).length;
            if (!write_ill_formed(w, data + done, subpart, base + done))
                return (quern_span){done, QUERN_STOP_FAULT};
            done += subpart;
        }
    }
    return (quern_span){length, QUERN_STOP_END};
}

/* Writes what precedes a string, whose place is open. */
static bool start_text(quern_json_writer *w, size_t where)
{
    const quern_json_head *head = &w->place_.now[where];
    if (head->length < 0 && !quern_json_open_place(w, where))
        return false;
    char *out = room_for(w, sizeof head->text);
    if (!out)
        return false;
    memcpy(out, head->text, sizeof head->text);
    w->sink_->cursor += head->length;
    return true;
}

quern_status quern_json_close_text(quern_json_writer *w, size_t where)
{
    if (!room_for(w, 1))
        return status_of(w);
    put_byte(w, '"');
    go_on(w, where);
    return w->sink_->status_;
}

/* ---- whole ----------------------------------------------------------------------------------------- */

quern_status quern_json_string_slow(quern_json_writer *w, const char *data, size_t length, size_t where)
{
    /* No object is that long: it must not be followed into memory. */
    if (length > PTRDIFF_MAX)
        return quern_json_fail(w, QUERN_ERROR_LIMIT, 0);
    if (w->invalid_ == QUERN_JSON_INVALID_SKIP_ITEM && head_is_open(w->place_.now[where])) {
        bool skipped;
        const quern_status status = quern_json_skip_check(w, data, length, where, &skipped);
        if (skipped)
            return status;
        if (w->mark_open_ == MARK_SKIP)
            length = 0; /* it is left out anyway */
    }
    if (w->place_.now[where].length < 0) {
        if (!quern_json_open_place(w, where))
            return status_of(w);
        /* That is written, and the short way open. */
        if (w->short_)
            return w->string_(w, data, length, where);
    }
    return start_text(w, where) ? quern_json_string_from(w, data, length, 0, where) : status_of(w);
}

quern_status quern_json_string_from(quern_json_writer *w, const char *data, size_t length, size_t done, size_t where)
{
    /* (Nothing may be added to NULL, not even 0.) */
    const quern_span span = write_text(w, done ? data + done : data, length - done, done, done > 0);
    if (span.why == QUERN_STOP_FAULT)
        return status_of(w);
    done += span.length;
    if (span.why == QUERN_STOP_TRUNCATED && !write_ill_formed(w, data + done, length - done, done))
        return status_of(w);
    return quern_json_close_text(w, where);
}

quern_status quern_json_write_string(quern_json_writer *w, const char *data, size_t length)
{
    return w->string_(w, data, length, AT_VALUE);
}

/* Whether the text is well-formed, or not looked at, and needs no escape. */
static bool goes_as_it_is(const quern_json_writer *w, const char *data, size_t length)
{
    for (size_t done = 0; done < length;) {
        const size_t rest = length - done, block = rest < SCAN_BLOCK ? rest : SCAN_BLOCK;
        size_t part = block;
        if (w->checks_) {
            const quern_span span = w->row_->utf8_prefix(data + done, block);
            if (span.why == QUERN_STOP_ILL_FORMED || (span.why == QUERN_STOP_TRUNCATED && block == rest))
                return false;
            part = span.length;
        }
        if (w->row_->escape_find(w->style_, data + done, part) < part)
            return false;
        done += part;
    }
    return true;
}

quern_status quern_json_write_string_ref(quern_json_writer *w, const char *data, size_t length)
{
    /* What goes as it is need not be copied: one pass to see that it does, in blocks that stay in the cache. (Short
       ones: the next block is on its way from memory while the second kernel is still at this one.) */
    if (length >= w->sink_->uncopied_ && length <= PTRDIFF_MAX && w->invalid_ != QUERN_JSON_INVALID_SKIP_ITEM &&
        goes_as_it_is(w, data, length)) {
        if (!start_text(w, AT_VALUE) || quern_failed(quern_sink_write_ref(w->sink_, data, length)))
            return status_of(w);
        return quern_json_close_text(w, AT_VALUE);
    }
    return w->string_(w, data, length, AT_VALUE);
}

quern_status quern_json_write_key(quern_json_writer *w, const char *data, size_t length)
{
    return w->string_(w, data, length, AT_KEY);
}

/* ---- in pieces ------------------------------------------------------------------------------------- */

quern_status quern_json_begin_text(quern_json_writer *w, unsigned char open)
{
    const size_t where = open == OPEN_KEY ? AT_KEY : AT_VALUE;
    if (w->invalid_ == QUERN_JSON_INVALID_SKIP_ITEM && open != OPEN_BYTES && head_is_open(w->place_.now[where]) &&
        !quern_json_skip_at_text(w, where))
        return status_of(w);
    if (!start_text(w, where))
        return status_of(w);
    close_place(w);
    w->open_ = open;
    w->held_ = 0;
    w->offset_ = 0;
    return w->sink_->status_;
}

quern_status quern_json_begin_string(quern_json_writer *w)
{
    return quern_json_begin_text(w, OPEN_VALUE);
}

quern_status quern_json_write_part(quern_json_writer *w, const char *data, size_t length)
{
    if (w->error_.status != QUERN_OK)
        return w->error_.status;
    if (w->open_ >= OPEN_SKIPPED)
        return QUERN_ERROR_UTF8;
    if (w->open_ < OPEN_VALUE)
        return quern_json_fail(w, QUERN_ERROR_MISUSE, 0);
    if (length > PTRDIFF_MAX)
        return quern_json_fail(w, QUERN_ERROR_LIMIT, 0);
    if (w->mark_open_ == MARK_SKIP)
        return status_of(w); /* it is left out anyway */

    /* First the sequence that the part before left open, byte by byte: it decides itself within three. */
    while (w->held_ && length) {
        const size_t held = w->held_;
        w->hold_[held] = *data;
        const quern_span span = utf8_sequence((const unsigned char *)w->hold_, held + 1);
        if (span.why == QUERN_STOP_ILL_FORMED) {
            /* The byte is none of it, and begins anew. */
            w->held_ = 0;
            if (!write_ill_formed(w, w->hold_, held, w->offset_))
                return w->open_ >= OPEN_SKIPPED ? QUERN_ERROR_UTF8 : status_of(w);
            w->offset_ += held;
            break;
        }
        w->held_++;
        data++;
        length--;
        if (span.why == QUERN_STOP_END) {
            w->offset_ += w->held_;
            w->held_ = 0; /* whatever comes of it: hold_ must not grow */
            if (!write_escaped(w, w->hold_, span.length))
                return status_of(w);
        }
    }

    const quern_span span = write_text(w, data, length, w->offset_, false);
    w->offset_ += span.length;
    if (span.why == QUERN_STOP_TRUNCATED) {
        w->held_ = (unsigned char)(length - span.length);
        memcpy(w->hold_, data + span.length, w->held_);
    }
    return w->open_ >= OPEN_SKIPPED ? QUERN_ERROR_UTF8 : status_of(w);
}

quern_status quern_json_end_string(quern_json_writer *w)
{
    if (w->error_.status != QUERN_OK)
        return w->error_.status;
    if (w->open_ < OPEN_VALUE)
        return quern_json_fail(w, QUERN_ERROR_MISUSE, 0);
    if (w->held_ && !write_ill_formed(w, w->hold_, w->held_, w->offset_) && w->open_ < OPEN_SKIPPED)
        return status_of(w);
    if (w->open_ >= OPEN_SKIPPED)
        return quern_json_skip_end_text(w);
    const size_t where = w->open_ == OPEN_KEY ? AT_KEY : AT_VALUE;
    w->open_ = OPEN_NOTHING;
    const quern_status status = quern_json_close_text(w, where);
    return w->mark_open_ == MARK_STRING ? quern_json_skip_keep(w) : status;
}

/* ---- prepared -------------------------------------------------------------------------------------- */

enum { KEY_SHORT = sizeof((quern_json_key *)0)->short_ };

quern_status quern_json_key_init(quern_json_key *key, const char *data, size_t length, const quern_style *style,
                                 void *buffer, size_t size)
{
    memset(key, 0, sizeof *key);
    memcpy(key->short_, "\"\"", 2);
    key->length_ = 2;
    key->minimal_ = true;
    if (length > PTRDIFF_MAX)
        return QUERN_ERROR_LIMIT;
    if (quern_utf8_prefix(data, length).why != QUERN_STOP_END)
        return QUERN_ERROR_UTF8;
    const size_t escaped = quern_escape_size(style, data, length, QUERN_ESCAPE_FINAL);
    char *out = key->short_;
    if (escaped > KEY_SHORT - 2) {
        if (!buffer || size < 2 || escaped > size - 2)
            return QUERN_ERROR_ROOM;
        key->long_ = out = buffer;
    }
    size_t used;
    out[0] = '"';
    quern_escape_write(style, out + 1, escaped, data, length, &used, QUERN_ESCAPE_FINAL);
    out[1 + escaped] = '"';
    key->length_ = escaped + 2;
    key->minimal_ = !style || !(style->looks_ & ~STYLE_POINTS);
    return QUERN_OK;
}

quern_status quern_json_write_prepared_key(quern_json_writer *w, const quern_json_key *key)
{
    const quern_json_head *head = &w->place_.now[AT_KEY];
    if (QUERN_UNLIKELY(head->length < 0)) {
        if (w->canonical_ && !key->minimal_)
            return quern_json_fail(w, QUERN_ERROR_MISUSE, 0);
        if (!quern_json_open_place(w, AT_KEY))
            return status_of(w);
    }
    quern_sink *sink = w->sink_;
    char *out = room_for(w, sizeof head->text + KEY_SHORT);
    if (QUERN_UNLIKELY(!out))
        return status_of(w);
    memcpy(out, head->text, sizeof head->text);
    out += head->length - 1;
    if (QUERN_UNLIKELY(key->long_)) {
        sink->cursor = (uint8_t *)out;
        if (w->mark_open_ != MARK_SKIP) /* else it is left out anyway */
            quern_sink_write(sink, key->long_, key->length_);
    } else {
        memcpy(out, key->short_, KEY_SHORT / 2);
        if (key->length_ > KEY_SHORT / 2)
            memcpy(out + KEY_SHORT / 2, key->short_ + KEY_SHORT / 2, KEY_SHORT / 2);
        sink->cursor = (uint8_t *)out + key->length_;
    }
    go_on(w, AT_KEY);
    return sink->status_;
}
