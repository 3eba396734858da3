/* SPDX-License-Identifier: MIT */
/* The CBOR writer's core: where it is, what may come there, containers, tags. */
#include "cbor/writer.h"

#include "common/allocator.h"

#include <assert.h>

enum {
    DEFAULT_MAX_DEPTH = 1024,
    INLINE_LEVELS = sizeof((quern_cbor_writer *)0)->levels_ / sizeof(uint64_t),
    LEVEL_SIZE = sizeof(uint64_t),
    SMALLEST_STACK = 32 * LEVEL_SIZE
};

/* ---- start and end --------------------------------------------------------------------------------- */

static bool read_options(quern_cbor_writer *w, const quern_cbor_writer_options *o)
{
    if ((unsigned)o->invalid > QUERN_CBOR_INVALID_DROP || (unsigned)o->floats > QUERN_CBOR_FLOATS_GIVEN ||
        (unsigned)o->nan > QUERN_CBOR_NAN_KEEP || (o->stack_size && !o->stack) ||
        (o->deterministic && (o->invalid || o->floats)))
        return false;
    w->invalid_ = (unsigned char)o->invalid;
    w->checks_ = o->invalid != QUERN_CBOR_INVALID_KEEP;
    w->given_ = o->floats == QUERN_CBOR_FLOATS_GIVEN;
    w->keep_nan_ = o->nan == QUERN_CBOR_NAN_KEEP;
    w->sequence_ = o->sequence;
    w->deterministic_ = o->deterministic;
    if (o->max_depth)
        w->max_depth_ = o->max_depth;
    w->allocator_ = allocator_or_malloc(o->allocator);
    w->deep_ = o->stack;
    w->deep_size_ = o->stack_size;
    return true;
}

void quern_cbor_writer_init(quern_cbor_writer *w, quern_sink *sink, const quern_cbor_writer_options *options)
{
    assert(w && sink);
    /* Member by member: most of it is read only where it has been written before, and documents are short. */
    w->sink_ = sink;
    w->row_ = quern_table_active();
    w->depth_ = 0;
    w->max_depth_ = DEFAULT_MAX_DEPTH;
    w->deep_ = NULL;
    w->deep_size_ = 0;
    w->error_ = (quern_error){QUERN_OK, 0};
    w->tagged_ = 0;
    w->held_ = 0;
    w->kind_ = KIND_ARRAY;
    w->open_ = OPEN_NOTHING;
    w->checks_ = true;
    w->invalid_ = QUERN_CBOR_INVALID_STOP;
    w->given_ = w->keep_nan_ = w->sequence_ = w->deterministic_ = false;
    w->finished_ = w->mark_open_ = w->owns_deep_ = false;
    w->allocator_ = allocator_or_malloc(NULL);
    w->sorter_ = NULL;
    if (options && !read_options(w, options)) {
        quern_cbor_fail(w, QUERN_ERROR_RANGE, 0);
        return;
    }
    w->owns_deep_ = !w->deep_;
    set_items_left(w, w->sequence_ ? UNKNOWN_ITEMS : 1);
}

/* Nothing may come. */
static void close_place(quern_cbor_writer *w)
{
    w->fast_ = w->more_ = 0;
}

static void let_go(quern_cbor_writer *w)
{
    if (w->mark_open_)
        quern_sink_rollback(w->sink_, &w->mark_);
    w->mark_open_ = false;
    if (w->sorter_)
        quern_cbor_sorter_free(w);
    if (w->owns_deep_ && w->deep_) {
        w->allocator_.resize(w->allocator_.context, w->deep_, w->deep_size_, 0);
        w->deep_ = NULL;
        w->deep_size_ = 0;
    }
}

quern_status quern_cbor_fail(quern_cbor_writer *w, quern_status status, uint64_t offset)
{
    if (w->error_.status == QUERN_OK) {
        w->error_ = w->sink_->status_ == QUERN_OK ? (quern_error){status, offset} : (quern_error){w->sink_->status_, 0};
        close_place(w);
        w->open_ = OPEN_NOTHING;
        let_go(w);
    }
    return w->error_.status;
}

/* Whether the last thing written is a tag. */
static bool tag_is_open(const quern_cbor_writer *w)
{
    return w->tagged_ == items_left(w) + 1;
}

