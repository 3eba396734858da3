/* SPDX-License-Identifier: MIT */
/*
 * The JSON writer. Layout and checks live in before_value and after_value; text goes through the kernels in blocks that
 * stay in the first-level cache between the UTF-8 check and the copy.
 */
#include <quern/json.h>

#include "common/json.h"
#include "dispatch/table.h"

#include <assert.h>
#include <string.h>

enum { DEFAULT_MAX_DEPTH = 1024, TEXT_BLOCK = 8192 };

enum state {
    STATE_FIRST,  /* a value may come, without a comma: the root, or an array's first element */
    STATE_NEXT,   /* an array's further element may come */
    STATE_STRING, /* within a string in pieces */
    STATE_WHOLE,  /* the root is there */
    STATE_FINISHED
};

/* Longer than any room: the variant's function takes the long way. */
#define NO_HEAD (SIZE_MAX / 2)

/* What may come next, and what the variant's function writes before an element that is a string. */
static void enter(quern_json_writer *w, enum state state)
{
    w->state_ = (unsigned char)state;
    w->head_length_ = state != STATE_NEXT ? NO_HEAD : w->layout_ == QUERN_JSON_SPACED ? 3 : 2;
}

void quern_json_writer_init(quern_json_writer *w, quern_sink *sink, const quern_json_writer_options *options)
{
    assert(w && sink);
    memset(w, 0, sizeof *w);
    w->sink_ = sink;
    const quern_row *row = quern_table_active();
    w->row_ = &row->kernels;
    w->max_depth_ = DEFAULT_MAX_DEPTH;
    if (options) {
        w->style_ = options->style;
        w->layout_ = (unsigned char)options->layout;
        w->invalid_ = (unsigned char)options->invalid;
        if (options->max_depth)
            w->max_depth_ = options->max_depth;
    }
    w->string_ = w->invalid_ == QUERN_JSON_INVALID_KEEP ? row->json_string_keep : row->json_string;
    memcpy(w->head_, w->layout_ == QUERN_JSON_SPACED ? ", \"" : ",\"\0", 4);
    enter(w, STATE_FIRST);
}

/* Latches, and stops the writer. A failure that the sink had before stays the first. */
static quern_status fail(quern_json_writer *w, quern_status status, uint64_t offset)
{
    w->head_length_ = NO_HEAD;
    if (w->error_.status == QUERN_OK)
        w->error_ = w->sink_->status_ == QUERN_OK ? (quern_error){status, offset} : (quern_error){w->sink_->status_, 0};
    return w->error_.status;
}

/* The writer's own failure, or the sink's. (While a full fixed sink goes on counting, the writer goes on writing.) */
static quern_status status_of(const quern_json_writer *w)
{
    return w->error_.status != QUERN_OK ? w->error_.status : w->sink_->status_;
}

/* Room for `length` bytes (at most QUERN_RESERVE) at the sink's cursor, or NULL. */
static char *room_for(quern_json_writer *w, size_t length)
{
    return quern_sink_reserve(w->sink_, length) == QUERN_OK ? (char *)w->sink_->cursor : NULL;
}

/* Checks that a value may come here, and writes the comma before it and then `head`. */
static bool before_value(quern_json_writer *w, const char *head, size_t length)
{
    if (w->error_.status != QUERN_OK)
        return false;
    if (w->state_ > STATE_NEXT) {
        fail(w, QUERN_ERROR_MISUSE, 0);
        return false;
    }
    char *out = room_for(w, 2 + length);
    if (!out)
        return false;
    if (w->state_ == STATE_NEXT) {
        *out++ = ',';
        if (w->layout_ == QUERN_JSON_SPACED)
            *out++ = ' ';
    }
    memcpy(out, head, length);
    w->sink_->cursor = (uint8_t *)out + length;
    return true;
}

static quern_status after_value(quern_json_writer *w)
{
    enter(w, w->depth_ ? STATE_NEXT : STATE_WHOLE);
    return status_of(w);
}

