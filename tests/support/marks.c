/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* fopencookie */
#endif
#include "support/marks.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* ---- targets ------------------------------------------------------------------------------------- */

static void arrive(subject *s, const void *data, size_t offered, size_t taken)
{
    size_t most = s->depth > 0 ? s->places[0] : s->length;
    CHECK(s->arrived <= most && offered <= most - s->arrived);
    CHECK(offered == 0 || memcmp(data, s->bytes + s->arrived, offered) == 0);
    s->arrived += taken;
}

/* Whether this call is the one to fail. None may follow. */
static bool fails(subject *s)
{
    CHECK(!s->failed);
    s->failed = ++s->calls == s->fail_at;
    return s->failed;
}

static ptrdiff_t subject_callback(void *context, const void *data, size_t length)
{
    subject *s = context;
    if (fails(s)) {
        arrive(s, data, length, 0);
        return -1;
    }
    size_t taken = 1 + support_random_below(&s->random, length);
    arrive(s, data, length, taken);
    return (ptrdiff_t)taken;
}

#ifdef HAVE_COOKIES
static ssize_t subject_cookie(void *context, const char *data, size_t length)
{
    subject *s = context;
    bool failed = fails(s);
    arrive(s, data, length, failed ? 0 : length);
    if (failed)
        errno = EIO;
    return failed ? 0 : (ssize_t)length;
}
#endif

/* Takes the bytes, and makes the whole area a canary again, also where the block is. */
static void own_take(subject *s, size_t used, size_t taken)
{
    CHECK(used <= s->room);
    for (size_t i = 0; i < SUBJECT_AREA; i++) {
        unsigned char *byte = s->area + i;
        CHECK(*byte == CANARY_BYTE || (s->block != NULL && byte >= s->block && byte < s->block + s->room));
    }
    arrive(s, s->block, used, taken);
    memset(s->area, CANARY_BYTE, SUBJECT_AREA);
}

static quern_status own_next(void *context, size_t *used, size_t wanted, uint8_t **block, size_t *room)
{
    subject *s = context;
    bool failed = fails(s);
    size_t given = *used;
    if (failed)
        *used = support_random_below(&s->random, given + 1);
    own_take(s, given, *used);
    if (support_random_below(&s->random, 2) == 0 && given < s->room) {
        s->block += given; /* where the first one ended */
        s->room -= given;
    } else {
        size_t longest = support_random_below(&s->random, 2) == 0 ? 20 : 400;
        s->room = (s->kind == OF_OWN && wanted > 0) + support_random_below(&s->random, longest);
        s->block = s->area + support_random_below(&s->random, SUBJECT_AREA - s->room + 1);
    }
    *block = s->room > 0 ? s->block : NULL;
    *room = s->room;
    return failed ? QUERN_ERROR_IO : QUERN_OK;
}

static quern_status own_write(void *context, const void *data, size_t *length)
{
    subject *s = context;
    bool failed = fails(s);
    own_take(s, 0, 0);
    size_t given = *length;
    if (failed)
        *length = support_random_below(&s->random, given + 1);
    arrive(s, data, given, *length);
    s->block = NULL;
    s->room = 0;
    return failed ? QUERN_ERROR_IO : QUERN_OK;
}

static quern_status own_flush(void *context)
{
    return fails(context) ? QUERN_ERROR_IO : QUERN_OK;
}

static const quern_sink_ops own_ops = {.size = sizeof(quern_sink_ops), .next = own_next, .flush = own_flush};
static const quern_sink_ops own_write_ops = {
    .size = sizeof(quern_sink_ops), .next = own_next, .write = own_write, .flush = own_flush};

/* ---- fd and iovec -------------------------------------------------------------------------------- */

enum { MOCKED_FD = -7 };

static subject *of_fd; /* whose descriptor it is */

