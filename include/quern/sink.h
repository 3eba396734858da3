/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Sinks: where output goes. A sink is a window to write in, and a way to get another one.
 *
 * A sink is an object that the caller places himself; init it, write to it (directly or through a writer),
 * finish it. It must not be moved or copied meanwhile: it holds pointers into itself. One thread at a time;
 * different sinks on different threads need no care.
 *
 * Errors latch: the first one is returned by every later call, and later bytes are dropped. So only two calls
 * need a check: the last one, quern_sink_finish, and quern_sink_reserve, before one writes at the cursor.
 *
 * Bytes that may have to be taken back, put in order, or counted before they go are held by marks, in any sink.
 */
#ifndef QUERN_SINK_H
#define QUERN_SINK_H

#include <quern/kernels.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The longest run for which quern_sink_reserve makes contiguous room in any sink, in bytes. */
#define QUERN_RESERVE 128

/** Bytes from which on runs go uncopied or are referenced, where a sink can do that and is not told otherwise. */
#define QUERN_UNCOPIED 16384

/**
 * The back end of a sink: functions on a context. They are called from within the calls on the sink. Members that
 * come later than `flush` count only if `size` covers them.
 *
 * The core fills a *block*, from its start, and hands it back with the number of bytes filled. examples/sink.c is one.
 */
typedef struct quern_sink_ops {
    size_t size; /**< sizeof(quern_sink_ops) */

    /**
     * Takes the first `*used` bytes of the block that it gave last, and gives the next block: where the first
     * block ended, a fresh one, or the same one again, as the back end likes. `wanted` is the room that the
     * core would like to have; 0 means that it needs none.
     *
     * On return `*used` is how many bytes were really taken, fewer than asked only together with a failure;
     * `*block` and `*room` are the next block (`*room` may be 0).
     * @return QUERN_OK, even if `*room` is below `wanted` because blocks of this sink are not longer; or a failure.
     * A failure with all bytes taken means that `*room` is all that can be had. QUERN_ERROR_ROOM and
     * QUERN_ERROR_LIMIT count only when bytes come that have no place; other failures latch at once.
     */
    quern_status (*next)(void *context, size_t *used, size_t wanted, uint8_t **block, size_t *room);

    /**
     * May be NULL. Takes `*length` bytes straight from the caller, after `next` has taken all before them.
     * On return `*length` is how many were really taken, fewer than asked only with a failure. Called for runs
     * longer than the block that `next` gave; that block is not used any more, `next` is asked for another one.
     */
    quern_status (*write)(void *context, const void *data, size_t *length);

    /**
     * May be NULL. Passes on what the back end itself still holds. QUERN_AGAIN: not all of it can go yet; it is called
     * again by the next flush, and by quern_sink_finish until it says otherwise.
     */
    quern_status (*flush)(void *context);

    /**
     * May be NULL. As `write`, but the bytes stay where they are until the sink is finished or reset, so that a
     * reference will do. Called for runs of at least QUERN_UNCOPIED bytes given to quern_sink_write_ref.
     */
    quern_status (*reference)(void *context, const void *data, size_t *length);

    /** May be NULL. How many of the bytes that the back end took have not reached their target; also after a failure.
     */
    size_t (*pending)(void *context);
} quern_sink_ops;

/**
 * A sink. `[cursor, limit)` may be written, and, unless it is empty, the QUERN_SLACK bytes behind `limit` may be
 * scribbled on; who writes moves `cursor` up. `cursor <= limit` always. The other members are private.
 */
