/* SPDX-License-Identifier: MIT */
/* The memory sink: its views and blocks, growth, hint, limit, and each allocation failing in turn. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* mincore */
#endif
#include "support/sinks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

START_TEST(test_memory_view)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("view");
    for (size_t round = 0; round < 200; round++) {
        if (support_thinned())
            continue;
        bank b;
        quern_memory_sink memory;
        make_script(&s, &random, support_random_below(&random, 3000), false);
        at("view, round", round, s.total);
        bank_init(&b);
        bank_sink(&b, &memory, support_random_below(&random, 2) * 500, round % 3 == 0 ? s.total : 0);
        quern_string view = quern_memory_sink_view(&memory);
        CHECK(view.length == 0);
        CHECK(b.calls == 0);
        size_t position = 0;
        for (size_t i = 0; i < s.count; i++) {
            take_step(&memory.sink, &s.steps[i], position);
            position += s.steps[i].length;
            if (support_random_below(&random, 2) == 0) {
                view = quern_memory_sink_view(&memory);
                CHECK(view.length == position);
                CHECK(position == 0 || memcmp(view.data, text, position) == 0);
            }
        }
        CHECK(quern_sink_status(&memory.sink) == QUERN_OK);
        view = quern_memory_sink_view(&memory);
        CHECK(view.length == s.total);
        CHECK(s.total == 0 || memcmp(view.data, text, s.total) == 0);
        CHECK(round % 3 != 0 || s.total == 0 || b.largest <= s.total);
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);
    }
}
END_TEST

START_TEST(test_memory_take)
{
    if (!open_variant(_i))
        return;
    bank b;
    quern_memory_sink memory;
    bank_init(&b);
    bank_sink(&b, &memory, 0, 0);
    quern_memory_block block = {&b, 1, 1};
    at("take: empty", 0, 0);
    CHECK(quern_memory_sink_take(&memory, &block) == QUERN_OK);
    CHECK(block.data == NULL && block.length == 0 && block.size == 0);
    CHECK(b.calls == 0);
    for (size_t length = 0; length < 2000; length += 1 + length / 8) {
        at("take", length, 0);
        quern_sink_write(&memory.sink, text, length / 3);
        quern_sink_write(&memory.sink, text + length / 3, length - length / 3);
        if (length % 2 == 0)
            CHECK(quern_sink_finish(&memory.sink) == QUERN_OK);
        CHECK(quern_memory_sink_take(&memory, &block) == QUERN_OK);
        CHECK(block.length == length && block.size == length);
        CHECK((block.data == NULL) == (length == 0));
        CHECK(length == 0 || memcmp(block.data, text, length) == 0);
        CHECK(quern_sink_total(&memory.sink) == 0);
        CHECK(quern_memory_sink_view(&memory).length == 0);
        if (length > 0)
            bank_resize(&b, block.data, block.size, 0);
        CHECK(b.blocks == 0);
    }
    at("take: window only", 0, 0);
    write_direct(&memory.sink, QUERN_RESERVE, 0, 99);
    CHECK(quern_memory_sink_take(&memory, &block) == QUERN_OK);
    CHECK(block.length == 99 && block.size == 99 && memcmp(block.data, text, 99) == 0);
    bank_resize(&b, block.data, block.size, 0);
    at("take: reserved, but nothing written", 0, 0);
    write_direct(&memory.sink, QUERN_RESERVE, 0, 0);
    CHECK(quern_memory_sink_take(&memory, &block) == QUERN_OK);
    CHECK(block.data == NULL && block.length == 0 && block.size == 0);
    at("take: failed", 0, 0);
    quern_sink_write(&memory.sink, text, 30);
    CHECK(quern_sink_write(&memory.sink, text, SIZE_MAX) == QUERN_ERROR_LIMIT);
    CHECK(quern_memory_sink_take(&memory, &block) == QUERN_ERROR_LIMIT);
    CHECK(block.length == 30 && block.size == 30 && memcmp(block.data, text, 30) == 0);
    bank_resize(&b, block.data, block.size, 0);
    CHECK(quern_sink_status(&memory.sink) == QUERN_OK);
    CHECK(quern_sink_write(&memory.sink, text, 30) == QUERN_OK);
    quern_memory_sink_free(&memory);
    quern_memory_sink_free(&memory);
    CHECK(b.blocks == 0);

    at("take: malloc", 0, 0);
    quern_memory_sink_init(&memory, NULL);
    quern_sink_write(&memory.sink, text, 5000);
    CHECK(quern_memory_sink_take(&memory, &block) == QUERN_OK);
    CHECK(block.length == 5000 && memcmp(block.data, text, 5000) == 0);
    free(block.data);
    quern_memory_sink_free(&memory);
}
END_TEST

