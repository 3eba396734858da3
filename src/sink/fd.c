/* SPDX-License-Identifier: MIT */
/*
 * The fd sink: a buffer and writev.
 *
 * The buffer's [start_, filled_) is still to go. Blocks are what is behind that, and shorter than the threshold, so
 * that a longer run never fits into one: the core then gives it to `write`, which sends it together with the buffer. A
 * descriptor that would block is no failure: what is left stays in the buffer, or is copied to it, and the buffer
 * grows.
 */
#define _XOPEN_SOURCE 700 /* sys/socket.h, sys/uio.h */
#include <quern/posix.h>

#include "common/allocator.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* What a system call is given at most of one run, of two: more than INT_MAX is an error in some systems. */
#define MOST_SENT (((size_t)1 << 30) - 4096)

enum { USUAL_SIZE = 65536 };

static ssize_t send_parts(quern_fd_sink *f, struct iovec *parts, unsigned short count)
{
#ifdef MSG_NOSIGNAL
    if (f->socket_) {
        const int before = errno;
        struct msghdr message;
        memset(&message, 0, sizeof message);
        message.msg_iov = parts;
        message.msg_iovlen = count;
        const ssize_t sent = sendmsg(f->fd_, &message, MSG_NOSIGNAL);
        if (sent >= 0 || errno != ENOTSOCK)
            return sent;
        f->socket_ = false;
        errno = before;
    }
#endif
    return writev(f->fd_, parts, count);
}

static size_t held(const quern_fd_sink *f)
{
    return f->filled_ - f->start_;
}

/*
 * Sends the buffer, then [data, data + *length), which becomes what was sent of that. QUERN_AGAIN if the descriptor
 * does not take more now. The buffer's bytes stay where they are: the core may still have the block behind them.
 */
static quern_status send_all(quern_fd_sink *f, const void *data, size_t *length)
{
    const size_t wanted = *length;
    *length = 0;
    while (held(f) || *length < wanted) {
        struct iovec parts[2];
        unsigned short count = 0;
        const size_t rest = wanted - *length;
        const size_t first = held(f) < MOST_SENT ? held(f) : MOST_SENT, second = rest < MOST_SENT ? rest : MOST_SENT;
        if (first)
            parts[count++] = (struct iovec){f->buffer_ + f->start_, first};
        if (second && first == held(f)) /* writev does not change it */
            parts[count++] = (struct iovec){(void *)((uintptr_t)data + *length), second};
        const ssize_t sent = send_parts(f, parts, count);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return QUERN_AGAIN;
        if (sent <= 0)
            return QUERN_ERROR_IO;
        const size_t of_buffer = (size_t)sent < first ? (size_t)sent : first;
        f->start_ += of_buffer;
        *length += (size_t)sent - of_buffer;
    }
    return QUERN_OK;
}

/*
 * Makes room for `wanted` bytes behind the filled ones, or for as many as the limit leaves; then QUERN_ERROR_LIMIT.
 * The bytes move only when so many have gone already, or more room is had by it.
 */
static quern_status make_room(quern_fd_sink *f, size_t wanted)
{
    const size_t kept = held(f), left = f->limit_ - kept;
    quern_status status = QUERN_OK;
    if (wanted > left) {
        status = QUERN_ERROR_LIMIT;
        wanted = left;
    }
    if (wanted <= f->size_ - f->filled_)
        return status;
    const bool fits = kept + wanted <= f->size_;
    if (fits && (kept <= f->start_ || f->size_ == f->limit_)) {
        memmove(f->buffer_, f->buffer_ + f->start_, kept);
    } else {
        size_t target = !f->size_ ? f->usual_ : f->size_ > f->limit_ / 2 ? f->limit_ : f->size_ * 2;
        if (target < kept + wanted)
            target = kept + wanted;
        const quern_allocator *allocator = &f->allocator_;
        uint8_t *buffer;
        if (f->owns_) {
            memmove(f->buffer_, f->buffer_ + f->start_, kept);
            f->start_ = 0;
            f->filled_ = kept;
            buffer = allocator->resize(allocator->context, f->buffer_, f->size_, target);
        } else {
            buffer = allocator->resize(allocator->context, NULL, 0, target);
            if (buffer && kept)
                memcpy(buffer, f->buffer_ + f->start_, kept);
        }
        if (!buffer)
            return QUERN_ERROR_MEMORY;
        f->buffer_ = buffer;
        f->size_ = target;
        f->owns_ = true;
    }
    f->start_ = 0;
    f->filled_ = kept;
    return status;
}

