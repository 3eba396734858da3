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
 *
 * A mark is a count of bytes. While one is open, what comes behind the oldest one is not given to the back end: it
 * stays in [base_, end_), at first in the block that was there. When that becomes too short, a back end that keeps what
 * it has not taken is asked for a longer one; in other sinks the bytes move to the hold, a block of the core's own that
 * takes the place of [base_, end_), and the back end's block waits in outer_*. So the inline paths know nothing of
 * marks.
 */
#include "sink/sink.h"

#include "common/allocator.h"
#include "dispatch/table.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* No object is larger; a longer length is a mistake of the caller, and must not enter any sum. */
#define LENGTH_MAX ((size_t)PTRDIFF_MAX)

enum { SMALLEST_HOLD = 1024 };

/* Whether the back end knows of the member, and has it. */
#define HAS(ops, member) ((ops)->size >= offsetof(quern_sink_ops, member) + sizeof(ops)->member && (ops)->member)

static bool references(const quern_sink *sink)
{
    return HAS(sink->ops_, reference);
}

/* Bytes that the back end took and still has. */
static size_t kept_back(const quern_sink *sink)
{
    return HAS(sink->ops_, pending) ? sink->ops_->pending(sink->context_) : 0;
}

void quern_sink_init(quern_sink *sink, const quern_sink_ops *ops, void *context)
{
    assert(sink && ops && ops->next);
    const quern_kernels *row = &quern_table_active()->kernels;
    sink->cursor = sink->limit = sink->bounce_;
    sink->copy_ = row->copy_slack;
    sink->copy_strict_ = row->copy;
    sink->status_ = QUERN_OK;
    sink->bouncing_ = sink->counts_ = sink->keeps_ = sink->finished_ = sink->ending_ = sink->cut_ = false;
    sink->base_ = sink->filled_ = sink->end_ = sink->bounce_; /* an empty block: no pointer is ever NULL */
    sink->taken_ = sink->lost_ = 0;
    sink->ops_ = ops;
    sink->context_ = context;
    sink->marks_ = sink->newest_ = sink->first_ = sink->oldest_ = 0;
    sink->hold_ = NULL;
    sink->hold_size_ = sink->outer_filled_ = 0;
    sink->outer_base_ = sink->outer_end_ = sink->bounce_;
    sink->hold_limit_ = QUERN_HOLD_LIMIT;
    sink->hold_allocator_ = allocator_or_malloc(NULL);
    sink->uncopied_ = references(sink) ? QUERN_UNCOPIED : SIZE_MAX;
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

void quern_sink_reopen(quern_sink *sink, uint8_t *block, size_t size)
{
    const quern_kernels *row = &quern_table_active()->kernels;
    sink->copy_ = row->copy_slack;
    sink->copy_strict_ = row->copy;
    sink->status_ = QUERN_OK;
    sink->finished_ = sink->ending_ = sink->cut_ = false;
    sink->taken_ = sink->lost_ = 0;
    sink->newest_ = 0; /* marks_ stays: marks of before must not be taken for later ones */
    sink->base_ = size ? block : sink->bounce_;
    sink->end_ = sink->base_ + size;
    open_block(sink, sink->base_);
}

static void open_bounce(quern_sink *sink)
{
    sink->bouncing_ = true;
    sink->filled_ = sink->cursor;
    sink->cursor = sink->bounce_;
    sink->limit = sink->bounce_ + QUERN_RESERVE;
}

static void empty_block(quern_sink *sink)
{
    sink->base_ = sink->end_ = sink->bounce_;
}

/* If there is a hold, the back end's block takes its place again. It is the caller's now, to be given to free_hold. */
static uint8_t *leave_hold(quern_sink *sink)
{
    uint8_t *hold = sink->hold_;
    if (hold) {
        sink->hold_ = NULL;
        sink->base_ = sink->outer_base_;
        sink->end_ = sink->outer_end_;
        open_block(sink, sink->base_ + sink->outer_filled_);
        sink->outer_filled_ = 0;
    }
    return hold;
}

static void free_hold(quern_sink *sink, uint8_t *hold)
{
    if (!hold)
        return;
    sink->hold_allocator_.resize(sink->hold_allocator_.context, hold, sink->hold_size_, 0);
    sink->hold_size_ = 0;
}

static bool is_full(const quern_sink *sink, quern_status status)
{
    return sink->counts_ && status == QUERN_ERROR_ROOM;
}

static quern_status latch(quern_sink *sink, quern_status status)
{
    if (sink->status_ == QUERN_OK && !is_full(sink, status))
        sink->taken_ -= kept_back(sink); /* for nothing */
    sink->status_ = status;
    sink->ending_ = false;
    if (!is_full(sink, status)) {
        /* Nothing is held any more. */
        free_hold(sink, leave_hold(sink));
        sink->newest_ = 0;
        empty_block(sink);
    }
    close_window(sink);
    return status;
}

/*
 * Gives the block, but for the last `held` bytes of those up to the cursor, to the back end, and takes the next one. A
 * back end that keeps bytes has those at the start of it.
 */
static quern_status next_block(quern_sink *sink, size_t held, size_t wanted)
{
    const size_t given = (size_t)(sink->cursor - sink->base_) - held;
    size_t used = given, room = 0;
    uint8_t *block = NULL;
    wanted = wanted > SIZE_MAX - held ? SIZE_MAX : held + wanted;
    quern_status status = sink->ops_->next(sink->context_, &used, wanted, &block, &room);
    if (used > given)
        used = given;
    sink->taken_ += used;
    if (used < given)
        return latch(sink, quern_failed(status) ? status : QUERN_ERROR_IO);
    sink->base_ = room ? block : sink->bounce_;
    sink->end_ = sink->base_ + room;
    open_block(sink, sink->base_ + held);
    if (quern_failed(status) && status != QUERN_ERROR_ROOM && status != QUERN_ERROR_LIMIT)
        latch(sink, status);
    return status;
}

/* How many of the bytes up to the cursor an open mark holds; the window is on the block. */
static size_t held_bytes(const quern_sink *sink)
{
    if (!sink->newest_)
        return 0;
    const size_t before = sink->hold_ ? 0 : (size_t)(sink->oldest_ - sink->taken_);
    return (size_t)(sink->cursor - sink->base_) - before;
}

/* Whether held bytes are nowhere safe from the back end but in the hold. */
static bool needs_hold(const quern_sink *sink)
{
    return sink->newest_ && !sink->keeps_;
}

/* Closes all marks and drops what they hold; the window is on the block. */
static void drop_held(quern_sink *sink)
{
    sink->cursor -= held_bytes(sink);
    free_hold(sink, leave_hold(sink));
    sink->newest_ = 0;
}

/* A failure of the core. What was written before, up to the oldest mark, still goes to the back end. */
static quern_status refuse(quern_sink *sink, quern_status status)
{
    if (sink->status_ == QUERN_OK) {
        drop_held(sink);
        next_block(sink, 0, 0);
        if (sink->status_ != QUERN_OK)
            return sink->status_;
    }
    return latch(sink, status);
}

/* Makes room for `wanted` more bytes in the hold. QUERN_ERROR_LIMIT does not latch, and changes nothing. */
static quern_status grow_hold(quern_sink *sink, size_t wanted)
{
    const size_t held = held_bytes(sink), most = sink->hold_limit_;
    if (held > most || wanted > most - held)
        return QUERN_ERROR_LIMIT;
    size_t target = sink->hold_size_ ? sink->hold_size_ * 2 : SMALLEST_HOLD;
    if (target < held + wanted)
        target = held + wanted;
    if (target > most)
        target = most;
    const quern_allocator *allocator = &sink->hold_allocator_;
    uint8_t *hold = allocator->resize(allocator->context, sink->hold_, sink->hold_size_, target);
    if (!hold)
        return refuse(sink, QUERN_ERROR_MEMORY);
    if (!sink->hold_) {
        memcpy(hold, sink->cursor - held, held);
        sink->outer_base_ = sink->base_;
        sink->outer_end_ = sink->end_;
        sink->outer_filled_ = (size_t)(sink->cursor - sink->base_) - held;
    }
    sink->hold_ = sink->base_ = hold;
    sink->hold_size_ = target;
    sink->end_ = hold + target;
    open_block(sink, hold + held);
    return QUERN_OK;
}

/* Another block, where what is held remains in one piece. */
static quern_status more_room(quern_sink *sink, size_t wanted)
{
    return needs_hold(sink) ? grow_hold(sink, wanted) : next_block(sink, held_bytes(sink), wanted);
}

/* After the back end has taken a run of `length` bytes from the caller; the block is empty. Returns the status. */
static quern_status took(quern_sink *sink, quern_status status, size_t taken, size_t length)
{
    if (taken > length)
        taken = length;
    sink->taken_ += taken;
    if (quern_failed(status) || taken < length)
        return latch(sink, quern_failed(status) ? status : QUERN_ERROR_IO);
    /* The back end may have had to give up the block for it: ask anew when one is needed. */
    empty_block(sink);
    open_block(sink, sink->base_);
    return QUERN_OK;
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
        quern_status status = more_room(sink, length);
        if (sink->status_ != QUERN_OK)
            return sink->status_;
        if (quern_failed(status) && needs_hold(sink))
            return refuse(sink, status);
        room = (size_t)(sink->end_ - sink->cursor);
        if (room >= length)
            continue;
        if (!quern_failed(status) && sink->ops_->write) {
            /* The block is empty and the run is longer than it. */
            size_t taken = length;
            status = sink->ops_->write(sink->context_, data, &taken);
            return took(sink, status, taken, length);
        }
        if (quern_failed(status) || room == 0) {
            if (partly && room) {
                sink->copy_strict_(sink->cursor, data, room);
                sink->cursor += room;
                next_block(sink, held_bytes(sink), 0);
                length -= room;
                if (sink->status_ != QUERN_OK)
                    return sink->status_;
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
    open_block(sink, sink->filled_);
    return put(sink, sink->bounce_, length, true);
}

quern_status quern_sink_reserve_slow(quern_sink *sink, size_t length)
{
    if (length == 0)
        length = 1; /* an empty window has no slack behind it */
    if (length <= (size_t)(sink->limit - sink->cursor))
        return QUERN_OK;
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
        more_room(sink, length + QUERN_SLACK);
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
    if (length > LENGTH_MAX)
        return refuse(sink, QUERN_ERROR_LIMIT);
    return put(sink, data, length, sink->counts_);
}

quern_status quern_sink_write_ref(quern_sink *sink, const void *data, size_t length)
{
    if (length < sink->uncopied_ || length > LENGTH_MAX || !references(sink))
        return quern_sink_write(sink, data, length);
    settle(sink);
    if (sink->status_ != QUERN_OK || sink->finished_ || sink->newest_)
        return quern_sink_write_slow(sink, data, length);
    next_block(sink, 0, 0);
    if (sink->status_ != QUERN_OK)
        return sink->status_;
    size_t taken = length;
    const quern_status status = sink->ops_->reference(sink->context_, data, &taken);
    return took(sink, status, taken, length);
}

/* Gives the back end all that no mark holds; the window is on the block. */
static void pass_on(quern_sink *sink)
{
    const size_t held = held_bytes(sink);
    if (needs_hold(sink) && !sink->hold_ && held) {
        if (held == (size_t)(sink->cursor - sink->base_))
            return;
        const quern_status status = grow_hold(sink, 0);
        if (quern_failed(status)) {
            if (sink->status_ == QUERN_OK)
                refuse(sink, status);
            return;
        }
    }
    if (!sink->hold_) {
        next_block(sink, held, 0);
        return;
    }
    sink->base_ = sink->outer_base_;
    sink->end_ = sink->outer_end_;
    sink->cursor = sink->base_ + sink->outer_filled_;
    next_block(sink, 0, 0);
    if (sink->status_ != QUERN_OK)
        return;
    sink->outer_base_ = sink->base_;
    sink->outer_end_ = sink->end_;
    sink->outer_filled_ = 0;
    sink->base_ = sink->hold_;
    sink->end_ = sink->hold_ + sink->hold_size_;
    open_block(sink, sink->hold_ + held);
}

/* Has the back end pass on what it holds. Returns the status, or QUERN_AGAIN. */
static quern_status flush_back_end(quern_sink *sink)
{
    if (sink->status_ != QUERN_OK || !sink->ops_->flush)
        return sink->status_;
    const quern_status status = sink->ops_->flush(sink->context_);
    if (quern_failed(status))
        return latch(sink, status);
    return status == QUERN_AGAIN ? QUERN_AGAIN : QUERN_OK;
}

quern_status quern_sink_flush(quern_sink *sink)
{
    settle(sink);
    if (sink->keeps_ && !sink->newest_ && !sink->finished_ && sink->status_ == QUERN_OK) {
        /* The bytes are where they belong: what the back end would be told is in taken_. */
        sink->taken_ += (uint64_t)(sink->cursor - sink->base_);
        sink->base_ = sink->cursor;
        return QUERN_OK;
    }
    if (sink->finished_)
        return quern_sink_finish(sink);
    if (sink->status_ != QUERN_OK)
        return sink->status_;
    pass_on(sink);
    return flush_back_end(sink);
}

quern_status quern_sink_finish(quern_sink *sink)
{
    if (!sink->finished_) {
        if (settle(sink) == QUERN_OK) {
            sink->cut_ = sink->newest_ != 0;
            drop_held(sink);
            pass_on(sink);
            sink->ending_ = sink->status_ == QUERN_OK;
        }
        sink->finished_ = true;
        close_window(sink);
        if (sink->status_ == QUERN_OK)
            empty_block(sink);
    }
    if (sink->ending_) {
        if (flush_back_end(sink) == QUERN_AGAIN)
            return QUERN_AGAIN;
        sink->ending_ = false;
        if (sink->cut_ && sink->status_ == QUERN_OK)
            latch(sink, QUERN_ERROR_MISUSE);
    }
    return sink->status_;
}

quern_status quern_sink_status(const quern_sink *sink)
{
    return sink->status_;
}

/* The bytes accepted that have left the bounce window. */
static uint64_t in_place(const quern_sink *sink)
{
    if (sink->status_ != QUERN_OK)
        return sink->taken_ + (uint64_t)(sink->end_ - sink->base_); /* a full block, or an empty one */
    const uint8_t *filled = sink->bouncing_ ? sink->filled_ : sink->cursor;
    return sink->taken_ + sink->outer_filled_ + (uint64_t)(filled - sink->base_);
}

uint64_t quern_sink_total(const quern_sink *sink)
{
    const bool bounced = sink->bouncing_ && sink->status_ == QUERN_OK;
    return in_place(sink) + (bounced ? (uint64_t)(sink->cursor - sink->bounce_) : 0);
}

size_t quern_sink_pending(const quern_sink *sink)
{
    return sink->status_ == QUERN_OK ? (size_t)(quern_sink_total(sink) - sink->taken_) + kept_back(sink) : 0;
}

/* ---- marks --------------------------------------------------------------------------------------- */

/* Whether marks can be opened and closed: also while it is full and goes on counting. */
static bool takes_marks(quern_sink *sink)
{
    if (sink->finished_ && sink->status_ == QUERN_OK)
        latch(sink, QUERN_ERROR_MISUSE);
    return sink->status_ == QUERN_OK || (is_full(sink, sink->status_) && !sink->finished_);
}

static quern_status misuse(quern_sink *sink)
{
    settle(sink);
    return takes_marks(sink) ? refuse(sink, QUERN_ERROR_MISUSE) : sink->status_;
}

/* Whether it is a mark of this sink, between the oldest and the newest one that is open. */
static bool is_open(const quern_sink *sink, const quern_mark *mark)
{
    return sink->newest_ && mark->sink_ == sink && mark->number_ >= sink->first_ && mark->number_ <= sink->newest_ &&
           mark->position_ <= in_place(sink) + sink->lost_;
}

quern_status quern_sink_mark(quern_sink *sink, quern_mark *mark)
{
    settle(sink);
    mark->sink_ = NULL;
    if (!takes_marks(sink))
        return sink->status_;
    if (!sink->newest_ && !sink->keeps_ && sink->cursor == sink->limit) {
        /* A fresh block is likely to have the room that spares the hold. */
        next_block(sink, 0, QUERN_RESERVE + QUERN_SLACK);
        if (sink->status_ != QUERN_OK)
            return sink->status_;
    }
    *mark = (quern_mark){sink, ++sink->marks_, sink->newest_, in_place(sink) + sink->lost_};
    if (!sink->newest_) {
        sink->first_ = mark->number_;
        sink->oldest_ = mark->position_;
    }
    sink->newest_ = mark->number_;
    return QUERN_OK;
}

quern_status quern_sink_rollback(quern_sink *sink, quern_mark *mark)
{
    if (!takes_marks(sink))
        return sink->status_;
    if (!is_open(sink, mark))
        return misuse(sink);
    const uint64_t position = mark->position_;
    sink->newest_ = mark->outer_;
    mark->sink_ = NULL;
    if (!sink->newest_ && sink->hold_) {
        free_hold(sink, leave_hold(sink));
        return QUERN_OK;
    }
    const uint64_t place = in_place(sink);
    if (position > place) {
        close_window(sink); /* it was full before */
        sink->lost_ = position - place;
    } else {
        sink->status_ = QUERN_OK;
        sink->lost_ = 0;
        open_block(sink, sink->base_ + (size_t)(position - sink->taken_ - sink->outer_filled_));
    }
    return sink->status_;
}

quern_status quern_sink_release(quern_sink *sink, quern_mark *mark)
{
    if (!takes_marks(sink))
        return sink->status_;
    if (mark->sink_ != sink || mark->number_ != sink->newest_)
        return misuse(sink);
    if (!mark->outer_ && sink->hold_ && settle(sink) != QUERN_OK)
        return sink->status_;
    sink->newest_ = mark->outer_;
    mark->sink_ = NULL;
    if (!sink->newest_ && sink->hold_) {
        const size_t length = (size_t)(sink->cursor - sink->base_);
        uint8_t *hold = leave_hold(sink);
        put(sink, hold, length, true);
        free_hold(sink, hold);
    }
    return sink->status_;
}

quern_status quern_sink_held(quern_sink *sink, const quern_mark *mark, uint8_t **data, size_t *length)
{
    *data = sink->bounce_;
    *length = 0;
    settle(sink);
    if (!takes_marks(sink))
        return sink->status_;
    if (!is_open(sink, mark))
        return misuse(sink);
    if (sink->status_ != QUERN_OK)
        return sink->status_;
    *data = sink->base_ + (size_t)(mark->position_ - sink->taken_ - sink->outer_filled_);
    *length = (size_t)(sink->cursor - *data);
    return QUERN_OK;
}

quern_status quern_sink_set_hold(quern_sink *sink, const quern_allocator *allocator, size_t limit)
{
    if (!takes_marks(sink))
        return sink->status_;
    if (sink->newest_)
        return misuse(sink);
    sink->hold_allocator_ = allocator_or_malloc(allocator);
    sink->hold_limit_ = limit == 0 ? QUERN_HOLD_LIMIT : limit < LENGTH_MAX ? limit : LENGTH_MAX;
    return QUERN_OK;
}
