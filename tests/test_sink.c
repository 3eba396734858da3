/* SPDX-License-Identifier: MIT */
/* What all sinks share: the same writes to each, failures that latch, the end, long windows. */
#include "support/sinks.h"

#include <stdio.h>
#include <string.h>

/* ---- the same writes to every sink --------------------------------------------------------------- */

static void memory_case(const script *s, size_t hint)
{
    bank b;
    quern_memory_sink memory;
    bank_init(&b);
    bank_sink(&b, &memory, hint, 0);
    play(&memory.sink, s);
    CHECK(quern_sink_finish(&memory.sink) == QUERN_OK);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length == s->total);
    CHECK(s->total == 0 || memcmp(view.data, text, s->total) == 0);
    CHECK(quern_sink_total(&memory.sink) == s->total);
    quern_memory_sink_free(&memory);
    CHECK(b.blocks == 0);
}

static void fixed_exact_case(const script *s, unsigned char *end)
{
    quern_fixed_sink fixed;
    unsigned char *data = end - s->total;
    memset(data, CANARY_BYTE, s->total);
    quern_fixed_sink_init(&fixed, data, s->total);
    play(&fixed.sink, s);
    CHECK(quern_sink_finish(&fixed.sink) == QUERN_OK);
    CHECK(quern_fixed_sink_needed(&fixed) == s->total);
    CHECK(quern_sink_total(&fixed.sink) == s->total);
    CHECK(memcmp(data, text, s->total) == 0);
}

static void callback_case(const script *s, unsigned char *end, size_t size, manner how)
{
    quern_callback_sink callback;
    target t = {.manner = how, .random = support_random_named("target")};
    memset(end - size - FRONT, CANARY_BYTE, FRONT);
    quern_callback_sink_init(&callback, target_write, &t, size == 0 ? NULL : end - size, size);
    play(&callback.sink, s);
    CHECK(quern_sink_finish(&callback.sink) == QUERN_OK);
    CHECK(t.arrived == s->total);
    CHECK(quern_sink_total(&callback.sink) == s->total);
    for (size_t i = 0; i < FRONT; i++)
        CHECK((end - size - FRONT)[i] == CANARY_BYTE);
}

#ifdef HAVE_COOKIES
static void file_case(const script *s, unsigned char *end, size_t size, bool unbuffered)
{
    quern_callback_sink sink;
    target t = {.manner = TAKE_ALL};
    FILE *file = target_file(&t);
    if (unbuffered)
        setvbuf(file, NULL, _IONBF, 0);
    quern_file_sink_init(&sink, file, size == 0 ? NULL : end - size, size);
    play(&sink.sink, s);
    CHECK(quern_sink_finish(&sink.sink) == QUERN_OK);
    CHECK(t.arrived == s->total); /* before fclose: finish has to fflush */
    CHECK(quern_sink_total(&sink.sink) == s->total);
    CHECK(fclose(file) == 0);
    CHECK(t.arrived == s->total);
}
#endif

static void tmpfile_case(const script *s, size_t size)
{
    static unsigned char back[TEXT_SIZE];
    unsigned char buffer[4096];
    quern_callback_sink sink;
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    quern_file_sink_init(&sink, file, size == 0 ? NULL : buffer, size);
    play(&sink.sink, s);
    CHECK(quern_sink_finish(&sink.sink) == QUERN_OK);
    rewind(file);
    CHECK(fread(back, 1, sizeof back, file) == s->total);
    CHECK(memcmp(back, text, s->total) == 0);
    CHECK(fclose(file) == 0);
}

START_TEST(test_all_sinks_agree)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("agree");
    support_guarded guarded = support_guarded_new(TEXT_SIZE + FRONT);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    for (size_t round = 0; round < 160; round++) {
        if (support_thinned())
            continue;
        bool big = round % 16 == 0;
        make_script(&s, &random, support_random_below(&random, big ? TEXT_SIZE : round % 2 == 0 ? 20000 : 700), big);
        at("agree: memory, round", round, s.total);
        memory_case(&s, round % 3 == 0 ? 0 : support_random_below(&random, 3000));
        at("agree: fixed, round", round, s.total);
        fixed_exact_case(&s, end);
        for (size_t i = 0; i < SUPPORT_COUNT(buffer_sizes); i++) {
            at("agree: callback, round, buffer", round, buffer_sizes[i]);
            callback_case(&s, end, buffer_sizes[i], TAKE_ALL);
            if (!big)
                callback_case(&s, end, buffer_sizes[i], (manner)(round % MANNERS));
#ifdef HAVE_COOKIES
            at("agree: FILE, round, buffer", round, buffer_sizes[i]);
            file_case(&s, end, buffer_sizes[i], round % 2 == 0);
#endif
        }
        at("agree: tmpfile, round", round, s.total);
        tmpfile_case(&s, round % 2 == 0 ? 4096 : round % 130);
    }
    support_guarded_free(&guarded);
}
END_TEST

