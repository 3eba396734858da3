/* SPDX-License-Identifier: MIT */
/* Sinks that write elsewhere: to a callback, to a FILE, each call failing in turn. */
#include "support/sinks.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* ---- callbacks ----------------------------------------------------------------------------------- */

static bool failing_callback_case(const script *s, unsigned char *end, size_t size, manner how, fault what, size_t n)
{
    quern_callback_sink callback;
    target t = {.manner = how, .fault = what, .fail_at = n, .random = support_random_named("failing")};
    quern_callback_sink_init(&callback, target_write, &t, size == 0 ? NULL : end - size, size);
    size_t position = 0;
    for (size_t i = 0; i < s->count; i++) {
        take_step(&callback.sink, &s->steps[i], position);
        position += s->steps[i].length;
        CHECK(quern_sink_status(&callback.sink) == (t.failed ? QUERN_ERROR_IO : QUERN_OK));
        CHECK(quern_sink_total(&callback.sink) == (t.failed ? t.arrived : position));
    }
    quern_status status = quern_sink_finish(&callback.sink);
    CHECK(status == (t.failed ? QUERN_ERROR_IO : QUERN_OK));
    CHECK(quern_sink_total(&callback.sink) == t.arrived);
    CHECK(t.failed || t.arrived == s->total);
    if (t.failed)
        check_latched(&callback.sink, QUERN_ERROR_IO);
    CHECK(!t.failed || t.calls == n);
    return t.failed;
}

