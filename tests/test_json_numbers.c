/* SPDX-License-Identifier: MIT */
/* The JSON writer's numbers many at once: as so many calls one by one, with all options, in sinks of all kinds. */
#include "support/json_model.h"

#include <math.h>
#ifdef __SSE__
#    include <xmmintrin.h>
#endif

enum { MOST = 120 };

typedef enum bulk { INTS, UINTS, DOUBLES, BULKS } bulk;

static int64_t ints[MOST];
static uint64_t uints[MOST];
static double doubles[MOST];

static void write_numbers(quern_json_writer *writer, bulk kind, size_t count, bool at_once)
{
    if (at_once) {
        switch (kind) {
        case INTS: quern_json_write_ints(writer, ints, count); break;
        case UINTS: quern_json_write_uints(writer, uints, count); break;
        default: quern_json_write_doubles(writer, doubles, count); break;
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        switch (kind) {
        case INTS: quern_json_write_int(writer, ints[i]); break;
        case UINTS: quern_json_write_uint(writer, uints[i]); break;
        default: quern_json_write_double(writer, doubles[i]); break;
        }
    }
}

/* Within an array, behind an element or not; as the root; as the value of a key; where nothing may come. */
static quern_status write_document(quern_sink *sink, const quern_json_writer_options *options, size_t place, bulk kind,
                                   size_t count, bool at_once)
{
    quern_json_writer writer;
    quern_json_writer_init(&writer, sink, options);
    if (place < 2 || place == 4)
        quern_json_begin_array(&writer);
    if (place == 1)
        quern_json_write_string(&writer, "x", 1);
    if (place >= 3)
        quern_json_begin_map(&writer);
    if (place == 3)
        quern_json_write_key(&writer, "k", 1);
    write_numbers(&writer, kind, count, at_once);
    if (place != 2)
        quern_json_end(&writer);
    return quern_json_writer_finish(&writer);
}

static ptrdiff_t collect(void *context, const void *data, size_t length)
{
    quern_memory_sink *memory = context;
    CHECK(quern_sink_write(&memory->sink, data, length) == QUERN_OK);
    return (ptrdiff_t)length;
}

START_TEST(test_many_at_once)
{
    if (!open_variant(_i))
        return;
    support_random random = support_random_named("many numbers");
    support_guarded guarded = support_guarded_new(1 << 16);
    for (size_t round = 0; round < 6000; round++) {
        if (support_thinned())
            continue;
        const bulk kind = (bulk)(round % BULKS);
        const size_t place = round / BULKS % 16 < 4 ? round / BULKS % 16 + 1 : 0;
        const size_t count = support_random_below(&random, round % 5 ? 8 : MOST + 1);
        quern_json_writer_options options;
        random_options(&random, &options);
        for (size_t i = 0; i < count; i++) {
            ints[i] = (int64_t)(support_random_next(&random) >> support_random_below(&random, 64)) *
                      (support_random_below(&random, 2) ? 1 : -1);
            uints[i] = support_random_next(&random) >> support_random_below(&random, 64);
            const uint64_t bits = support_random_next(&random);
            memcpy(&doubles[i], &bits, sizeof bits);
            static const double special[] = {-0.0, (double)NAN, (double)INFINITY, 0.0, 1.5};
            if (!isfinite(doubles[i]) || support_random_below(&random, 20) == 0)
                doubles[i] = special[support_random_below(&random, support_random_below(&random, 4) ? 1 : 5)];
        }
        quern_memory_sink one, many;
        at("many numbers", round, count);
        quern_memory_sink_init(&one, NULL);
        quern_memory_sink_init(&many, NULL);
        const quern_status status = write_document(&one.sink, &options, place, kind, count, false);
        CHECK(write_document(&many.sink, &options, place, kind, count, true) == status);
        const quern_string expected = quern_memory_sink_view(&one), got = quern_memory_sink_view(&many);
        CHECK(got.length == expected.length && same(got.data, expected.data, got.length));

        quern_callback_sink callback;
        quern_memory_sink_reset(&many);
        const size_t size = support_random_below(&random, 300);
        quern_callback_sink_init(&callback, collect, &many, support_guarded_tail(&guarded, size), size);
        CHECK(write_document(&callback.sink, &options, place, kind, count, true) == status);
        CHECK(quern_sink_finish(&callback.sink) == QUERN_OK);
        const quern_string arrived = quern_memory_sink_view(&many);
        CHECK(arrived.length == expected.length && same(arrived.data, expected.data, arrived.length));

        quern_fixed_sink fixed;
        const size_t room = support_random_below(&random, expected.length + 2);
        char *array = (char *)support_guarded_tail(&guarded, room);
        quern_fixed_sink_init(&fixed, array, room);
        const quern_status full = write_document(&fixed.sink, &options, place, kind, count, true);
        quern_sink_finish(&fixed.sink);
        if (status == QUERN_OK) {
            CHECK(full == (room >= expected.length ? QUERN_OK : QUERN_ERROR_ROOM));
            CHECK(quern_fixed_sink_needed(&fixed) == expected.length);
            CHECK(options.canonical || same(array, expected.data, least(room, expected.length)));
        }
        quern_memory_sink_free(&one);
        quern_memory_sink_free(&many);
    }
    support_guarded_free(&guarded);
}
END_TEST

/* What a program linked with -ffast-math sets for itself: subnormal numbers are taken for 0. */
START_TEST(test_subnormals_taken_for_0)
{
    if (!open_variant(_i))
        return;
#ifdef __SSE__
    static const char expected[] = "[1e-40,-1e-40,-1e-45,-0,5e-324,-5e-324]";
    const volatile float floats[] = {1e-40F, -1e-40F, -1e-45F, -0.0F};
    const volatile double subnormals[] = {5e-324, -5e-324};
    quern_memory_sink memory;
    quern_json_writer writer;
    quern_memory_sink_init(&memory, NULL);
    quern_json_writer_init(&writer, &memory.sink, NULL);
    const unsigned state = _mm_getcsr();
    _mm_setcsr(state | 0x8040); /* FTZ, DAZ */
    quern_json_begin_array(&writer);
    for (size_t i = 0; i < SUPPORT_COUNT(floats); i++)
        quern_json_write_float(&writer, floats[i]);
    for (size_t i = 0; i < SUPPORT_COUNT(subnormals); i++)
        quern_json_write_double(&writer, subnormals[i]);
    quern_json_end(&writer);
    _mm_setcsr(state);
    CHECK(quern_json_writer_finish(&writer) == QUERN_OK);
    const quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length == sizeof expected - 1 && same(view.data, expected, view.length));
    quern_memory_sink_free(&memory);
#endif
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json_numbers");
    TCase *tcase = tcase_create("numbers");
    tcase_set_timeout(tcase, 120);
    ADD(test_many_at_once);
    ADD(test_subnormals_taken_for_0);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