/* The linker has the library call this (see CMakeLists.txt). */
ssize_t __wrap_writev(int fd, const struct iovec *parts, int count);
ssize_t __wrap_writev(int fd, const struct iovec *parts, int count)
{
    CHECK(fd == MOCKED_FD && count >= 1 && count <= 2);
    subject *s = of_fd;
    const bool failed = fails(s);
    if (!failed && s->blocks && support_random_below(&s->random, 2) == 0) {
        errno = EAGAIN;
        return -1;
    }
    size_t length = parts[0].iov_len + (count == 2 ? parts[1].iov_len : 0);
    size_t left = failed ? 0 : 1 + support_random_below(&s->random, length), taken = left;
    for (int i = 0; i < count; i++) {
        size_t part = least(left, parts[i].iov_len);
        arrive(s, parts[i].iov_base, part == parts[i].iov_len || part > 0 ? parts[i].iov_len : 0, part);
        left -= part;
        if (part < parts[i].iov_len)
            break;
    }
    if (failed)
        errno = EIO;
    return failed ? -1 : (ssize_t)taken;
}

ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags)
{
    (void)message;
    CHECK(fd == MOCKED_FD && flags == MSG_NOSIGNAL);
    errno = ENOTSOCK;
    return -1;
}

size_t subject_arrived(subject *s)
{
    struct iovec *segments;
    size_t count;
    while (s->kind == OF_IOVEC) {
        quern_iovec_sink_view(&s->iovec, &segments, &count);
        if (count == 0)
            break;
        size_t length = 0;
        for (size_t i = 0; i < count; i++) {
            CHECK(segments[i].iov_len > 0);
            arrive(s, segments[i].iov_base, segments[i].iov_len, segments[i].iov_len);
            length += segments[i].iov_len;
        }
        quern_iovec_sink_consume(&s->iovec, length);
    }
    return s->arrived;
}

/* ---- opening and closing ------------------------------------------------------------------------- */

void subject_open(subject *s, subject_kind kind, unsigned char *end, size_t size, size_t limit, size_t seed)
{
    memset(s, 0, offsetof(subject, area));
    memset(s->area, CANARY_BYTE, SUBJECT_AREA);
    memset(&s->block, 0, offsetof(subject, bytes) - offsetof(subject, block));
    memset(&s->length, 0, sizeof *s - offsetof(subject, length));
    memset(end - size - FRONT, CANARY_BYTE, FRONT + size);
    s->kind = kind;
    s->buffer = end - size;
    s->size = size;
    s->random = support_random_named("subject");
    s->random.state += seed;
    bank_init(&s->bank);
    switch (kind) {
    case OF_MEMORY:
        bank_sink(&s->bank, &s->memory, size, 0);
        s->sink = &s->memory.sink;
        return;
    case OF_FIXED:
        quern_fixed_sink_init(&s->fixed, size == 0 ? NULL : s->buffer, size);
        s->sink = &s->fixed.sink;
        return;
    case OF_FILE:
#ifdef HAVE_COOKIES
        s->file = fopencookie(s, "w", (cookie_io_functions_t){NULL, subject_cookie, NULL, NULL});
        ck_assert_ptr_nonnull(s->file);
        setvbuf(s->file, NULL, _IONBF, 0);
        quern_file_sink_init(&s->callback, s->file, s->buffer, size);
        s->sink = &s->callback.sink;
        break;
#endif
    case OF_CALLBACK:
        quern_callback_sink_init(&s->callback, subject_callback, s, size == 0 ? NULL : s->buffer, size);
        s->sink = &s->callback.sink;
        break;
    case OF_FD: {
        static unsigned char byte;
        quern_fd_sink_options options = {.size = sizeof options, .buffer = size == 0 ? &byte : s->buffer};
        options.buffer_size = size == 0 ? 1 : size;
        options.threshold = seed % 3 == 0 ? 100 : 0;
        of_fd = s;
        quern_fd_sink_init(&s->fd, MOCKED_FD, &options);
        s->sink = &s->fd.sink;
        break;
    }
    case OF_IOVEC: {
        quern_iovec_sink_options options = {.size = sizeof options, .block_size = size};
        quern_iovec_sink_init(&s->iovec, &options);
        s->sink = &s->iovec.sink;
        break;
    }
    default: quern_sink_init(&s->own, kind == OF_OWN ? &own_ops : &own_write_ops, s); s->sink = &s->own;
    }
    CHECK(quern_sink_set_hold(s->sink, &s->bank.allocator, limit) == QUERN_OK);
}

