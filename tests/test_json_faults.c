/* SPDX-License-Identifier: MIT */
/* The JSON writer on every sink: each write and each allocation failing in turn, every size and limit. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif
#include "reference/reference.h"
#include "support/json_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#    include <sys/mman.h>
#endif

static const quern_json_writer_options manners[] = {
    {.size = sizeof *manners},
    {.size = sizeof *manners, .layout = QUERN_JSON_SPACED},
    {.size = sizeof *manners, .indent = 3, .invalid = QUERN_JSON_INVALID_SKIP_ITEM},
    {.size = sizeof *manners, .canonical = true},
    {.size = sizeof *manners, .invalid = QUERN_JSON_INVALID_REPLACE},
};

typedef struct collector {
    const char *expected;
    size_t length;
    size_t arrived;
    size_t calls;
    size_t fail_at; /* 0: never */
    bool failed;
} collector;

static ptrdiff_t collect(void *context, const void *data, size_t length)
{
    collector *c = context;
    CHECK(!c->failed);
    CHECK(length >= 1 && length <= c->length - c->arrived);
    CHECK(memcmp(data, c->expected + c->arrived, length) == 0);
    if (++c->calls == c->fail_at) {
        c->failed = true;
        return c->calls % 2 == 0 ? 0 : -1;
    }
    size_t taken = c->calls % 3 == 0 ? (length + 1) / 2 : length;
    c->arrived += taken;
    return (ptrdiff_t)taken;
}

