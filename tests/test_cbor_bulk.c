/* SPDX-License-Identifier: MIT */
/*
 * Many numbers in one call, and strings of every short length, against an independent encoder: what is written in
 * blocks of like heads must not depend on where another one comes in between, nor on where a sink's window ends.
 */
#include "reference/cbor.h"
#include "support/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40, ROOM = 1024 };

static cbor_item items[MOST];
static int64_t ints[MOST];
static uint64_t uints[MOST];
static double doubles[MOST];
static unsigned char expected[ROOM];

typedef enum values { UINTS, INTS, DOUBLES } values;

static void write_values(quern_sink *sink, values kind, size_t count, const quern_cbor_writer_options *options)
{
    quern_cbor_writer w;
    quern_cbor_writer_init(&w, sink, options);
    quern_cbor_begin_array(&w, count);
    if (kind == UINTS)
        quern_cbor_write_u64s(&w, uints, count);
    else if (kind == INTS)
        quern_cbor_write_i64s(&w, ints, count);
    else
        quern_cbor_write_doubles(&w, doubles, count);
    quern_cbor_end(&w);
    CHECK(quern_cbor_writer_finish(&w) == QUERN_OK);
}

typedef struct collected {
    unsigned char bytes[ROOM];
    size_t length;
} collected;

static ptrdiff_t collect(void *context, const void *data, size_t length)
{
    collected *c = context;
    if (length > sizeof c->bytes - c->length)
        return -1;
    memcpy(c->bytes + c->length, data, length);
    c->length += length;
    return (ptrdiff_t)length;
}

/* The values as an array, to sinks whose windows end at different places. */
static void check_values(values kind, size_t count, const quern_cbor_writer_options *options)
{
    for (size_t i = 0; i < count; i++)
        items[i].next = i + 1 < count ? &items[i + 1] : NULL;
    const cbor_item array = {.major = 4, .length = count, .first = count ? items : NULL};
    const size_t length = reference_cbor_encode(expected, &array, false);

    static quern_memory_sink memory;
    static bool opened;
    if (!opened)
        quern_memory_sink_init(&memory, NULL);
    opened = true;
    quern_memory_sink_reset(&memory);
    write_values(&memory.sink, kind, count, options);
    const quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length == length && memcmp(view.data, expected, length) == 0);

    unsigned char buffer[ROOM];
    quern_fixed_sink fixed;
    quern_fixed_sink_init(&fixed, buffer, length);
    write_values(&fixed.sink, kind, count, options);
    CHECK(memcmp(buffer, expected, length) == 0 && quern_fixed_sink_needed(&fixed) == length);

    collected c = {.length = 0};
    quern_callback_sink callback;
    quern_callback_sink_init(&callback, collect, &c, buffer, 100 + count);
    write_values(&callback.sink, kind, count, options);
    CHECK(c.length == length && memcmp(c.bytes, expected, length) == 0);
}

/* The first and the last value of each width of head. */
static const uint64_t edges[] = {0,       23,         24,          0xFF,      0x100,     0xFFFF,
                                 0x10000, 0xFFFFFFFF, 0x100000000, INT64_MAX, UINT64_MAX};

static void set_integer(size_t i, uint64_t value, bool negative)
{
    uints[i] = value;
    ints[i] = (int64_t)(value & INT64_MAX);
    if (negative)
        ints[i] = -1 - ints[i];
    items[i] = (cbor_item){.major = 0, .number = value};
}

static void make_signed_items(size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const bool negative = ints[i] < 0;
        items[i] = (cbor_item){.major = negative, .number = (uint64_t)(negative ? -1 - ints[i] : ints[i])};
    }
}

START_TEST(one_integer_among_others)
{
    if (!open_variant(_i))
        return;
    enum { COUNT = 21 };
    for (size_t a = 0; a < SUPPORT_COUNT(edges); a++) {
        for (size_t b = 0; b < SUPPORT_COUNT(edges); b++) {
            for (size_t place = 0; place < COUNT; place++) {
                at("place of the other", place, a);
                for (size_t i = 0; i < COUNT; i++)
                    set_integer(i, i == place ? edges[b] : edges[a], (i + b) % 3 == 0);
                check_values(UINTS, COUNT, NULL);
                make_signed_items(COUNT);
                check_values(INTS, COUNT, NULL);
            }
        }
    }
}
END_TEST

