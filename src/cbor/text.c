/* SPDX-License-Identifier: MIT */
/* The CBOR writer's strings: bytes and text, whole and in parts. Text is checked before its head is written. */
#include "cbor/writer.h"

#include "common/utf8.h"
#include "common/word.h"

/* A string so short has a head of one byte, and is copied by words that overlap, into room that a window always has. */
enum { SHORT = 16 };

/* Copies it behind its head; may write 4 bytes for fewer. Returns whether there is any but ASCII. */
static inline bool put_short(uint8_t *out, unsigned major, const void *data, size_t length)
{
    const char *from = data;
    uint64_t bits;
    *out++ = (uint8_t)(major << 5 | length);
    if (length >= 8) {
        const uint64_t first = load64(from), last = load64(from + length - 8);
        store64(out, first);
        store64(out + length - 8, last);
        bits = first | last;
    } else if (length >= 4) {
        const uint32_t first = load32(from), last = load32(from + length - 4);
        store32(out, first);
        store32(out + length - 4, last);
        bits = first | last;
    } else {
        const uint32_t all = load_first_of_4(from, length);
        store32(out, all);
        bits = all;
    }
    return (bits & WORD_HIGH) != 0;
}

static QUERN_NOINLINE quern_status write_long_run(quern_cbor_writer *w, unsigned major, const void *data, size_t length,
                                                  bool stays)
{
    /* No object is that long: it must not be followed into memory. */
    if (QUERN_UNLIKELY(length > PTRDIFF_MAX))
        return quern_cbor_fail(w, QUERN_ERROR_LIMIT, 0);
    uint8_t *out = item_start(w, HEAD_ROOM);
    if (QUERN_UNLIKELY(!out))
        return status_of(w);
    item_end(w, put_head(out, major, length));
    return stays ? quern_sink_write_ref(w->sink_, data, length) : quern_sink_write(w->sink_, data, length);
}

static inline quern_status write_run(quern_cbor_writer *w, unsigned major, const void *data, size_t length, bool stays)
{
    if (length < SHORT && item_may_start(w, 1 + SHORT)) {
        uint8_t *out = w->sink_->cursor;
        put_short(out, major, data, length);
        return item_end(w, out + 1 + length);
    }
    return write_long_run(w, major, data, length, stays);
}

quern_status quern_cbor_write_run(quern_cbor_writer *w, unsigned major, const void *data, size_t length)
{
    return write_run(w, major, data, length, false);
}

quern_status quern_cbor_write_bytes(quern_cbor_writer *w, const void *data, size_t length)
{
    return quern_cbor_write_run(w, MAJOR_BYTES, data, length);
}

quern_status quern_cbor_write_bytes_ref(quern_cbor_writer *w, const void *data, size_t length)
{
    return write_run(w, MAJOR_BYTES, data, length, true);
}

quern_status quern_cbor_write_embedded(quern_cbor_writer *w, const void *data, size_t length)
{
    quern_cbor_write_tag(w, 24);
    return quern_cbor_write_run(w, MAJOR_BYTES, data, length);
}

/* ---- ill-formed text that does not stop ------------------------------------------------------------ */

static const char replacement[3] = {'\xEF', '\xBF', '\xBD'}; /* U+FFFD */

static bool repairs(const quern_cbor_writer *w)
{
    return w->invalid_ >= QUERN_CBOR_INVALID_REPLACE;
}

static size_t replacement_length(const quern_cbor_writer *w)
{
    return w->invalid_ == QUERN_CBOR_INVALID_REPLACE ? sizeof replacement : 0;
}

/*
 * The length of a text with all that is ill-formed in it replaced, and written if `write`. *cut: what its end cuts, at
 * most three bytes, which are not in that.
 */
static uint64_t repair(quern_cbor_writer *w, const char *data, size_t length, size_t *cut, bool write)
{
    uint64_t size = 0;
    *cut = 0;
    while (length > 0) {
        const quern_span span = w->row_->kernels.utf8_prefix(data, length);
        size += span.length;
        if (write)
            quern_sink_write(w->sink_, data, span.length);
        data += span.length;
        length -= span.length;
        if (span.why == QUERN_STOP_TRUNCATED) {
            *cut = length;
            break;
        }
        if (span.why == QUERN_STOP_ILL_FORMED) {
            const size_t subpart = utf8_sequence((const unsigned char *)data, length).length;
            size += replacement_length(w);
            if (write)
                quern_sink_write(w->sink_, replacement, replacement_length(w));
            data += subpart;
            length -= subpart;
        }
    }
    return size;
}

static quern_status write_repaired(quern_cbor_writer *w, const char *data, size_t length)
{
    size_t cut;
    const uint64_t size = repair(w, data, length, &cut, false);
    const size_t last = cut ? replacement_length(w) : 0;
    uint8_t *out = item_start(w, HEAD_ROOM);
    if (!out)
        return status_of(w);
    item_end(w, put_head(out, MAJOR_TEXT, size + last));
    repair(w, data, length, &cut, true);
    return quern_sink_write(w->sink_, replacement, last);
}

static QUERN_NOINLINE quern_status write_long_text(quern_cbor_writer *w, const char *data, size_t length, bool stays)
{
    if (w->checks_ && length <= PTRDIFF_MAX && w->error_.status == QUERN_OK) {
        const quern_span span = w->row_->kernels.utf8_prefix(data, length);
        if (QUERN_UNLIKELY(span.why != QUERN_STOP_END) && repairs(w))
            return write_repaired(w, data, length);
        if (QUERN_UNLIKELY(span.why != QUERN_STOP_END))
            return item_start(w, 0) ? quern_cbor_fail(w, QUERN_ERROR_UTF8, span.length) : status_of(w);
    }
    return write_run(w, MAJOR_TEXT, data, length, stays);
}