static quern_status write_literal(quern_json_writer *w, const char *text, size_t length)
{
    return before_value(w, text, length) ? after_value(w) : status_of(w);
}

quern_status quern_json_write_null(quern_json_writer *w)
{
    return write_literal(w, "null", 4);
}

quern_status quern_json_write_bool(quern_json_writer *w, bool value)
{
    return value ? write_literal(w, "true", 4) : write_literal(w, "false", 5);
}

/* The escape of one byte (RFC 8259 section 7), at most 6 bytes; returns its length. */
static size_t put_escape(char *out, unsigned char byte)
{
    static const char letters[32] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
    static const char digits[] = "0123456789abcdef";
    char letter = byte < 32 ? letters[byte] : (char)byte;
    out[0] = '\\';
    if (letter) {
        out[1] = letter;
        return 2;
    }
    memcpy(out + 1, "u00", 3);
    out[4] = digits[byte >> 4];
    out[5] = digits[byte & 15];
    return 6;
}

/* Writes text that needs no further check, escaped. False if the sink has failed. */
static bool write_escaped(quern_json_writer *w, const char *data, size_t length)
{
    quern_sink *sink = w->sink_;
    while (length > 0) {
        size_t room = (size_t)(sink->limit - sink->cursor);
        if (room < 16 && room < length) {
            /* Ask for all that is left, so that a memory sink grows once; then make do with what every sink has. */
            if (quern_sink_reserve(sink, length) != QUERN_OK && quern_sink_reserve(sink, 16) != QUERN_OK)
                return false;
            room = (size_t)(sink->limit - sink->cursor);
        }
        const size_t part = length < room ? length : room;
        const size_t clean = w->row_->escape_copy_slack(w->style_, (char *)sink->cursor, data, part);
        sink->cursor += clean;
        data += clean;
        length -= clean;
        if (clean < part) {
            char *out = room_for(w, 6);
            if (!out)
                return false;
            sink->cursor += put_escape(out, (unsigned char)*data);
            data++;
            length--;
        }
    }
    return true;
}

/*
 * Writes a part of a string's text, which begins `base` bytes into the string. `length` of the result is how much was
 * consumed, `why`: END; TRUNCATED, the part's end cuts the sequence there (at most 3 bytes); ILL_FORMED or FAULT,
 * latched; or ROOM, the sink has failed.
 */
static quern_span write_text(quern_json_writer *w, const char *data, size_t length, uint64_t base)
{
    if (w->invalid_ == QUERN_JSON_INVALID_KEEP)
        return write_escaped(w, data, length) ? (quern_span){length, QUERN_STOP_END} : (quern_span){0, QUERN_STOP_ROOM};
    size_t done = 0;
    while (done < length) {
        const size_t rest = length - done, block = rest < TEXT_BLOCK ? rest : TEXT_BLOCK;
        const quern_span span = w->row_->utf8_prefix(data + done, block);
        if (!write_escaped(w, data + done, span.length))
            return (quern_span){done, QUERN_STOP_ROOM};
        done += span.length;
        if (span.why == QUERN_STOP_ILL_FORMED) {
            fail(w, QUERN_ERROR_UTF8, base + done);
            return (quern_span){done, QUERN_STOP_ILL_FORMED};
        }
        if (span.why == QUERN_STOP_TRUNCATED && block == rest)
            return (quern_span){done, QUERN_STOP_TRUNCATED};
    }
    return (quern_span){length, QUERN_STOP_END};
}

static quern_status close_string(quern_json_writer *w)
{
    char *out = room_for(w, 1);
    if (!out)
        return status_of(w);
    *out = '"';
    w->sink_->cursor++;
    return after_value(w);
}

quern_status quern_json_string_slow(quern_json_writer *w, const char *data, size_t length)
{
    if (length > PTRDIFF_MAX)
        return fail(w, QUERN_ERROR_LIMIT, 0); /* no object is that long: it must not be followed into memory */
    if (!before_value(w, "\"", 1))
        return status_of(w);
    const quern_span span = write_text(w, data, length, 0);
    if (span.why == QUERN_STOP_TRUNCATED)
        fail(w, QUERN_ERROR_UTF8, span.length);
    return span.why == QUERN_STOP_END ? close_string(w) : status_of(w);
}