typedef struct quern_sink {
    uint8_t *cursor;
    uint8_t *limit;
    quern_copy_function *copy_; /* the variant's slack and strict copy */
    quern_copy_function *copy_strict_;
    quern_status status_;
    bool bouncing_; /* the window is bounce_, to be drained into [filled_, end_) */
    bool counts_;   /* goes on counting when it is full */
    bool keeps_;    /* the back end's blocks are one, which holds what it has not taken too */
    bool finished_;
    bool ending_;     /* finished, but the target has not taken everything yet */
    bool cut_;        /* finished while a mark was open */
    uint8_t *base_;   /* first byte of the block that the back end has not taken yet */
    uint8_t *filled_; /* up to where the block is filled, while bouncing */
    uint8_t *end_;    /* the end of the block */
    uint64_t taken_;  /* bytes that the back end took */
    uint64_t lost_;   /* bytes counted after the sink was full */
    const quern_sink_ops *ops_;
    void *context_;
    uint64_t marks_;  /* set so far, which numbers them from 1 */
    uint64_t newest_; /* the newest one that is open, or 0 */
    uint64_t first_;  /* the oldest one that is open, if one is */
    uint64_t oldest_; /* and where that is, as a count of bytes */
    uint8_t *hold_;   /* while not NULL, the block is this one, */
    size_t hold_size_;
    uint8_t *outer_base_; /* instead of this one of the back end, */
    uint8_t *outer_end_;
    size_t outer_filled_; /* which has so many bytes that come before */
    size_t hold_limit_;
    quern_allocator hold_allocator_;
    size_t uncopied_; /* stable runs of so many bytes need no copy; SIZE_MAX: all do */
    void *reserved_[3];
    uint8_t bounce_[QUERN_RESERVE + QUERN_SLACK];
} quern_sink;

/** Makes a sink of a back end of your own. `ops` and `context` must outlive it. */
QUERN_API void quern_sink_init(quern_sink *sink, const quern_sink_ops *ops, void *context);

/**
 * Makes the window at least `length` bytes long, and at least one, without a gap. For `length` up to QUERN_RESERVE
 * this never fails for lack of room: where a buffer nears its end, the window is one inside the sink, and the bytes
 * written there are put in their place by the next call.
 * @return QUERN_OK if the room is there: also in a fixed sink that is full, which goes on counting. Else the latched
 * failure; or, for more than QUERN_RESERVE, QUERN_ERROR_LIMIT if this sink cannot hand out so long a window, which
 * does not latch.
 */
static inline quern_status quern_sink_reserve(quern_sink *sink, size_t length);

/**
 * Appends `[data, data + length)`, by copy.
 * @return QUERN_OK or the latched failure: QUERN_ERROR_LIMIT when `length` is larger than any object.
 */
static inline quern_status quern_sink_write(quern_sink *sink, const void *data, size_t length);

/**
 * Appends `[data, data + length)`, which stays there unchanged until quern_sink_finish has returned anything but
 * QUERN_AGAIN; in an iovec sink, until that is reset or freed. So a sink may refer to the bytes instead of copying
 * them: an iovec sink does, and a back end of your own with a `reference`. All others, and any sink while a mark is
 * open, do what quern_sink_write does.
 * @return as quern_sink_write.
 */
QUERN_API quern_status quern_sink_write_ref(quern_sink *sink, const void *data, size_t length);

/**
 * Hands everything written to the target, and has the target pass it on (a FILE: fflush). What open marks hold
 * stays, and comes later.
 * @return QUERN_OK; QUERN_AGAIN, which is no failure, if the target does not take all of it now (an fd sink whose
 * descriptor does not block): call it again when it does, or go on writing; or the latched failure.
 */
QUERN_API quern_status quern_sink_flush(quern_sink *sink);

/**
 * Flushes and ends the output: later writes are QUERN_ERROR_MISUSE. To be called once, and checked.
 * A second call returns what the first returned. If a mark is still open, what it holds is dropped, since it might
 * have been taken back, everything before is flushed, and the status is QUERN_ERROR_MISUSE.
 *
 * QUERN_AGAIN, as from quern_sink_flush: the output has ended, but is not all out; call it until it returns anything
 * else.
 */
QUERN_API quern_status quern_sink_finish(quern_sink *sink);

/** The latched failure, or QUERN_OK. */
QUERN_API quern_status quern_sink_status(const quern_sink *sink);

/** The bytes accepted: all that were written as long as there is no failure, after one those that reached the target.
 */
QUERN_API uint64_t quern_sink_total(const quern_sink *sink);

/**
 * How many of the bytes accepted have not gone to the target: they wait in the sink's window or buffer, or are held by
 * marks. When an fd sink's target is slow, this grows: that is the back-pressure. 0 after a failure.
 */
QUERN_API size_t quern_sink_pending(const quern_sink *sink);

/* ---- marks: bytes that may be taken back --------------------------------------------------------- */

/** A place in the output. The caller places it, anywhere; it is read only by the calls that it is given to. */
typedef struct quern_mark {
    quern_sink *sink_;
    uint64_t number_;
    uint64_t outer_; /* the number of the mark around it, or 0 */
    uint64_t position_;
} quern_mark;