static inline quern_status write_text(quern_cbor_writer *w, const char *data, size_t length, bool stays)
{
    if (length < SHORT && item_may_start(w, 1 + SHORT)) {
        uint8_t *out = w->sink_->cursor;
        if (QUERN_LIKELY(!put_short(out, MAJOR_TEXT, data, length)))
            return item_end(w, out + 1 + length);
    }
    return write_long_text(w, data, length, stays);
}

quern_status quern_cbor_write_string(quern_cbor_writer *w, const char *data, size_t length)
{
    return write_text(w, data, length, false);
}

quern_status quern_cbor_write_string_ref(quern_cbor_writer *w, const char *data, size_t length)
{
    return write_text(w, data, length, true);
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

static bool begin_chunk(quern_cbor_writer *w, uint64_t length)
{
    if (quern_sink_reserve(w->sink_, HEAD_ROOM) != QUERN_OK)
        return false;
    w->sink_->cursor = put_head(w->sink_->cursor, w->open_ == OPEN_TEXT ? MAJOR_TEXT : MAJOR_BYTES, length);
    return true;
}

/*
 * A part of a text. `joined` is what the parts before left open, with the first `taken` bytes of this one; the `whole`
 * bytes behind those end at a character, and have `size` bytes in the output. What follows waits in hold_.
 */
typedef struct part {
    char joined[4];
    size_t joined_length, taken, whole;
    uint64_t size;
} part;

static bool ill_formed(quern_cbor_writer *w)
{
    quern_cbor_fail(w, QUERN_ERROR_UTF8, w->offset_);
    return false;
}

static bool check_part(quern_cbor_writer *w, const char *data, size_t length, bool mends, part *p)
{
    *p = (part){.whole = 0};
    while (w->held_ && p->taken < length) {
        w->hold_[w->held_] = (unsigned char)data[p->taken];
        const quern_span span = utf8_sequence(w->hold_, (size_t)w->held_ + 1);
        if (span.why == QUERN_STOP_ILL_FORMED) {
            if (!mends)
                return ill_formed(w);
            /* The byte is none of it, and begins anew. */
            p->joined_length = replacement_length(w);
            memcpy(p->joined, replacement, sizeof replacement);
            w->held_ = 0;
            break;
        }
        p->taken++;
        w->held_++;
        if (span.why == QUERN_STOP_END) {
            p->joined_length = w->held_;
            memcpy(p->joined, w->hold_, sizeof p->joined);
            w->offset_ += w->held_;
            w->held_ = 0;
        }
    }
    if (p->taken == length)
        return true;
    data += p->taken;
    length -= p->taken;
    size_t cut;
    if (mends) {
        p->size = repair(w, data, length, &cut, false);
        p->whole = length - cut;
    } else {
        const quern_span span = w->row_->kernels.utf8_prefix(data, length);
        w->offset_ += span.length;
        if (span.why == QUERN_STOP_ILL_FORMED)
            return ill_formed(w);
        p->size = p->whole = span.length;
        cut = length - span.length;
    }
    w->held_ = (unsigned char)cut;
    memcpy(w->hold_, data + p->whole, cut);
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
    part p = {.whole = length, .size = length};
    if (w->open_ == OPEN_TEXT && w->checks_ && !check_part(w, data, length, unknown && repairs(w), &p))
        return status_of(w);
    if (!unknown) {
        w->part_ -= length;
        return quern_sink_write(w->sink_, data, length);
    }
    if (length && p.joined_length + p.size == 0)
        return status_of(w); /* all of it is left out, or waits for the next part */
    if (!begin_chunk(w, p.joined_length + p.size))
        return status_of(w);
    quern_sink_write(w->sink_, p.joined, p.joined_length);
    if (p.whole == 0)
        return status_of(w);
    const char *rest = (const char *)data + p.taken;
    if (w->open_ == OPEN_BYTES || !repairs(w))
        return quern_sink_write(w->sink_, rest, p.whole);
    /* With what waits, or a sequence before that would look cut, not ill-formed. */
    size_t cut;
    repair(w, rest, length - p.taken, &cut, true);
    return status_of(w);
}

quern_status quern_cbor_end_string(quern_cbor_writer *w)
{
    if (w->error_.status != QUERN_OK)
        return w->error_.status;
    if (w->open_ == OPEN_NOTHING || (w->part_ && w->part_ != QUERN_UNKNOWN))
        return quern_cbor_fail(w, QUERN_ERROR_MISUSE, 0);
    const bool unknown = w->part_ == QUERN_UNKNOWN;
    if (w->held_) {
        if (!unknown || !repairs(w))
            return quern_cbor_fail(w, QUERN_ERROR_UTF8, w->offset_);
        if (replacement_length(w)) {
            if (!begin_chunk(w, sizeof replacement))
                return status_of(w);
            quern_sink_write(w->sink_, replacement, sizeof replacement);
        }
    }
    if (unknown) {
        if (quern_sink_reserve(w->sink_, 1) != QUERN_OK)
            return status_of(w);
        *w->sink_->cursor++ = BYTE_BREAK;
    }
    w->open_ = OPEN_NOTHING;
    set_items_left(w, w->more_);
    return w->sink_->status_;
}
