/* SPDX-License-Identifier: MIT */
/* The fd sink on real descriptors: pipes, sockets, files; blocking and not, slow, full, closed, interrupted. */
#include "support/sinks.h"

#include <quern/cbor.h>
#include <quern/json.h>
#include <quern/posix.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static unsigned char back[TEXT_SIZE + 1];

/* A pipe, as short as can be had, or a pair of sockets. ends[0] is read. */
static void open_ends(int ends[2], bool sockets, bool blocking)
{
    ck_assert_int_eq(sockets ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : pipe(ends), 0);
#ifdef F_SETPIPE_SZ
    if (!sockets)
        fcntl(ends[1], F_SETPIPE_SZ, 4096);
#endif
    if (!blocking) {
        for (size_t i = 0; i < 2; i++)
            ck_assert_int_eq(fcntl(ends[i], F_SETFL, fcntl(ends[i], F_GETFL) | O_NONBLOCK), 0);
    }
}

static void open_small(quern_fd_sink *sink, int fd, void *buffer, size_t size, size_t threshold)
{
    quern_fd_sink_options options = {.size = sizeof options, .buffer = buffer, .buffer_size = size};
    options.threshold = threshold;
    quern_fd_sink_init(sink, fd, &options);
}

/* ---- one that does not block --------------------------------------------------------------------- */

/* Reads what is there; never an error but that nothing is. */
static size_t drain(int fd, size_t arrived)
{
    for (;;) {
        ssize_t got = read(fd, back + arrived, sizeof back - arrived);
        if (got <= 0) {
            CHECK(got == 0 || errno == EAGAIN || errno == EWOULDBLOCK);
            return arrived;
        }
        arrived += (size_t)got;
    }
}

START_TEST(test_not_blocking)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("not blocking");
    for (size_t round = 0; round < 40; round++) {
        if (support_thinned())
            continue;
        int ends[2];
        unsigned char buffer[5000];
        size_t arrived = 0, position = 0, agains = 0;
        quern_fd_sink sink;
        make_script(&s, &random, 300000 + support_random_below(&random, 300000), true);
        at("not blocking, round, total", round, s.total);
        open_ends(ends, round % 2 == 0, false);
        open_small(&sink, ends[1], round % 4 < 2 ? buffer : NULL, 1 + support_random_below(&random, sizeof buffer),
                   round % 3 == 0 ? 0 : 1 + support_random_below(&random, 3000));
        for (size_t i = 0; i < s.count; i++) {
            take_step(&sink.sink, &s.steps[i], position);
            position += s.steps[i].length;
            CHECK(quern_sink_status(&sink.sink) == QUERN_OK);
            CHECK(quern_sink_total(&sink.sink) == position);
            if (support_random_below(&random, 20) == 0) {
                quern_status status = quern_sink_flush(&sink.sink);
                CHECK(status == QUERN_OK || status == QUERN_AGAIN);
                CHECK((status == QUERN_AGAIN) == (quern_sink_pending(&sink.sink) > 0));
                agains += status == QUERN_AGAIN;
                if (support_random_below(&random, 2) == 0)
                    arrived = drain(ends[0], arrived);
            }
        }
        quern_status status;
        while ((status = quern_sink_finish(&sink.sink)) == QUERN_AGAIN) {
            agains++;
            arrived = drain(ends[0], arrived);
        }
        CHECK(status == QUERN_OK);
        arrived = drain(ends[0], arrived);
        CHECK(agains > 0 || round % 2 == 0); /* a pipe is short */
        CHECK(arrived == s.total && memcmp(back, text, arrived) == 0);
        quern_fd_sink_free(&sink);
        close(ends[0]);
        close(ends[1]);
    }
}
END_TEST

