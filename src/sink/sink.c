/* SPDX-License-Identifier: MIT */
/*
 * The core of every sink: windows on the back end's blocks.
 *
 * A block is [.., end_); bytes up to base_ belong to the back end already. The window ends QUERN_SLACK before end_, so
 * that slack kernels may be used in it. What is left behind the window is filled by strict copies only: through the
 * bounce window, an array inside the sink that is handed out when the block has too little room, and drained into
 * [base_, end_) and the blocks after it by the next call.
 *
 * A sink that has failed has an empty window, so the inline paths lead here, where the failure is returned. The one
 * exception is a sink that goes on counting: it keeps handing out the bounce window, and drains it into nothing.
 */
#include <quern/sink.h>

#include "dispatch/table.h"

#include <assert.h>
#include <string.h>

/* No object is larger; a longer length is a mistake of the caller, and must not enter any sum. */
#define LENGTH_MAX ((size_t)PTRDIFF_MAX)

void quern_sink_init(quern_sink *sink, const quern_sink_ops *ops, void *context)
{
    assert(sink && ops && ops->next);
    const quern_kernels *row = &quern_table_active()->kernels;
    sink->cursor = sink->limit = sink->bounce_;
    sink->copy_ = row->copy_slack;
    sink->copy_strict_ = row->copy;
    sink->status_ = QUERN_OK;
    sink->bouncing_ = sink->counts_ = sink->finished_ = false;
    sink->base_ = sink->end_ = sink->bounce_; /* an empty block: no pointer is ever NULL */
    sink->taken_ = sink->lost_ = 0;
    sink->ops_ = ops;
    sink->context_ = context;
    memset(sink->reserved_, 0, sizeof sink->reserved_);
}

static void close_window(quern_sink *sink)
{
    sink->cursor = sink->limit = sink->bounce_;
    sink->bouncing_ = false;
}

/* The window becomes what the block, filled up to `filled`, leaves room for. */
static void open_block(quern_sink *sink, uint8_t *filled)
{
    sink->bouncing_ = false;
    sink->cursor = sink->limit = filled;
    if ((size_t)(sink->end_ - filled) > QUERN_SLACK)
        sink->limit = sink->end_ - QUERN_SLACK;
}

static void open_bounce(quern_sink *sink)
{
    sink->bouncing_ = true;
    sink->cursor = sink->bounce_;
    sink->limit = sink->bounce_ + QUERN_RESERVE;
}

static quern_status latch(quern_sink *sink, quern_status status)
{
    sink->status_ = status;
    close_window(sink);
    return status;
}

/* Gives the block, filled up to `filled`, to the back end, and takes the next one. */
static quern_status next_block(quern_sink *sink, uint8_t *filled, size_t wanted)
{
    const size_t given = (size_t)(filled - sink->base_);
    size_t used = given, room = 0;
    uint8_t *block = NULL;
    quern_status status = sink->ops_->next(sink->context_, &used, wanted, &block, &room);
    if (used > given)
        used = given;
    sink->taken_ += used;
    if (used < given)
        return latch(sink, quern_failed(status) ? status : QUERN_ERROR_IO);
    sink->base_ = room ? block : sink->bounce_;
    sink->end_ = sink->base_ + room;
    open_block(sink, sink->base_);
    if (quern_failed(status) && status != QUERN_ERROR_ROOM && status != QUERN_ERROR_LIMIT)
        latch(sink, status);
    return status;
}

/*
 * Puts `length` bytes in place, block after block; the window is on the block. Returns the status. When there is no
 * place for all of them, `partly` says whether those that have one are kept: they are if the sink has accepted them
 * before.
 */
