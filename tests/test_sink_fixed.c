/* SPDX-License-Identifier: MIT */
/* The fixed sink: every size, every alignment, amid canaries and before a page that cannot be written. */
#include "support/sinks.h"

#include <string.h>

static void fixed_case(const script *s, support_random *random, unsigned char *data, size_t size)
{
    quern_fixed_sink fixed;
    memset(data - FRONT, CANARY_BYTE, FRONT + size);
    quern_fixed_sink_init(&fixed, size == 0 && s->total % 2 == 0 ? NULL : data, size);
    CHECK(quern_fixed_sink_needed(&fixed) == 0);
    size_t position = 0;
    bool full = false;
    for (size_t i = 0; i < s->count; i++) {
        take_step(&fixed.sink, &s->steps[i], position);
        position += s->steps[i].length;
        CHECK(quern_fixed_sink_needed(&fixed) == position);
        if (support_random_below(random, 4) == 0) {
            quern_sink_reserve(&fixed.sink, QUERN_RESERVE);
            CHECK(fixed.sink.limit - fixed.sink.cursor >= QUERN_RESERVE); /* full or not */
            CHECK(quern_fixed_sink_needed(&fixed) == position);
        }
        quern_status status = quern_sink_status(&fixed.sink);
        if (support_random_below(random, 8) == 0) {
            status = quern_sink_flush(&fixed.sink);
            CHECK(status == (position <= size ? QUERN_OK : QUERN_ERROR_ROOM));
            CHECK(memcmp(data, text, least(position, size)) == 0);
            CHECK(quern_fixed_sink_needed(&fixed) == position);
        }
        /* The failure may wait for the bytes in the window to be put in their place, but not go away. */
        CHECK(status == QUERN_OK || (status == QUERN_ERROR_ROOM && position > size));
        CHECK(!full || status == QUERN_ERROR_ROOM);
        full = status != QUERN_OK;
    }
    quern_status status = quern_sink_finish(&fixed.sink);
    CHECK(status == (s->total <= size ? QUERN_OK : QUERN_ERROR_ROOM));
    CHECK(quern_sink_finish(&fixed.sink) == status);
    CHECK(quern_sink_status(&fixed.sink) == status);
    CHECK(quern_fixed_sink_needed(&fixed) == s->total);
    CHECK(quern_sink_total(&fixed.sink) == least(s->total, size));
    CHECK(quern_failed(quern_sink_write(&fixed.sink, text + s->total, 5))); /* the output has ended */
    CHECK(quern_failed(quern_sink_write(&fixed.sink, text + s->total, 500)));
    CHECK(quern_fixed_sink_needed(&fixed) == s->total);
    CHECK(memcmp(data, text, least(s->total, size)) == 0);
    for (size_t i = 0; i < FRONT; i++)
        CHECK((data - FRONT)[i] == CANARY_BYTE);
}