void subject_close(subject *s)
{
    CHECK(s->kind == OF_MEMORY || s->kind == OF_FIXED || s->depth > 0 || s->bank.blocks == 0);
    CHECK(s->kind == OF_MEMORY || s->kind == OF_FIXED || !subject_failed(s) || s->bank.blocks == 0);
    subject_end(s);
    if (s->kind == OF_MEMORY)
        quern_memory_sink_free(&s->memory);
    if (s->kind == OF_FD)
        quern_fd_sink_free(&s->fd);
    if (s->kind == OF_IOVEC)
        quern_iovec_sink_free(&s->iovec);
    CHECK(s->bank.blocks == 0);
    CHECK(s->kind != OF_FIXED || s->bank.calls == 0);
    if (s->file != NULL)
        fclose(s->file);
    for (size_t i = 0; i < FRONT; i++)
        CHECK((s->buffer - FRONT)[i] == CANARY_BYTE);
}

bool subject_failed(const subject *s)
{
    quern_status status = quern_sink_status(s->sink);
    return status != QUERN_OK && !(s->kind == OF_FIXED && status == QUERN_ERROR_ROOM);
}

quern_status subject_end(subject *s)
{
    quern_status status;
    do
        status = quern_sink_finish(s->sink);
    while (status == QUERN_AGAIN && s->kind == OF_FD);
    return status;
}

/* ---- what can be seen ---------------------------------------------------------------------------- */

/* After any call that did not fail for good. `exact`: nothing is in the bounce window. */
static void see(subject *s, quern_status returned, bool exact)
{
    quern_status status = quern_sink_status(s->sink);
    CHECK(s->sink->cursor <= s->sink->limit);
    if (subject_failed(s)) {
        CHECK(returned == status);
        CHECK(quern_sink_total(s->sink) <= s->length);
        return;
    }
    if (s->kind != OF_FIXED) {
        CHECK(returned == QUERN_OK && !s->failed);
        CHECK(quern_sink_total(s->sink) == s->length);
        return;
    }
    CHECK(quern_fixed_sink_needed(&s->fixed) == s->length);
    CHECK(quern_sink_total(s->sink) == (status == QUERN_OK ? s->length : s->size));
    CHECK(status == QUERN_OK || s->length > s->size);
    CHECK(status != QUERN_OK || !s->full);
    s->full = status != QUERN_OK;
    if (exact) {
        CHECK(s->full == (s->length > s->size));
        CHECK(memcmp(s->buffer, s->bytes, least(s->size, s->length)) == 0);
    }
}

static void append(subject *s, size_t length)
{
    CHECK(length <= SUBJECT_MOST - s->length);
    for (size_t i = 0; i < length; i++)
        s->bytes[s->length + i] = (unsigned char)support_random_next(&s->random);
    s->length += length;
}

void subject_write(subject *s, size_t length)
{
    append(s, length);
    quern_status status = quern_sink_write(s->sink, s->bytes + s->length - length, length);
    CHECK(status == quern_sink_status(s->sink));
    see(s, status, false);
}

void subject_write_direct(subject *s, size_t asked, size_t length)
{
    append(s, length);
    quern_status status = quern_sink_reserve(s->sink, asked);
    CHECK(status == QUERN_OK || subject_failed(s));
    if (status == QUERN_OK) {
        quern_sink *sink = s->sink;
        CHECK((size_t)(sink->limit - sink->cursor) >= asked);
        memcpy(sink->cursor, s->bytes + s->length - length, length);
        sink->cursor += length;
        if (asked > 0)
            memset(sink->limit, 0xee, QUERN_SLACK);
    }
    see(s, status, false);
}