START_TEST(every_count)
{
    if (!open_variant(_i))
        return;
    for (size_t a = 0; a < SUPPORT_COUNT(edges); a++) {
        for (size_t count = 0; count <= MOST; count++) {
            at("count", count, a);
            for (size_t i = 0; i < count; i++)
                set_integer(i, edges[a], false);
            check_values(UINTS, count, NULL);
        }
    }
}
END_TEST

START_TEST(one_double_among_others)
{
    if (!open_variant(_i))
        return;
    static const uint64_t special[] = {
        0,
        UINT64_C(0x8000000000000000),
        UINT64_C(0x3FE0000000000000), /* 0.5 */
        UINT64_C(0x3FF19999A0000000), /* 1.1f */
        UINT64_C(0x7FF0000000000000), /* infinity */
        UINT64_C(0xFFF0000000000000),
        UINT64_C(0x7FF8000000000000), /* NaN, also with bits that a float has not */
        UINT64_C(0x7FF0000000000001),
        UINT64_C(0xFFFFFFFFFFFFFFFF),
        UINT64_C(0x0000000000000001),
        UINT64_C(0x7FEFFFFFFFFFFFFF),
        UINT64_C(0x3FF0000010000000), /* the highest bit that a float has not */
        UINT64_C(0x3FF0000020000000), /* the lowest one that it has */
    };
    enum { COUNT = 21 };
    static const quern_cbor_writer_options given = {.size = sizeof given, .floats = QUERN_CBOR_FLOATS_GIVEN};
    for (size_t s = 0; s < SUPPORT_COUNT(special); s++) {
        for (size_t place = 0; place < COUNT; place++) {
            at("place of the special one", place, s);
            for (int wide = 0; wide < 2; wide++) {
                for (size_t i = 0; i < COUNT; i++) {
                    const uint64_t bits =
                        i == place ? special[s] : UINT64_C(0x3FF123456789ABCD) + i * UINT64_C(0x1000300070001);
                    memcpy(&doubles[i], &bits, sizeof bits);
                    items[i] = (cbor_item){.major = 7, .width = 64, .number = bits};
                    if (!wide)
                        reference_cbor_shortest(&items[i], doubles[i]);
                }
                check_values(DOUBLES, COUNT, wide ? &given : NULL);
            }
        }
    }
}
END_TEST

/* A byte string and a text in an array, at the end of blocks of several sizes. */
static void check_string(const char *text, size_t length, bool valid)
{
    unsigned char copy[MOST];
    memcpy(copy, text, length);
    cbor_item strings[2] = {{.major = 2, .data = copy, .length = length}, {.major = 3, .data = copy, .length = length}};
    strings[0].next = &strings[1];
    const cbor_item array = {.major = 4, .length = 2, .first = strings};
    const size_t size = reference_cbor_encode(expected, &array, false);
    unsigned char out[ROOM];
    for (size_t extra = 0; extra < 3; extra++) {
        quern_fixed_sink sink;
        quern_cbor_writer w;
        /* The bytes behind belong to somebody else. */
        memset(out, 0xA5, sizeof out);
        quern_fixed_sink_init(&sink, out, size + extra * 50);
        quern_cbor_writer_init(&w, &sink.sink, NULL);
        quern_cbor_begin_array(&w, 2);
        quern_cbor_write_bytes(&w, text, length);
        CHECK(quern_cbor_write_string(&w, text, length) == (valid ? QUERN_OK : QUERN_ERROR_UTF8));
        quern_cbor_end(&w);
        CHECK(quern_cbor_writer_finish(&w) == (valid ? QUERN_OK : QUERN_ERROR_UTF8));
        quern_sink_flush(&sink.sink);
        CHECK(memcmp(out, expected, valid ? size : size - length - 1 - (length > 23)) == 0);
        CHECK(out[size + extra * 50] == 0xA5);
    }
}

START_TEST(strings_of_every_length)
{
    if (!open_variant(_i))
        return;
    char text[MOST];
    for (size_t length = 0; length < MOST; length++) {
        for (size_t place = 0; place <= length; place++) {
            at("length, and where it is not ASCII", length, place);
            for (size_t i = 0; i < length; i++)
                text[i] = (char)('a' + i % 26);
            check_string(text, length, true);
            if (place < length) {
                text[place] = '\xC3';
                check_string(text, length, false);
            }
            if (place + 1 < length) {
                text[place + 1] = '\xA9';
                check_string(text, length, true);
            }
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cbor_bulk");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 600);
    ADD(one_integer_among_others);
    ADD(every_count);
    ADD(one_double_among_others);
    ADD(strings_of_every_length);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
