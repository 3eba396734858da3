/* SPDX-License-Identifier: MIT */
/*
 * What the writers and sinks do with an allocator of the caller's: one that gives nothing, or no block that is long
 * enough, and writers that are deeper than they had room for.
 */
#include "support/sinks.h"

#include <quern/posix.h>

#include <string.h>

enum { MOST_DEPTH = 5000 };

static unsigned char wanted[4 * MOST_DEPTH];
static size_t wanted_length;

static void want(const void *data, size_t length)
{
    memcpy(wanted + wanted_length, data, length);
    wanted_length += length;
}

/* ---- ways to come to ask for memory ----------------------------------------------------------------- */

typedef quern_status use(const quern_allocator *allocator, size_t depth);

/* The sink's memory is not the allocator's: only that of the writer is asked for. */
static unsigned char array[4 * MOST_DEPTH];
static quern_fixed_sink fixed;

/* Arrays within arrays and maps, so that each level's kind has to be remembered. */
static quern_status json_levels(const quern_allocator *allocator, size_t depth)
{
    const quern_json_writer_options options = {.size = sizeof options, .max_depth = depth, .allocator = allocator};
    quern_json_writer w;
    wanted_length = 0;
    quern_fixed_sink_init(&fixed, array, sizeof array);
    quern_json_writer_init(&w, &fixed.sink, &options);
    for (size_t i = 0; i < depth; i++) {
        const bool key = i > 0 && (i - 1) % 3 == 2;
        if (key)
            quern_json_write_key(&w, "", 0);
        (i % 3 == 2 ? quern_json_begin_map : quern_json_begin_array)(&w);
        want("\"\":", key ? 3 : 0);
        want(i % 3 == 2 ? "{" : "[", 1);
    }
    for (size_t i = depth; i-- > 0;) {
        quern_json_end(&w);
        want(i % 3 == 2 ? "}" : "]", 1);
    }
    return quern_json_writer_finish(&w);
}

static quern_status cbor_levels(const quern_allocator *allocator, size_t depth)
{
    const quern_cbor_writer_options options = {.size = sizeof options, .max_depth = depth, .allocator = allocator};
    quern_cbor_writer w;
    wanted_length = 0;
    quern_fixed_sink_init(&fixed, array, sizeof array);
    quern_cbor_writer_init(&w, &fixed.sink, &options);
    for (size_t i = 0; i < depth; i++) {
        quern_cbor_begin_array(&w, i % 3 == 2 ? QUERN_UNKNOWN : 1);
        want(i % 3 == 2 ? "\x9f" : "\x81", 1);
    }
    quern_cbor_write_uint(&w, 0);
    want("", 1);
    for (size_t i = depth; i-- > 0;) {
        quern_cbor_end(&w);
        want("\xff", i % 3 == 2);
    }
    return quern_cbor_writer_finish(&w);
}

static quern_status json_canonical(const quern_allocator *allocator, size_t depth)
{
    const quern_json_writer_options options = {.size = sizeof options, .canonical = true, .allocator = allocator};
    quern_json_writer w;
    (void)depth;
    quern_fixed_sink_init(&fixed, array, sizeof array);
    quern_json_writer_init(&w, &fixed.sink, &options);
    quern_json_begin_map(&w);
    quern_json_write_key(&w, "b", 1);
    quern_json_write_null(&w);
    quern_json_write_key(&w, "a", 1);
    quern_json_write_null(&w);
    quern_json_end(&w);
    return quern_json_writer_finish(&w);
}

/* B170's item; `chunks`: as it is there. */
static quern_status write_item(quern_sink *sink, const quern_cbor_writer_options *options, bool chunks)
{
    quern_cbor_writer w;
    quern_cbor_writer_init(&w, sink, options);
    quern_cbor_begin_array(&w, chunks ? 3 : QUERN_UNKNOWN);
    quern_cbor_write_uint(&w, 1);
    quern_cbor_begin_bytes(&w, chunks ? QUERN_UNKNOWN : 2);
    quern_cbor_write_part(&w, "a", 1);
    quern_cbor_write_part(&w, "b", 1);
    quern_cbor_end_string(&w);
    quern_cbor_begin_map(&w, 1);
    quern_cbor_write_key(&w, "a", 1);
    quern_cbor_write_uint(&w, 2);
    quern_cbor_end(&w);
    quern_cbor_end(&w);
    return quern_cbor_writer_finish(&w);
}

static quern_status cbor_deterministic(const quern_allocator *allocator, size_t depth)
{
    const quern_cbor_writer_options options = {.size = sizeof options, .deterministic = true, .allocator = allocator};
    (void)depth;
    quern_fixed_sink_init(&fixed, array, sizeof array);
    return write_item(&fixed.sink, &options, false);
}

