/* SPDX-License-Identifier: MIT */
/*
 * The fd sink on a descriptor that is none: the linker has the library call writev and sendmsg of this file, which take
 * as much as they please, and fail at call n in each manner.
 */
#include "support/sinks.h"

#include <quern/posix.h>

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* ---- the descriptor ------------------------------------------------------------------------------ */

enum { MOCKED_FD = -7 };

typedef enum way { ONE_BYTE, HALF, NOTHING, INTERRUPTED, BLOCKED, NO_SPACE, BROKEN_PIPE, CLOSED, WAYS } way;

static const int way_errors[WAYS] = {0, 0, 0, EINTR, EAGAIN, ENOSPC, EPIPE, EBADF};

static struct channel {
    size_t arrived;
    size_t calls;
    size_t uncopied; /* bytes that came straight from the text */
    size_t fail_at;  /* this call goes the way below; 0: none */
    size_t fail_for; /* and so many after it, if it is not the end */
    way way;
    manner manner;
    bool reached;
    bool socket;
    bool dead; /* it has failed for good, and may not be called again */
    support_random random;
} channel;

static bool is_fatal(way w)
{
    return w == NOTHING || w >= NO_SPACE;
}

static void channel_open(way w, manner how, size_t fail_at)
{
    memset(&channel, 0, sizeof channel);
    channel.way = w;
    channel.manner = how;
    channel.fail_at = fail_at;
    channel.random = support_random_named("channel");
}

/* What is offered must be the next bytes of the text, whether it is taken or not. */
static ssize_t take(const struct iovec *parts, size_t count)
{
    size_t offered = 0;
    CHECK(!channel.dead && count >= 1 && count <= 2);
    for (size_t i = 0; i < count; i++) {
        CHECK(parts[i].iov_len > 0 && parts[i].iov_len <= TEXT_SIZE - channel.arrived - offered);
        CHECK(memcmp(parts[i].iov_base, text + channel.arrived + offered, parts[i].iov_len) == 0);
        offered += parts[i].iov_len;
    }
    channel.calls++;
    size_t taken = offered;
    bool now_fails =
        channel.fail_at != 0 && channel.calls >= channel.fail_at && channel.calls - channel.fail_at <= channel.fail_for;
    if (now_fails) {
        channel.reached = true;
        channel.dead = is_fatal(channel.way);
        errno = way_errors[channel.way];
        if (channel.way > HALF)
            return channel.way == NOTHING ? 0 : -1;
        taken = channel.way == HALF ? (offered + 1) / 2 : 1;
    } else if (channel.manner != TAKE_ALL) {
        taken = channel.manner == TAKE_ONE    ? 1
                : channel.manner == TAKE_HALF ? (offered + 1) / 2
                                              : 1 + support_random_below(&channel.random, offered);
    }
    size_t left = taken;
    for (size_t i = 0; i < count && left > 0; i++) {
        size_t part = least(left, parts[i].iov_len);
        if (parts[i].iov_base == (void *)(text + channel.arrived))
            channel.uncopied += part;
        channel.arrived += part;
        left -= part;
    }
    return (ssize_t)taken;
}

ssize_t __wrap_writev(int fd, const struct iovec *parts, int count);
ssize_t __wrap_writev(int fd, const struct iovec *parts, int count)
{
    CHECK(fd == MOCKED_FD && !channel.socket);
    return take(parts, (size_t)count);
}

ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags)
{
    CHECK(fd == MOCKED_FD && flags == MSG_NOSIGNAL);
    CHECK(message->msg_name == NULL && message->msg_control == NULL);
    if (!channel.socket) {
        errno = ENOTSOCK;
        return -1;
    }
    return take(message->msg_iov, (size_t)message->msg_iovlen);
}

/* ---- each call failing in turn ------------------------------------------------------------------- */

static quern_fd_sink sink; /* of the test that runs */

static void check_state(size_t position)
{
    quern_status status = quern_sink_status(&sink.sink);
    CHECK(status == (channel.dead ? QUERN_ERROR_IO : QUERN_OK));
    CHECK(quern_sink_total(&sink.sink) == (channel.dead ? channel.arrived : position));
    CHECK(quern_sink_pending(&sink.sink) == (channel.dead ? 0 : position - channel.arrived));
}