START_TEST(test_memory_reuse)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("reuse");
    bank b;
    quern_memory_sink memory;
    make_script(&s, &random, 30000, false);
    at("reuse", 0, 0);
    bank_init(&b);
    bank_sink(&b, &memory, 0, 0);
    CHECK(b.calls == 0);
    play(&memory.sink, &s);
    size_t calls = b.calls;
    CHECK(calls > 0);
    for (size_t round = 0; round < 5; round++) {
        at("reuse, round", round, 0);
        if (round % 2 == 0)
            quern_sink_finish(&memory.sink);
        if (round == 3)
            quern_sink_write(&memory.sink, text, SIZE_MAX); /* a failure to be cleared */
        quern_memory_sink_reset(&memory);
        CHECK(quern_sink_status(&memory.sink) == QUERN_OK);
        CHECK(quern_sink_total(&memory.sink) == 0);
        CHECK(quern_memory_sink_view(&memory).length == 0);
        play(&memory.sink, &s);
        CHECK(quern_memory_sink_view(&memory).length == s.total);
        CHECK(memcmp(quern_memory_sink_view(&memory).data, text, s.total) == 0);
        CHECK(b.calls == calls && b.blocks == 1);
    }
    quern_memory_sink_free(&memory);
    CHECK(b.blocks == 0);
    quern_memory_sink_free(&memory);
    at("reuse after free", 0, 0);
    play(&memory.sink, &s);
    CHECK(quern_memory_sink_view(&memory).length == s.total);
    quern_memory_sink_free(&memory);
    quern_memory_sink_reset(&memory);
    quern_memory_sink_free(&memory);
    CHECK(b.blocks == 0);
}
END_TEST

START_TEST(test_memory_hint)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("hint");
    for (size_t hint = 1; hint < 40000; hint += 1 + hint / 4) {
        bank b;
        quern_memory_sink memory;
        make_script(&s, &random, hint, false);
        at("hint", hint, 0);
        bank_init(&b);
        bank_sink(&b, &memory, hint, 0);
        for (size_t i = 0, position = 0; i < s.count; position += s.steps[i++].length)
            quern_sink_write(&memory.sink, text + position, s.steps[i].length);
        CHECK(quern_memory_sink_view(&memory).length == hint);
        CHECK(b.calls == 1);
        CHECK(b.largest >= hint);
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);

        /* A window that would go past the hint may cost a second one. */
        bank_init(&b);
        bank_sink(&b, &memory, hint, 0);
        play(&memory.sink, &s);
        CHECK(quern_memory_sink_view(&memory).length == hint);
        CHECK(b.calls <= 2);
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);
    }
}
END_TEST

START_TEST(test_memory_limit)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("limit");
    for (size_t limit = 1; limit < 20000; limit += limit < 400 ? 1 : limit / 7) {
        for (size_t round = 0; round < 12; round++) {
            if (support_thinned())
                continue;
            size_t total = round < 5   ? limit
                           : round < 9 ? limit + 1
                                       : limit + 1 + support_random_below(&random, 2 * limit + 300);
            bank b;
            quern_memory_sink memory;
            make_script(&s, &random, total, false);
            at("limit, total", limit, total);
            bank_init(&b);
            bank_sink(&b, &memory, round % 2 == 0 ? 0 : support_random_below(&random, 2 * limit), limit);
            if (total <= limit) {
                play(&memory.sink, &s);
                CHECK(quern_sink_finish(&memory.sink) == QUERN_OK);
                CHECK(quern_memory_sink_view(&memory).length == total);
                CHECK(memcmp(quern_memory_sink_view(&memory).data, text, total) == 0);
            } else {
                size_t position = 0, good = 0;
                for (size_t i = 0; i < s.count; i++) {
                    take_step(&memory.sink, &s.steps[i], position);
                    position += s.steps[i].length;
                    if (position <= limit) {
                        CHECK(quern_sink_status(&memory.sink) == QUERN_OK);
                        good = position;
                    }
                }
                CHECK(quern_sink_finish(&memory.sink) == QUERN_ERROR_LIMIT);
                quern_string view = quern_memory_sink_view(&memory);
                CHECK(view.length >= good && view.length <= limit);
                CHECK(view.length == 0 || memcmp(view.data, text, view.length) == 0);
                CHECK(quern_sink_total(&memory.sink) == view.length);
            }
            CHECK(b.largest <= limit);
            quern_memory_sink_free(&memory);
            CHECK(b.blocks == 0);
        }
    }
}
END_TEST

