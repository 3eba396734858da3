/* SPDX-License-Identifier: MIT */
/* The CBOR writer's strings: bytes and text, whole and in parts. Text is checked before its head is written. */
#include "cbor/writer.h"

#include "common/utf8.h"

quern_status quern_cbor_write_run(quern_cbor_writer *w, unsigned major, const void *data, size_t length)
{
    /* No object is that long: it must not be followed into memory. */
    if (QUERN_UNLIKELY(length > PTRDIFF_MAX))
        return quern_cbor_fail(w, QUERN_ERROR_LIMIT, 0);
    uint8_t *out = item_start(w, HEAD_ROOM);
    if (QUERN_UNLIKELY(!out))
        return status_of(w);
    item_end(w, put_head(out, major, length));
    return quern_sink_write(w->sink_, data, length);
}

quern_status quern_cbor_write_bytes(quern_cbor_writer *w, const void *data, size_t length)
{
    return quern_cbor_write_run(w, MAJOR_BYTES, data, length);
}

quern_status quern_cbor_write_bytes_ref(quern_cbor_writer *w, const void *data, size_t length)
{
    return quern_cbor_write_run(w, MAJOR_BYTES, data, length);
}

quern_status quern_cbor_write_embedded(quern_cbor_writer *w, const void *data, size_t length)
{
    quern_cbor_write_tag(w, 24);
    return quern_cbor_write_run(w, MAJOR_BYTES, data, length);
}

quern_status quern_cbor_write_string(quern_cbor_writer *w, const char *data, size_t length)
{
    if (w->checks_ && length <= PTRDIFF_MAX && w->error_.status == QUERN_OK) {
        const quern_span span = w->row_->utf8_prefix(data, length);
        if (QUERN_UNLIKELY(span.why != QUERN_STOP_END))
            return item_start(w, 0) ? quern_cbor_fail(w, QUERN_ERROR_UTF8, span.length) : status_of(w);
    }
    return quern_cbor_write_run(w, MAJOR_TEXT, data, length);
}

quern_status quern_cbor_write_string_ref(quern_cbor_writer *w, const char *data, size_t length)
{
    return quern_cbor_write_string(w, data, length);
}

quern_status quern_cbor_write_key(quern_cbor_writer *w, const char *data, size_t length)
{
    return quern_cbor_write_string(w, data, length);
}

/* ---- in parts -------------------------------------------------------------------------------------- */

static quern_status begin(quern_cbor_writer *w, unsigned open, uint64_t length)
{
    const unsigned major = open == OPEN_TEXT ? MAJOR_TEXT : MAJOR_BYTES;
    uint8_t *out = item_start(w, HEAD_ROOM);
    if (!out)
        return status_of(w);
    if (length != QUERN_UNKNOWN)
        out = put_head(out, major, length);
    else if (!w->deterministic_)
        *out++ = (uint8_t)(major << 5 | BYTE_UNKNOWN);
    else
        return quern_cbor_fail(w, QUERN_ERROR_MISUSE, 0);
    item_end(w, out);
    w->more_ += w->fast_;
    w->fast_ = 0;
    w->open_ = (unsigned char)open;
    w->part_ = length;
    w->offset_ = 0;
    w->held_ = 0;
    return w->sink_->status_;
}

quern_status quern_cbor_begin_bytes(quern_cbor_writer *w, uint64_t length)
{
    return begin(w, OPEN_BYTES, length);
}

quern_status quern_cbor_begin_string(quern_cbor_writer *w, uint64_t length)
{
    return begin(w, OPEN_TEXT, length);
}

/* A chunk: what earlier parts left, and this one's. */
static quern_status write_chunk(quern_cbor_writer *w, const void *first, size_t first_length, const void *data,
                                size_t length)
{
    if (quern_sink_reserve(w->sink_, HEAD_ROOM) != QUERN_OK)
        return status_of(w);
    w->sink_->cursor =
        put_head(w->sink_->cursor, w->open_ == OPEN_TEXT ? MAJOR_TEXT : MAJOR_BYTES, (uint64_t)first_length + length);
    quern_sink_write(w->sink_, first, first_length);
    return quern_sink_write(w->sink_, data, length);
}

/*
 * Checks a part of a text. *joined bytes of hold_ are, with its first *taken bytes, a whole sequence; *whole bytes
 * behind those end at a character, and what follows is in hold_ now, unless there was a failure.
 */
typedef struct cut {
    unsigned char joined[4];
    size_t joined_length, taken, whole;
} cut;

static bool check_part(quern_cbor_writer *w, const char *data, size_t length, cut *c)
{
    *c = (cut){.whole = 0};
    while (w->held_ && c->taken < length) {
        w->hold_[w->held_++] = (unsigned char)data[c->taken++];
        const quern_span span = utf8_sequence(w->hold_, w->held_);
        if (span.why == QUERN_STOP_ILL_FORMED) {
            quern_cbor_fail(w, QUERN_ERROR_UTF8, w->offset_);
            return false;
        }
        if (span.why == QUERN_STOP_END) {
            memcpy(c->joined, w->hold_, sizeof c->joined);
            c->joined_length = w->held_;
            w->offset_ += w->held_;
            w->held_ = 0;
        }
    }
    if (c->taken == length)
        return true;
    const quern_span span = w->row_->utf8_prefix(data + c->taken, length - c->taken);
    w->offset_ += span.length;
    if (span.why == QUERN_STOP_ILL_FORMED) {
        quern_cbor_fail(w, QUERN_ERROR_UTF8, w->offset_);
        return false;
    }
    c->whole = span.length;
    w->held_ = (unsigned char)(length - c->taken - span.length);
    memcpy(w->hold_, data + c->taken + span.length, w->held_);
    return true;
}

quern_status quern_cbor_write_part(quern_cbor_writer *w, const void *data, size_t length)
{
    if (w->error_.status != QUERN_OK)
        return w->error_.status;
    if (w->open_ == OPEN_NOTHING)
        return quern_cbor_fail(w, QUERN_ERROR_MISUSE, 0);
    if (length > PTRDIFF_MAX)
        return quern_cbor_fail(w, QUERN_ERROR_LIMIT, 0);
    const bool unknown = w->part_ == QUERN_UNKNOWN;
    if (!unknown && length > w->part_)
        return quern_cbor_fail(w, QUERN_ERROR_MISUSE, 0);
    cut c = {.whole = length};
    if (w->open_ == OPEN_TEXT && w->checks_ && !check_part(w, data, length, &c))
        return status_of(w);
    if (unknown) {
        if (length && c.joined_length + c.whole == 0)
            return status_of(w); /* all of it waits for the next part */
        return write_chunk(w, c.joined, c.joined_length, c.whole ? (const char *)data + c.taken : NULL, c.whole);
    }
    w->part_ -= length;
    return quern_sink_write(w->sink_, data, length);
}

quern_status quern_cbor_end_string(quern_cbor_writer *w)
{
    if (w->error_.status != QUERN_OK)
        return w->error_.status;
    if (w->open_ == OPEN_NOTHING || (w->part_ && w->part_ != QUERN_UNKNOWN))
        return quern_cbor_fail(w, QUERN_ERROR_MISUSE, 0);
    if (w->held_)
        return quern_cbor_fail(w, QUERN_ERROR_UTF8, w->offset_);
    if (w->part_ == QUERN_UNKNOWN) {
        if (quern_sink_reserve(w->sink_, 1) != QUERN_OK)
            return status_of(w);
        *w->sink_->cursor++ = BYTE_BREAK;
    }
    w->open_ = OPEN_NOTHING;
    set_items_left(w, w->more_);
    return w->sink_->status_;
}