static quern_status put(quern_sink *sink, const uint8_t *data, size_t length, bool partly)
{
    for (;;) {
        size_t room = (size_t)(sink->end_ - sink->cursor);
        if (length <= room) {
            if (length) {
                sink->copy_strict_(sink->cursor, data, length);
                open_block(sink, sink->cursor + length);
            }
            return QUERN_OK;
        }
        quern_status status = next_block(sink, sink->cursor, length);
        if (sink->status_ != QUERN_OK)
            return sink->status_;
        room = (size_t)(sink->end_ - sink->cursor);
        if (room >= length)
            continue;
        if (!quern_failed(status) && sink->ops_->write) {
            /* The block is empty and the run is longer than it. */
            size_t taken = length;
            status = sink->ops_->write(sink->context_, data, &taken);
            if (taken > length)
                taken = length;
            sink->taken_ += taken;
            if (quern_failed(status) || taken < length)
                return latch(sink, quern_failed(status) ? status : QUERN_ERROR_IO);
            /* The back end may have had to give up the block for it: ask anew when one is needed. */
            sink->base_ = sink->end_ = sink->bounce_;
            open_block(sink, sink->base_);
            return QUERN_OK;
        }
        if (quern_failed(status) || room == 0) {
            if (partly && room) {
                sink->copy_strict_(sink->cursor, data, room);
                next_block(sink, sink->cursor + room, 0);
                length -= room;
            }
            if (sink->counts_)
                sink->lost_ += length;
            return latch(sink, quern_failed(status) ? status : QUERN_ERROR_ROOM);
        }
        sink->copy_strict_(sink->cursor, data, room);
        open_block(sink, sink->cursor + room);
        data += room;
        length -= room;
    }
}

/* Empties the bounce window into place; afterwards the window is on the block, or closed. Returns the status. */
static quern_status settle(quern_sink *sink)
{
    if (!sink->bouncing_)
        return sink->status_;
    const size_t length = (size_t)(sink->cursor - sink->bounce_);
    if (sink->status_ != QUERN_OK) {
        sink->lost_ += length;
        close_window(sink);
        return sink->status_;
    }
    open_block(sink, sink->base_);
    return put(sink, sink->bounce_, length, true);
}

quern_status quern_sink_reserve_slow(quern_sink *sink, size_t length)
{
    settle(sink);
    if (sink->status_ != QUERN_OK && !(sink->counts_ && !sink->finished_))
        return sink->status_;
    if (length > LENGTH_MAX)
        return QUERN_ERROR_LIMIT;
    if (sink->status_ == QUERN_OK) {
        if (sink->finished_)
            return latch(sink, QUERN_ERROR_MISUSE);
        if (length <= (size_t)(sink->limit - sink->cursor))
            return QUERN_OK;
        next_block(sink, sink->cursor, length + QUERN_SLACK);
        if (sink->status_ != QUERN_OK)
            return sink->status_;
        if (length <= (size_t)(sink->limit - sink->cursor))
            return QUERN_OK;
    }
    if (length > QUERN_RESERVE)
        return sink->status_ != QUERN_OK ? sink->status_ : QUERN_ERROR_LIMIT;
    open_bounce(sink);
    return QUERN_OK;
}

quern_status quern_sink_write_slow(quern_sink *sink, const void *data, size_t length)
{
    settle(sink);
    if (sink->status_ != QUERN_OK) {
        if (sink->counts_ && !sink->finished_ && length <= LENGTH_MAX)
            sink->lost_ += length;
        return sink->status_;
    }
    if (sink->finished_)
        return latch(sink, QUERN_ERROR_MISUSE);
    if (length > LENGTH_MAX) {
        next_block(sink, sink->cursor, 0); /* what was written before stays */
        return sink->status_ != QUERN_OK ? sink->status_ : latch(sink, QUERN_ERROR_LIMIT);
    }
    return put(sink, data, length, sink->counts_);
}

quern_status quern_sink_flush(quern_sink *sink)
{
    settle(sink);
    if (sink->status_ != QUERN_OK || sink->finished_)
        return sink->status_;
    next_block(sink, sink->cursor, 0);
    if (sink->status_ == QUERN_OK && sink->ops_->flush) {
        quern_status status = sink->ops_->flush(sink->context_);
        if (quern_failed(status))
            latch(sink, status);
    }
    return sink->status_;
}

quern_status quern_sink_finish(quern_sink *sink)
{
    if (!sink->finished_) {
        quern_sink_flush(sink);
        sink->finished_ = true;
        close_window(sink);
    }
    return sink->status_;
}

quern_status quern_sink_status(const quern_sink *sink)
{
    return sink->status_;
}

uint64_t quern_sink_total(const quern_sink *sink)
{
    if (sink->status_ != QUERN_OK || sink->finished_)
        return sink->taken_;
    if (sink->bouncing_)
        return sink->taken_ + (uint64_t)(sink->cursor - sink->bounce_);
    return sink->taken_ + (uint64_t)(sink->cursor - sink->base_);
}