/* A writer ends well although its sink has something pending, and still sees that the output is not whole. */
START_TEST(test_writers_on_a_slow_descriptor)
{
    if (!open_variant(_i))
        return;
    enum { LONG = 300000 };
    static char letters[LONG];
    memset(letters, 'x', sizeof letters);
    for (size_t which = 0; which < 4; which++) {
        const bool cbor = which % 2 == 1, whole = which < 2;
        const quern_status expected = whole ? QUERN_OK : QUERN_ERROR_MISUSE;
        int ends[2];
        quern_fd_sink sink;
        quern_json_writer json;
        quern_cbor_writer w;
        at("slow descriptor, writer", which, 0);
        open_ends(ends, false, false);
        quern_fd_sink_init(&sink, ends[1], NULL);
        if (cbor) {
            quern_cbor_writer_init(&w, &sink.sink, NULL);
            quern_cbor_begin_array(&w, 1);
            quern_cbor_write_string_ref(&w, letters, LONG);
            if (whole)
                quern_cbor_end(&w);
            CHECK(quern_cbor_writer_finish(&w) == expected && quern_cbor_writer_finish(&w) == expected);
        } else {
            quern_json_writer_init(&json, &sink.sink, NULL);
            quern_json_begin_array(&json);
            quern_json_write_string_ref(&json, letters, LONG);
            if (whole)
                quern_json_end(&json);
            CHECK(quern_json_writer_finish(&json) == expected && quern_json_writer_finish(&json) == expected);
        }
        CHECK(quern_sink_pending(&sink.sink) > 0);
        size_t arrived = 0;
        quern_status status;
        while ((status = quern_sink_finish(&sink.sink)) == QUERN_AGAIN)
            arrived = drain(ends[0], arrived);
        arrived = drain(ends[0], arrived);
        const size_t before = cbor ? 6 : 2;
        CHECK(status == QUERN_OK && arrived == quern_sink_total(&sink.sink));
        CHECK(arrived == before + LONG + (cbor ? 0 : 1 + (size_t)whole));
        CHECK(memcmp(back, cbor ? "\x81\x7a\x00\x04\x93\xe0" : "[\"", before) == 0);
        CHECK(memcmp(back + before, letters, LONG) == 0);
        quern_fd_sink_free(&sink);
        close(ends[0]);
        close(ends[1]);
    }
}
END_TEST

/* ---- one that blocks, and signals ---------------------------------------------------------------- */

static void *read_all(void *context)
{
    const int fd = *(int *)context;
    static size_t arrived;
    arrived = 0;
    for (;;) {
        ssize_t got = read(fd, back + arrived, least(3000, sizeof back - arrived));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return &arrived;
        arrived += (size_t)got;
    }
}

static void on_signal(int number)
{
    (void)number;
}

/* (Not a timer's SIGALRM: Check has a use of its own for that.) */
typedef struct ticker {
    pthread_t whom;
    atomic_bool stop;
} ticker;

static void *tick(void *context)
{
    ticker *t = context;
    const struct timespec wait = {0, 1000000};
    while (!atomic_load(&t->stop)) {
        pthread_kill(t->whom, SIGUSR1);
        nanosleep(&wait, NULL);
    }
    return NULL;
}

/* systemd PR #41521: a signal without SA_RESTART each millisecond, and a reader that takes less than is given. */
START_TEST(test_B135_signals)
{
    if (!open_variant(_i))
        return;
    for (size_t sockets = 0; sockets < 2; sockets++) {
        int ends[2];
        void *arrived;
        pthread_t reader, signals;
        struct sigaction action;
        ticker t = {.whom = pthread_self()};
        quern_fd_sink sink;
        at("B135, sockets", sockets, 0);
        open_ends(ends, sockets == 1, true);
        memset(&action, 0, sizeof action);
        action.sa_handler = on_signal;
        sigaction(SIGUSR1, &action, NULL); /* and it stays: one may still come */
        ck_assert_int_eq(pthread_create(&reader, NULL, read_all, &ends[0]), 0);
        ck_assert_int_eq(pthread_create(&signals, NULL, tick, &t), 0);
        open_small(&sink, ends[1], NULL, 10000, 0);
        for (size_t position = 0; position < TEXT_SIZE; position += 65536) {
            quern_sink_write(&sink.sink, text + position, 65436);
            quern_sink_write(&sink.sink, text + position + 65436, 100);
        }
        CHECK(quern_sink_finish(&sink.sink) == QUERN_OK);
        atomic_store(&t.stop, true);
        pthread_join(signals, NULL);
        close(ends[1]);
        pthread_join(reader, &arrived);
        CHECK(*(size_t *)arrived == TEXT_SIZE && memcmp(back, text, TEXT_SIZE) == 0);
        quern_fd_sink_free(&sink);
        close(ends[0]);
    }
}
END_TEST

/* ---- real failures ------------------------------------------------------------------------------- */

/* Writes until it fails: then errno is `error`, at once. Returns what the sink says has arrived. */
static size_t check_fails(int fd, size_t size, int error)
{
    quern_fd_sink sink;
    open_small(&sink, fd, NULL, size, 0);
    quern_status status = QUERN_OK;
    int seen = 0;
    for (size_t position = 0; position < 1 << 18 && status == QUERN_OK; position += 1000) {
        errno = 0;
        status = quern_sink_write(&sink.sink, text + position, 1000);
        seen = errno;
    }
    if (status == QUERN_OK) {
        errno = 0;
        status = quern_sink_finish(&sink.sink);
        seen = errno;
    }
    CHECK(status == QUERN_ERROR_IO && seen == error);
    check_latched(&sink.sink, QUERN_ERROR_IO);
    const size_t total = (size_t)quern_sink_total(&sink.sink);
    quern_fd_sink_free(&sink);
    ++*fault_points;
    return total;
}

