/* SPDX-License-Identifier: MIT */
/* Sizes where an int, a 32-bit length or a size_t ends: in every sink, and in blocks that long. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* mremap */
#endif
#include "support/sinks.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* Whether blocks of more than 4 GiB can be had, of which hardly a page is touched. */
#if SIZE_MAX > UINT32_MAX && defined(MREMAP_MAYMOVE)
#    define HUGE_BLOCKS 1
#else
#    define HUGE_BLOCKS 0
#endif

/* ---- sizes --------------------------------------------------------------------------------------- */

static const uint64_t sizes[] = {SIZE_MAX,
                                 SIZE_MAX - 1,
                                 SIZE_MAX - 8,
                                 SIZE_MAX - 63,
                                 SIZE_MAX - 64,
                                 SIZE_MAX - QUERN_RESERVE - QUERN_SLACK,
                                 SIZE_MAX / 2 + 2,
                                 SIZE_MAX / 2 + 1,
                                 PTRDIFF_MAX,
                                 PTRDIFF_MAX - 1,
                                 PTRDIFF_MAX - 63,
                                 PTRDIFF_MAX - 64,
                                 UINT64_C(0x7fffffff),
                                 UINT64_C(0x80000000),
                                 UINT64_C(0x80000001),
                                 UINT64_C(0xffffffff),
                                 UINT64_C(0x100000000),
                                 UINT64_C(0x100000001),
                                 UINT64_C(0x100000010)};

/* Whether it is a size_t here, and the last one of its kind that can be the size of an object. */
static bool size_fits(uint64_t size)
{
    return size <= SIZE_MAX;
}

/*
 * Nothing can be read at `end`. A length beyond PTRDIFF_MAX must not be looked at at all; one that merely finds no
 * memory may have its first bytes stored, so there the first page can be read.
 */
static void memory_size_case(size_t size, size_t before, unsigned char *end)
{
    bank b;
    quern_memory_sink memory;
    bank_init(&b);
    b.refuse = 1 << 20;
    bank_sink(&b, &memory, 0, 0);
    quern_sink_write(&memory.sink, text, before);
    size_t calls = b.calls;
    bool object = size <= PTRDIFF_MAX;
    unsigned char *source = object && before > 0 ? end - 4096 : end;
    memcpy(source, text + before, (size_t)(end - source));
    quern_status status = quern_sink_write(&memory.sink, source, size);
    CHECK(status == QUERN_ERROR_LIMIT || (object && status == QUERN_ERROR_MEMORY));
    CHECK(object || b.calls == calls);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length >= before && (object || view.length == before));
    CHECK(view.length == 0 || memcmp(view.data, text, view.length) == 0);
    CHECK(quern_sink_total(&memory.sink) == view.length);
    check_latched(&memory.sink, status);
    quern_memory_sink_reset(&memory);

    /* A window of that size. */
    quern_sink_write(&memory.sink, text, before);
    calls = b.calls;
    status = quern_sink_reserve(&memory.sink, size);
    CHECK(status == QUERN_ERROR_LIMIT || (object && status == QUERN_ERROR_MEMORY));
    CHECK(object || b.calls == calls);
    CHECK(quern_sink_status(&memory.sink) == (status == QUERN_ERROR_LIMIT ? QUERN_OK : status));
    CHECK(quern_memory_sink_view(&memory).length == before);
    CHECK(before == 0 || memcmp(quern_memory_sink_view(&memory).data, text, before) == 0);
    quern_memory_sink_reset(&memory);
    quern_memory_sink_free(&memory);

    /* A hint and a limit of that size. */
    for (size_t i = 0; i < 2; i++) {
        bank_sink(&b, &memory, i == 0 ? size : 0, size);
        status = quern_sink_write(&memory.sink, text, 100);
        CHECK(status == QUERN_OK || (i == 0 && (status == QUERN_ERROR_MEMORY || status == QUERN_ERROR_LIMIT)));
        CHECK(quern_memory_sink_view(&memory).length == (status == QUERN_OK ? 100 : 0));
        quern_memory_sink_free(&memory);
    }
    bank_sink(&b, &memory, size, 0);
    status = quern_sink_write(&memory.sink, text, 100);
    CHECK(status == QUERN_OK || status == QUERN_ERROR_MEMORY || status == QUERN_ERROR_LIMIT);
    quern_memory_sink_free(&memory);
    bank_sink(&b, &memory, size, 1000);
    CHECK(quern_sink_write(&memory.sink, text, 1000) == QUERN_OK);
    quern_memory_sink_free(&memory);
    CHECK(b.blocks == 0);
}