/**
 * Opens a mark here: from now on the bytes written stay in one piece, and none of them goes to the target, until this
 * mark is closed by quern_sink_rollback or quern_sink_release. Marks nest, to any depth; the inner ones cost nothing.
 *
 * A memory sink holds the bytes in its block, a fixed one in its array. Any other holds them in its buffer for as long
 * as they fit, then in a block from the allocator of quern_sink_set_hold. That block is freed when the outermost mark
 * is closed, when the sink fails, and by quern_sink_finish: a sink that is abandoned without one of these leaks it.
 *
 * A failure, other than QUERN_ERROR_ROOM of a fixed sink, closes all marks and drops what they held; what came before
 * the oldest one goes to the target, unless that is what failed.
 * @return QUERN_OK, also in a fixed sink that is full, which goes on counting; or the latched failure, then there is
 * no mark.
 */
QUERN_API quern_status quern_sink_mark(quern_sink *sink, quern_mark *mark);

/**
 * Takes back all that was written since the mark, and closes it and the marks opened after it. The sink is as it was
 * when the mark was opened: quern_sink_total, quern_fixed_sink_needed, and a fixed sink that has become full since
 * then is not full any more. No other failure goes away.
 * @return the sink's status: QUERN_OK or the latched failure; QUERN_ERROR_MISUSE, which latches, if the mark is not
 * open on this sink. (One mistake can pass unnoticed: a mark that was closed by the rollback of another one around it,
 * while a third one around both has stayed open and later ones have been opened.)
 */
QUERN_API quern_status quern_sink_rollback(quern_sink *sink, quern_mark *mark);

/**
 * Closes the mark and keeps the bytes. If it is the outermost one they go to the target in the normal way.
 * @return the sink's status: QUERN_OK or the latched failure; QUERN_ERROR_MISUSE, which latches, if this is not the
 * newest mark that is open on this sink.
 */
QUERN_API quern_status quern_sink_release(quern_sink *sink, quern_mark *mark);

/**
 * Gives the bytes written since the mark, which must be open (not necessarily the newest one), as one range:
 * `[*data, *data + *length)` may be read and changed until the next call on the sink or write at its cursor.
 * @return QUERN_OK, or the latched failure, then the range is empty: also that of a fixed sink in which the bytes have
 * not found room. QUERN_ERROR_MISUSE as for quern_sink_rollback.
 */
QUERN_API quern_status quern_sink_held(quern_sink *sink, const quern_mark *mark, uint8_t **data, size_t *length);

/** What quern_sink_set_hold takes 0 for, in bytes. */
#define QUERN_HOLD_LIMIT ((size_t)64 << 20)

/**
 * Says where marks hold bytes that outgrow the sink's buffer: `allocator` (copied; its context must outlive the sink;
 * NULL: malloc, realloc, free), and how many there may be: `limit` bytes, which is also the most that is allocated; 0:
 * QUERN_HOLD_LIMIT. So many never fail; more are QUERN_ERROR_LIMIT, unless the sink's buffer and window have room for
 * them. Without effect on memory and fixed sinks, whose own limits hold.
 * @return QUERN_OK or the latched failure; QUERN_ERROR_MISUSE, which latches, if a mark is open.
 */
QUERN_API quern_status quern_sink_set_hold(quern_sink *sink, const quern_allocator *allocator, size_t limit);

/* ---- memory: a block that grows ------------------------------------------------------------------ */

/** All members may be 0. */
typedef struct quern_memory_sink_options {
    size_t size;                      /**< sizeof(quern_memory_sink_options) */
    const quern_allocator *allocator; /**< must outlive the sink; NULL: malloc, realloc, free */
    size_t hint;                      /**< room to allocate at the first write, in bytes */
    size_t limit; /**< the most bytes that it may hold and allocate; 0: no limit. Beyond: QUERN_ERROR_LIMIT */
} quern_memory_sink_options;

/**
 * Grows by doubling through the allocator's `resize`, which may move pages instead of copying them. Never
 * zeroes, never touches memory far ahead of the bytes written. `sink` is the sink to write to; the other
 * members are private.
 */
typedef struct quern_memory_sink {
    quern_sink sink;
    uint8_t *data_;
    size_t length_;
    size_t capacity_;
    size_t hint_;
    size_t limit_;
    quern_allocator allocator_;
    void *reserved_[2];
} quern_memory_sink;