quern_status quern_cbor_writer_finish(quern_cbor_writer *w)
{
    if (w->error_.status == QUERN_OK && !w->finished_) {
        const quern_status flushed = quern_sink_flush(w->sink_);
        /* A sink that failed left items out; that is the failure to report, not the gap. */
        if (quern_failed(flushed))
            quern_cbor_fail(w, flushed, 0);
        else if (w->depth_ || w->open_ || tag_is_open(w) || (!w->sequence_ && items_left(w)))
            quern_cbor_fail(w, QUERN_ERROR_MISUSE, 0);
        close_place(w);
        let_go(w);
        w->finished_ = true;
    }
    return status_of(w);
}

void quern_cbor_writer_error(const quern_cbor_writer *w, quern_error *error)
{
    *error = (quern_error){status_of(w), w->error_.offset};
}

/* ---- places ---------------------------------------------------------------------------------------- */

bool quern_cbor_open_place(quern_cbor_writer *w)
{
    if (w->error_.status != QUERN_OK)
        return false;
    if (w->open_ || w->more_ == 0) {
        quern_cbor_fail(w, QUERN_ERROR_MISUSE, 0);
        return false;
    }
    if (!quern_cbor_sorter_item(w))
        return false;
    w->fast_ = 1;
    w->more_--;
    return true;
}

quern_status quern_cbor_write_head(quern_cbor_writer *w, unsigned major, uint64_t value)
{
    uint8_t *out = item_start(w, HEAD_ROOM);
    return out ? item_end(w, put_head(out, major, value)) : status_of(w);
}

/* Where the level's word lies; the deep ones need not be aligned. */
static void *level_word(quern_cbor_writer *w, size_t level)
{
    return level < INLINE_LEVELS ? (void *)&w->levels_[level] : w->deep_ + (level - INLINE_LEVELS) * LEVEL_SIZE;
}

/* Makes a word for one more level. */
static quern_status grow_levels(quern_cbor_writer *w)
{
    if (!w->owns_deep_)
        return QUERN_ERROR_DEPTH;
    const size_t size = w->deep_size_ ? w->deep_size_ * 2 : (size_t)SMALLEST_STACK;
    void *deep =
        size > w->deep_size_ ? w->allocator_.resize(w->allocator_.context, w->deep_, w->deep_size_, size) : NULL;
    if (!deep)
        return QUERN_ERROR_MEMORY;
    w->deep_ = deep;
    w->deep_size_ = size;
    return QUERN_OK;
}

static QUERN_NOINLINE quern_status begin_any(quern_cbor_writer *w, unsigned kind, uint64_t count)
{
    uint64_t items = kind & KIND_MAP ? count * 2 : count;
    if (count == QUERN_UNKNOWN) {
        kind |= KIND_UNKNOWN;
        items = UNKNOWN_ITEMS;
    } else if (count >= UNKNOWN_ITEMS / 2) {
        return quern_cbor_fail(w, QUERN_ERROR_LIMIT, 0);
    }
    const size_t level = w->depth_;
    if (w->fast_ == 0 && !quern_cbor_open_place(w))
        return status_of(w);
    if (level >= w->max_depth_)
        return quern_cbor_fail(w, QUERN_ERROR_DEPTH, 0);
    if (level >= INLINE_LEVELS && level - INLINE_LEVELS >= w->deep_size_ / LEVEL_SIZE) {
        const quern_status status = grow_levels(w);
        if (status != QUERN_OK)
            return quern_cbor_fail(w, status, 0);
    }
    if (w->deterministic_ && !quern_cbor_sorter_begin(w, kind))
        return status_of(w);
    uint8_t *out = item_start(w, HEAD_ROOM);
    if (!out)
        return quern_cbor_fail(w, status_of(w), 0);
    const unsigned major = kind & KIND_MAP ? MAJOR_MAP : MAJOR_ARRAY;
    if (kind & KIND_UNKNOWN)
        *out++ = (uint8_t)(major << 5 | BYTE_UNKNOWN);
    else
        out = put_head(out, major, count);
    item_end(w, out);
    if (w->sorter_)
        quern_cbor_sorter_body(w);
    const uint64_t word = items_left(w) << 2 | w->kind_;
    memcpy(level_word(w, level), &word, sizeof word);
    w->depth_ = level + 1;
    w->kind_ = (unsigned char)kind;
    w->tagged_ = 0;
    set_items_left(w, items);
    return w->sink_->status_;
}