START_TEST(test_full_device)
{
    if (!open_variant(_i))
        return;
    int fd = open("/dev/full", O_WRONLY);
    if (fd < 0) {
        printf("skipped: full device: no /dev/full\n");
        return;
    }
    for (size_t size = 1; size < 1000000; size *= 10) {
        at("/dev/full, buffer", size, 0);
        CHECK(check_fails(fd, size, ENOSPC) == 0);
    }
    close(fd);
}
END_TEST

/* andikleen/lz4json PR #7: -1 in an unsigned looked like success. */
START_TEST(test_B134_closed)
{
    if (!open_variant(_i))
        return;
    for (size_t size = 1; size < 1000000; size *= 10) {
        int ends[2];
        at("B134, buffer", size, 0);
        open_ends(ends, false, true);
        close(ends[0]);
        close(ends[1]);
        CHECK(check_fails(ends[1], size, EBADF) == 0);
    }
}
END_TEST

START_TEST(test_nobody_reads)
{
    if (!open_variant(_i))
        return;
    for (size_t sockets = 0; sockets < 2; sockets++) {
        for (size_t size = 1; size < 1000000; size *= 10) {
            int ends[2];
            at("nobody reads, sockets, buffer", sockets, size);
            open_ends(ends, sockets == 1, true);
            close(ends[0]);
            void (*old)(int) = SIG_DFL;
#ifdef MSG_NOSIGNAL
            if (sockets == 0) /* to a socket, none is raised */
#endif
                old = signal(SIGPIPE, SIG_IGN);
            CHECK(check_fails(ends[1], size, EPIPE) == 0);
            signal(SIGPIPE, old);
            close(ends[1]);
        }
    }
}
END_TEST

START_TEST(test_size_limit)
{
    if (!open_variant(_i))
        return;
    enum { MOST = 65536 + 123 };
    for (size_t size = 1; size < 1000000; size *= 10) {
        struct rlimit old, limit;
        at("RLIMIT_FSIZE, buffer", size, 0);
        FILE *file = tmpfile();
        ck_assert_ptr_nonnull(file);
        fflush(stdout);
        void (*old_handler)(int) = signal(SIGXFSZ, SIG_IGN);
        ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
        limit = old;
        limit.rlim_cur = MOST;
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        const size_t total = check_fails(fileno(file), size, EFBIG);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
        signal(SIGXFSZ, old_handler);
        CHECK(total == MOST);
        rewind(file);
        CHECK(fread(back, 1, sizeof back, file) == MOST && memcmp(back, text, MOST) == 0);
        fclose(file);
    }
}
END_TEST

static size_t descriptors(void)
{
    size_t count = 0;
    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* json-c, ChangeLog 0.10: a descriptor leaked when an allocation failed. The sink neither opens nor closes any. */
START_TEST(test_B138_allocations_fail)
{
    if (!open_variant(_i))
        return;
    for (size_t sockets = 0; sockets < 2; sockets++) {
        quern_status status = QUERN_ERROR_MEMORY;
        for (size_t n = 1; status == QUERN_ERROR_MEMORY; n++) {
            int ends[2];
            bank b;
            quern_fd_sink sink;
            at("B138, sockets", sockets, n);
            open_ends(ends, sockets == 1, false);
            const size_t before = descriptors();
            bank_init(&b);
            b.fail_at = n;
            quern_fd_sink_options options = {.size = sizeof options, .allocator = &b.allocator, .buffer_size = 1000};
            quern_fd_sink_init(&sink, ends[1], &options);
            for (size_t position = 0; position + 500 <= TEXT_SIZE;
                 position += 500) /* more than is taken: it has to grow */
                quern_sink_write(&sink.sink, text + position, 500);
            status = quern_sink_status(&sink.sink);
            CHECK(status == QUERN_OK || status == QUERN_ERROR_MEMORY);
            CHECK(status == QUERN_ERROR_MEMORY || n > 2);
            CHECK(descriptors() == before);
            const size_t arrived = drain(ends[0], 0);
            CHECK(memcmp(back, text, arrived) == 0);
            CHECK(status == QUERN_OK || quern_sink_total(&sink.sink) == arrived);
            quern_fd_sink_free(&sink);
            CHECK(b.blocks == 0 && descriptors() == before);
            ck_assert_int_eq(close(ends[0]), 0);
            ck_assert_int_eq(close(ends[1]), 0);
            *fault_points += status != QUERN_OK;
        }
    }
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------- */

int main(void)
{
    Suite *suite = suite_create("sink_fd_real");
    TCase *tcase = tcase_create("real descriptors");
    tcase_set_timeout(tcase, 120);
    ADD(test_not_blocking);
    ADD(test_writers_on_a_slow_descriptor);
    ADD(test_B135_signals);
    ADD(test_full_device);
    ADD(test_B134_closed);
    ADD(test_B138_allocations_fail);
    ADD(test_nobody_reads);
    ADD(test_size_limit);
    suite_add_tcase(suite, tcase);

    return run_sink_suite(suite);
}