void subject_mark(subject *s)
{
    quern_status status = quern_sink_mark(s->sink, &s->marks[s->depth]);
    CHECK(status == QUERN_OK || subject_failed(s));
    if (status == QUERN_OK)
        s->places[s->depth++] = s->length;
    see(s, status, true);
}

void subject_rollback(subject *s, size_t i)
{
    size_t arrived = s->arrived, calls = s->calls;
    quern_status status = quern_sink_rollback(s->sink, &s->marks[i]);
    CHECK(s->arrived == arrived && s->calls == calls);
    CHECK(status == quern_sink_status(s->sink));
    s->length = s->places[i];
    s->depth = i;
    s->full = s->full && s->length > s->size;
    see(s, status, true);
}

void subject_release(subject *s)
{
    s->depth--;
    quern_status status = quern_sink_release(s->sink, &s->marks[s->depth]);
    CHECK(status == quern_sink_status(s->sink));
    see(s, status, false);
}

void subject_flush(subject *s)
{
    quern_status status;
    do
        status = quern_sink_flush(s->sink);
    while (status == QUERN_AGAIN && s->blocks && support_random_below(&s->random, 3) > 0);
    if (status == QUERN_AGAIN) {
        CHECK(s->blocks && quern_sink_pending(s->sink) > 0);
        see(s, quern_sink_status(s->sink), true);
        return;
    }
    CHECK(status == quern_sink_status(s->sink));
    see(s, status, true);
    if (s->kind == OF_MEMORY && !subject_failed(s)) {
        quern_string view = quern_memory_sink_view(&s->memory);
        CHECK(view.length == s->length);
        CHECK(s->length == 0 || memcmp(view.data, s->bytes, s->length) == 0);
    } else if (s->kind != OF_FIXED && s->kind != OF_MEMORY && status == QUERN_OK) {
        CHECK(subject_arrived(s) == (s->depth > 0 ? s->places[0] : s->length));
    }
}

void subject_held(subject *s, size_t i)
{
    uint8_t *data = NULL;
    size_t length = 1;
    quern_status status = quern_sink_held(s->sink, &s->marks[i], &data, &length);
    CHECK(status == quern_sink_status(s->sink));
    see(s, status, true);
    if (status != QUERN_OK) {
        CHECK(length == 0);
        return;
    }
    CHECK(length == s->length - s->places[i]);
    CHECK(memcmp(data, s->bytes + s->places[i], length) == 0);
    for (size_t k = 0; k < length; k += 1 + length / 7)
        data[k] = s->bytes[s->places[i] + k] = (unsigned char)(data[k] + 1);
}

void subject_step(subject *s, support_random *random)
{
    size_t which = support_random_below(random, 16);
    size_t length = support_random_below(random, support_random_below(random, 4) == 0 ? 700 : 90);
    if (which < 4 && length < SUBJECT_MOST - s->length) {
        subject_write(s, length);
    } else if (which < 8 && QUERN_RESERVE < SUBJECT_MOST - s->length) {
        size_t asked = support_random_below(random, 3) == 0 ? QUERN_RESERVE : length % (QUERN_RESERVE + 1);
        subject_write_direct(s, asked, support_random_below(random, asked + 1));
    } else if (which < 11 && s->depth < MOST_MARKS) {
        subject_mark(s);
    } else if (which == 11 && s->depth > 0) {
        bool newest = support_random_below(random, 2) == 0;
        subject_rollback(s, newest ? s->depth - 1 : support_random_below(random, s->depth));
    } else if (which < 14 && s->depth > 0) {
        subject_release(s);
    } else if (which == 14) {
        subject_flush(s);
    } else if (s->depth > 0) {
        subject_held(s, support_random_below(random, s->depth));
    }
}