/** Memory that the caller owns from now on: `size` bytes allocated at `data`, `length` of them filled. */
typedef struct quern_memory_block {
    void *data;
    size_t length;
    size_t size;
} quern_memory_block;

/** Nothing is allocated before the first write. `options` may be NULL, and is not needed after the call. */
QUERN_API void quern_memory_sink_init(quern_memory_sink *sink, const quern_memory_sink_options *options);

/**
 * What was written so far, what marks hold included; also after a failure. Valid until the next call on the sink.
 */
QUERN_API quern_string quern_memory_sink_view(quern_memory_sink *sink);

/**
 * Hands the block over, trimmed to its length (`data` is NULL if nothing was written); free it with the sink's
 * allocator. The sink is as after quern_memory_sink_reset.
 * @return the latched failure, then the block holds what was written before it, or QUERN_OK. QUERN_ERROR_MISUSE if a
 * mark is open: the block ends at the oldest one.
 */
QUERN_API quern_status quern_memory_sink_take(quern_memory_sink *sink, quern_memory_block *block);

/** Empties the sink and clears its failure; keeps the block for reuse. Open marks are closed. */
QUERN_API void quern_memory_sink_reset(quern_memory_sink *sink);

/** Frees the block. The sink is as after quern_memory_sink_init; calling it twice is harmless. */
QUERN_API void quern_memory_sink_free(quern_memory_sink *sink);

/* ---- fixed: the caller's array ------------------------------------------------------------------- */

/**
 * Fills an array and nothing behind it. Output that fits exactly succeeds. When more comes, the status is
 * QUERN_ERROR_ROOM, the array holds the first bytes, and the sink goes on counting.
 */
typedef struct quern_fixed_sink {
    quern_sink sink;
    uint8_t *data_;
    size_t length_;
    size_t size_;
    void *reserved_[2];
} quern_fixed_sink;

/** `buffer` of `size` bytes must outlive the sink; (NULL, 0) is a sink that only counts. */
QUERN_API void quern_fixed_sink_init(quern_fixed_sink *sink, void *buffer, size_t size);

/** How many bytes the whole output has, whether they fit or not: exact at any time. */
QUERN_API uint64_t quern_fixed_sink_needed(const quern_fixed_sink *sink);

/* ---- callback and FILE: the caller's function ---------------------------------------------------- */

/**
 * Takes a run of bytes; `length` is at least 1.
 * @return how many were taken. Fewer than `length`, but at least 1: it is called again with the rest. 0, a
 * negative number, or more than `length`: a failure, QUERN_ERROR_IO.
 */
typedef ptrdiff_t quern_write_function(void *context, const void *data, size_t length);

/** Collects bytes in the caller's buffer and hands full ones to a function; longer runs go there uncopied. */
typedef struct quern_callback_sink {
    quern_sink sink;
    uint8_t *buffer_;
    size_t size_;
    quern_write_function *write_;
    void *context_;
    bool file_;
    void *reserved_[2];
} quern_callback_sink;

/** `buffer` of `size` bytes must outlive the sink; (NULL, 0) is allowed and means many short runs. */
QUERN_API void quern_callback_sink_init(quern_callback_sink *sink, quern_write_function *write, void *context,
                                        void *buffer, size_t size);

/** As a callback of fwrite. Flushing and finishing call fflush; the file is not closed: check fclose too. */
QUERN_API void quern_file_sink_init(quern_callback_sink *sink, FILE *file, void *buffer, size_t size);

/* ---- the inline parts ---------------------------------------------------------------------------- */

/* Their slow halves; not for direct use. */
QUERN_API quern_status quern_sink_reserve_slow(quern_sink *sink, size_t length);
QUERN_API quern_status quern_sink_write_slow(quern_sink *sink, const void *data, size_t length);

static inline quern_status quern_sink_reserve(quern_sink *sink, size_t length)
{
    if (length < (size_t)(sink->limit - sink->cursor))
        return QUERN_OK;
    return quern_sink_reserve_slow(sink, length);
}

static inline quern_status quern_sink_write(quern_sink *sink, const void *data, size_t length)
{
    uint8_t *cursor = sink->cursor;
    if (length < (size_t)(sink->limit - cursor)) {
        sink->cursor = cursor + length;
        sink->copy_(cursor, data, length);
        return sink->status_;
    }
    return quern_sink_write_slow(sink, data, length);
}

#ifdef __cplusplus
}
#endif
#endif