START_TEST(test_memory_growth)
{
    if (!open_variant(_i))
        return;
    static const size_t pieces[] = {1, 7, 64, 128, 1000, 65536};
    for (size_t i = 0; i < SUPPORT_COUNT(pieces); i++) {
        bank b;
        quern_memory_sink memory;
        at("growth, pieces of", pieces[i], 0);
        bank_init(&b);
        bank_sink(&b, &memory, 0, 0);
        for (size_t position = 0; position < TEXT_SIZE; position += least(pieces[i], TEXT_SIZE - position))
            quern_sink_write(&memory.sink, text + position, least(pieces[i], TEXT_SIZE - position));
        CHECK(quern_sink_finish(&memory.sink) == QUERN_OK);
        CHECK(quern_memory_sink_view(&memory).length == TEXT_SIZE);
        CHECK(memcmp(quern_memory_sink_view(&memory).data, text, TEXT_SIZE) == 0);
        CHECK(b.calls <= 24);             /* doubling from 1 byte would take 21 */
        CHECK(b.largest < 4 * TEXT_SIZE); /* and not by more */
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);
    }
}
END_TEST

/* ---- pages --------------------------------------------------------------------------------------- */

/* How many pages of the range are in memory. */
static size_t resident(unsigned char *start, unsigned char *end)
{
    static unsigned char map[65536];
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t skip = (page - (uintptr_t)start % page) % page, count = 0;
    if ((size_t)(end - start) <= skip)
        return 0;
    size_t pages = least(((size_t)(end - start) - skip) / page, sizeof map);
    if (pages == 0 || mincore(start + skip, pages * page, (void *)map) != 0)
        return 0;
    for (size_t i = 0; i < pages; i++)
        count += map[i] & 1;
    return count;
}

START_TEST(test_memory_touches_little)
{
    if (!open_variant(_i))
        return;
    enum { AHEAD = 65536, WHOLE = 32 << 20 };
    size_t largest = 0;
    unsigned char *probe = pages_resize(&largest, NULL, 0, WHOLE);
    ck_assert_ptr_nonnull(probe);
    bool works = resident(probe, probe + WHOLE) == 0;
    probe[WHOLE / 2] = 1;
    works = works && resident(probe, probe + WHOLE) == 1;
    pages_resize(&largest, probe, WHOLE, 0);
    if (!works) {
        printf("skipped: touched pages: mincore does not tell here\n");
        return;
    }
    for (size_t round = 0; round < 4; round++) {
        quern_allocator allocator = {pages_resize, &largest};
        quern_memory_sink memory;
        quern_memory_sink_options options = {.size = sizeof options, .allocator = &allocator};
        options.hint = round % 2 == 0 ? WHOLE : 0;
        largest = 0;
        quern_memory_sink_init(&memory, &options);
        size_t length = 0;
        for (size_t i = 0; i < 600; i++) {
            at("touched pages, round, written", round, length);
            size_t piece = round < 2 ? 100 : 5000;
            quern_sink_write(&memory.sink, text, piece);
            length += piece;
            CHECK(quern_sink_reserve(&memory.sink, QUERN_RESERVE) == QUERN_OK);
            if (i % 8 == 0) {
                quern_string view = quern_memory_sink_view(&memory);
                CHECK(view.length == length);
                unsigned char *start = (unsigned char *)(uintptr_t)view.data; /* only asked about */
                if (largest > length + AHEAD)
                    CHECK(resident(start + length + AHEAD, start + largest) == 0);
            }
        }
        CHECK(round % 2 != 0 || largest >= WHOLE);
        quern_memory_sink_free(&memory);
    }
}
END_TEST

/* ---- allocations that fail ----------------------------------------------------------------------- */