/* ---- latching, finishing ------------------------------------------------------------------------- */

START_TEST(test_failures_latch)
{
    if (!open_variant(_i))
        return;
    at("latch: callback", 0, 0);
    for (size_t size = 0; size <= 256; size += 32) {
        unsigned char buffer[256];
        target t = {.fail_at = 1, .fault = FAULT_MINUS_ONE};
        quern_callback_sink callback;
        quern_callback_sink_init(&callback, target_write, &t, buffer, size);
        CHECK(quern_sink_write(&callback.sink, text, 300) == QUERN_ERROR_IO);
        check_latched(&callback.sink, QUERN_ERROR_IO);
        CHECK(t.calls == 1 && t.arrived == 0 && quern_sink_total(&callback.sink) == 0);
    }
    at("latch: callback at flush", 0, 0);
    {
        unsigned char buffer[256];
        target t = {.fail_at = 1, .fault = FAULT_ZERO};
        quern_callback_sink callback;
        quern_callback_sink_init(&callback, target_write, &t, buffer, sizeof buffer);
        CHECK(quern_sink_write(&callback.sink, text, 10) == QUERN_OK);
        CHECK(quern_sink_flush(&callback.sink) == QUERN_ERROR_IO);
        check_latched(&callback.sink, QUERN_ERROR_IO);
        CHECK(t.calls == 1 && quern_sink_total(&callback.sink) == 0);
    }
    at("latch: memory", 0, 0);
    {
        bank b;
        quern_memory_sink memory;
        bank_init(&b);
        b.fail_at = 2;
        bank_sink(&b, &memory, 0, 0);
        CHECK(quern_sink_write(&memory.sink, text, 1) == QUERN_OK);
        CHECK(quern_sink_write(&memory.sink, text + 1, 100000) == QUERN_ERROR_MEMORY);
        size_t calls = b.calls;
        check_latched(&memory.sink, QUERN_ERROR_MEMORY);
        CHECK(b.calls == calls);
        /* Not even a worse failure takes the first one's place. */
        CHECK(quern_sink_write(&memory.sink, text, SIZE_MAX) == QUERN_ERROR_MEMORY);
        quern_string view = quern_memory_sink_view(&memory);
        CHECK(view.length >= 1 && memcmp(view.data, text, view.length) == 0);
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);
    }
    at("latch: memory, limit", 0, 0);
    {
        quern_memory_sink memory;
        quern_memory_sink_options options = {.size = sizeof options, .limit = 10};
        quern_memory_sink_init(&memory, &options);
        quern_sink_write(&memory.sink, text, 11);
        CHECK(quern_sink_flush(&memory.sink) == QUERN_ERROR_LIMIT);
        check_latched(&memory.sink, QUERN_ERROR_LIMIT);
        quern_memory_sink_free(&memory);
    }
    at("latch: fixed", 0, 0);
    {
        unsigned char array[10];
        quern_fixed_sink fixed;
        quern_fixed_sink_init(&fixed, array, sizeof array);
        quern_sink_write(&fixed.sink, text, 11);
        CHECK(quern_sink_flush(&fixed.sink) == QUERN_ERROR_ROOM);
        check_latched(&fixed.sink, QUERN_ERROR_ROOM);
        CHECK(memcmp(array, text, sizeof array) == 0);
    }
}
END_TEST

static void check_finished(quern_sink *sink, uint64_t total)
{
    CHECK(quern_sink_finish(sink) == QUERN_OK);
    CHECK(quern_sink_finish(sink) == QUERN_OK);
    CHECK(quern_sink_total(sink) == total);
    CHECK(quern_sink_write(sink, text, 1) == QUERN_ERROR_MISUSE);
    CHECK(quern_sink_status(sink) == QUERN_ERROR_MISUSE);
    write_direct(sink, QUERN_RESERVE, 0, QUERN_RESERVE);
    CHECK(quern_sink_write(sink, text, 1000) == QUERN_ERROR_MISUSE);
    CHECK(quern_sink_flush(sink) == QUERN_ERROR_MISUSE);
    CHECK(quern_sink_total(sink) == total);
}