/* Only the bytes that have room are read. */
static void fixed_size_case(size_t size, size_t room, size_t before, unsigned char *end)
{
    unsigned char array[256];
    quern_fixed_sink fixed;
    bool object = size <= PTRDIFF_MAX;
    memset(array, CANARY_BYTE, sizeof array);
    quern_fixed_sink_init(&fixed, room == 0 ? NULL : array, room);
    quern_sink_write(&fixed.sink, text, before);
    size_t readable = object ? room - before : 0;
    memcpy(end - readable, text + before, readable);
    quern_sink_write(&fixed.sink, end - readable, size);
    CHECK(quern_sink_flush(&fixed.sink) == (object ? QUERN_ERROR_ROOM : QUERN_ERROR_LIMIT));
    size_t kept = object ? room : before;
    CHECK(memcmp(array, text, kept) == 0);
    CHECK(array[kept] == CANARY_BYTE || kept < room);
    CHECK(quern_sink_total(&fixed.sink) == kept);
    if (object) {
        CHECK(quern_fixed_sink_needed(&fixed) == (uint64_t)before + size);
        quern_sink_write(&fixed.sink, end, size);
        write_direct(&fixed.sink, 10, 0, 10);
        CHECK(quern_fixed_sink_needed(&fixed) == (uint64_t)before + 2 * (uint64_t)size + 10);
    }
    CHECK(quern_sink_finish(&fixed.sink) == (object ? QUERN_ERROR_ROOM : QUERN_ERROR_LIMIT));

    quern_fixed_sink_init(&fixed, room == 0 ? NULL : array, room);
    CHECK(quern_sink_reserve(&fixed.sink, size) == QUERN_ERROR_LIMIT);
    CHECK(quern_sink_finish(&fixed.sink) == QUERN_OK);
}

static void callback_size_case(size_t size, size_t room, size_t before, const unsigned char *end)
{
    unsigned char buffer[256];
    quern_callback_sink callback;
    target t = {.manner = TAKE_ALL, .blind = true};
    bool object = size <= PTRDIFF_MAX;
    quern_callback_sink_init(&callback, target_write, &t, room == 0 ? NULL : buffer, room);
    quern_sink_write(&callback.sink, text, before);
    /* A buffer may be filled up before the rest goes out uncopied. */
    quern_status status = quern_sink_write(&callback.sink, object ? end - 4096 : end, size);
    CHECK(status == (object ? QUERN_OK : QUERN_ERROR_LIMIT));
    CHECK(quern_sink_finish(&callback.sink) == status);
    CHECK(quern_sink_total(&callback.sink) == t.arrived);
    CHECK(!object || t.arrived == before + size);
    CHECK(object || t.arrived <= before);

    quern_callback_sink_init(&callback, target_write, &t, room == 0 ? NULL : buffer, room);
    CHECK(quern_sink_reserve(&callback.sink, size) == QUERN_ERROR_LIMIT);
    CHECK(quern_sink_finish(&callback.sink) == QUERN_OK);
}