/* Plays into a sink whose allocation number `n` fails; returns whether that number was reached. */
static bool failing_memory_case(const script *s, size_t hint, size_t n, bool fail_on, bool takes)
{
    bank b;
    quern_memory_sink memory;
    bank_init(&b);
    b.fail_at = n;
    b.fail_on = fail_on;
    bank_sink(&b, &memory, hint, 0);
    size_t position = 0, good = 0, calls = 0;
    for (size_t i = 0; i < s->count; i++) {
        take_step(&memory.sink, &s->steps[i], position);
        position += s->steps[i].length;
        if (quern_sink_status(&memory.sink) == QUERN_OK)
            good = position;
        else if (calls == 0)
            calls = b.calls;
    }
    quern_status status = quern_sink_finish(&memory.sink);
    bool reached = b.calls >= n;
    CHECK(status == (reached ? QUERN_ERROR_MEMORY : QUERN_OK));
    CHECK(!reached || calls == 0 || b.calls == calls); /* nothing is tried again */
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length >= good && (reached || view.length == s->total));
    CHECK(view.length == 0 || memcmp(view.data, text, view.length) == 0);
    CHECK(quern_sink_total(&memory.sink) == view.length);
    if (reached)
        check_latched(&memory.sink, QUERN_ERROR_MEMORY);
    if (takes) {
        size_t length = view.length;
        quern_memory_block block;
        /* Here the allocation that fails may also be the one that trims: then the block stays as it is. */
        CHECK(quern_memory_sink_take(&memory, &block) == status);
        CHECK(block.length == length && block.size >= length);
        CHECK((block.data == NULL) == (length == 0));
        CHECK(length == 0 || memcmp(block.data, text, length) == 0);
        if (block.data != NULL)
            bank_resize(&b, block.data, block.size, 0);
        reached = b.calls >= n;
    } else if (reached) {
        /* It works again once there is memory. */
        b.fail_at = 0;
        quern_memory_sink_reset(&memory);
        CHECK(quern_memory_sink_view(&memory).length == 0);
        play(&memory.sink, s);
        CHECK(quern_memory_sink_view(&memory).length == s->total);
        CHECK(memcmp(quern_memory_sink_view(&memory).data, text, s->total) == 0);
    }
    quern_memory_sink_free(&memory);
    CHECK(b.blocks == 0);
    return reached;
}

START_TEST(test_memory_allocation_fails)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("allocation");
    for (size_t round = 0; round < 120; round++) {
        if (support_thinned())
            continue;
        bool big = round % 20 == 0;
        make_script(&s, &random, 1 + support_random_below(&random, big ? TEXT_SIZE : 8000), big);
        size_t hint = round % 4 == 0 ? support_random_below(&random, 500) : 0;
        for (size_t how = 0; how < 4; how++) {
            bool reached = true;
            for (size_t n = 1; reached; n++) {
                at("allocation fails, round, number", round * 4 + how, n);
                reached = failing_memory_case(&s, hint, n, how % 2 == 1, how >= 2);
                *fault_points += reached;
            }
        }
    }
}
END_TEST

/* ---- faults that other projects had -------------------------------------------------------------- */

/* valkey-io/valkey PR #1785: six times the string's length was reserved up front. */
START_TEST(test_B039_plain_text_needs_no_sixfold_room)
{
    if (!open_variant(_i))
        return;
    enum { LENGTH = 64 << 20 };
    char *plain = support_allocate(LENGTH);
    memset(plain, 'a', LENGTH);
    at("64 MiB", LENGTH, 0);
    quern_memory_sink memory;
    quern_memory_sink_options options = {.size = sizeof options, .limit = 100 << 20};
    quern_memory_sink_init(&memory, &options);
    quern_json_writer writer;
    quern_json_writer_init(&writer, &memory.sink, NULL);
    quern_json_write_string(&writer, plain, LENGTH);
    CHECK(quern_json_writer_finish(&writer) == QUERN_OK);
    CHECK(quern_sink_finish(&memory.sink) == QUERN_OK);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length == (size_t)LENGTH + 2);
    CHECK(view.data[0] == '"' && view.data[LENGTH + 1] == '"' && memcmp(view.data + 1, plain, LENGTH) == 0);
    quern_memory_sink_free(&memory);
    free(plain);
}
END_TEST