/* What most are: of known count, not deep, in no special place. */
static inline quern_status begin(quern_cbor_writer *w, unsigned kind, uint64_t count)
{
    const size_t level = w->depth_;
    if (QUERN_UNLIKELY(count >= UNKNOWN_ITEMS / 2 || w->deterministic_ || level >= INLINE_LEVELS ||
                       level >= w->max_depth_ || !item_may_start(w, HEAD_ROOM)))
        return begin_any(w, kind, count);
    const unsigned major = kind & KIND_MAP ? MAJOR_MAP : MAJOR_ARRAY;
    uint8_t *out = w->sink_->cursor;
    if (QUERN_LIKELY(count <= 23)) /* a branch here costs less than the table: counts repeat, numbers do not */
        *out++ = (uint8_t)(major << 5 | count);
    else
        out = put_head(out, major, count);
    const quern_status status = item_end(w, out);
    w->levels_[level] = items_left(w) << 2 | w->kind_;
    w->depth_ = level + 1;
    w->kind_ = (unsigned char)kind;
    w->tagged_ = 0;
    w->fast_ = kind & KIND_MAP ? count * 2 : count;
    w->more_ = 0;
    return status;
}

quern_status quern_cbor_begin_array(quern_cbor_writer *w, uint64_t count)
{
    return begin(w, KIND_ARRAY, count);
}

quern_status quern_cbor_begin_map(quern_cbor_writer *w, uint64_t count)
{
    return begin(w, KIND_MAP, count);
}

static QUERN_NOINLINE quern_status end_any(quern_cbor_writer *w)
{
    if (w->error_.status != QUERN_OK)
        return w->error_.status;
    const uint64_t left = items_left(w);
    const bool unknown = w->kind_ & KIND_UNKNOWN;
    if (w->depth_ == 0 || w->open_ || tag_is_open(w) || (!unknown && left) || (w->kind_ & KIND_MAP && left % 2))
        return quern_cbor_fail(w, QUERN_ERROR_MISUSE, 0);
    if (w->sorter_) {
        if (!quern_cbor_sorter_end(w, UNKNOWN_ITEMS - left))
            return status_of(w);
    } else if (unknown) {
        if (quern_sink_reserve(w->sink_, 1) != QUERN_OK)
            return status_of(w);
        *w->sink_->cursor++ = BYTE_BREAK;
    }
    uint64_t word;
    memcpy(&word, level_word(w, --w->depth_), sizeof word);
    w->kind_ = word & 3;
    w->tagged_ = 0;
    set_items_left(w, word >> 2);
    return w->sink_->status_;
}

quern_status quern_cbor_end(quern_cbor_writer *w)
{
    const size_t level = w->depth_ - 1; /* beyond all if there is none */
    if (QUERN_UNLIKELY(items_left(w) || level >= INLINE_LEVELS || w->error_.status != QUERN_OK || w->open_ ||
                       w->kind_ & KIND_UNKNOWN || w->tagged_ == 1 || w->deterministic_))
        return end_any(w);
    const uint64_t word = w->levels_[level];
    w->depth_ = level;
    w->kind_ = word & 3;
    w->tagged_ = 0;
    w->fast_ = word >> 2;
    w->more_ = 0;
    return w->sink_->status_;
}

quern_status quern_cbor_write_tag(quern_cbor_writer *w, uint64_t tag)
{
    uint8_t *out = item_start(w, HEAD_ROOM);
    if (!out)
        return status_of(w);
    w->sink_->cursor = put_head(out, MAJOR_TAG, tag);
    w->tagged_ = items_left(w) + 1;
    return w->sink_->status_;
}

quern_status quern_cbor_write_raw(quern_cbor_writer *w, const void *data, size_t length)
{
    if (!item_start(w, 0))
        return status_of(w);
    if (length == 0 || w->deterministic_)
        return quern_cbor_fail(w, QUERN_ERROR_MISUSE, 0);
    if (length > PTRDIFF_MAX)
        return quern_cbor_fail(w, QUERN_ERROR_LIMIT, 0);
    w->fast_--;
    return quern_sink_write(w->sink_, data, length);
}