START_TEST(test_finish)
{
    if (!open_variant(_i))
        return;
    static const size_t lengths[] = {0, 1, 64, 100, 500};
    for (size_t i = 0; i < SUPPORT_COUNT(lengths); i++) {
        size_t length = lengths[i];
        unsigned char buffer[1000];
        at("finish: memory", length, 0);
        quern_memory_sink memory;
        quern_memory_sink_init(&memory, NULL);
        quern_sink_write(&memory.sink, text, length);
        check_finished(&memory.sink, length);
        CHECK(quern_memory_sink_view(&memory).length == length);
        quern_memory_sink_reset(&memory);
        CHECK(quern_sink_write(&memory.sink, text, 9) == QUERN_OK);
        check_finished(&memory.sink, 9);
        quern_memory_sink_free(&memory);

        for (size_t size = 0; size <= 1000; size += 125) {
            at("finish: fixed", length, size);
            if (length <= size) {
                quern_fixed_sink fixed;
                memset(buffer, CANARY_BYTE, sizeof buffer);
                quern_fixed_sink_init(&fixed, buffer, size);
                quern_sink_write(&fixed.sink, text, length);
                check_finished(&fixed.sink, length);
                CHECK(memcmp(buffer, text, length) == 0);
            }
            at("finish: callback", length, size);
            quern_callback_sink callback;
            target t = {.manner = TAKE_ALL};
            quern_callback_sink_init(&callback, target_write, &t, buffer, size);
            quern_sink_write(&callback.sink, text, length);
            check_finished(&callback.sink, length);
            CHECK(t.arrived == length);
        }
    }
}
END_TEST

/* ---- reserve ------------------------------------------------------------------------------------- */

/* Long windows: had or refused, but a refusal does not latch, and what follows is right. */
START_TEST(test_reserve_long)
{
    if (!open_variant(_i))
        return;
    static unsigned char buffer[8192];
    for (size_t kind = 0; kind < 5; kind++) {
        for (size_t length = QUERN_RESERVE + 1; length < 6000; length += 1 + length / 3) {
            at("long reserve, kind, length", kind, length);
            quern_memory_sink memory;
            quern_fixed_sink fixed;
            quern_callback_sink callback;
            quern_memory_sink_options options = {.size = sizeof options, .limit = kind == 1 ? 3000 : 0};
            target t = {.manner = TAKE_ALL};
            quern_sink *sink = &memory.sink;
            quern_memory_sink_init(&memory, &options);
            if (kind == 2) {
                quern_fixed_sink_init(&fixed, buffer, sizeof buffer);
                sink = &fixed.sink;
            } else if (kind >= 3) {
                quern_callback_sink_init(&callback, target_write, &t, buffer, kind == 3 ? sizeof buffer : 64);
                sink = &callback.sink;
            }
            size_t written = 0;
            for (size_t round = 0; round < 4; round++) {
                CHECK(quern_sink_write(sink, text + written, 7) == QUERN_OK);
                written += 7;
                quern_status status = quern_sink_reserve(sink, length);
                CHECK(status == QUERN_OK || status == QUERN_ERROR_LIMIT);
                CHECK(kind != 0 || status == QUERN_OK);
                CHECK(quern_sink_status(sink) == QUERN_OK);
                CHECK(status != QUERN_OK || (size_t)(sink->limit - sink->cursor) >= length);
                CHECK(quern_sink_total(sink) == written);
                if (status == QUERN_OK && written + length <= 2900) {
                    memcpy(sink->cursor, text + written, length);
                    sink->cursor += length;
                    memset(sink->limit, 0xee, QUERN_SLACK);
                    written += length;
                }
            }
            CHECK(quern_sink_finish(sink) == QUERN_OK);
            CHECK(quern_sink_total(sink) == written);
            quern_string view = quern_memory_sink_view(&memory);
            CHECK(kind >= 2 || (view.length == written && memcmp(view.data, text, written) == 0));
            CHECK(kind != 2 || memcmp(buffer, text, written) == 0);
            CHECK(kind < 3 || t.arrived == written);
            quern_memory_sink_free(&memory);
        }
    }
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------- */

int main(void)
{
    Suite *suite = suite_create("sink");
    TCase *tcase = tcase_create("all sinks");
    tcase_set_timeout(tcase, 120);
    ADD(test_all_sinks_agree);
    ADD(test_failures_latch);
    ADD(test_finish);
    ADD(test_reserve_long);
    suite_add_tcase(suite, tcase);

    return run_sink_suite(suite);
}