static quern_status fd_next(void *context, size_t *used, size_t wanted, uint8_t **block, size_t *room)
{
    quern_fd_sink *f = context;
    f->filled_ += *used;
    *block = NULL;
    *room = 0;
    /* More than a block holds: it goes out together with the buffer, when it comes. */
    if (wanted >= f->threshold_ || wanted > f->usual_)
        return QUERN_OK;
    quern_status status = QUERN_OK;
    if (wanted == 0 || wanted > f->size_ - f->filled_ || held(f) >= f->usual_) {
        size_t none = 0;
        status = send_all(f, NULL, &none);
        if (quern_failed(status))
            return status;
        status = wanted ? make_room(f, wanted) : QUERN_OK;
        if (quern_failed(status) && status != QUERN_ERROR_LIMIT)
            return status;
    }
    const size_t left = f->size_ - f->filled_;
    const size_t most =
        f->usual_ < f->threshold_ ? f->usual_ : f->threshold_ - 1; /* a grown buffer is tried as often */
    *room = left < most ? left : most;
    *block = *room ? f->buffer_ + f->filled_ : NULL;
    return status;
}

static quern_status fd_write(void *context, const void *data, size_t *length)
{
    quern_fd_sink *f = context;
    const size_t wanted = *length;
    quern_status status = send_all(f, data, length);
    if (status != QUERN_AGAIN)
        return status;
    const size_t rest = wanted - *length;
    if (rest > f->limit_ - held(f))
        return QUERN_ERROR_LIMIT;
    status = make_room(f, rest);
    if (status == QUERN_OK) {
        memcpy(f->buffer_ + f->filled_, (const uint8_t *)data + *length, rest);
        f->filled_ += rest;
        *length = wanted;
    }
    return status;
}

static quern_status fd_flush(void *context)
{
    size_t none = 0;
    return send_all(context, NULL, &none);
}

static size_t fd_pending(void *context)
{
    return held(context);
}

static const quern_sink_ops fd_ops = {
    .size = sizeof(quern_sink_ops), .next = fd_next, .write = fd_write, .flush = fd_flush, .pending = fd_pending};

void quern_fd_sink_init(quern_fd_sink *f, int fd, const quern_fd_sink_options *options)
{
    static const quern_fd_sink_options none = {.size = sizeof none};
    const quern_fd_sink_options *o = options ? options : &none;
    assert(f);
    quern_sink_init(&f->sink, &fd_ops, f);
    f->fd_ = fd;
    f->socket_ = true;
    f->owns_ = false;
    f->buffer_ = o->buffer_size ? o->buffer : NULL;
    f->usual_ = o->buffer_size ? o->buffer_size : USUAL_SIZE;
    f->size_ = f->buffer_ ? f->usual_ : 0;
    f->start_ = f->filled_ = 0;
    f->limit_ = o->limit ? o->limit : QUERN_HOLD_LIMIT;
    if (f->limit_ < f->usual_)
        f->limit_ = f->usual_;
    f->threshold_ = o->threshold ? o->threshold : QUERN_UNCOPIED;
    f->allocator_ = allocator_or_malloc(o->allocator);
    f->sink.uncopied_ = f->threshold_;
    memset(f->reserved_, 0, sizeof f->reserved_);
}

void quern_fd_sink_free(quern_fd_sink *f)
{
    if (f->owns_)
        f->allocator_.resize(f->allocator_.context, f->buffer_, f->size_, 0);
    f->owns_ = false;
    f->buffer_ = NULL;
    f->size_ = f->start_ = f->filled_ = 0;
}