quern_status quern_json_string_rest(quern_json_writer *w, const char *data, size_t length)
{
    return write_escaped(w, data, length) ? close_string(w) : status_of(w);
}

quern_status quern_json_write_string(quern_json_writer *w, const char *data, size_t length)
{
    return w->string_(w, data, length);
}

quern_status quern_json_begin_string(quern_json_writer *w)
{
    if (before_value(w, "\"", 1)) {
        enter(w, STATE_STRING);
        w->held_ = 0;
        w->offset_ = 0;
    }
    return status_of(w);
}

quern_status quern_json_write_part(quern_json_writer *w, const char *data, size_t length)
{
    if (w->error_.status != QUERN_OK)
        return w->error_.status;
    if (w->state_ != STATE_STRING)
        return fail(w, QUERN_ERROR_MISUSE, 0);

    if (length > PTRDIFF_MAX)
        return fail(w, QUERN_ERROR_LIMIT, w->offset_);

    /* First the sequence that the part before left open, byte by byte: it decides itself within three. */
    while (w->held_ && length) {
        w->hold_[w->held_++] = *data++;
        length--;
        const quern_span span = w->row_->utf8_prefix(w->hold_, w->held_);
        if (span.why == QUERN_STOP_ILL_FORMED)
            return fail(w, QUERN_ERROR_UTF8, w->offset_);
        if (span.why == QUERN_STOP_END) {
            w->offset_ += w->held_;
            w->held_ = 0; /* whatever comes of it: hold_ must not grow */
            if (!write_escaped(w, w->hold_, span.length))
                return status_of(w);
        }
    }

    const quern_span span = write_text(w, data, length, w->offset_);
    w->offset_ += span.length;
    if (span.why == QUERN_STOP_TRUNCATED) {
        w->held_ = (unsigned char)(length - span.length);
        memcpy(w->hold_, data + span.length, w->held_);
    }
    return status_of(w);
}

quern_status quern_json_end_string(quern_json_writer *w)
{
    if (w->error_.status != QUERN_OK)
        return w->error_.status;
    if (w->state_ != STATE_STRING)
        return fail(w, QUERN_ERROR_MISUSE, 0);
    if (w->held_)
        return fail(w, QUERN_ERROR_UTF8, w->offset_);
    return close_string(w);
}

quern_status quern_json_begin_array(quern_json_writer *w)
{
    if (w->error_.status == QUERN_OK && w->state_ <= STATE_NEXT && w->depth_ >= w->max_depth_)
        return fail(w, QUERN_ERROR_DEPTH, 0);
    if (before_value(w, "[", 1)) {
        w->depth_++;
        enter(w, STATE_FIRST);
    }
    return status_of(w);
}

quern_status quern_json_end(quern_json_writer *w)
{
    if (w->error_.status != QUERN_OK)
        return w->error_.status;
    if (w->depth_ == 0 || w->state_ > STATE_NEXT)
        return fail(w, QUERN_ERROR_MISUSE, 0);
    char *out = room_for(w, 1);
    if (!out)
        return status_of(w);
    *out = ']';
    w->sink_->cursor++;
    w->depth_--;
    return after_value(w);
}

quern_status quern_json_writer_finish(quern_json_writer *w)
{
    if (w->error_.status == QUERN_OK && w->state_ != STATE_FINISHED) {
        const quern_status flushed = quern_sink_flush(w->sink_);
        /* A sink that failed left values out; that is the failure to report, not the gap. */
        if (flushed != QUERN_OK)
            fail(w, flushed, 0);
        else if (w->state_ != STATE_WHOLE)
            fail(w, QUERN_ERROR_MISUSE, 0);
        enter(w, STATE_FINISHED);
    }
    return status_of(w);
}

void quern_json_writer_error(const quern_json_writer *w, quern_error *error)
{
    *error = (quern_error){status_of(w), w->error_.offset};
}
