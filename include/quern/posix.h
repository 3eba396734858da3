/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Sinks of POSIX systems: a file descriptor, and a chain of segments for writev or sendmsg. quern.h includes this where
 * the system is one; elsewhere it is an error to include it.
 */
#ifndef QUERN_POSIX_H
#define QUERN_POSIX_H

#if !defined(__unix__) && !defined(__unix) && !defined(__APPLE__) && !defined(__HAIKU__)
#    error "quern/posix.h needs a POSIX system: file descriptors, writev, struct iovec"
#endif

#include <quern/sink.h>

#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- fd: a file, pipe or socket ------------------------------------------------------------------ */

/** All members may be 0. */
typedef struct quern_fd_sink_options {
    size_t size;                      /**< sizeof(quern_fd_sink_options) */
    const quern_allocator *allocator; /**< its context must outlive the sink; NULL: malloc, realloc, free */
    void *buffer;       /**< `buffer_size` bytes that outlive the sink; NULL: allocated at the first write */
    size_t buffer_size; /**< in bytes; 0: 64 KiB, in a buffer of the sink's own, whatever `buffer` is */
    /**
     * The most bytes that are kept, and allocated, when the descriptor does not take them; 0: QUERN_HOLD_LIMIT; never
     * less than the buffer's size. More are QUERN_ERROR_LIMIT.
     */
    size_t limit;
    size_t threshold; /**< runs of so many bytes go out uncopied within the call; 0: QUERN_UNCOPIED */
} quern_fd_sink_options;

/**
 * Writes to a descriptor: short runs by way of a buffer, long ones together with it by one writev. EINTR is retried,
 * short writes are continued.
 *
 * On a descriptor that does not block, writes never wait and never tell: what it does not take now (EAGAIN) is kept in
 * the buffer, which grows up to `limit`, and each call that needs room tries again. quern_sink_pending says how much
 * that is, and only quern_sink_flush and quern_sink_finish return QUERN_AGAIN: poll the descriptor, then call them
 * again. When the limit is passed, or another failure latches, the bytes kept are dropped: what has reached the
 * descriptor is a prefix of the output, and quern_sink_total is its length.
 *
 * A failure of the descriptor is QUERN_ERROR_IO, and errno is as the system left it until the next call of anything.
 * To a socket nothing raises SIGPIPE where the system has MSG_NOSIGNAL; elsewhere, and to pipes, that is the caller's
 * to ignore. The descriptor is neither closed nor changed.
 */
typedef struct quern_fd_sink {
    quern_sink sink;
    int fd_;
    bool socket_; /* or not known yet */
    bool owns_;   /* the buffer is allocated */
    uint8_t *buffer_;
    size_t size_;
    size_t start_; /* what is in [start_, filled_) is still to go */
    size_t filled_;
    size_t usual_; /* size of the buffer that it began with */
    size_t limit_;
    size_t threshold_;
    quern_allocator allocator_;
    void *reserved_[3];
} quern_fd_sink;

/** Nothing is allocated or written before the first write. `options` may be NULL, and is not needed after the call. */
QUERN_API void quern_fd_sink_init(quern_fd_sink *sink, int fd, const quern_fd_sink_options *options);

/**
 * Frees what the sink has allocated; nothing if it was given a buffer that sufficed. What is still pending is dropped.
 * Afterwards only quern_fd_sink_init and this may be called.
 */
QUERN_API void quern_fd_sink_free(quern_fd_sink *sink);

/* ---- iovec: a chain of segments ------------------------------------------------------------------ */

/** All members may be 0. */
typedef struct quern_iovec_sink_options {
    size_t size;                      /**< sizeof(quern_iovec_sink_options) */
    const quern_allocator *allocator; /**< its context must outlive the sink; NULL: malloc, realloc, free */
    size_t block_size;                /**< of the first block for copies, in bytes; 0: 4 KiB */
    size_t limit;     /**< the most that it has allocated, in bytes; 0: no limit. Beyond: QUERN_ERROR_LIMIT */
    size_t threshold; /**< runs of so many bytes are referenced if they are stable; 0: QUERN_UNCOPIED */
} quern_iovec_sink_options;

/**
 * Collects output as an array of `struct iovec`: runs given to quern_sink_write_ref are referenced, the rest is copied
 * to blocks from the allocator, which never move. Nothing is sent: the caller does that, with quern_iovec_sink_view and
 * quern_iovec_sink_consume.
 */
typedef struct quern_iovec_sink {
    quern_sink sink;
    struct iovec *segments_;
    size_t first_; /* not consumed */
    size_t count_;
    size_t capacity_;
    void *blocks_;  /* all of them, in the order of use */
    void *current_; /* in use; those after it are free */
    size_t filled_; /* of the current one */
    size_t block_size_;
    size_t allocated_;
    size_t limit_;
    size_t threshold_;
    quern_allocator allocator_;
    void *reserved_[3];
} quern_iovec_sink;

/** Nothing is allocated before the first write. `options` may be NULL, and is not needed after the call. */
QUERN_API void quern_iovec_sink_init(quern_iovec_sink *sink, const quern_iovec_sink_options *options);

/**
 * Gives the first segments that are not consumed, as many as one writev takes (IOV_MAX, SSIZE_MAX bytes) or fewer:
 * `*count` of them at `*segments`, none of them empty; 0: that is all. Flushes before; what marks hold comes later.
 * Both are valid until the next call on the sink, and not to be changed.
 * @return the sink's status; after a failure the segments are those written before it.
 */
QUERN_API quern_status quern_iovec_sink_view(quern_iovec_sink *sink, struct iovec **segments, size_t *count);

/**
 * Drops the first `length` bytes of the segments, since they are sent. There must be so many. Their memory is used
 * again only after quern_iovec_sink_reset, and counts for the limit until then.
 */
QUERN_API void quern_iovec_sink_consume(quern_iovec_sink *sink, size_t length);

/**
 * Empties the sink and clears its failure; keeps its memory for reuse, and what quern_sink_set_hold said. Open marks
 * are closed.
 */
QUERN_API void quern_iovec_sink_reset(quern_iovec_sink *sink);

/** Frees its memory. The sink is as after quern_iovec_sink_init; calling it twice is harmless. */
QUERN_API void quern_iovec_sink_free(quern_iovec_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