/* Until it is through or has failed; QUERN_AGAIN only while the channel is blocked, and with something pending. */
static quern_status finish(void)
{
    for (;;) {
        quern_status status = quern_sink_finish(&sink.sink);
        if (status != QUERN_AGAIN)
            return status;
        CHECK(channel.way == BLOCKED && quern_sink_pending(&sink.sink) > 0);
        CHECK(quern_sink_status(&sink.sink) == QUERN_OK);
    }
}

static bool failing_case(const script *s, const quern_fd_sink_options *options)
{
    int expected = way_errors[channel.way];
    quern_fd_sink_init(&sink, MOCKED_FD, options);
    size_t position = 0;
    for (size_t i = 0; i < s->count; i++) {
        const bool before = channel.dead;
        errno = 0;
        if (i % 4 == 3) {
            quern_status status = quern_sink_write_ref(&sink.sink, text + position, s->steps[i].length);
            CHECK(status == (channel.dead ? QUERN_ERROR_IO : QUERN_OK));
        } else {
            take_step(&sink.sink, &s->steps[i], position);
        }
        CHECK(before || !channel.dead || errno == expected);
        position += s->steps[i].length;
        check_state(position);
        if (i % 16 == 15) {
            const bool dead = channel.dead;
            quern_status status = quern_sink_flush(&sink.sink);
            CHECK(status == QUERN_OK || channel.dead || (status == QUERN_AGAIN && channel.way == BLOCKED));
            CHECK(status != QUERN_OK || channel.arrived == position);
            CHECK(!channel.dead || status == QUERN_ERROR_IO);
            CHECK(dead || !channel.dead || errno == expected);
            check_state(position);
        }
    }
    quern_status status = finish();
    CHECK(status == (channel.dead ? QUERN_ERROR_IO : QUERN_OK));
    CHECK(channel.dead || channel.arrived == s->total);
    CHECK(quern_sink_total(&sink.sink) == channel.arrived);
    CHECK(quern_sink_pending(&sink.sink) == 0);
    if (channel.dead)
        check_latched(&sink.sink, QUERN_ERROR_IO);
    CHECK(quern_sink_finish(&sink.sink) == status);
    quern_fd_sink_free(&sink);
    quern_fd_sink_free(&sink);
    return channel.reached;
}

