/* SPDX-License-Identifier: MIT */
/* RFC 8785: against literals, and against a slow sort of what the model writes. */
#include "reference/reference.h"
#include "support/json_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const quern_json_writer_options canonical = {.size = sizeof(quern_json_writer_options), .canonical = true};

static size_t first_active; /* the variant that was in use before any was forced */

static void begin_test(quern_memory_sink *memory, quern_json_writer *writer, const quern_json_writer_options *options)
{
    quern_memory_sink_init(memory, NULL);
    quern_json_writer_init(writer, &memory->sink, options);
}

static void end_test(quern_memory_sink *memory, quern_json_writer *writer, quern_status status, const char *expected)
{
    CHECK(quern_json_writer_finish(writer) == status);
    const quern_string view = quern_memory_sink_view(memory);
    CHECK(view.length == strlen(expected) && same(view.data, expected, view.length));
    quern_memory_sink_free(memory);
}

/* ---- literals ------------------------------------------------------------------------------------ */

/* Section 3.2.3: the example of the RFC, and every place where an order of code points or of bytes differs. */
START_TEST(test_order)
{
    if (!open_variant(_i))
        return;
    static const char *const in[] = {"\xe2\x82\xac",
                                     "\r",
                                     "\xef\xac\xb3",
                                     "1",
                                     "\xf0\x9f\x98\x80",
                                     "\xc2\x80",
                                     "\xc3\xb6",
                                     "",
                                     "\"",
                                     "\\",
                                     "\x1f",
                                     "!",
                                     "\n",
                                     "\x01",
                                     "\xed\x9f\xbf",
                                     "\xee\x80\x80",
                                     "\xef\xbf\xbf",
                                     "\xf4\x8f\xbf\xbf",
                                     "a",
                                     "a\x01",
                                     "ab",
                                     "a\"",
                                     "\xf0\x90\x80\x80",
                                     "aa",
                                     "\x19",
                                     "\x18"};
    static const char expected[] =
        "{\"\":7,\"\\u0001\":13,\"\\n\":12,\"\\r\":1,\"\\u0018\":25,\"\\u0019\":24,\"\\u001f\":10,\"!\":11,\"\\\"\":8,"
        "\"1\":3,\"\\\\\":9,\"a\":18,"
        "\"a\\u0001\":19,\"a\\\"\":21,\"aa\":23,\"ab\":20,\"\xc2\x80\":5,\"\xc3\xb6\":6,\"\xe2\x82\xac\":0,"
        "\"\xed\x9f\xbf\":14,\"\xf0\x90\x80\x80\":22,\"\xf0\x9f\x98\x80\":4,\"\xf4\x8f\xbf\xbf\":17,"
        "\"\xee\x80\x80\":15,\"\xef\xac\xb3\":2,\"\xef\xbf\xbf\":16}";
    for (size_t shift = 0; shift < SUPPORT_COUNT(in); shift++) {
        for (size_t back = 0; back < 2; back++) {
            quern_memory_sink memory;
            quern_json_writer writer;
            at("order, shift, backwards", shift, back);
            begin_test(&memory, &writer, &canonical);
            quern_json_begin_map(&writer);
            for (size_t i = 0; i < SUPPORT_COUNT(in); i++) {
                size_t k = (i + shift) % SUPPORT_COUNT(in);
                if (back)
                    k = SUPPORT_COUNT(in) - 1 - k;
                quern_json_write_key(&writer, in[k], strlen(in[k]));
                quern_json_write_uint(&writer, k);
            }
            quern_json_end(&writer);
            end_test(&memory, &writer, QUERN_OK, expected);
        }
    }
}
END_TEST