START_TEST(test_callback_sinks)
{
    if (!open_variant(_i))
        return;
    support_random random = support_random_named("callback sinks");
    support_guarded guarded = support_guarded_new(8192);
    static char pool[POOL_SIZE];
    fill_pool(&random, pool);
    for (size_t round = 0; round < 100; round++) {
        if (support_thinned())
            continue;
        call calls[200];
        const quern_json_writer_options *options = &manners[round % SUPPORT_COUNT(manners)];
        size_t count = random_document(&random, &the_model, options, pool, calls, round % 4 == 0 ? 200 : 20);
        for (size_t i = 0; i < SUPPORT_COUNT(buffer_sizes); i++) {
            bool reached = true;
            size_t step = 1 + the_model.length / 200; /* of long documents not every call fails */
            for (size_t n = 0; reached; n += step) {
                collector c = {the_model.text, the_model.length, 0, 0, n, false};
                quern_callback_sink callback;
                at("callback sink, buffer, failing call", buffer_sizes[i], n);
                quern_callback_sink_init(&callback, collect, &c, support_guarded_tail(&guarded, buffer_sizes[i]),
                                         buffer_sizes[i]);
                quern_status status = write_calls(&callback.sink, options, round % 2, calls, count);
                CHECK(status == (c.failed ? QUERN_ERROR_IO : QUERN_OK)); /* finish has flushed */
                CHECK(quern_sink_total(&callback.sink) == c.arrived);
                CHECK(c.failed || c.arrived == the_model.length);
                CHECK(quern_sink_finish(&callback.sink) == status);
                reached = c.failed || n == 0;
                *fault_points += c.failed;
            }
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

START_TEST(test_fixed_sinks)
{
    if (!open_variant(_i))
        return;
    support_random random = support_random_named("fixed sinks");
    support_guarded guarded = support_guarded_new(MODEL_TEXT);
    static char pool[POOL_SIZE];
    fill_pool(&random, pool);
    for (size_t round = 0; round < 60; round++) {
        call calls[60];
        const quern_json_writer_options *options = &manners[round % SUPPORT_COUNT(manners)];
        size_t count = random_document(&random, &the_model, options, pool, calls, round % 4 == 0 ? 60 : 12);
        size_t needed = the_model.length;
        for (size_t size = 0; size <= needed + 1; size++) {
            if (support_thinned())
                continue;
            quern_fixed_sink fixed;
            at("fixed sink, needed, size", needed, size);
            char *data = (char *)support_guarded_tail(&guarded, size);
            size_t front = least(64, (size_t)(data - (char *)guarded.start));
            memset(data - front, 0x5c, front + size);
            quern_fixed_sink_init(&fixed, data, size);
            quern_status status = write_calls(&fixed.sink, options, round % 2, calls, count);
            CHECK(status == (size >= needed ? QUERN_OK : QUERN_ERROR_ROOM));
            CHECK(quern_fixed_sink_needed(&fixed) == needed);
            CHECK(same(data, the_model.text, options->canonical && size < needed ? 0 : least(size, needed)));
            CHECK(quern_sink_finish(&fixed.sink) == status);
            CHECK(quern_fixed_sink_needed(&fixed) == needed);
            CHECK(quern_sink_total(&fixed.sink) == least(size, needed));
            for (size_t i = 0; i < front; i++)
                CHECK((data - front)[i] == 0x5c);
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

/* A long string with many escapes into arrays of many sizes: the end falls into each part of each loop. */
START_TEST(test_fixed_sinks_and_long_strings)
{
    if (!open_variant(_i))
        return;
    enum { LONGEST = 1000 };
    support_random random = support_random_named("long fixed");
    support_guarded guarded = support_guarded_new(16384);
    for (size_t round = 0; round < 12; round++) {
        static const size_t densities[] = {0, 1, 3, 20};
        static char long_string[LONGEST], long_expected[6 * LONGEST + 2];
        size_t length = 600 + support_random_below(&random, LONGEST - 600);
        some_text(&random, long_string, length, densities[round % SUPPORT_COUNT(densities)]);
        size_t needed = reference_json_string(long_expected, long_string, length);
        for (size_t size = 0; size <= needed + 1; size++) {
            if (support_thinned())
                continue;
            quern_fixed_sink fixed;
            quern_json_writer writer;
            size_t cuts[1] = {size % (length + 1)};
            char *data = (char *)support_guarded_tail(&guarded, size);
            at("long string, fixed, needed, size", needed, size);
            quern_fixed_sink_init(&fixed, data, size);
            quern_json_writer_init(&writer, &fixed.sink, NULL);
            if (round % 2 == 0) {
                quern_json_write_string(&writer, long_string, length);
            } else {
                quern_json_begin_string(&writer);
                quern_json_write_part(&writer, long_string, cuts[0]);
                quern_json_write_part(&writer, long_string + cuts[0], length - cuts[0]);
                quern_json_end_string(&writer);
            }
            CHECK(quern_json_writer_finish(&writer) == (size >= needed ? QUERN_OK : QUERN_ERROR_ROOM));
            CHECK(quern_fixed_sink_needed(&fixed) == needed);
            CHECK(quern_sink_finish(&fixed.sink) == (size >= needed ? QUERN_OK : QUERN_ERROR_ROOM));
            CHECK(same(data, long_expected, least(size, needed)));
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

typedef struct failing {
    size_t calls;
    size_t fail_at;
    bool fail_on;
    size_t blocks;
} failing;

static void *failing_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    failing *f = context;
    CHECK((block == NULL) == (old_size == 0));
    if (new_size == 0) {
        f->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    f->calls++;
    if (f->fail_at != 0 && (f->calls == f->fail_at || (f->fail_on && f->calls > f->fail_at)))
        return NULL;
    f->blocks += block == NULL;
    return realloc(block, new_size);
}

START_TEST(test_allocation_fails)
{
    if (!open_variant(_i))
        return;
    support_random random = support_random_named("allocation fails");
    static char pool[POOL_SIZE];
    fill_pool(&random, pool);
    for (size_t round = 0; round < 400; round++) {
        if (support_thinned())
            continue;
        call calls[200];
        const quern_json_writer_options *options = &manners[round % SUPPORT_COUNT(manners)];
        size_t count = random_document(&random, &the_model, options, pool, calls, round % 2 == 0 ? 200 : 40);
        bool reached = true;
        for (size_t n = 1; reached; n++) {
            failing f = {0, n, round % 4 < 2, 0};
            quern_allocator allocator = {failing_resize, &f};
            quern_memory_sink_options memory_options = {.size = sizeof memory_options, .allocator = &allocator};
            quern_memory_sink memory;
            at("allocation fails, round, number", round, n);
            quern_memory_sink_init(&memory, &memory_options);
            quern_json_writer_options own = *options;
            own.allocator = &allocator;
            quern_status status = write_calls(&memory.sink, &own, round % 2, calls, count);
            reached = f.calls >= n;
            CHECK(status == (reached ? QUERN_ERROR_MEMORY : QUERN_OK));
            quern_string view = quern_memory_sink_view(&memory);
            CHECK(view.length <= the_model.length && same(view.data, the_model.text, view.length));
            CHECK(reached || view.length == the_model.length);
            /* (Where the writer's own memory is refused, the sink is well.) */
            const quern_status finished = quern_sink_finish(&memory.sink);
            CHECK(finished == status || (options->canonical && finished == QUERN_OK));
            quern_memory_sink_free(&memory);
            CHECK(f.blocks == 0);
            *fault_points += reached;
        }
    }
}
END_TEST

/* A memory sink of limited size: the first failure is LIMIT, and what fits is there. */
START_TEST(test_memory_limit)
{
    if (!open_variant(_i))
        return;
    support_random random = support_random_named("memory limit");
    static char pool[POOL_SIZE];
    fill_pool(&random, pool);
    for (size_t round = 0; round < 40; round++) {
        call calls[60];
        const quern_json_writer_options *options = &manners[round % SUPPORT_COUNT(manners)];
        size_t count = random_document(&random, &the_model, options, pool, calls, round % 4 == 0 ? 60 : 12);
        size_t needed = the_model.length;
        for (size_t limit = 1; limit <= needed + 1; limit++) {
            if (support_thinned())
                continue;
            quern_memory_sink memory;
            quern_memory_sink_options memory_options = {.size = sizeof memory_options, .limit = limit};
            at("memory limit, needed, limit", needed, limit);
            quern_memory_sink_init(&memory, &memory_options);
            quern_status status = write_calls(&memory.sink, options, round % 2, calls, count);
            /* What is taken back later needs room before. */
            if (options->invalid != QUERN_JSON_INVALID_SKIP_ITEM)
                CHECK(status == (limit >= needed ? QUERN_OK : QUERN_ERROR_LIMIT));
            else
                CHECK(status == QUERN_OK ? limit >= needed : status == QUERN_ERROR_LIMIT);
            quern_string view = quern_memory_sink_view(&memory);
            CHECK(view.length <= limit && same(view.data, the_model.text, view.length));
            CHECK(status != QUERN_OK || view.length == needed);
            quern_memory_sink_free(&memory);
        }
    }
}
END_TEST

/* A sink that has failed, or is finished, before the writer comes. */
START_TEST(test_failed_sinks)
{
    if (!open_variant(_i))
        return;
    static const call calls[] = {{CALL_BEGIN_ARRAY, NULL, 0}, {CALL_STRING, "abc", 3}, {CALL_END, NULL, 0}};
    quern_memory_sink memory;
    at("finished sink", 0, 0);
    quern_memory_sink_init(&memory, NULL);
    quern_sink_write(&memory.sink, "x", 1);
    CHECK(quern_sink_finish(&memory.sink) == QUERN_OK);
    CHECK(write_calls(&memory.sink, &compact, false, calls, SUPPORT_COUNT(calls)) == QUERN_ERROR_MISUSE);
    CHECK(quern_memory_sink_view(&memory).length == 1);
    at("failed sink", 0, 0);
    quern_memory_sink_reset(&memory);
    CHECK(quern_sink_write(&memory.sink, "x", SIZE_MAX) == QUERN_ERROR_LIMIT);
    CHECK(write_calls(&memory.sink, &compact, false, calls, SUPPORT_COUNT(calls)) == QUERN_ERROR_LIMIT);
    CHECK(quern_memory_sink_view(&memory).length == 0);
    quern_memory_sink_free(&memory);
}
END_TEST

/* Bytes as tokens, in pieces, into arrays of every size, and into a callback each call of which fails. */
START_TEST(test_bytes)
{
    if (!open_variant(_i))
        return;
    static const uint64_t tags[] = {0, 3, 22, 23};
    enum { LENGTH = 301, WHOLE = 2 * LENGTH + 8 };
    support_guarded guarded = support_guarded_new(WHOLE);
    uint8_t data[LENGTH];
    static char expected[WHOLE];
    for (size_t i = 0; i < LENGTH; i++)
        data[i] = (uint8_t)(i * 7 + 3);
    for (size_t k = 0; k < SUPPORT_COUNT(tags); k++) {
        size_t needed = 0;
        for (size_t size = WHOLE; size != SIZE_MAX; size--) {
            quern_fixed_sink fixed;
            collector c = {expected, needed, 0, 0, WHOLE - size, false};
            quern_callback_sink callback;
            const bool whole = size == WHOLE;
            char *array = whole ? expected : (char *)support_guarded_tail(&guarded, size);
            at("bytes, tag, size", tags[k], size);
            quern_fixed_sink_init(&fixed, array, size);
            quern_callback_sink_init(&callback, collect, &c, guarded.start, size % 200);
            for (size_t way = 0; way < (whole ? 1 : 2); way++) {
                quern_json_writer writer;
                quern_json_writer_init(&writer, way ? &callback.sink : &fixed.sink, NULL);
                const quern_token tag = {.kind = QUERN_TOKEN_TAG, .value.number = tags[k]};
                quern_json_write_token(&writer, &tag);
                const size_t step = 1 + size % 90;
                for (size_t i = 0; i < LENGTH; i += step) {
                    quern_token t = {.kind = QUERN_TOKEN_BYTES};
                    t.flags = (uint8_t)((i == 0 ? QUERN_TOKEN_FIRST : 0) | (i + step >= LENGTH ? QUERN_TOKEN_LAST : 0));
                    t.value.text = (quern_string){(const char *)data + i, least(step, LENGTH - i)};
                    quern_json_write_token(&writer, &t);
                }
                const quern_status status = quern_json_writer_finish(&writer);
                if (way)
                    CHECK(status == (c.failed ? QUERN_ERROR_IO : QUERN_OK) && (c.failed || c.arrived == needed));
                else
                    CHECK(status == (whole || size >= needed ? QUERN_OK : QUERN_ERROR_ROOM));
                *fault_points += way && c.failed;
            }
            if (whole)
                needed = (size_t)quern_fixed_sink_needed(&fixed);
            CHECK(quern_fixed_sink_needed(&fixed) == needed);
            quern_sink_finish(&fixed.sink);
            CHECK(same(array, expected, least(size, needed)));
        }
        CHECK(needed == (tags[k] == 23 ? 604 : tags[k] == 22 ? 406 : 404 + (tags[k] == 3)));
    }
    support_guarded_free(&guarded);
}
END_TEST

static ptrdiff_t refuse(void *context, const void *data, size_t length)
{
    (void)context;
    (void)data;
    (void)length;
    return -1;
}

/* The sink fails just when a character that was cut is put together: what the writer held must not pile up. */
START_TEST(test_sink_fails_at_a_cut_character)
{
    if (!open_variant(_i))
        return;
    static const char character[] = "\xf0\x9f\x98\x80";
    static char filler[1000];
    memset(filler, 'a', sizeof filler);
    for (size_t front = 0; front < 400; front++) {
        for (size_t kept = 1; kept < 4; kept++) {
            struct {
                quern_json_writer writer;
                char canary[1024];
            } area;
            unsigned char buffer[128];
            quern_callback_sink callback;
            quern_error error;
            at("cut character, front, kept", front, kept);
            memset(area.canary, 0x5c, sizeof area.canary);
            quern_callback_sink_init(&callback, refuse, NULL, buffer, front % 2 == 0 ? 0 : sizeof buffer);
            quern_json_writer_init(&area.writer, &callback.sink, NULL);
            call calls[] = {{CALL_BEGIN_STRING, NULL, 0},  {CALL_PART, filler, front},
                            {CALL_PART, character, kept},  {CALL_PART, &character[kept], 4 - kept},
                            {CALL_PART, filler, 1},        {CALL_PART, filler, sizeof filler},
                            {CALL_PART, &character[3], 1}, {CALL_END_STRING, NULL, 0}};
            quern_status latched = QUERN_OK;
            for (size_t i = 0; i < SUPPORT_COUNT(calls) + 200; i++) {
                size_t repeats = least(i < 4 ? 0 : i - 4, 200); /* of the part of one byte */
                quern_status status = make_call(&area.writer, &calls[i - repeats]);
                CHECK(status == QUERN_OK || status == QUERN_ERROR_IO);
                CHECK(latched == QUERN_OK || status == latched);
                latched = status;
            }
            CHECK(quern_json_writer_finish(&area.writer) == QUERN_ERROR_IO);
            quern_json_writer_error(&area.writer, &error);
            CHECK(error.status == QUERN_ERROR_IO);
            for (size_t i = 0; i < sizeof area.canary; i++)
                CHECK(area.canary[i] == 0x5c);
            *fault_points += 1;
        }
    }
}
END_TEST

/* ---- skip_item ----------------------------------------------------------------------------------- */

/* The value of a key that is left out may be of any size: nothing of it is held on. */
START_TEST(test_skipped_values_are_not_held)
{
    if (!open_variant(_i))
        return;
    enum { LARGE = 4000, DEEP = 900 };
    char *text = support_allocate(LARGE), *buffer = support_allocate(QUERN_JSON_KEY_SIZE(LARGE));
    memset(text, '1', LARGE);
    quern_json_key key;
    CHECK(quern_json_key_init(&key, text, LARGE, NULL, buffer, QUERN_JSON_KEY_SIZE(LARGE)) == QUERN_OK);
    const quern_token bytes = {.kind = QUERN_TOKEN_BYTES, .flags = QUERN_TOKEN_WHOLE, .value.text = {text, LARGE}};
    for (size_t i = 0; i < 12; i++) {
        const quern_json_writer_options options = {
            .size = sizeof options, .invalid = QUERN_JSON_INVALID_SKIP_ITEM, .indent = i % 2 ? 255 : 0};
        collector c = {"{}", 2, 0, 0, 0, false};
        quern_callback_sink callback;
        quern_json_writer w;
        at("a skipped value", i, 0);
        quern_callback_sink_init(&callback, collect, &c, NULL, 0);
        CHECK(quern_sink_set_hold(&callback.sink, NULL, 400) == QUERN_OK);
        quern_json_writer_init(&w, &callback.sink, &options);
        quern_json_begin_map(&w);
        CHECK(quern_json_write_key(&w, "\xff", 1) == QUERN_ERROR_UTF8);
        switch (i / 2) {
        case 0: quern_json_write_raw(&w, text, LARGE); break;
        case 1: quern_json_write_number(&w, text, LARGE); break;
        case 2: quern_json_write_string(&w, text, LARGE); break;
        case 3: quern_json_write_token(&w, &bytes); break;
        case 4:
            quern_json_begin_map(&w);
            quern_json_write_prepared_key(&w, &key);
            quern_json_write_null(&w);
            quern_json_end(&w);
            break;
        default:
            for (size_t k = 0; k < DEEP; k++)
                quern_json_begin_array(&w);
            quern_json_write_null(&w);
            for (size_t k = 0; k < DEEP; k++)
                quern_json_end(&w);
        }
        quern_json_end(&w);
        CHECK(quern_json_writer_finish(&w) == QUERN_OK);
        CHECK(quern_json_writer_skipped(&w) == 1);
        CHECK(quern_sink_finish(&callback.sink) == QUERN_OK);
        CHECK(c.arrived == 2);
    }
    free(text);
    free(buffer);
}
END_TEST

/* What has filled a fixed sink is left out: it is full no longer, and what comes then is said as in any other sink. */
START_TEST(test_skipped_items_that_fill_a_sink)
{
    if (!open_variant(_i))
        return;
    static const quern_json_writer_options options = {.size = sizeof options, .invalid = QUERN_JSON_INVALID_SKIP_ITEM};
    char text[400], array[4];
    memset(text, 'a', sizeof text);
    for (size_t i = 0; i < 3; i++) {
        quern_fixed_sink fixed;
        quern_json_writer w;
        at("an item larger than the sink", i, 0);
        quern_fixed_sink_init(&fixed, array, sizeof array);
        quern_json_writer_init(&w, &fixed.sink, &options);
        CHECK(quern_json_begin_array(&w) == QUERN_OK);
        CHECK(quern_json_begin_string(&w) == QUERN_OK);
        quern_json_write_part(&w, text, sizeof text);
        CHECK(quern_json_write_part(&w, text, sizeof text) == QUERN_ERROR_ROOM);
        CHECK(quern_json_write_part(&w, "\xff", 1) == QUERN_ERROR_UTF8);
        CHECK(quern_sink_status(&fixed.sink) == QUERN_OK);
        if (i > 0)
            CHECK(quern_json_end_string(&w) == QUERN_ERROR_UTF8);
        if (i > 1)
            CHECK(quern_json_end(&w) == QUERN_OK);
        CHECK(quern_json_writer_finish(&w) == (i > 1 ? QUERN_OK : QUERN_ERROR_MISUSE));
        CHECK(quern_sink_finish(&fixed.sink) == QUERN_OK);
        CHECK(quern_fixed_sink_needed(&fixed) == (i > 1 ? 2 : 1));
        CHECK(memcmp(array, "[]", i > 1 ? 2 : 1) == 0);
    }
}
END_TEST

#if SIZE_MAX > UINT32_MAX && defined(__linux__)
/* A back end that always gives the second half of its bytes. */
typedef struct halved {
    uint8_t *data;
    size_t size;
} halved;

static quern_status next_half(void *context, size_t *used, size_t wanted, uint8_t **block, size_t *room)
{
    const halved *h = context;
    (void)used, (void)wanted;
    *block = h->data + h->size / 2;
    *room = h->size / 2;
    return QUERN_OK;
}
#endif

/* A string of 2 GiB where none may come, and a window that has room for it: its length undid that of the place. */
START_TEST(test_string_past_2_GiB_in_a_wrong_place)
{
    if (!open_variant(_i))
        return;
#if SIZE_MAX > UINT32_MAX && defined(__linux__)
    static const quern_sink_ops ops = {.size = sizeof ops, .next = next_half};
    const size_t length = (size_t)UINT64_C(0x80000010);
    halved half = {NULL, 4 * length};
    /* Zeros, of which the first is escaped: no more than a few pages are touched. */
    void *data = mmap(NULL, length, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    void *target = mmap(NULL, half.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED || target == MAP_FAILED) {
        printf("skipped: a string of 2 GiB in a wrong place: it cannot be mapped\n");
        return;
    }
    half.data = target;
    for (int invalid = QUERN_JSON_INVALID_STOP; invalid <= QUERN_JSON_INVALID_KEEP; invalid++) {
        const quern_json_writer_options options = {.size = sizeof options, .invalid = (quern_json_invalid)invalid};
        quern_sink sink;
        quern_json_writer writer;
        at("a wrong place", (size_t)invalid, 0);
        quern_sink_init(&sink, &ops, &half);
        quern_json_writer_init(&writer, &sink, &options);
        quern_sink_reserve(&sink, QUERN_RESERVE);
        quern_json_write_null(&writer);
        const uint8_t *cursor = sink.cursor;
        CHECK(quern_json_write_string(&writer, data, length) == QUERN_ERROR_MISUSE);
        CHECK(sink.cursor == cursor);
        CHECK(quern_json_writer_finish(&writer) == QUERN_ERROR_MISUSE);
    }
    munmap(data, length);
    munmap(target, half.size);
#else
    printf("skipped: a string of 2 GiB in a wrong place: lengths are of 32 bits\n");
#endif
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------- */

int main(void)
{
    Suite *suite = suite_create("json_faults");
    TCase *tcase = tcase_create("sinks");
    tcase_set_timeout(tcase, 120);
    ADD(test_callback_sinks);
    ADD(test_fixed_sinks);
    ADD(test_fixed_sinks_and_long_strings);
    ADD(test_allocation_fails);
    ADD(test_memory_limit);
    ADD(test_failed_sinks);
    ADD(test_bytes);
    ADD(test_sink_fails_at_a_cut_character);
    ADD(test_skipped_values_are_not_held);
    ADD(test_skipped_items_that_fill_a_sink);
    ADD(test_string_past_2_GiB_in_a_wrong_place);
    suite_add_tcase(suite, tcase);

    return run_suite(suite);
}