START_TEST(test_sizes)
{
    if (!open_variant(_i))
        return;
    support_guarded guarded = support_guarded_new(8192);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    for (size_t i = 0; i < SUPPORT_COUNT(sizes); i++) {
        if (!size_fits(sizes[i]))
            continue;
        size_t size = (size_t)sizes[i];
        for (size_t before = 0; before <= 200; before += 50) {
            at("size, memory, behind", size, before);
            memory_size_case(size, before, end);
            for (size_t room = before; room < 256; room += 85) {
                at("size, fixed, behind", size, before);
                fixed_size_case(size, room, before, end);
                at("size, callback, behind", size, before);
                callback_size_case(size, room, before, end);
            }
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

/* ---- huge blocks --------------------------------------------------------------------------------- */

#if HUGE_BLOCKS
/* Counts `length` bytes as written, without touching what is more than a window in the sink. */
static void claim(quern_sink *sink, uint64_t length)
{
    while (length > 0 && quern_sink_reserve(sink, 1) == QUERN_OK) {
        size_t room = (size_t)(sink->limit - sink->cursor);
        if (room > length)
            room = (size_t)length;
        if (room <= QUERN_RESERVE)
            memset(sink->cursor, 'x', room);
        sink->cursor += room;
        length -= room;
    }
}
#endif

/* Past every power of two where an int or a 32-bit length ends. */
START_TEST(test_memory_huge)
{
    if (!open_variant(_i))
        return;
#if HUGE_BLOCKS
    static const uint64_t totals[] = {UINT64_C(0x7fffffff), UINT64_C(0x80000000),  UINT64_C(0x80000001),
                                      UINT64_C(0xffffffff), UINT64_C(0x100000000), UINT64_C(0x100000010)};
    for (size_t i = 0; i < SUPPORT_COUNT(totals); i++) {
        for (size_t over = 0; over < 2; over++) {
            size_t largest = 0;
            quern_allocator allocator = {pages_resize, &largest};
            quern_memory_sink memory;
            quern_memory_sink_options options = {.size = sizeof options, .allocator = &allocator};
            options.limit = totals[i] + 20;
            at("huge, total", totals[i], over);
            quern_memory_sink_init(&memory, &options);
            claim(&memory.sink, totals[i]);
            if (quern_sink_status(&memory.sink) == QUERN_ERROR_MEMORY) {
                printf("skipped: %" PRIu64 " bytes: no such address space\n", totals[i]);
                quern_memory_sink_free(&memory);
                continue;
            }
            CHECK(quern_sink_total(&memory.sink) == totals[i]);
            CHECK(quern_sink_write(&memory.sink, text, 10) == QUERN_OK);
            quern_sink_write(&memory.sink, text + 10, 10 + over);
            CHECK(quern_sink_finish(&memory.sink) == (over == 0 ? QUERN_OK : QUERN_ERROR_LIMIT));
            quern_string view = quern_memory_sink_view(&memory);
            CHECK(view.length >= totals[i] + 10 && view.length <= totals[i] + 20);
            CHECK(over != 0 || view.length == totals[i] + 20);
            CHECK(memcmp(view.data + totals[i], text, view.length - totals[i]) == 0);
            CHECK(largest <= totals[i] + 20);
            quern_memory_sink_free(&memory);
        }
    }
#else
    printf("skipped: huge blocks: the address space is small\n");
#endif
}
END_TEST

/* ---- faults that other projects had -------------------------------------------------------------- */

static quern_status refused_write(size_t before, size_t length)
{
    bank b;
    quern_memory_sink memory;
    support_guarded guarded = support_guarded_new(4096);
    bank_init(&b);
    b.refuse = 1 << 20;
    bank_sink(&b, &memory, 0, 0);
    quern_sink_write(&memory.sink, text, before);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    unsigned char *source = before == 0 || length > PTRDIFF_MAX ? end : guarded.start;
    memcpy(source, text + before, (size_t)(end - source));
    quern_status status = quern_sink_write(&memory.sink, source, length);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length >= before);
    CHECK(view.length == 0 || memcmp(view.data, text, view.length) == 0);
    CHECK(quern_sink_finish(&memory.sink) == status);
    quern_memory_sink_free(&memory);
    CHECK(b.blocks == 0);
    support_guarded_free(&guarded);
    return status;
}

static void check_too_large(quern_status status)
{
    CHECK(status == QUERN_ERROR_LIMIT || status == QUERN_ERROR_MEMORY);
}

/* openresty/lua-cjson PR #94 (CVE-2022-24834): sizes in an int. */
START_TEST(test_B040_six_times_a_length)
{
    if (!open_variant(_i))
        return;
    const uint64_t product = UINT64_C(0x2AAAAAAB) * 6;
    at("B040", 0, 0);
    check_too_large(refused_write(0, 0x2AAAAAAB));
    if (size_fits(product)) {
        check_too_large(refused_write(0, (size_t)product));
        check_too_large(refused_write(100, (size_t)product));
    }
    check_too_large(refused_write(100, (size_t)(product & UINT32_MAX) + (1 << 20)));
}
END_TEST

/* simdjson/simdjson PR #1312: length + padding wrapped. */
START_TEST(test_B086_reserve_near_the_largest_size)
{
    if (!open_variant(_i))
        return;
    bank b;
    quern_memory_sink memory;
    bank_init(&b);
    bank_sink(&b, &memory, 0, 0);
    for (size_t less = 0; less <= 256; less++) {
        at("B086", less, 0);
        CHECK(quern_sink_reserve(&memory.sink, SIZE_MAX - less) == QUERN_ERROR_LIMIT);
        CHECK(quern_sink_status(&memory.sink) == QUERN_OK);
    }
    CHECK(b.calls == 0);
    CHECK(quern_sink_write(&memory.sink, text, 100) == QUERN_OK);
    CHECK(quern_sink_reserve(&memory.sink, SIZE_MAX - 8) == QUERN_ERROR_LIMIT);
    CHECK(quern_sink_write(&memory.sink, text + 100, 100) == QUERN_OK);
    CHECK(memcmp(quern_memory_sink_view(&memory).data, text, 200) == 0);
    quern_memory_sink_free(&memory);
    CHECK(b.blocks == 0);
}
END_TEST

/* jqlang/jq CVE-2026-32316: (length + added) * 2 wrapped an int. */
START_TEST(test_B110_length_and_added_twice)
{
    if (!open_variant(_i))
        return;
    at("B110", 0, 0);
    check_too_large(refused_write(0, 0x60000000));
    check_too_large(refused_write(1000, 0x20000000));
#if HUGE_BLOCKS
    size_t largest = 0;
    quern_allocator allocator = {pages_resize, &largest};
    quern_memory_sink_options options = {.size = sizeof options, .allocator = &allocator, .limit = 0x80000000};
    quern_memory_sink memory;
    quern_memory_sink_init(&memory, &options);
    claim(&memory.sink, 0x60000000);
    CHECK(quern_sink_total(&memory.sink) == 0x60000000);
    claim(&memory.sink, 0x20000000);
    CHECK(quern_sink_total(&memory.sink) == 0x80000000);
    CHECK(quern_sink_flush(&memory.sink) == QUERN_OK);
    quern_sink_write(&memory.sink, text, 1);
    CHECK(quern_sink_finish(&memory.sink) == QUERN_ERROR_LIMIT);
    CHECK(quern_memory_sink_view(&memory).length == 0x80000000);
    CHECK(largest <= 0x80000000);
    quern_memory_sink_free(&memory);
#endif
}
END_TEST

/* json-c/json-c CVE-2013-6370: 0x100000010 put in an int is 16. */
START_TEST(test_B111_length_past_32_bits)
{
    if (!open_variant(_i))
        return;
#if SIZE_MAX > UINT32_MAX
    const size_t length = 0x100000010;
    support_guarded guarded = support_guarded_new(8192);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    at("B111", length, 0);
    check_too_large(refused_write(0, length));
    check_too_large(refused_write(64, length));
    memory_size_case(length, 10, end);
    fixed_size_case(length, 0, 0, end);
    fixed_size_case(length, 100, 10, end);
    callback_size_case(length, 0, 0, end);
    callback_size_case(length, 64, 10, end);
    support_guarded_free(&guarded);
#else
    printf("skipped: B111: lengths are of 32 bits\n");
#endif
}
END_TEST

/* json-c/json-c CVE-2020-12762 (PR #592): position + size + 1 near 2 GiB. */
START_TEST(test_B116_total_near_2_GiB)
{
    if (!open_variant(_i))
        return;
#if HUGE_BLOCKS
    size_t largest = 0;
    quern_allocator allocator = {pages_resize, &largest};
    quern_memory_sink_options options = {.size = sizeof options, .allocator = &allocator, .limit = 0x7fffffff};
    quern_memory_sink memory;
    at("B116", 0, 0);
    quern_memory_sink_init(&memory, &options);
    claim(&memory.sink, 0x7fffffff - 10);
    CHECK(quern_sink_write(&memory.sink, text, 10) == QUERN_OK);
    CHECK(quern_sink_flush(&memory.sink) == QUERN_OK);
    quern_sink_write(&memory.sink, text, 10);
    CHECK(quern_sink_finish(&memory.sink) == QUERN_ERROR_LIMIT);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length == 0x7fffffff && memcmp(view.data + view.length - 10, text, 10) == 0);
    CHECK(largest <= 0x7fffffff);
    quern_memory_sink_free(&memory);
#else
    printf("skipped: B116: the address space is small\n");
#endif
}
END_TEST

#if HUGE_BLOCKS
/* Gives pages until a block would be longer than 2 GiB. */
static void *stingy_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    return new_size > 0x80000000 ? NULL : pages_resize(context, block, old_size, new_size);
}
#endif