/* The target itself checks that it is not called again and that the bytes are a prefix of the text. */
START_TEST(test_callback_fails)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("callback");
    support_guarded guarded = support_guarded_new(8192);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    for (size_t i = 0; i < SUPPORT_COUNT(buffer_sizes); i++) {
        for (size_t round = 0; round < (size_t)MANNERS * FAULTS; round++) {
            if (support_thinned())
                continue;
            manner how = (manner)(round % MANNERS);
            size_t most = how == TAKE_ONE ? 250 : 1500;
            make_script(&s, &random, 1 + support_random_below(&random, most), false);
            bool reached = true;
            for (size_t n = 1; reached; n++) {
                at("callback fails, buffer, call", buffer_sizes[i], n);
                reached = failing_callback_case(&s, end, buffer_sizes[i], how, (fault)(round / MANNERS), n);
                *fault_points += reached;
            }
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

START_TEST(test_callback_uncopied)
{
    if (!open_variant(_i))
        return;
    for (size_t i = 0; i < SUPPORT_COUNT(buffer_sizes); i++) {
        unsigned char buffer[4096];
        quern_callback_sink callback;
        target t = {.manner = TAKE_ALL};
        at("uncopied, buffer", buffer_sizes[i], 0);
        quern_callback_sink_init(&callback, target_write, &t, buffer, buffer_sizes[i]);
        CHECK(quern_sink_write(&callback.sink, text, 50) == QUERN_OK);
        CHECK(quern_sink_write(&callback.sink, text + 50, 200000) == QUERN_OK);
        CHECK(quern_sink_write(&callback.sink, text + 200050, 50) == QUERN_OK);
        CHECK(quern_sink_finish(&callback.sink) == QUERN_OK);
        CHECK(t.arrived == 200100);
        CHECK(t.uncopied >= 200000 - 2 * buffer_sizes[i] - QUERN_RESERVE);
        CHECK(t.calls <= 8);
    }
}
END_TEST

/* ---- FILE ---------------------------------------------------------------------------------------- */

#ifdef HAVE_COOKIES
/*
 * The C library drops its buffer when the stream refuses it, and may then take bytes again: whoever goes on after
 * a short fwrite leaves a gap.
 */
static bool failing_file_case(const script *s, size_t size, size_t stdio, manner how, size_t n)
{
    unsigned char buffer[4096];
    static char stdio_buffer[4096];
    quern_callback_sink sink;
    target t = {.manner = how, .fail_at = n, .forgives = true, .random = support_random_named("file")};
    FILE *file = target_file(&t);
    setvbuf(file, stdio == 0 ? NULL : stdio_buffer, stdio == 0 ? _IONBF : _IOFBF, stdio);
    quern_file_sink_init(&sink, file, buffer, size);
    size_t position = 0;
    for (size_t i = 0; i < s->count; i++) {
        take_step(&sink.sink, &s->steps[i], position);
        position += s->steps[i].length;
    }
    errno = 0;
    quern_status before = quern_sink_status(&sink.sink);
    quern_status status = quern_sink_finish(&sink.sink);
    CHECK(status == QUERN_OK || status == QUERN_ERROR_IO);
    CHECK(!t.failed || status == QUERN_ERROR_IO);
    CHECK(!t.failed || before != QUERN_OK || errno == EIO); /* as the target left it */
    CHECK(status != QUERN_OK || t.arrived == s->total);
    CHECK(how != TAKE_ALL || t.failed || status == QUERN_OK);
    CHECK(quern_sink_finish(&sink.sink) == status);
    bool reached = t.failed;
    t.blind = true; /* what fclose still does is not the sink's doing */
    t.fail_at = 0;
    fclose(file);
    return reached;
}
#endif

START_TEST(test_file_fails)
{
    if (!open_variant(_i))
        return;
#ifdef HAVE_COOKIES
    static const size_t stdio_sizes[] = {0, 16, 100, 1024, 4096};
    static script s;
    support_random random = support_random_named("file fails");
    for (size_t i = 0; i < SUPPORT_COUNT(buffer_sizes) * SUPPORT_COUNT(stdio_sizes); i++) {
        for (size_t how = 0; how < MANNERS; how++) {
            if (support_thinned())
                continue;
            size_t size = buffer_sizes[i / SUPPORT_COUNT(stdio_sizes)];
            size_t stdio = stdio_sizes[i % SUPPORT_COUNT(stdio_sizes)];
            make_script(&s, &random, 1 + support_random_below(&random, how == TAKE_ONE ? 200 : 2500), false);
            bool reached = true;
            for (size_t n = 1; reached; n++) {
                at("FILE fails, buffer, call", size, n);
                reached = failing_file_case(&s, size, stdio, (manner)how, n);
                *fault_points += reached;
            }
        }
    }
#else
    printf("skipped: FILE faults: no fopencookie\n");
#endif
}
END_TEST

START_TEST(test_file_size_limit)
{
    if (!open_variant(_i))
        return;
    enum { MOST = 65536 };
    for (size_t size = 0; size <= 4096; size += 1024) {
        static unsigned char back[2 * MOST];
        unsigned char buffer[4096];
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

        quern_callback_sink sink;
        quern_file_sink_init(&sink, file, buffer, size);
        quern_status status = QUERN_OK;
        int error = 0;
        for (size_t position = 0; position < 1 << 18 && status == QUERN_OK; position += 1000) {
            errno = 0;
            status = quern_sink_write(&sink.sink, text + position, 1000);
            error = errno;
        }
        if (status == QUERN_OK) {
            errno = 0;
            status = quern_sink_finish(&sink.sink);
            error = errno;
        }
        quern_status last = quern_sink_finish(&sink.sink);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
        signal(SIGXFSZ, old_handler);

        CHECK(status == QUERN_ERROR_IO && last == QUERN_ERROR_IO);
        CHECK(error == EFBIG);
        ck_assert_int_eq(fseek(file, 0, SEEK_SET), 0);
        size_t length = fread(back, 1, sizeof back, file);
        CHECK(length <= MOST && memcmp(back, text, length) == 0);
        fclose(file);
        *fault_points += 1;
    }
}
END_TEST

/* ---- faults that other projects had -------------------------------------------------------------- */

/* akheron/jansson PR #359: success although the disk was full. */
START_TEST(test_B132_full_device)
{
    if (!open_variant(_i))
        return;
    static const size_t totals[] = {1, 100, 5000, TEXT_SIZE};
    for (size_t i = 0; i < SUPPORT_COUNT(totals); i++) {
        for (size_t size = 0; size <= 65536; size = size == 0 ? 64 : size * 32) {
            static unsigned char buffer[65536];
            at("B132, total, buffer", totals[i], size);
            FILE *file = fopen("/dev/full", "wb");
            if (file == NULL) {
                printf("skipped: B132: no /dev/full\n");
                return;
            }
            quern_callback_sink sink;
            quern_file_sink_init(&sink, file, buffer, size);
            quern_status status = QUERN_OK;
            int error = 0;
            for (size_t position = 0; position < totals[i] && status == QUERN_OK; position += 4096) {
                errno = 0;
                status = quern_sink_write(&sink.sink, text + position, least(4096, totals[i] - position));
                error = errno;
            }
            if (status == QUERN_OK) {
                errno = 0;
                status = i % 2 == 0 ? quern_sink_finish(&sink.sink) : quern_sink_flush(&sink.sink);
                error = errno;
            }
            CHECK(status == QUERN_ERROR_IO);
            CHECK(error == ENOSPC);
            CHECK(quern_sink_finish(&sink.sink) == QUERN_ERROR_IO);
            fclose(file);
            *fault_points += 1;
        }
    }
}
END_TEST

/* icing/mod_md PR #7: the text was cut, and nobody could tell. */
START_TEST(test_B140_callback_fails_in_the_middle)
{
    if (!open_variant(_i))
        return;
    unsigned char buffer[256];
    quern_callback_sink callback;
    target t = {.fail_at = 3, .fault = FAULT_MINUS_ONE};
    at("B140", 0, 0);
    quern_callback_sink_init(&callback, target_write, &t, buffer, sizeof buffer);
    for (size_t position = 0; position < 2000; position += 50)
        quern_sink_write(&callback.sink, text + position, 50);
    CHECK(quern_sink_finish(&callback.sink) == QUERN_ERROR_IO);
    CHECK(t.calls == 3 && t.arrived > 0);
    CHECK(quern_sink_total(&callback.sink) == t.arrived);
    *fault_points += 1;
}
END_TEST

static ptrdiff_t answer; /* of the next call; -2: what is there */

static ptrdiff_t answering_write(void *context, const void *data, size_t length)
{
    (void)data;
    size_t *calls = context;
    ++*calls;
    ptrdiff_t given = answer;
    answer = -2;
    return given == -2 ? (ptrdiff_t)length : given;
}

/* circonus-labs/libmtev PR #626: a callback that could not tell an error. Fewer bytes: go on; else: a failure. */
START_TEST(test_B141_what_a_callback_returns)
{
    if (!open_variant(_i))
        return;
    static const struct {
        ptrdiff_t answer;
        quern_status status;
        uint64_t total;
        size_t calls;
    } cases[] = {
        {1, QUERN_OK, 10, 2},       {9, QUERN_OK, 10, 2},
        {10, QUERN_OK, 10, 1},      {0, QUERN_ERROR_IO, 0, 1},
        {-1, QUERN_ERROR_IO, 0, 1}, {PTRDIFF_MIN, QUERN_ERROR_IO, 0, 1},
        {11, QUERN_ERROR_IO, 0, 1}, {PTRDIFF_MAX, QUERN_ERROR_IO, 0, 1},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        unsigned char buffer[256];
        quern_callback_sink callback;
        size_t calls = 0;
        at("B141", i, 0);
        answer = cases[i].answer;
        quern_callback_sink_init(&callback, answering_write, &calls, buffer, sizeof buffer);
        quern_sink_write(&callback.sink, text, 10);
        CHECK(quern_sink_finish(&callback.sink) == cases[i].status);
        CHECK(quern_sink_total(&callback.sink) == cases[i].total);
        CHECK(calls == cases[i].calls);
    }
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------- */

int main(void)
{
    Suite *suite = suite_create("sink_target");
    TCase *tcase = tcase_create("callback and FILE");
    tcase_set_timeout(tcase, 120);
    ADD(test_callback_fails);
    ADD(test_callback_uncopied);
    ADD(test_file_fails);
    ADD(test_file_size_limit);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("bug reports");
    tcase_set_timeout(tcase, 120);
    ADD(test_B132_full_device);
    ADD(test_B140_callback_fails_in_the_middle);
    ADD(test_B141_what_a_callback_returns);
    suite_add_tcase(suite, tcase);

    return run_sink_suite(suite);
}