/* The page behind the array cannot be written. */
START_TEST(test_fixed_every_size)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("fixed");
    support_guarded guarded = support_guarded_new(FRONT + 512);
    for (size_t size = 0; size <= 400; size++) {
        for (size_t round = 0; round < 24; round++) {
            if (support_thinned())
                continue;
            size_t total = round < 8    ? size
                           : round < 13 ? size + 1
                           : round < 16 ? (size > 0 ? size - 1 : 0)
                           : round < 20 ? size + support_random_below(&random, 140)
                                        : support_random_below(&random, 2 * size + 600);
            make_script(&s, &random, total, false);
            at("fixed, size, total", size, total);
            fixed_case(&s, &random, support_guarded_tail(&guarded, size), size);
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

/* Amid canaries at every alignment, in one write and in one window. */
START_TEST(test_fixed_alignments)
{
    if (!open_variant(_i))
        return;
    for (size_t size = 0; size <= 200; size++) {
        for (size_t align = 0; align < 64; align += 1 + size % 3) {
            if (support_thinned())
                continue;
            at("fixed, size, alignment", size, align);
            for (size_t over = 0; over < 2; over++) {
                quern_fixed_sink fixed;
                unsigned char *data = support_target(size, false, align);
                quern_fixed_sink_init(&fixed, data, size);
                quern_sink_write(&fixed.sink, text, size + over);
                CHECK(quern_sink_finish(&fixed.sink) == (over == 0 ? QUERN_OK : QUERN_ERROR_ROOM));
                CHECK(memcmp(data, text, size) == 0);
                CHECK(support_target_fault() == NULL);

                data = support_target(size, false, align);
                quern_fixed_sink_init(&fixed, data, size);
                size_t length = least(size + over, QUERN_RESERVE);
                write_direct(&fixed.sink, QUERN_RESERVE, 0, length);
                CHECK(quern_fixed_sink_needed(&fixed) == length);
                CHECK(quern_sink_finish(&fixed.sink) == (length <= size ? QUERN_OK : QUERN_ERROR_ROOM));
                CHECK(memcmp(data, text, least(length, size)) == 0);
                CHECK(support_target_fault() == NULL);
            }
        }
    }
}
END_TEST

/* ---- faults that other projects had -------------------------------------------------------------- */

/* DaveGamble/cJSON issue #132, PR #494: five bytes more than the text were needed. */
START_TEST(test_B129_array_of_the_right_size)
{
    if (!open_variant(_i))
        return;
    static const char expected[] = "[\"abc\"]";
    support_guarded guarded = support_guarded_new(64);
    for (size_t size = 0; size <= 10; size++) {
        unsigned char *data = support_guarded_tail(&guarded, size);
        quern_fixed_sink fixed;
        quern_json_writer writer;
        at("B129, size", size, 0);
        quern_fixed_sink_init(&fixed, data, size);
        quern_json_writer_init(&writer, &fixed.sink, NULL);
        quern_json_begin_array(&writer);
        quern_json_write_string(&writer, "abc", 3);
        quern_json_end(&writer);
        CHECK(quern_json_writer_finish(&writer) == (size >= 7 ? QUERN_OK : QUERN_ERROR_ROOM));
        CHECK(quern_sink_finish(&fixed.sink) == (size >= 7 ? QUERN_OK : QUERN_ERROR_ROOM));
        CHECK(quern_fixed_sink_needed(&fixed) == 7);
        CHECK(memcmp(data, expected, least(size, 7)) == 0);
    }
    support_guarded_free(&guarded);
}
END_TEST

/* DaveGamble/cJSON issue #230: one byte past an array that is exactly full. */
START_TEST(test_B130_every_kind_into_every_size)
{
    if (!open_variant(_i))
        return;
    static const char *const expected[] = {"null",       "true",        "false", "\"\"",
                                           "\"a\\\"b\"", "\"\\u0001\"", "[]",    "[null]"};
    for (size_t kind = 0; kind < SUPPORT_COUNT(expected); kind++) {
        size_t needed = strlen(expected[kind]);
        for (size_t size = 0; size <= needed + 1; size++) {
            for (size_t align = 0; align < 64; align++) {
                unsigned char *data = support_target(size, false, align);
                quern_fixed_sink fixed;
                quern_json_writer writer;
                at("B130, kind, size", kind, size);
                quern_fixed_sink_init(&fixed, data, size);
                quern_json_writer_init(&writer, &fixed.sink, NULL);
                switch (kind) {
                case 0: quern_json_write_null(&writer); break;
                case 1: quern_json_write_bool(&writer, true); break;
                case 2: quern_json_write_bool(&writer, false); break;
                case 3: quern_json_write_string(&writer, NULL, 0); break;
                case 4: quern_json_write_string(&writer, "a\"b", 3); break;
                case 5: quern_json_write_string(&writer, "\1", 1); break;
                default:
                    quern_json_begin_array(&writer);
                    if (kind == 7)
                        quern_json_write_null(&writer);
                    quern_json_end(&writer);
                }
                quern_status status = quern_json_writer_finish(&writer);
                CHECK(status == (size >= needed ? QUERN_OK : QUERN_ERROR_ROOM));
                CHECK(quern_fixed_sink_needed(&fixed) == needed);
                CHECK(quern_sink_finish(&fixed.sink) == status);
                CHECK(memcmp(data, expected[kind], least(size, needed)) == 0);
                CHECK(support_target_fault() == NULL);
            }
        }
    }
}
END_TEST

/* A window without room has no slack behind it either: one for a text of no bytes is not left like that. */
START_TEST(test_fixed_reserve_nothing)
{
    if (!open_variant(_i))
        return;
    enum { SIZE = 100 };
    unsigned char data[SIZE + 2 * QUERN_SLACK];
    for (size_t filled = 0; filled <= SIZE + 1; filled++) {
        quern_fixed_sink fixed;
        memset(data, CANARY_BYTE, sizeof data);
        quern_fixed_sink_init(&fixed, data, SIZE);
        quern_sink_write(&fixed.sink, text, filled);
        CHECK(quern_sink_reserve(&fixed.sink, 0) == QUERN_OK);
        CHECK(fixed.sink.limit > fixed.sink.cursor);
        memset(fixed.sink.limit, 0, QUERN_SLACK);
        CHECK(quern_fixed_sink_needed(&fixed) == filled);
        CHECK(quern_sink_finish(&fixed.sink) == (filled <= SIZE ? QUERN_OK : QUERN_ERROR_ROOM));
        CHECK(memcmp(data, text, least(filled, SIZE)) == 0);
        for (size_t i = SIZE; i < sizeof data; i++)
            CHECK(data[i] == CANARY_BYTE);
    }
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------- */

int main(void)
{
    Suite *suite = suite_create("sink_fixed");
    TCase *tcase = tcase_create("fixed");
    tcase_set_timeout(tcase, 120);
    ADD(test_fixed_every_size);
    ADD(test_fixed_alignments);
    ADD(test_fixed_reserve_nothing);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("bug reports");
    tcase_set_timeout(tcase, 120);
    ADD(test_B129_array_of_the_right_size);
    ADD(test_B130_every_kind_into_every_size);
    suite_add_tcase(suite, tcase);

    return run_sink_suite(suite);
}