/* ---- the end ------------------------------------------------------------------------------------- */

static void see_end(subject *s, quern_status status, size_t end)
{
    CHECK(subject_end(s) == status);
    CHECK(quern_sink_status(s->sink) == status);
    CHECK(quern_sink_total(s->sink) == (s->kind == OF_FIXED ? least(end, s->size) : end));
    CHECK(s->kind != OF_FIXED || memcmp(s->buffer, s->bytes, least(end, s->size)) == 0);
    if (s->kind == OF_MEMORY) {
        quern_string view = quern_memory_sink_view(&s->memory);
        CHECK(view.length == end && (end == 0 || memcmp(view.data, s->bytes, end) == 0));
    } else {
        CHECK(s->kind == OF_FIXED || subject_arrived(s) == end);
        CHECK(s->bank.blocks == 0);
    }
}

void subject_finish(subject *s, support_random *random)
{
    while (s->depth > 0 && !subject_failed(s)) {
        if (support_random_below(random, 4) == 0)
            subject_rollback(s, s->depth - 1);
        else
            subject_release(s);
    }
    quern_status status = subject_end(s);
    if (subject_failed(s))
        return;
    see_end(s, status, s->length);
    CHECK(status == (s->kind == OF_FIXED && s->length > s->size ? QUERN_ERROR_ROOM : QUERN_OK));
    CHECK(s->kind != OF_FIXED || quern_fixed_sink_needed(&s->fixed) == s->length);
}

void subject_finish_open(subject *s)
{
    bool full = s->kind == OF_FIXED && s->length > s->size;
    subject_held(s, 0);
    size_t allocations = s->bank.calls;
    quern_status status = subject_end(s);
    CHECK(status == (full ? QUERN_ERROR_ROOM : QUERN_ERROR_MISUSE));
    CHECK(s->bank.calls == allocations);
    see_end(s, status, full ? s->length : s->places[0]);
    uint8_t *data;
    size_t length;
    CHECK(quern_sink_held(s->sink, &s->marks[0], &data, &length) == status && length == 0);
    CHECK(quern_sink_rollback(s->sink, &s->marks[0]) == status);
    CHECK(quern_sink_release(s->sink, &s->marks[0]) == status);
    CHECK(quern_sink_mark(s->sink, &s->marks[0]) == status);
    see_end(s, status, full ? s->length : s->places[0]);
    s->depth = 0;
}

void subject_check_latched(subject *s, quern_status failure)
{
    uint64_t total = quern_sink_total(s->sink);
    size_t allocations = s->bank.calls, calls = s->calls;
    quern_mark mark;
    uint8_t *data;
    size_t length;
    CHECK(quern_sink_mark(s->sink, &mark) == failure);
    CHECK(quern_sink_release(s->sink, &mark) == failure);
    CHECK(quern_sink_rollback(s->sink, &mark) == failure);
    CHECK(quern_sink_held(s->sink, &mark, &data, &length) == failure && length == 0);
    CHECK(quern_sink_set_hold(s->sink, NULL, 5) == failure);
    if (s->depth > 0) {
        CHECK(quern_sink_held(s->sink, &s->marks[0], &data, &length) == failure && length == 0);
        CHECK(quern_sink_release(s->sink, &s->marks[s->depth - 1]) == failure);
        CHECK(quern_sink_rollback(s->sink, &s->marks[0]) == failure);
    }
    check_latched(s->sink, failure);
    CHECK(quern_sink_total(s->sink) == total);
    CHECK(s->bank.calls == allocations && s->calls == calls);
    if (s->kind == OF_MEMORY) {
        quern_string view = quern_memory_sink_view(&s->memory);
        CHECK(view.length == total && total <= s->length);
        CHECK(total == 0 || memcmp(view.data, s->bytes, (size_t)total) == 0);
    } else {
        CHECK(s->kind == OF_FIXED || total == subject_arrived(s));
        CHECK(s->bank.blocks == 0);
    }
}