/* brianmario/yajl-ruby issue #205: 0 << 1 for ever. */
START_TEST(test_B089_first_allocation_fails)
{
    if (!open_variant(_i))
        return;
    bank b;
    quern_memory_sink memory;
    at("B089", 0, 0);
    bank_init(&b);
    b.fail_at = 1;
    bank_sink(&b, &memory, 0, 0);
    CHECK(quern_sink_write(&memory.sink, text, 100) == QUERN_ERROR_MEMORY);
    CHECK(quern_sink_write(&memory.sink, text, 1) == QUERN_ERROR_MEMORY);
    CHECK(b.calls == 1);
    check_latched(&memory.sink, QUERN_ERROR_MEMORY);
    CHECK(quern_memory_sink_view(&memory).length == 0);
    quern_memory_sink_free(&memory);
}
END_TEST

/* CESNET/libyang PR #1348: grown by one step, not until it fits. */
START_TEST(test_B118_write_much_longer_than_the_block)
{
    if (!open_variant(_i))
        return;
    for (size_t before = 0; before <= 16; before += 8) {
        bank b;
        quern_memory_sink memory;
        at("B118", before, 0);
        bank_init(&b);
        bank_sink(&b, &memory, 16, 0);
        quern_sink_write(&memory.sink, text, before);
        CHECK(quern_sink_write(&memory.sink, text + before, 4096) == QUERN_OK);
        CHECK(quern_memory_sink_view(&memory).length == before + 4096);
        CHECK(memcmp(quern_memory_sink_view(&memory).data, text, before + 4096) == 0);
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);
    }
}
END_TEST

/* DaveGamble/cJSON issues #189 (NULL + offset written after a failed realloc) and #267 (the old block lost). */
START_TEST(test_B119_B120_growth_fails)
{
    if (!open_variant(_i))
        return;
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        bank b;
        quern_memory_sink memory;
        size_t position = 0;
        at("B119, growth", n, 0);
        bank_init(&b);
        b.fail_at = n;
        bank_sink(&b, &memory, 0, 0);
        while (position < 100000 && quern_sink_write(&memory.sink, text + position, 100) == QUERN_OK)
            position += 100;
        failed = position < 100000;
        CHECK(quern_sink_finish(&memory.sink) == (failed ? QUERN_ERROR_MEMORY : QUERN_OK));
        quern_string view = quern_memory_sink_view(&memory);
        CHECK(view.length >= position && view.length <= position + 100);
        CHECK(view.length == 0 || memcmp(view.data, text, view.length) == 0);
        CHECK(b.blocks == (view.length > 0 ? 1 : 0) || (n == 1 && b.blocks == 0));
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);
        *fault_points += failed;
    }
}
END_TEST

/* json-c/json-c 0.16: a failed append inside a formatted write was told as success. A sink has no seek. */
START_TEST(test_B126_failed_append_is_told)
{
    if (!open_variant(_i))
        return;
    static char controls[5000];
    memset(controls, 1, sizeof controls);
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        bank b;
        quern_memory_sink memory;
        quern_json_writer writer;
        at("B126, allocation", n, 0);
        bank_init(&b);
        b.fail_at = n;
        bank_sink(&b, &memory, 0, 0);
        quern_json_writer_init(&writer, &memory.sink, NULL);
        quern_json_write_string(&writer, controls, sizeof controls);
        failed = b.calls >= n;
        CHECK(quern_json_writer_finish(&writer) == (failed ? QUERN_ERROR_MEMORY : QUERN_OK));
        CHECK(quern_sink_finish(&memory.sink) == (failed ? QUERN_ERROR_MEMORY : QUERN_OK));
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);
        *fault_points += failed;
    }
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------- */

int main(void)
{
    Suite *suite = suite_create("sink_memory");
    TCase *tcase = tcase_create("memory");
    tcase_set_timeout(tcase, 120);
    ADD(test_memory_view);
    ADD(test_memory_take);
    ADD(test_memory_reuse);
    ADD(test_memory_hint);
    ADD(test_memory_limit);
    ADD(test_memory_growth);
    ADD(test_memory_touches_little);
    ADD(test_memory_allocation_fails);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("bug reports");
    tcase_set_timeout(tcase, 120);
    ADD(test_B039_plain_text_needs_no_sixfold_room);
    ADD(test_B089_first_allocation_fails);
    ADD(test_B118_write_much_longer_than_the_block);
    ADD(test_B119_B120_growth_fails);
    ADD(test_B126_failed_append_is_told);
    suite_add_tcase(suite, tcase);

    return run_sink_suite(suite);
}