/* brianmario/yajl-ruby CVE-2022-24795 (PR #211): twice 0x80000000 is 0. */
START_TEST(test_B117_doubling_past_2_GiB)
{
    if (!open_variant(_i))
        return;
#if HUGE_BLOCKS
    size_t largest = 0;
    quern_allocator allocator = {stingy_resize, &largest};
    quern_memory_sink_options options = {.size = sizeof options, .allocator = &allocator, .hint = 0x80000000};
    quern_memory_sink memory;
    at("B117", 0, 0);
    quern_memory_sink_init(&memory, &options);
    while (quern_sink_status(&memory.sink) == QUERN_OK)
        claim(&memory.sink, 1 << 20);
    CHECK(quern_sink_finish(&memory.sink) == QUERN_ERROR_MEMORY);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length > 0x7ff00000 && view.length <= 0x80000000);
    CHECK(view.data[view.length - 1] == 0 || view.data[view.length - 1] == 'x'); /* the block is still there */
    quern_memory_sink_free(&memory);
#else
    printf("skipped: B117: the address space is small\n");
#endif
}
END_TEST

/* ibireme/yyjson PR #268: SIZE_MAX + 1 is 0. */
START_TEST(test_B124_write_of_the_largest_size)
{
    if (!open_variant(_i))
        return;
    at("B124", 0, 0);
    CHECK(refused_write(0, SIZE_MAX) == QUERN_ERROR_LIMIT);
    CHECK(refused_write(64, SIZE_MAX) == QUERN_ERROR_LIMIT);
    CHECK(refused_write(0, SIZE_MAX - 1) == QUERN_ERROR_LIMIT);
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------- */

int main(void)
{
    Suite *suite = suite_create("sink_sizes");
    TCase *tcase = tcase_create("sizes");
    tcase_set_timeout(tcase, 120);
    ADD(test_sizes);
    ADD(test_memory_huge);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("bug reports");
    tcase_set_timeout(tcase, 120);
    ADD(test_B040_six_times_a_length);
    ADD(test_B086_reserve_near_the_largest_size);
    ADD(test_B110_length_and_added_twice);
    ADD(test_B111_length_past_32_bits);
    ADD(test_B116_total_near_2_GiB);
    ADD(test_B117_doubling_past_2_GiB);
    ADD(test_B124_write_of_the_largest_size);
    suite_add_tcase(suite, tcase);

    return run_sink_suite(suite);
}