START_TEST(test_fd_fails)
{
    if (!open_variant(_i))
        return;
    static script s;
    static const size_t sizes[] = {1, 63, 64, 65, 100, 192, 300, 1024, 4096};
    static const size_t thresholds[] = {0, 1, 50, 128, 193, 300};
    support_random random = support_random_named("fd");
    support_guarded guarded = support_guarded_new(8192);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    for (size_t i = 0; i < SUPPORT_COUNT(sizes); i++) {
        for (size_t round = 0; round < (size_t)MANNERS * WAYS * 2; round++) {
            if (support_thinned())
                continue;
            manner how = (manner)(round % MANNERS);
            way w = (way)(round / MANNERS % WAYS);
            bank b;
            bank_init(&b);
            quern_fd_sink_options options = {
                .size = sizeof options, .allocator = &b.allocator, .buffer_size = sizes[i]};
            options.buffer = round % 3 == 0 ? NULL : end - sizes[i];
            options.threshold = thresholds[support_random_below(&random, SUPPORT_COUNT(thresholds))];
            make_script(&s, &random, 1 + support_random_below(&random, how == TAKE_ONE ? 100 : 1500), false);
            bool reached = true;
            for (size_t n = 1; reached; n++) {
                at("fd fails, buffer, call", sizes[i], n);
                channel_open(w, how, n);
                channel.socket = round % 2 == 0;
                channel.fail_for = w == BLOCKED ? n % 5 : 0;
                reached = failing_case(&s, &options);
                CHECK(b.blocks == 0);
                *fault_points += reached;
            }
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

/* ---- back-pressure ------------------------------------------------------------------------------- */

START_TEST(test_back_pressure)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("pressure");
    for (size_t round = 0; round < 400; round++) {
        if (support_thinned())
            continue;
        bank b;
        bank_init(&b);
        unsigned char buffer[256];
        quern_fd_sink_options options = {.size = sizeof options, .allocator = &b.allocator};
        options.buffer_size = 1 + support_random_below(&random, sizeof buffer);
        options.buffer = round % 2 == 0 ? buffer : NULL;
        options.limit = 1 + support_random_below(&random, 3000);
        options.threshold = round % 3 == 0 ? 1 + support_random_below(&random, 400) : 0;
        size_t limit = options.limit < options.buffer_size ? options.buffer_size : options.limit;
        at("back-pressure, round, limit", round, limit);
        /* From a call on it takes nothing more, until it is asked nicely. */
        channel_open(BLOCKED, round % 4 == 0 ? TAKE_HALF : TAKE_ALL, 1 + round % 3);
        channel.fail_for = SIZE_MAX - 3;
        quern_fd_sink_init(&sink, MOCKED_FD, &options);
        const bool over = round % 5 == 0;
        make_script(&s, &random, limit + 200, false);
        size_t position = 0;
        for (size_t i = 0; i < s.count; i++) {
            if (!over && position + s.steps[i].length - channel.arrived > limit)
                break;
            take_step(&sink.sink, &s.steps[i], position);
            position += s.steps[i].length;
            if (quern_sink_status(&sink.sink) != QUERN_OK)
                break;
            CHECK(quern_sink_total(&sink.sink) == position);
            CHECK(quern_sink_pending(&sink.sink) == position - channel.arrived);
        }
        CHECK(b.largest <= limit);
        if (over && quern_failed(quern_sink_flush(&sink.sink))) {
            CHECK(position - channel.arrived > limit);
            check_latched(&sink.sink, QUERN_ERROR_LIMIT);
            CHECK(quern_sink_total(&sink.sink) == channel.arrived);
            CHECK(quern_sink_pending(&sink.sink) == 0);
            ++*fault_points;
        } else {
            for (size_t again = 0; again < 5 && position > channel.arrived; again++) {
                quern_status status = again < 3 ? quern_sink_flush(&sink.sink) : quern_sink_finish(&sink.sink);
                CHECK(status == QUERN_AGAIN || channel.arrived == position);
                CHECK(quern_sink_total(&sink.sink) == position);
            }
            channel.fail_at = 0;
            if (round % 2 == 0)
                CHECK(quern_sink_flush(&sink.sink) == QUERN_OK && channel.arrived == position);
            CHECK(quern_sink_finish(&sink.sink) == QUERN_OK);
            CHECK(channel.arrived == position && quern_sink_total(&sink.sink) == position);
            CHECK(quern_sink_pending(&sink.sink) == 0);
            CHECK(quern_sink_write(&sink.sink, text, 1) == QUERN_ERROR_MISUSE);
        }
        quern_fd_sink_free(&sink);
        CHECK(b.blocks == 0);
    }
}
END_TEST

/* So many bytes are kept, and not one more; and what was kept goes out before its buffer is full again. */
START_TEST(test_exact_limit)
{
    if (!open_variant(_i))
        return;
    for (size_t limit = 100; limit < 600; limit += 37) {
        for (size_t piece = 1; piece < 300; piece += 1 + piece / 2) {
            bank b;
            bank_init(&b);
            quern_fd_sink_options options = {.size = sizeof options, .allocator = &b.allocator, .buffer_size = 100};
            options.limit = limit;
            at("exact limit, limit, piece", limit, piece);
            channel_open(BLOCKED, TAKE_ALL, 1);
            channel.fail_for = SIZE_MAX - 3;
            quern_fd_sink_init(&sink, MOCKED_FD, &options);
            for (size_t position = 0; position < limit; position += piece)
                CHECK(quern_sink_write(&sink.sink, text + position, least(piece, limit - position)) == QUERN_OK);
            CHECK(quern_sink_flush(&sink.sink) == QUERN_AGAIN && quern_sink_pending(&sink.sink) == limit);
            if (piece % 2 == 0) {
                quern_sink_write(&sink.sink, text + limit, 1);
                CHECK(quern_sink_flush(&sink.sink) == QUERN_ERROR_LIMIT);
                ++*fault_points;
            } else {
                channel.fail_at = 0;
                CHECK(quern_sink_flush(&sink.sink) == QUERN_OK && channel.arrived == limit);
                for (size_t i = 0; i < 160; i++)
                    CHECK(quern_sink_write(&sink.sink, text + limit + i, 1) == QUERN_OK);
            }
            CHECK(b.largest <= limit);
            quern_fd_sink_free(&sink);
            CHECK(b.blocks == 0);
        }
    }
    at("kept, then taken", 0, 0);
    channel_open(BLOCKED, TAKE_ALL, 1);
    channel.fail_for = 20;
    quern_fd_sink_options options = {.size = sizeof options, .buffer_size = 100};
    quern_fd_sink_init(&sink, MOCKED_FD, &options);
    quern_sink_write(&sink.sink, text, 2000);
    CHECK(quern_sink_pending(&sink.sink) == 2000);
    for (size_t position = 2000; position < 20000; position += 10)
        CHECK(quern_sink_write(&sink.sink, text + position, 10) == QUERN_OK);
    CHECK(quern_sink_pending(&sink.sink) <= 4000);
    CHECK(quern_sink_finish(&sink.sink) == QUERN_OK && channel.arrived == 20000);
    quern_fd_sink_free(&sink);
}
END_TEST

/* A mark is open when the output ends, and the channel is blocked: first what came before it, then the mistake. */
START_TEST(test_finish_with_a_mark)
{
    if (!open_variant(_i))
        return;
    quern_mark mark;
    at("finish with a mark", 0, 0);
    channel_open(BLOCKED, TAKE_ALL, 1);
    channel.fail_for = SIZE_MAX - 3;
    quern_fd_sink_init(&sink, MOCKED_FD, NULL);
    quern_sink_write(&sink.sink, text, 1000);
    CHECK(quern_sink_mark(&sink.sink, &mark) == QUERN_OK);
    quern_sink_write(&sink.sink, text + 1000, 1000);
    CHECK(quern_sink_flush(&sink.sink) == QUERN_AGAIN);
    CHECK(quern_sink_pending(&sink.sink) == 2000);
    CHECK(quern_sink_finish(&sink.sink) == QUERN_AGAIN);
    CHECK(quern_sink_pending(&sink.sink) == 1000);
    channel.fail_at = 0;
    CHECK(quern_sink_finish(&sink.sink) == QUERN_ERROR_MISUSE);
    CHECK(channel.arrived == 1000 && quern_sink_total(&sink.sink) == 1000);
    quern_fd_sink_free(&sink);
}
END_TEST

START_TEST(test_fd_allocation_fails)
{
    if (!open_variant(_i))
        return;
    for (size_t on = 0; on < 2; on++) {
        bool failed = true;
        for (size_t n = 1; failed; n++) {
            bank b;
            at("allocation fails, number", n, on);
            bank_init(&b);
            b.fail_at = n;
            b.fail_on = on == 1;
            quern_fd_sink_options options = {.size = sizeof options, .allocator = &b.allocator, .buffer_size = 200};
            channel_open(BLOCKED, TAKE_ALL, 3);
            channel.fail_for = SIZE_MAX - 4;
            quern_fd_sink_init(&sink, MOCKED_FD, &options);
            for (size_t position = 0; position < 60000; position += 300)
                quern_sink_write(&sink.sink, text + position, 300);
            failed = quern_failed(quern_sink_status(&sink.sink));
            CHECK(failed == (b.calls >= n));
            if (failed) {
                check_latched(&sink.sink, QUERN_ERROR_MEMORY);
                CHECK(quern_sink_total(&sink.sink) == channel.arrived);
                ++*fault_points;
            }
            quern_fd_sink_free(&sink);
            CHECK(b.blocks == 0);
        }
    }
}
END_TEST

/* ---- what goes out uncopied ---------------------------------------------------------------------- */

START_TEST(test_uncopied)
{
    if (!open_variant(_i))
        return;
    for (size_t length = QUERN_UNCOPIED - 1; length <= QUERN_UNCOPIED + 1; length++) {
        for (size_t ref = 0; ref < 2; ref++) {
            at("uncopied, length", length, ref);
            channel_open(ONE_BYTE, TAKE_ALL, 0);
            quern_fd_sink_init(&sink, MOCKED_FD, NULL);
            quern_sink_write(&sink.sink, text, 100);
            CHECK(channel.calls == 0);
            if (ref == 1)
                quern_sink_write_ref(&sink.sink, text + 100, length);
            else
                quern_sink_write(&sink.sink, text + 100, length);
            const bool direct = length >= QUERN_UNCOPIED;
            CHECK(channel.calls == direct); /* both by one call */
            CHECK(channel.uncopied == (direct ? length : 0));
            CHECK(channel.arrived == (direct ? 100 + length : 0));
            quern_sink_write(&sink.sink, text + 100 + length, 100);
            CHECK(quern_sink_finish(&sink.sink) == QUERN_OK);
            CHECK(channel.calls == 1 + (size_t)direct && channel.arrived == 200 + length);
            quern_fd_sink_free(&sink);
        }
    }
}
END_TEST

/* Short writes come to the descriptor by the buffer, not one by one. */
START_TEST(test_buffered)
{
    if (!open_variant(_i))
        return;
    at("buffered", 0, 0);
    errno = 0;
    channel_open(ONE_BYTE, TAKE_ALL, 0);
    quern_fd_sink_init(&sink, MOCKED_FD, NULL);
    for (size_t position = 0; position < TEXT_SIZE; position += 16)
        quern_sink_write(&sink.sink, text + position, 16);
    CHECK(quern_sink_finish(&sink.sink) == QUERN_OK);
    CHECK(errno == 0); /* that it is no socket is nobody's business */
    CHECK(channel.arrived == TEXT_SIZE && channel.calls <= TEXT_SIZE / 65536 + 2);
    quern_fd_sink_free(&sink);
}
END_TEST

/* A buffer of no size is none. */
START_TEST(test_buffer_without_size)
{
    if (!open_variant(_i))
        return;
    unsigned char byte = 0xc7;
    const quern_fd_sink_options options = {.size = sizeof options, .buffer = &byte};
    at("buffer without size", 0, 0);
    channel_open(ONE_BYTE, TAKE_ALL, 0);
    quern_fd_sink_init(&sink, MOCKED_FD, &options);
    quern_sink_write(&sink.sink, text, 1000);
    CHECK(channel.calls == 0 && byte == 0xc7);
    CHECK(quern_sink_finish(&sink.sink) == QUERN_OK && channel.arrived == 1000);
    quern_fd_sink_free(&sink);
}
END_TEST

/* redis PR #2242: EINTR and a short write were not told from an error. */
START_TEST(test_B136_interrupted_and_short)
{
    if (!open_variant(_i))
        return;
    for (size_t n = 1; n < 4; n++) {
        at("B136", n, 0);
        channel_open(INTERRUPTED, TAKE_ONE, n);
        channel.fail_for = 3;
        quern_fd_sink_init(&sink, MOCKED_FD, NULL);
        quern_sink_write(&sink.sink, text, 500);
        CHECK(quern_sink_finish(&sink.sink) == QUERN_OK && channel.arrived == 500);
        CHECK(channel.calls == 504);
        quern_fd_sink_free(&sink);
    }
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------- */

int main(void)
{
    Suite *suite = suite_create("sink_fd");
    TCase *tcase = tcase_create("fd");
    tcase_set_timeout(tcase, 120);
    ADD(test_fd_fails);
    ADD(test_back_pressure);
    ADD(test_exact_limit);
    ADD(test_finish_with_a_mark);
    ADD(test_fd_allocation_fails);
    ADD(test_uncopied);
    ADD(test_buffered);
    ADD(test_buffer_without_size);
    ADD(test_B136_interrupted_and_short);
    suite_add_tcase(suite, tcase);

    return run_sink_suite(suite);
}