static quern_status memory_sink(const quern_allocator *allocator, size_t depth)
{
    quern_memory_sink_options options = {.size = sizeof options, .allocator = allocator};
    quern_memory_sink memory;
    (void)depth;
    quern_memory_sink_init(&memory, &options);
    quern_sink_write(&memory.sink, text, 100);
    const quern_status status = quern_sink_finish(&memory.sink);
    CHECK(status == QUERN_OK || quern_memory_sink_view(&memory).length == 0);
    quern_memory_sink_free(&memory);
    return status;
}

static quern_status iovec_sink(const quern_allocator *allocator, size_t depth)
{
    quern_iovec_sink_options options = {.size = sizeof options, .allocator = allocator};
    quern_iovec_sink sink;
    (void)depth;
    quern_iovec_sink_init(&sink, &options);
    quern_sink_write(&sink.sink, text, 100);
    const quern_status status = quern_sink_finish(&sink.sink);
    quern_iovec_sink_free(&sink);
    return status;
}

static const struct {
    const char *name;
    use *run;
    size_t inside; /* levels without memory */
} uses[] = {{"JSON levels", json_levels, 1024},    {"CBOR levels", cbor_levels, 32},
            {"canonical JSON", json_canonical, 0}, {"deterministic CBOR", cbor_deterministic, 0},
            {"memory sink", memory_sink, 0},       {"iovec sink", iovec_sink, 0}};

/* ---- tests ----------------------------------------------------------------------------------------- */

/* ibireme/yyjson issue #89: a pool that is too small left a function pointer NULL, which was called. */
START_TEST(test_B125_nothing_to_be_had)
{
    if (!open_variant(_i))
        return;
    for (size_t i = 0; i < SUPPORT_COUNT(uses); i++) {
        for (size_t small = 0; small < 2; small++) {
            bank b;
            at("B125", i, small);
            bank_init(&b);
            b.refuse = small ? 32 : 0;
            b.fail_at = small ? 0 : 1;
            b.fail_on = true;
            const quern_status status = uses[i].run(&b.allocator, uses[i].inside + 1);
            CHECK(b.calls > 0);
            /* What needs no more than 32 bytes may be content with them. */
            CHECK(status == QUERN_ERROR_MEMORY || (small && status == QUERN_OK && b.largest <= 32));
            CHECK(b.blocks == 0);
            *fault_points += status == QUERN_ERROR_MEMORY;
        }
    }
}
END_TEST

/* vincenthz/libjson PR #27: so many bytes were allocated for so many elements. */
START_TEST(test_B127_deeper_than_there_was_room)
{
    if (!open_variant(_i))
        return;
    for (size_t i = 0; i < 2; i++) {
        for (size_t times = 1; times <= 4; times *= 2) {
            for (size_t more = 0; more < 3; more++) {
                const size_t depth = times * uses[i].inside + more;
                bank b;
                at("B127", i, depth);
                bank_init(&b);
                CHECK(uses[i].run(&b.allocator, depth) == QUERN_OK);
                CHECK(quern_fixed_sink_needed(&fixed) == wanted_length && memcmp(array, wanted, wanted_length) == 0);
                CHECK((b.calls > 0) == (depth > uses[i].inside));
                CHECK(b.blocks == 0);
            }
        }
    }
}
END_TEST

/* PJK/libcbor PR #224, #242, #246, #249, for what is written: half an item is no item, and nothing leaks. */
START_TEST(test_B170_each_allocation_fails)
{
    if (!open_variant(_i))
        return;
    static const char *const items[] = {"\x83\x01\x42"
                                        "ab\xa1\x61"
                                        "a\x02",
                                        "\x83\x01\x5f\x41"
                                        "a\x41"
                                        "b\xff\xa1\x61"
                                        "a\x02"};
    for (size_t chunks = 0; chunks < 2; chunks++) {
        quern_status status = QUERN_ERROR_MEMORY;
        const size_t length = strlen(items[chunks]);
        for (size_t n = 1; status == QUERN_ERROR_MEMORY; n++) {
            bank b;
            quern_memory_sink memory;
            at("B170", chunks, n);
            bank_init(&b);
            b.fail_at = n;
            b.fail_on = true;
            const quern_cbor_writer_options options = {
                .size = sizeof options, .deterministic = !chunks, .allocator = &b.allocator};
            bank_sink(&b, &memory, 1, 0);
            status = write_item(&memory.sink, &options, chunks == 1);
            const quern_string view = quern_memory_sink_view(&memory);
            if (status == QUERN_OK) {
                CHECK(n > (chunks ? 1 : 3));
                CHECK(view.length == length && memcmp(view.data, items[chunks], length) == 0);
            } else {
                CHECK(status == QUERN_ERROR_MEMORY && view.length < length);
                ++*fault_points;
            }
            quern_memory_sink_free(&memory);
            CHECK(b.blocks == 0);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("allocators");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 120);
    ADD(test_B125_nothing_to_be_had);
    ADD(test_B127_deeper_than_there_was_room);
    ADD(test_B170_each_allocation_fails);
    suite_add_tcase(suite, tcase);
    return run_sink_suite(suite);
}
