/* SPDX-License-Identifier: MIT */
/* The JSON writer's strings: whole and in pieces, well-formed and not, and of lengths where an int or a size_t ends. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* memfd_create */
#endif
#include "reference/reference.h"
#include "support/json_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t first_active; /* the variant that was in use before any was forced */

enum { LONG_STRING = 300 * 1024 };

static const quern_json_writer_options replacing = {.size = sizeof replacing, .invalid = QUERN_JSON_INVALID_REPLACE};

static char long_string[LONG_STRING];
static char long_expected[6 * LONG_STRING + 2];

START_TEST(test_strings)
{
    if (!open_variant(_i))
        return;
    static const size_t densities[] = {0, 1, 2, 5, 16, 40, 200};
    support_random random = support_random_named("strings");
    support_guarded guarded = support_guarded_new(LONG_STRING);
    for (size_t length = 0; length <= 300; length++) {
        for (size_t round = 0; round < 4 * SUPPORT_COUNT(densities); round++) {
            if (support_thinned())
                continue;
            at("string, round", length, round);
            char *data = (char *)support_guarded_tail(&guarded, length);
            if (round % 4 == 3)
                data = (char *)guarded.start;
            some_text(&random, data, length, densities[round % SUPPORT_COUNT(densities)]);
            size_t expected = reference_json_string(long_expected, data, length);
            call c = {CALL_STRING, data, length};
            check_value(round % 2 == 0 ? NULL : &keeping, &c, long_expected, expected);
        }
    }
    for (size_t round = 0; round < 40; round++) {
        if (support_thinned())
            continue;
        size_t length = support_random_below(&random, round < 4 ? LONG_STRING : 20000);
        at("long string, round", length, round);
        char *data = (char *)support_guarded_tail(&guarded, length);
        some_text(&random, data, length, densities[round % SUPPORT_COUNT(densities)]);
        size_t expected = reference_json_string(long_expected, data, length);
        call c = {CALL_STRING, data, length};
        check_value(round % 2 == 0 ? NULL : &keeping, &c, long_expected, expected);
    }
    support_guarded_free(&guarded);
}
END_TEST

/* One byte to escape at each place of strings of each length: each vector's lane, each tail. */
START_TEST(test_escape_at_each_place)
{
    if (!open_variant(_i))
        return;
    char data[300];
    for (size_t length = 1; length <= 200; length++) {
        for (size_t place = 0; place < length; place++) {
            if (support_thinned())
                continue;
            at("escape, length, place", length, place);
            memset(data, place % 2 == 0 ? 'a' : ' ', length);
            data[place] = "\"\\\n\0\x1f"[(length + place) % 5];
            size_t expected = reference_json_string(long_expected, data, length);
            call c = {CALL_STRING, data, length};
            check_value(NULL, &c, long_expected, expected);
        }
    }
}
END_TEST

/* simdjson/simdjson issue #2424: a new writer's escape table was wrong, and nobody looked at the output. */
START_TEST(test_B027_all_strings_of_one_and_two_bytes)
{
    if (!open_variant(_i))
        return;
    for (size_t number = 0; number < 256 + 65536; number++) {
        if (support_thinned())
            continue;
        char data[2] = {(char)number, (char)(number >> 8)};
        call c = {CALL_STRING, data, 2};
        if (number >= 65536) {
            data[0] = (char)(number - 65536);
            c.length = 1;
        }
        at("bytes", number, c.length);
        check_calls(&the_model, number % 2 == 0 ? &compact : &keeping, &c, 1);
        if (number % 2 != 0)
            check_calls(&the_model, &compact, &c, 1);
    }
}
END_TEST

/* ---- strings in pieces --------------------------------------------------------------------------- */

/* Each piece is read where nothing behind it can be. */
static void write_pieces(quern_json_writer *writer, support_guarded *guarded, const char *data, size_t length,
                         const size_t *cuts, size_t count)
{
    quern_json_begin_string(writer);
    size_t start = 0;
    for (size_t i = 0; i <= count; i++) {
        size_t end = i < count ? cuts[i] : length;
        char *piece = (char *)support_guarded_tail(guarded, end - start);
        memcpy(piece, data + start, end - start);
        quern_json_write_part(writer, start == end && i % 2 == 0 ? NULL : piece, end - start);
        memset(piece, '\n', end - start); /* read during the call only */
        start = end;
    }
    quern_json_end_string(writer);
}