/* What comes before the failure is dropped, with the container. */
START_TEST(test_refused)
{
    if (!open_variant(_i))
        return;
    static const struct {
        const char *what;
        quern_status status;
    } cases[] = {{"duplicate", QUERN_ERROR_DUPLICATE}, {"nan", QUERN_ERROR_RANGE},     {"2^53+1", QUERN_ERROR_RANGE},
                 {"raw", QUERN_ERROR_MISUSE},          {"number", QUERN_ERROR_MISUSE}, {"utf8", QUERN_ERROR_UTF8},
                 {"style", QUERN_ERROR_MISUSE},        {"open", QUERN_ERROR_MISUSE},   {"depth", QUERN_ERROR_DEPTH}};
    const quern_style_options with_solidus = {.size = sizeof with_solidus, .flags = QUERN_STYLE_SOLIDUS};
    quern_style solidus;
    ck_assert_int_eq(quern_style_init(&solidus, &with_solidus), QUERN_OK);
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        quern_memory_sink memory;
        quern_json_writer writer;
        quern_json_writer_options options = canonical;
        quern_json_key key;
        options.max_depth = 3;
        at("refused", i, 0);
        begin_test(&memory, &writer, &options);
        quern_sink_write(&memory.sink, "before ", 7);
        quern_json_begin_array(&writer);
        quern_json_begin_map(&writer);
        quern_json_write_key(&writer, "a\n", 2);
        quern_json_write_null(&writer);
        quern_json_write_key(&writer, "b", 1);
        switch (i) {
        case 0:
            quern_json_write_null(&writer);
            quern_json_write_key(&writer, "a\n", 2);
            quern_json_write_null(&writer);
            CHECK(quern_json_end(&writer) == QUERN_ERROR_DUPLICATE);
            break;
        case 1: quern_json_write_double(&writer, NAN); break;
        case 2: quern_json_write_int(&writer, -INT64_C(9007199254740993)); break;
        case 3: quern_json_write_raw(&writer, "1", 1); break;
        case 4: quern_json_write_number(&writer, "1", 1); break;
        case 5: quern_json_write_string(&writer, "\xff", 1); break;
        case 6:
            quern_json_write_null(&writer);
            CHECK(quern_json_key_init(&key, "x", 1, &solidus, NULL, 0) == QUERN_OK);
            CHECK(quern_json_write_prepared_key(&writer, &key) == QUERN_ERROR_MISUSE);
            break;
        case 8:
            quern_json_begin_array(&writer);
            quern_json_begin_array(&writer);
            break;
        default: break;
        }
        end_test(&memory, &writer, cases[i].status, "before ");
    }
    /* Options that exclude it. */
    static const quern_json_writer_options excluded[] = {
        {.canonical = true, .layout = QUERN_JSON_SPACED},
        {.canonical = true, .indent = 1},
        {.canonical = true, .invalid = QUERN_JSON_INVALID_REPLACE},
        {.canonical = true, .invalid = QUERN_JSON_INVALID_SKIP_ITEM},
        {.canonical = true, .nonfinite = QUERN_JSON_NONFINITE_NULL},
    };
    for (size_t i = 0; i <= SUPPORT_COUNT(excluded); i++) {
        quern_memory_sink memory;
        quern_json_writer writer;
        quern_json_writer_options options = canonical;
        if (i < SUPPORT_COUNT(excluded))
            options = excluded[i];
        else
            options.style = &solidus;
        at("excluded", i, 0);
        begin_test(&memory, &writer, &options);
        CHECK(quern_json_write_null(&writer) == QUERN_ERROR_RANGE);
        end_test(&memory, &writer, QUERN_ERROR_RANGE, "");
    }
}
END_TEST

/* ---- random -------------------------------------------------------------------------------------- */

typedef struct bank {
    size_t calls, fail_at, bytes, most;
} bank;

static void *bank_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    bank *b = context;
    CHECK((block == NULL) == (old_size == 0));
    if (new_size != 0 && ++b->calls == b->fail_at)
        return NULL;
    b->bytes = b->bytes - old_size + new_size;
    b->most = b->bytes > b->most ? b->bytes : b->most;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    void *moved = support_allocate(new_size);
    memcpy(moved, block ? block : moved, least(old_size, new_size));
    free(block);
    return moved;
}

static ptrdiff_t collect(void *context, const void *data, size_t length)
{
    quern_memory_sink *memory = context;
    CHECK(quern_sink_write(&memory->sink, data, length) == QUERN_OK);
    return (ptrdiff_t)length;
}