static void pieces_case(support_guarded *guarded, const quern_json_writer_options *options, const char *data,
                        size_t length, const size_t *cuts, size_t count, const char *expected, size_t expected_length)
{
    quern_memory_sink memory;
    quern_json_writer writer;
    quern_memory_sink_init(&memory, NULL);
    quern_json_writer_init(&writer, &memory.sink, options);
    write_pieces(&writer, guarded, data, length, cuts, count);
    CHECK(quern_json_writer_finish(&writer) == QUERN_OK);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length == expected_length);
    CHECK(memcmp(view.data, expected, expected_length) == 0);
    quern_memory_sink_free(&memory);
}

static int compare_sizes(const void *a, const void *b)
{
    size_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

START_TEST(test_pieces)
{
    if (!open_variant(_i))
        return;
    static const size_t densities[] = {0, 2, 16};
    support_random random = support_random_named("pieces");
    support_guarded guarded = support_guarded_new(LONG_STRING);
    for (size_t round = 0; round < 150; round++) {
        if (support_thinned())
            continue;
        size_t length = round < 100 ? support_random_below(&random, 220) : support_random_below(&random, 3000);
        size_t cuts[64];
        const quern_json_writer_options *options = round % 3 == 0 ? &keeping : &compact;
        some_text(&random, long_string, length, densities[round % SUPPORT_COUNT(densities)]);
        size_t expected = reference_json_string(long_expected, long_string, length);
        for (size_t cut = 0; cut <= length; cut += round < 100 ? 1 : 37) {
            at("pieces, length, cut", length, cut);
            cuts[0] = cut;
            pieces_case(&guarded, options, long_string, length, cuts, 1, long_expected, expected);
        }
        for (size_t times = 0; times < 40; times++) {
            size_t count = support_random_below(&random, SUPPORT_COUNT(cuts));
            at("pieces, length, random cuts", length, count);
            for (size_t i = 0; i < count; i++)
                cuts[i] = times % 2 == 0 ? support_random_below(&random, length + 1) : least(i, length);
            qsort(cuts, count, sizeof *cuts, compare_sizes);
            pieces_case(&guarded, options, long_string, length, cuts, count, long_expected, expected);
        }
    }
    /* Nothing at all, and no part at all. */
    size_t cuts[4] = {0, 0, 0, 0};
    at("pieces, none", 0, 0);
    pieces_case(&guarded, NULL, "", 0, cuts, 4, "\"\"", 2);
    support_guarded_free(&guarded);
}
END_TEST

/* Pieces of one byte, all code points at the borders of the encoding's lengths. */
START_TEST(test_pieces_of_one_byte)
{
    if (!open_variant(_i))
        return;
    static const uint32_t points[] = {0x00,   0x1f,    0x22,    0x7f,    0x80,    0x7ff,    0x800,
                                      0xfff,  0x1000,  0xcfff,  0xd000,  0xd7ff,  0xe000,   0xfffd,
                                      0xffff, 0x10000, 0x3ffff, 0x40000, 0xfffff, 0x100000, 0x10ffff};
    support_guarded guarded = support_guarded_new(4096);
    char data[SUPPORT_COUNT(points) * 4];
    size_t cuts[sizeof data];
    size_t length = 0;
    for (size_t i = 0; i < SUPPORT_COUNT(points); i++) {
        size_t bytes = support_encoded_size(points[i]);
        support_encode((unsigned char *)data + length, points[i], bytes);
        length += bytes;
    }
    for (size_t i = 0; i < length; i++)
        cuts[i] = i;
    at("pieces of one byte", length, 0);
    size_t expected = reference_json_string(long_expected, data, length);
    pieces_case(&guarded, &compact, data, length, cuts, length, long_expected, expected);
    pieces_case(&guarded, &keeping, data, length, cuts, length, long_expected, expected);
    support_guarded_free(&guarded);
}
END_TEST

/* ---- ill-formed text ----------------------------------------------------------------------------- */

static const struct {
    const char *bytes;
    size_t length;
} ill_formed[] = {
    {"\x80", 1},
    {"\xbf", 1},
    {"\xc0\x80", 2},
    {"\xc1\xbf", 2},
    {"\xc2", 1},
    {"\xc2\x7f", 2},
    {"\xc2\xc2", 2},
    {"\xc3\x28", 2},
    {"\xe0\x80\x80", 3},
    {"\xe0\x9f\xbf", 3},
    {"\xe0\xa0", 2},
    {"\xe1\x80", 2},
    {"\xe1\x80\x7f", 3},
    {"\xe2\x28\xa1", 3},
    {"\xed\xa0\x80", 3},
    {"\xed\xbf\xbf", 3},
    {"\xed", 1},
    {"\xef\xbf", 2},
    {"\xf0\x80\x80\x80", 4},
    {"\xf0\x8f\xbf\xbf", 4},
    {"\xf0\x9f\x98", 3},
    {"\xf0\x9f\x98\x41", 4},
    {"\xf0\x9f\x98\xc2\x80", 5},
    {"\xf0\x90", 2},
    {"\xf0", 1},
    {"\xf1\x80\x80\x80\x80", 5},
    {"\xf4\x90\x80\x80", 4},
    {"\xf5\x80\x80\x80", 4},
    {"\xf8\x88\x80\x80\x80", 5},
    {"\xfe", 1},
    {"\xff", 1},
};

static void ill_formed_case(support_guarded *guarded, const char *data, size_t length, const size_t *cuts, size_t count)
{
    quern_memory_sink memory;
    quern_json_writer writer;
    quern_error error;
    quern_span span = reference_utf8_prefix(data, length);
    CHECK(span.why != QUERN_STOP_END);
    quern_memory_sink_init(&memory, NULL);
    quern_json_writer_init(&writer, &memory.sink, NULL);
    quern_json_begin_array(&writer);
    quern_json_write_string(&writer, "before", 6); /* offsets start anew with each string */
    if (count == SIZE_MAX) {
        char *whole = (char *)support_guarded_tail(guarded, length);
        memcpy(whole, data, length);
        CHECK(quern_json_write_string(&writer, whole, length) == QUERN_ERROR_UTF8);
    } else {
        write_pieces(&writer, guarded, data, length, cuts, count);
    }
    quern_json_writer_error(&writer, &error);
    CHECK(error.status == QUERN_ERROR_UTF8);
    CHECK(error.offset == span.length);
    uint64_t written = quern_sink_total(&memory.sink);
    CHECK(quern_json_write_null(&writer) == QUERN_ERROR_UTF8);
    CHECK(quern_json_end(&writer) == QUERN_ERROR_UTF8);
    CHECK(quern_json_writer_finish(&writer) == QUERN_ERROR_UTF8);
    quern_json_writer_error(&writer, &error);
    CHECK(error.status == QUERN_ERROR_UTF8 && error.offset == span.length);
    CHECK(quern_sink_total(&memory.sink) == written);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length >= 9 && memcmp(view.data, "[\"before\"", 9) == 0);
    quern_memory_sink_free(&memory);

    /* When asked to keep it, the writer passes it on, cut or not. */
    size_t expected = reference_json_string(long_expected, data, length);
    quern_memory_sink_init(&memory, NULL);
    quern_json_writer_init(&writer, &memory.sink, &keeping);
    if (count == SIZE_MAX)
        CHECK(quern_json_write_string(&writer, data, length) == QUERN_OK);
    else
        write_pieces(&writer, guarded, data, length, cuts, count);
    CHECK(quern_json_writer_finish(&writer) == QUERN_OK);
    view = quern_memory_sink_view(&memory);
    CHECK(view.length == expected && memcmp(view.data, long_expected, expected) == 0);
    quern_memory_sink_free(&memory);
}