/* Random documents, to a memory sink and to a callback with a small buffer; each of the writer's allocations fails. */
START_TEST(test_random_documents)
{
    if (!open_variant(_i))
        return;
    support_random random = support_random_named("canonical");
    static char pool[POOL_SIZE];
    for (size_t round = 0; round < 2000; round++) {
        call calls[400];
        if (round % 100 == 0)
            fill_pool(&random, pool);
        if (support_thinned())
            continue;
        const size_t count = random_document(&random, &the_model, &canonical, pool, calls, round % 4 ? 60 : 400);
        bool reached = true;
        for (size_t fail_at = 0; reached || fail_at == 1; fail_at++) {
            bank b = {.fail_at = fail_at};
            const quern_allocator allocator = {bank_resize, &b};
            quern_json_writer_options options = canonical;
            quern_memory_sink memory;
            quern_callback_sink callback;
            char buffer[200];
            options.allocator = &allocator;
            at("canonical, round, failing allocation", round, fail_at);
            quern_memory_sink_init(&memory, NULL);
            quern_callback_sink_init(&callback, collect, &memory, buffer, round % sizeof buffer);
            const quern_status status =
                write_calls(round % 2 ? &memory.sink : &callback.sink, &options, false, calls, count);
            reached = fail_at && b.calls >= fail_at;
            CHECK(status == (reached ? QUERN_ERROR_MEMORY : QUERN_OK));
            CHECK(b.bytes == 0);
            CHECK(b.most <= 4096 + 8 * 130 + count * 130 + the_model.length);
            *fault_points += reached;
            const quern_string view = quern_memory_sink_view(&memory);
            CHECK(view.length == (reached ? 0 : the_model.length) && same(view.data, the_model.text, view.length));
            quern_memory_sink_free(&memory);
        }
    }
}
END_TEST

/* Levels within levels, none in order: time that grows with the square would be hours. Once: no kernel is in it. */
START_TEST(test_deep_and_wide)
{
    if (!open_variant(_i) || (size_t)_i != first_active)
        return;
    enum { LEVELS = 200000, WIDE = 100000 };
    quern_json_writer_options options = canonical;
    quern_memory_sink memory;
    quern_json_writer writer;
    options.max_depth = LEVELS;
    at("deep", LEVELS, 0);
    begin_test(&memory, &writer, &options);
    for (size_t i = 0; i < LEVELS; i++) {
        quern_json_begin_map(&writer);
        quern_json_write_key(&writer, "b", 1);
    }
    quern_json_write_null(&writer);
    for (size_t i = 0; i < LEVELS; i++) {
        quern_json_write_key(&writer, "a", 1);
        quern_json_write_int(&writer, 1);
        quern_json_end(&writer);
    }
    CHECK(quern_json_writer_finish(&writer) == QUERN_OK);
    quern_string view = quern_memory_sink_view(&memory);
    static const char level[] = "{\"a\":1,\"b\":";
    CHECK(view.length == LEVELS * sizeof level + 4);
    for (size_t i = 0; i < LEVELS; i++)
        CHECK(memcmp(view.data + i * (sizeof level - 1), level, sizeof level - 1) == 0);
    CHECK(memcmp(view.data + LEVELS * (sizeof level - 1), "null}}", 6) == 0);
    quern_memory_sink_free(&memory);

    at("wide", WIDE, 0);
    begin_test(&memory, &writer, &canonical);
    quern_json_begin_map(&writer);
    for (size_t i = 0; i < WIDE; i++) {
        char key[8];
        snprintf(key, sizeof key, "%07u", (unsigned)(i * 7919 % WIDE) % 10000000u);
        quern_json_write_key(&writer, key, 7);
        quern_json_write_bool(&writer, i % 2);
    }
    quern_json_end(&writer);
    CHECK(quern_json_writer_finish(&writer) == QUERN_OK);
    view = quern_memory_sink_view(&memory);
    const char *p = view.data + 1;
    for (size_t i = 0; i < WIDE; i++) {
        CHECK(strtoul(p + 1, NULL, 10) == i);
        p = memchr(p, i + 1 < WIDE ? ',' : '}', (size_t)(view.data + view.length - p));
        CHECK(p++ != NULL);
    }
    CHECK(p == view.data + view.length);
    quern_memory_sink_free(&memory);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json_canonical");
    TCase *tcase = tcase_create("canonical");
    tcase_set_timeout(tcase, 120);
    ADD(test_order);
    ADD(test_refused);
    ADD(test_random_documents);
    ADD(test_deep_and_wide);
    suite_add_tcase(suite, tcase);

    first_active = quern_variant_active();
    return run_suite(suite);
}