START_TEST(test_ill_formed)
{
    if (!open_variant(_i))
        return;
    support_random random = support_random_named("ill-formed");
    support_guarded guarded = support_guarded_new(4096);
    for (size_t i = 0; i < SUPPORT_COUNT(ill_formed); i++) {
        for (size_t front = 0; front <= 150; front += front < 70 ? 1 : 9) {
            for (size_t back = 0; back <= 70; back = back == 0 ? 1 : back * 4 + support_random_below(&random, 3)) {
                if (support_thinned())
                    continue;
                char data[512];
                some_text(&random, data, front, front % 3 == 0 ? 8 : 0);
                memcpy(data + front, ill_formed[i].bytes, ill_formed[i].length);
                size_t length = front + ill_formed[i].length;
                memset(data + length, 'z', back);
                length += back;
                at("ill-formed, front", i, front);
                ill_formed_case(&guarded, data, length, NULL, SIZE_MAX);
                const call others[] = {
                    {CALL_BEGIN_ARRAY, NULL, 0}, {CALL_STRING, data, length}, {CALL_BEGIN_MAP, NULL, 0},
                    {CALL_KEY, data, length},    {CALL_STRING, data, length}, {CALL_KEY, data, front},
                    {CALL_STRING, data, length}, {CALL_END, NULL, 0},         {CALL_END, NULL, 0}};
                for (int policy = QUERN_JSON_INVALID_REPLACE; policy <= QUERN_JSON_INVALID_SKIP_ITEM; policy++) {
                    const quern_json_writer_options options = {
                        .size = sizeof options, .indent = front % 2 ? 2 : 0, .invalid = (quern_json_invalid)policy};
                    check_calls(&the_model, &options, others, SUPPORT_COUNT(others));
                }
                if (front < 20 || front % 8 == 0) {
                    for (size_t cut = front < 3 ? 0 : front - 3; cut <= least(length, front + 8); cut++)
                        ill_formed_case(&guarded, data, length, &cut, 1);
                }
                size_t cuts[8];
                for (size_t k = 0; k < SUPPORT_COUNT(cuts); k++)
                    cuts[k] = support_random_below(&random, length + 1);
                qsort(cuts, SUPPORT_COUNT(cuts), sizeof *cuts, compare_sizes);
                ill_formed_case(&guarded, data, length, cuts, SUPPORT_COUNT(cuts));
                for (size_t k = 0; k < SUPPORT_COUNT(cuts); k++)
                    cuts[k] = least(front + k, length);
                ill_formed_case(&guarded, data, length, cuts, SUPPORT_COUNT(cuts));
            }
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

/* All strings of three edge bytes, whole and in pieces of one byte. */
START_TEST(test_ill_formed_edges)
{
    if (!open_variant(_i))
        return;
    static const char edges[] = "\x00\x22\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1"
                                "\xf3\xf4\xf5\xff\x41";
    enum { EDGES = sizeof edges - 1 };
    for (size_t number = 0; number < (size_t)EDGES * EDGES * EDGES; number++) {
        if (support_thinned())
            continue;
        char data[4] = {edges[number % EDGES], edges[number / EDGES % EDGES], edges[number / EDGES / EDGES], 'x'};
        call calls[8] = {{CALL_STRING, data, 3}};
        at("edges", number, 0);
        check_calls(&the_model, &compact, calls, 1);
        call pieces[6] = {{CALL_BEGIN_STRING, NULL, 0}, {CALL_PART, data, 1},     {CALL_PART, data + 1, 1},
                          {CALL_PART, data + 2, 1},     {CALL_PART, data + 3, 1}, {CALL_END_STRING, NULL, 0}};
        check_calls(&the_model, number % 4 == 0 ? &keeping : &compact, pieces, 6);
        quern_json_writer_options options = {.size = sizeof options};
        options.invalid = (quern_json_invalid)(QUERN_JSON_INVALID_REPLACE + number % 3);
        check_calls(&the_model, &options, calls, 1);
        check_calls(&the_model, &options, pieces, 6);
    }
}
END_TEST

/* ugorji/go issues #335, #313: no end on a literal U+FFFD or a cut character. */
START_TEST(test_B035_replacement_character_and_cut_character)
{
    if (!open_variant(_i))
        return;
    at("B035", 0, 0);
    check_string("\xef\xbf\xbd", 3, "\"\xef\xbf\xbd\"");
    call cut = {CALL_STRING, "\xf0\x9f\x98", 3};
    check_calls(&the_model, &compact, &cut, 1);
    CHECK(the_model.error.status == QUERN_ERROR_UTF8 && the_model.error.offset == 0);
    check_calls(&the_model, &keeping, &cut, 1);
    CHECK(the_model.error.status == QUERN_OK);
    check_value(&replacing, &cut, "\"\xef\xbf\xbd\"", 5);
}
END_TEST

/* json-iterator/go issue #663 (one mode replaced, the other copied) and issue #153 (no end); Tr3kkR/Yuzu issue #593. */
START_TEST(test_B036_B037_B041_one_policy_in_all_modes)
{
    if (!open_variant(_i))
        return;
    char many[1000];
    memset(many, 0x80, sizeof many);
    const call calls[] = {
        {CALL_STRING, "\x61\xff\x62", 3}, {CALL_STRING, many, sizeof many}, {CALL_STRING, "\x65\xc3\x28\x64", 4}};
    static const uint64_t offsets[] = {1, 0, 1};
    for (size_t i = 0; i < SUPPORT_COUNT(calls); i++) {
        at("B036, B037, B041", i, 0);
        check_calls(&the_model, &compact, &calls[i], 1);
        CHECK(the_model.error.status == QUERN_ERROR_UTF8 && the_model.error.offset == offsets[i]);
        check_calls(&the_model, &spaced, &calls[i], 1);
        CHECK(the_model.error.status == QUERN_ERROR_UTF8 && the_model.error.offset == offsets[i]);
        check_calls(&the_model, &keeping, &calls[i], 1);
        CHECK(the_model.error.status == QUERN_OK);
        check_calls(&the_model, &replacing, &calls[i], 1);
        CHECK(the_model.error.status == QUERN_OK && the_model.length == (i == 1 ? 3002 : i == 0 ? 7 : 8));
    }
}
END_TEST

/* Web Platform Tests, encoding: U+FFFD for each maximal subpart, whole and in pieces. */
START_TEST(test_wpt_replacement)
{
    if (!open_variant(_i))
        return;
    size_t length;
    char *rows = (char *)support_data("wpt_encoding/replacement_utf8.tsv", &length);
    if (rows == NULL)
        return;
    size_t count = 0;
    for (char *row = memchr(rows, '\n', length), *end; row != NULL; row = end) {
        const size_t left = length - (size_t)(++row - rows);
        end = memchr(row, '\n', left);
        char *in = memchr(row, '\t', left), *out = in ? memchr(in + 1, '\t', left - (size_t)(in + 1 - row)) : NULL;
        if (end == NULL || out == NULL || out > end)
            break;
        char expected[64] = "\"";
        size_t expected_length = 1;
        call calls[16] = {{CALL_BEGIN_STRING, NULL, 0}};
        size_t calls_made = 1;
        unsigned char bytes[64];
        size_t used = 0;
        for (const char *p = in + 1; p <= out; p++) { /* pieces end at | */
            const char *piece = p;
            while (p < out && *p != '|')
                p++;
            const size_t decoded = support_hex(bytes + used, sizeof bytes - used, piece, (size_t)(p - piece));
            calls[calls_made++] = (call){CALL_PART, (const char *)bytes + used, decoded};
            used += decoded;
        }
        for (const char *p = out + 1; p < end; p++) {
            const char *piece = p;
            while (p < end && *p != '|')
                p++;
            expected_length += support_hex((unsigned char *)expected + expected_length,
                                           sizeof expected - expected_length, piece, (size_t)(p - piece));
        }
        expected[expected_length++] = '"';
        calls[calls_made++] = (call){CALL_END_STRING, NULL, 0};
        at("WPT replacement", count++, 0);
        const call whole = {CALL_STRING, (const char *)bytes, used};
        check_value(&replacing, &whole, expected, expected_length);
        check_calls(&the_model, &replacing, calls, calls_made);
        CHECK(the_model.length == expected_length && memcmp(the_model.text, expected, expected_length) == 0);
    }
    CHECK(count == 18);
    free(rows);
}
END_TEST

/* rsyslog/libfastjson issue #107: the sign of a byte reached a table of hexadecimal digits. */
START_TEST(test_B026_byte_above_7f)
{
    if (!open_variant(_i))
        return;
    at("B026", 0, 0);
    check_string("\xc2\xa9", 2, "\"\xc2\xa9\"");
    check_string("f\xc3\xbcr", 4, "\"f\xc3\xbcr\"");
}
END_TEST

/* ---- sizes --------------------------------------------------------------------------------------- */

/* Lengths that no object has: an error, and nothing is read. */
START_TEST(test_lengths_beyond_objects)
{
    if (!open_variant(_i))
        return;
    static const size_t lengths[] = {SIZE_MAX,      SIZE_MAX - 1,     SIZE_MAX - 8,
                                     SIZE_MAX - 63, SIZE_MAX / 2 + 2, SIZE_MAX / 2 + 1};
    support_guarded guarded = support_guarded_new(4096);
    const char *end = (const char *)support_guarded_tail(&guarded, 0);
    for (size_t i = 0; i < SUPPORT_COUNT(lengths); i++) {
        for (size_t round = 0; round < 4; round++) {
            quern_fixed_sink fixed;
            quern_json_writer writer;
            char array[64];
            at("length, round", lengths[i], round);
            quern_fixed_sink_init(&fixed, array, round < 2 ? sizeof array : 0);
            quern_json_writer_init(&writer, &fixed.sink, round % 2 == 0 ? NULL : &keeping);
            quern_json_begin_array(&writer);
            CHECK(quern_json_write_string(&writer, end, lengths[i]) == QUERN_ERROR_LIMIT);
            CHECK(quern_json_writer_finish(&writer) == QUERN_ERROR_LIMIT);

            quern_fixed_sink_init(&fixed, array, sizeof array);
            quern_json_writer_init(&writer, &fixed.sink, round % 2 == 0 ? NULL : &keeping);
            quern_json_begin_string(&writer);
            CHECK(quern_json_write_part(&writer, end, lengths[i]) == QUERN_ERROR_LIMIT);
            CHECK(quern_json_writer_finish(&writer) == QUERN_ERROR_LIMIT);
            for (call_kind kind = CALL_NUMBER; kind <= CALL_KEY; kind++) {
                const call c = {kind, end, lengths[i]};
                quern_json_writer_init(&writer, &fixed.sink, NULL);
                CHECK(make_call(&writer, &c) == QUERN_ERROR_LIMIT);
            }
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

#if SIZE_MAX > UINT32_MAX && defined(__linux__)
enum { TILE = 4 << 20 };

/* `length` bytes "a", of which only a tile is in memory; NULL if that cannot be had. */
static char *huge_string(size_t length, size_t *mapped)
{
    *mapped = (length + TILE - 1) / TILE * TILE;
    int file = memfd_create("huge string", 0);
    if (file < 0)
        return NULL;
    char *tile = support_allocate(TILE);
    memset(tile, 'a', TILE);
    bool good = write(file, tile, TILE) == TILE;
    free(tile);
    char *map = mmap(NULL, *mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    good = good && map != MAP_FAILED;
    for (size_t i = 0; good && i < *mapped; i += TILE)
        good = mmap(map + i, TILE, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
    close(file);
    if (!good && map != MAP_FAILED)
        munmap(map, *mapped);
    return good ? map : NULL;
}
#endif

/* redis/redis PR #12456: an int as the index. Each variant when sets are run whole, else the usual one. */
START_TEST(test_B038_string_past_2_GiB)
{
    if (!open_variant(_i))
        return;
    if (!support_whole() && ((size_t)_i != first_active || support_thinned()))
        return;
#if SIZE_MAX > UINT32_MAX && defined(__linux__)
    const size_t length = support_whole() ? (size_t)UINT64_C(0x100000010) : (size_t)UINT64_C(0x80000010);
    size_t mapped;
    char *data = huge_string(length, &mapped);
    if (data == NULL) {
        printf("skipped: B038: no such string can be mapped\n");
        return;
    }
    quern_fixed_sink fixed;
    quern_json_writer writer;
    char array[16];
    at("B038", length, 0);
    quern_fixed_sink_init(&fixed, array, sizeof array);
    quern_json_writer_init(&writer, &fixed.sink, NULL);
    quern_json_write_string(&writer, data, length);
    CHECK(quern_json_writer_finish(&writer) == QUERN_ERROR_ROOM);
    CHECK(quern_fixed_sink_needed(&fixed) == (uint64_t)length + 2);
    CHECK(memcmp(array, "\"aaaaaaaaaaaaaaa", 16) == 0);
    munmap(data, mapped);
#else
    printf("skipped: B038: lengths are of 32 bits\n");
#endif
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------- */

int main(void)
{
    Suite *suite = suite_create("json_strings");
    TCase *tcase = tcase_create("strings");
    tcase_set_timeout(tcase, 120);
    ADD(test_strings);
    ADD(test_escape_at_each_place);
    ADD(test_pieces);
    ADD(test_pieces_of_one_byte);
    ADD(test_ill_formed);
    ADD(test_ill_formed_edges);
    ADD(test_wpt_replacement);
    ADD(test_lengths_beyond_objects);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("bug reports");
    tcase_set_timeout(tcase, 120);
    ADD(test_B026_byte_above_7f);
    ADD(test_B027_all_strings_of_one_and_two_bytes);
    ADD(test_B035_replacement_character_and_cut_character);
    ADD(test_B036_B037_B041_one_policy_in_all_modes);
    ADD(test_B038_string_past_2_GiB);
    suite_add_tcase(suite, tcase);

    first_active = quern_variant_active();
    return run_suite(suite);
}
