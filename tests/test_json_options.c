/* SPDX-License-Identifier: MIT */
/* The JSON writer's options, prepared keys, numbers and tokens, by literals; each reported fault of indentation. */
#include "reference/reference.h"
#include "reference/style.h"
#include "support/json_model.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void begin_test(quern_memory_sink *memory, quern_json_writer *writer, const quern_json_writer_options *options)
{
    quern_memory_sink_init(memory, NULL);
    quern_json_writer_init(writer, &memory->sink, options);
}

static void end_test(quern_memory_sink *memory, quern_json_writer *writer, const char *expected)
{
    CHECK(quern_json_writer_finish(writer) == QUERN_OK);
    const quern_string view = quern_memory_sink_view(memory);
    CHECK(view.length == strlen(expected) && same(view.data, expected, view.length));
    quern_memory_sink_free(memory);
}

/* ---- options ------------------------------------------------------------------------------------- */

START_TEST(test_refused_options)
{
    if (!open_variant(_i))
        return;
    char stack[4];
    const quern_json_writer_options refused[] = {
        {.indent = -2},
        {.indent = QUERN_JSON_INDENT_MAX + 1},
        {.indent = 2147483647}, /* ultrajson issue #700 (B123) */
        {.indent = -2000000000},
        {.indent = 1, .layout = QUERN_JSON_SPACED},
        {.layout = (quern_json_layout)2},
        {.invalid = (quern_json_invalid)5},
        {.nonfinite = (quern_json_nonfinite)3},
        {.stack_size = 1},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(refused); i++) {
        quern_memory_sink memory;
        quern_json_writer writer;
        quern_error error;
        at("refused options (B123)", i, 0);
        begin_test(&memory, &writer, &refused[i]);
        quern_json_begin_array(&writer);
        CHECK(quern_json_begin_array(&writer) == QUERN_ERROR_RANGE);
        CHECK(quern_json_write_string(&writer, "x", 1) == QUERN_ERROR_RANGE);
        CHECK(quern_json_end(&writer) == QUERN_ERROR_RANGE);
        CHECK(quern_json_writer_finish(&writer) == QUERN_ERROR_RANGE);
        quern_json_writer_error(&writer, &error);
        CHECK(error.status == QUERN_ERROR_RANGE && error.offset == 0);
        CHECK(quern_memory_sink_view(&memory).length == 0);
        quern_memory_sink_free(&memory);
    }
    const quern_json_writer_options allowed[] = {
        {.indent = QUERN_JSON_INDENT_MAX}, {.indent = QUERN_JSON_INDENT_TAB}, {.stack = stack, .stack_size = 4}};
    for (size_t i = 0; i < SUPPORT_COUNT(allowed); i++) {
        quern_memory_sink memory;
        quern_json_writer writer;
        at("allowed options", i, 0);
        begin_test(&memory, &writer, &allowed[i]);
        quern_json_write_null(&writer);
        end_test(&memory, &writer, "null");
    }
}
END_TEST

START_TEST(test_indent)
{
    if (!open_variant(_i))
        return;
    static const struct {
        int indent;
        const char *expected;
    } cases[] = {{1, "{\n \"a\": [\n  1,\n  {},\n  []\n ],\n \"b\": \"\"\n}"},
                 {4, "{\n    \"a\": [\n        1,\n        {},\n        []\n    ],\n    \"b\": \"\"\n}"},
                 {QUERN_JSON_INDENT_TAB, "{\n\t\"a\": [\n\t\t1,\n\t\t{},\n\t\t[]\n\t],\n\t\"b\": \"\"\n}"}};
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        quern_memory_sink memory;
        quern_json_writer writer;
        const quern_json_writer_options options = {.size = sizeof options, .indent = cases[i].indent};
        at("indent", i, 0);
        begin_test(&memory, &writer, &options);
        quern_json_begin_map(&writer);
        quern_json_write_key(&writer, "a", 1);
        quern_json_begin_array(&writer);
        quern_json_write_int(&writer, 1);
        quern_json_begin_map(&writer);
        quern_json_end(&writer);
        quern_json_begin_array(&writer);
        quern_json_end(&writer);
        quern_json_end(&writer);
        quern_json_write_key(&writer, "b", 1);
        quern_json_begin_string(&writer);
        quern_json_end_string(&writer);
        quern_json_end(&writer);
        end_test(&memory, &writer, cases[i].expected);
    }
}
END_TEST

/* ultrajson CVE-2021-45958: indentation was not counted in the room that was made. Array of the exact size. */
START_TEST(test_B122_indent_100_nesting_200)
{
    if (!open_variant(_i))
        return;
    enum { INDENT = 100, NESTING = 200 };
    static char expected[2 * NESTING * (NESTING + 1) * INDENT];
    size_t length = 0;
    for (size_t depth = 0; depth < 2 * NESTING; depth++) {
        const size_t level = depth < NESTING ? depth : 2 * NESTING - 1 - depth;
        /* The innermost array is empty. */
        if (depth > 0 && depth != NESTING) {
            expected[length++] = '\n';
            memset(expected + length, ' ', level * INDENT);
            length += level * INDENT;
        }
        expected[length++] = depth < NESTING ? '[' : ']';
    }
    support_guarded guarded = support_guarded_new(length + 1);
    for (size_t less = 0; less < 3; less++) {
        const quern_json_writer_options options = {.size = sizeof options, .indent = INDENT};
        quern_fixed_sink fixed;
        quern_json_writer writer;
        char *array = (char *)support_guarded_tail(&guarded, length - less);
        at("B122", less, 0);
        quern_fixed_sink_init(&fixed, array, length - less);
        quern_json_writer_init(&writer, &fixed.sink, &options);
        for (size_t i = 0; i < NESTING; i++)
            quern_json_begin_array(&writer);
        for (size_t i = 0; i < NESTING; i++)
            quern_json_end(&writer);
        CHECK(quern_json_writer_finish(&writer) == (less ? QUERN_ERROR_ROOM : QUERN_OK));
        CHECK(quern_fixed_sink_needed(&fixed) == length);
        quern_sink_finish(&fixed.sink);
        CHECK(memcmp(array, expected, length - less) == 0);
    }
    support_guarded_free(&guarded);
}
END_TEST

/* rapidjson issue #509, nlohmann issue #70. */
START_TEST(test_B106_B107_not_finite)
{
    if (!open_variant(_i))
        return;
    static const char *const texts[][3] = {{NULL}, {"null", "null", "null"}, {"NaN", "Infinity", "-Infinity"}};
    uint64_t payload = UINT64_C(0x7ff8000000000001);
    double odd;
    memcpy(&odd, &payload, sizeof odd);
    const double values[][2] = {{(double)NAN, odd}, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (size_t i = 0; i < 3 * 3 * 3; i++) {
        const size_t policy = i % 3, value = i / 3 % 3;
        const quern_json_writer_options options = {.size = sizeof options, .nonfinite = (quern_json_nonfinite)policy};
        quern_memory_sink memory;
        quern_json_writer writer;
        at("B106, B107", i, 0);
        begin_test(&memory, &writer, &options);
        quern_status status;
        if (i < 9)
            status = quern_json_write_float(&writer, (float)values[value][0]);
        else
            status = quern_json_write_double(&writer, values[value][i / 9 - 1]);
        CHECK(status == (policy ? QUERN_OK : QUERN_ERROR_RANGE));
        if (policy) {
            end_test(&memory, &writer, texts[policy][value]);
        } else {
            CHECK(quern_json_writer_finish(&writer) == QUERN_ERROR_RANGE);
            CHECK(quern_memory_sink_view(&memory).length == 0);
            quern_memory_sink_free(&memory);
        }
    }
}
END_TEST

/* json-c issue #894: strings were cut at 32767 bytes. */
START_TEST(test_B128_string_of_40000_bytes)
{
    if (!open_variant(_i))
        return;
    static char data[40000], expected[40002];
    memset(data, 'a', sizeof data);
    const size_t length = reference_json_string(expected, data, sizeof data);
    const call c = {CALL_STRING, data, sizeof data};
    at("B128", 0, 0);
    check_value(NULL, &c, expected, length);
}
END_TEST

/* A decimal comma must not get into numbers. */
START_TEST(test_locale)
{
    if (!open_variant(_i))
        return;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "C"};
    for (size_t i = 0; i < SUPPORT_COUNT(names); i++) {
        quern_memory_sink memory;
        quern_json_writer writer;
        if (setlocale(LC_ALL, names[i]) == NULL)
            continue;
        at("locale (B113)", i, 0);
        begin_test(&memory, &writer, NULL);
        quern_json_begin_array(&writer);
        quern_json_write_double(&writer, 1.5);
        quern_json_write_float(&writer, 2.25f);
        quern_json_write_int(&writer, -1234567);
        quern_json_end(&writer);
        end_test(&memory, &writer, "[1.5,2.25,-1234567]");
    }
    setlocale(LC_ALL, "C");
}
END_TEST

/* ---- levels -------------------------------------------------------------------------------------- */

static void *counting_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    size_t *counts = context; /* calls, bytes, the call to fail */
    if (new_size && ++counts[0] == counts[2])
        return NULL;
    counts[1] = counts[1] - old_size + new_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

/* Maps and arrays in turn, by a rule that has no period near a power of two. */
static bool is_map(size_t level)
{
    return level * level / 7 % 3 == 1;
}

/* The kinds of all levels are remembered: in the writer, in memory that grows, in the caller's. */
START_TEST(test_levels)
{
    if (!open_variant(_i))
        return;
    static unsigned char stack[4000];
    static const size_t depths[] = {1, 7, 8, 9, 1023, 1024, 1025, 3071, 3072, 3073, 20000};
    for (size_t i = 0; i < SUPPORT_COUNT(depths); i++) {
        for (size_t way = 0; way < 6; way++) {
            size_t counts[3] = {0, 0, way == 2 ? 1 : way == 3 ? 2 : 0};
            const quern_allocator allocator = {counting_resize, counts};
            quern_json_writer_options options = {.size = sizeof options, .max_depth = 30000, .allocator = &allocator};
            quern_memory_sink memory;
            quern_json_writer writer;
            const size_t depth = depths[i], beyond = depth > 1024 ? (depth - 1024 + 7) / 8 : 0;
            if (way >= 4) { /* just enough, and a byte less */
                options.stack = stack + 1;
                options.stack_size = way == 4 || beyond == 0 ? beyond : beyond - 1;
            }
            at("levels, way", depth, way);
            begin_test(&memory, &writer, &options);
            for (size_t level = 0; level < depth; level++) {
                if (level > 0 && is_map(level - 1))
                    quern_json_write_key(&writer, "", 0);
                if (is_map(level))
                    quern_json_begin_map(&writer);
                else
                    quern_json_begin_array(&writer);
            }
            for (size_t level = depth; level-- > 0;) {
                quern_json_end(&writer);
                if (level > 0 && is_map(level - 1) && level % 5 == 0) {
                    quern_json_write_key(&writer, "", 0);
                    quern_json_write_null(&writer);
                } else if (level > 0 && !is_map(level - 1) && level % 5 == 0) {
                    quern_json_write_null(&writer);
                }
            }
            const quern_status status = quern_json_writer_finish(&writer);
            if (way == 2 || way == 3)
                CHECK(status == (counts[0] >= counts[2] ? QUERN_ERROR_MEMORY : QUERN_OK));
            else
                CHECK(status == (way == 5 && beyond ? QUERN_ERROR_DEPTH : QUERN_OK));
            CHECK(counts[1] == 0); /* all is freed */
            CHECK(depth > 1024 && way < 4 ? counts[0] > 0 : counts[0] == 0);
            CHECK(stack[0] == 0 && stack[1 + options.stack_size] == 0);
            memset(stack, 0, sizeof stack);
            quern_memory_sink_free(&memory);
        }
    }
}
END_TEST

/* ---- prepared keys ------------------------------------------------------------------------------- */

START_TEST(test_prepared_keys)
{
    if (!open_variant(_i))
        return;
    static const quern_style_options styles[] = {
        {0}, {.flags = QUERN_STYLE_SOLIDUS | QUERN_STYLE_ASCII | QUERN_STYLE_UPPER}};
    support_random random = support_random_named("prepared keys");
    support_guarded guarded = support_guarded_new(4096);
    for (size_t length = 0; length < 200; length++) {
        for (size_t i = 0; i < 8; i++) {
            char data[200], escaped[1400], expected[1500];
            quern_style style;
            quern_json_key key, copy;
            CHECK(quern_style_init(&style, &styles[i % 2]) == QUERN_OK);
            some_text(&random, data, length, i < 4 ? 0 : 6);
            const size_t bytes =
                reference_escape(&styles[i % 2], escaped, sizeof escaped, data, length, QUERN_ESCAPE_FINAL).written;
            const bool is_long = bytes + 2 > 64;
            at("prepared key", length, i);
            CHECK(bytes + 2 <= QUERN_JSON_KEY_SIZE(length));
            char *buffer = (char *)support_guarded_tail(&guarded, bytes + 2);
            CHECK(quern_json_key_init(&key, data, length, &style, buffer, bytes + 1) ==
                  (is_long ? QUERN_ERROR_ROOM : QUERN_OK));
            CHECK(quern_json_key_init(&key, data, length, &style, is_long ? buffer : NULL, is_long ? bytes + 2 : 0) ==
                  QUERN_OK);
            copy = key;
            memset(&key, 0xee, sizeof key);
            memset(data, 0xee, sizeof data);
            const quern_json_writer_options options = {.size = sizeof options, .indent = i % 4 == 3 ? 1 : 0};
            const char *blank = options.indent ? "\n " : "", *colon = options.indent ? ": " : ":";
            snprintf(expected, sizeof expected, "{%s\"%.*s\"%s1,%s\"%.*s\"%s2%s}", blank, (int)bytes, escaped, colon,
                     blank, (int)bytes, escaped, colon, options.indent ? "\n" : "");
            for (size_t size = strlen(expected) - 1; size <= strlen(expected); size++) {
                quern_fixed_sink fixed;
                quern_json_writer writer;
                char out[1500];
                quern_fixed_sink_init(&fixed, out, size);
                quern_json_writer_init(&writer, &fixed.sink, &options);
                quern_json_begin_map(&writer);
                quern_json_write_prepared_key(&writer, &copy);
                quern_json_write_int(&writer, 1);
                quern_json_write_prepared_key(&writer, &copy);
                quern_json_write_int(&writer, 2);
                quern_json_end(&writer);
                CHECK(quern_json_writer_finish(&writer) == (size == strlen(expected) ? QUERN_OK : QUERN_ERROR_ROOM));
                CHECK(memcmp(out, expected, size) == 0);
            }
        }
    }
    support_guarded_free(&guarded);
    at("prepared key, refused", 0, 0);
    quern_json_key key;
    CHECK(quern_json_key_init(&key, "\xff", 1, NULL, NULL, 0) == QUERN_ERROR_UTF8);
    CHECK(quern_json_key_init(&key, "\xe2\x82", 2, NULL, NULL, 0) == QUERN_ERROR_UTF8);
    CHECK(quern_json_key_init(&key, "", SIZE_MAX, NULL, NULL, 0) == QUERN_ERROR_LIMIT);
}
END_TEST

/* ---- styles -------------------------------------------------------------------------------------- */

/* Styles of all kinds and policies, whole and in pieces, values and keys, well-formed and not. */
START_TEST(test_styles)
{
    if (!open_variant(_i))
        return;
    support_random random = support_random_named("writer styles");
    static const char *const letters[] = {NULL, "bfnrt", "", "nt"};
    for (size_t round = 0; round < 20000; round++) {
        if (support_thinned())
            continue;
        char data[200];
        call calls[12];
        quern_style style;
        quern_style_options made = {.size = sizeof made};
        quern_json_writer_options options;
        random_options(&random, &options);
        made.flags = (unsigned)support_random_below(&random, 256);
        made.ill_formed = (quern_ill_formed)support_random_below(&random, QUERN_ILL_FORMED_KEEP + 1);
        made.letters = letters[support_random_below(&random, SUPPORT_COUNT(letters))];
        CHECK(quern_style_init(&style, &made) == QUERN_OK);
        options.style = &style;
        options.canonical = false;
        options.max_depth = 0;
        const size_t length = support_random_below(&random, round % 8 ? 40 : sizeof data);
        some_text(&random, data, length, round % 3 ? 10 : 0);
        for (size_t i = 0; round % 2 && length && i < 1 + length / 20; i++)
            data[support_random_below(&random, length)] = (char)(support_random_next(&random) | 0x80);
        const size_t cut = support_random_below(&random, length + 1), second = support_random_below(&random, cut + 1);
        const call script[] = {{CALL_BEGIN_ARRAY, NULL, 0},
                               {CALL_STRING, data, length},
                               {CALL_BEGIN_STRING, NULL, 0},
                               {CALL_PART, data, second},
                               {CALL_PART, data + second, cut - second},
                               {CALL_PART, data + cut, length - cut},
                               {CALL_END_STRING, NULL, 0},
                               {CALL_BEGIN_MAP, NULL, 0},
                               {CALL_KEY, data, length},
                               {CALL_STRING, data, cut},
                               {CALL_END, NULL, 0},
                               {CALL_END, NULL, 0}};
        memcpy(calls, script, sizeof script);
        at("writer styles", round, 0);
        check_calls_as(&the_model, &options, &made, round % 4 == 1, calls, SUPPORT_COUNT(script));
    }
}
END_TEST

/* ---- tokens -------------------------------------------------------------------------------------- */

/* RFC 4648 section 10, and RFC 8949 section 6.1. */
START_TEST(test_bytes)
{
    if (!open_variant(_i))
        return;
    static const struct {
        uint64_t tag;
        const char *bytes;
        const char *expected;
    } cases[] = {
        {0, "", "\"\""},
        {0, "f", "\"Zg\""},
        {0, "fo", "\"Zm8\""},
        {0, "foo", "\"Zm9v\""},
        {0, "foob", "\"Zm9vYg\""},
        {0, "fooba", "\"Zm9vYmE\""},
        {0, "foobar", "\"Zm9vYmFy\""},
        {0, "\xfb\xff\xbf", "\"-_-_\""},
        {2, "\xfb\xff\xbf", "\"-_-_\""},
        {3, "\xfb\xff\xbf", "\"~-_-_\""},
        {21, "\xfb\xff", "\"-_8\""},
        {22, "\xfb\xff\xbf", "\"+/+/\""},
        {22, "f", "\"Zg==\""},
        {22, "fo", "\"Zm8=\""},
        {22, "foo", "\"Zm9v\""},
        {22, "", "\"\""},
        {23, "foobar", "\"666F6F626172\""},
        {23, "\xfb\x0a", "\"FB0A\""},
        {278, "f", "\"Zg\""}, /* 22 + 256 */
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        const size_t length = strlen(cases[i].bytes);
        for (size_t a = 0; a <= length; a++) {
            for (size_t b = a; b <= length; b++) {
                quern_memory_sink memory;
                quern_json_writer writer;
                const quern_token tag = {.kind = QUERN_TOKEN_TAG, .value.number = cases[i].tag};
                quern_token t = {.kind = QUERN_TOKEN_BYTES, .flags = QUERN_TOKEN_WHOLE};
                at("bytes", i, a);
                begin_test(&memory, &writer, NULL);
                if (cases[i].tag)
                    CHECK(quern_json_write_token(&writer, &tag) == QUERN_OK);
                t.value.text = (quern_string){cases[i].bytes, length};
                if (a > 0 || b < length) {
                    t.flags = QUERN_TOKEN_FIRST;
                    t.value.text.length = a;
                    CHECK(quern_json_write_token(&writer, &t) == QUERN_OK);
                    t.flags = 0;
                    t.value.text = (quern_string){cases[i].bytes + a, b - a};
                    CHECK(quern_json_write_token(&writer, &t) == QUERN_OK);
                    t.flags = QUERN_TOKEN_LAST;
                    t.value.text = (quern_string){cases[i].bytes + b, length - b};
                }
                CHECK(quern_json_write_token(&writer, &t) == QUERN_OK);
                end_test(&memory, &writer, cases[i].expected);
            }
        }
    }
}
END_TEST

START_TEST(test_tokens)
{
    if (!open_variant(_i))
        return;
    static const quern_token whole[] = {
        {.kind = QUERN_TOKEN_MAP, .value.number = 5},
        {.kind = QUERN_TOKEN_TAG, .value.number = 22},
        {.kind = QUERN_TOKEN_STRING, .flags = QUERN_TOKEN_WHOLE, .value.text = {"a", 1}},
        {.kind = QUERN_TOKEN_BYTES, .flags = QUERN_TOKEN_WHOLE, .value.text = {"f", 1}}, /* the tag was another's */
        {.kind = QUERN_TOKEN_STRING, .flags = QUERN_TOKEN_FIRST | QUERN_TOKEN_KEY, .value.text = {"b", 1}},
        {.kind = QUERN_TOKEN_STRING, .flags = QUERN_TOKEN_LAST | QUERN_TOKEN_KEY, .value.text = {"b", 1}},
        {.kind = QUERN_TOKEN_ARRAY, .value.number = QUERN_UNKNOWN},
        {.kind = QUERN_TOKEN_SIMPLE, .value.number = 99},
        {.kind = QUERN_TOKEN_UNDEFINED},
        {.kind = QUERN_TOKEN_NULL},
        {.kind = QUERN_TOKEN_BOOL, .value.truth = true},
        {.kind = QUERN_TOKEN_UNSIGNED, .value.number = UINT64_MAX},
        {.kind = QUERN_TOKEN_NEGATIVE, .value.number = 0},
        {.kind = QUERN_TOKEN_NEGATIVE, .value.number = INT64_MAX},
        {.kind = QUERN_TOKEN_NEGATIVE, .value.number = (uint64_t)INT64_MAX + 1},
        {.kind = QUERN_TOKEN_NEGATIVE, .value.number = UINT64_MAX - 1},
        {.kind = QUERN_TOKEN_NEGATIVE, .value.number = UINT64_MAX},
        {.kind = QUERN_TOKEN_DOUBLE, .width = 16, .value.real = 0.0999755859375},
        {.kind = QUERN_TOKEN_DOUBLE, .width = 32, .value.real = 0.100000001490116119384765625},
        {.kind = QUERN_TOKEN_DOUBLE, .width = 64, .value.real = 0.100000001490116119384765625},
        {.kind = QUERN_TOKEN_DOUBLE, .value.real = 1e300},
        {.kind = QUERN_TOKEN_NUMBER, .value.text = {"1.0e5", 5}},
        {.kind = QUERN_TOKEN_END},
        {.kind = QUERN_TOKEN_END},
    };
    quern_memory_sink memory;
    quern_json_writer writer;
    at("tokens", 0, 0);
    begin_test(&memory, &writer, NULL);
    for (size_t i = 0; i < SUPPORT_COUNT(whole); i++)
        CHECK(quern_json_write_token(&writer, &whole[i]) == QUERN_OK);
    end_test(&memory, &writer,
             "{\"a\":\"Zg\",\"bb\":[null,null,null,true,18446744073709551615,-1,-9223372036854775808,"
             "-9223372036854775809,-18446744073709551615,-18446744073709551616,0.099975586,0.1,0.10000000149011612,"
             "1e+300,1.0e5]}");

    /* -2^64 in canonical form, and what is no double. */
    static const struct {
        uint64_t number;
        const char *expected;
    } canonical[] = {
        {UINT64_MAX, "-18446744073709552000"}, {(uint64_t)1 << 63, NULL}, {UINT64_MAX - 2048, "-18446744073709550000"}};
    for (size_t i = 0; i < SUPPORT_COUNT(canonical); i++) {
        const quern_json_writer_options options = {.size = sizeof options, .canonical = true};
        const quern_token t = {.kind = QUERN_TOKEN_NEGATIVE, .value.number = canonical[i].number};
        at("canonical negative", i, 0);
        begin_test(&memory, &writer, &options);
        CHECK(quern_json_write_token(&writer, &t) == (canonical[i].expected ? QUERN_OK : QUERN_ERROR_RANGE));
        if (canonical[i].expected)
            end_test(&memory, &writer, canonical[i].expected);
        else
            CHECK(quern_json_writer_finish(&writer) == QUERN_ERROR_RANGE);
        quern_memory_sink_free(&memory);
    }

    static const struct {
        quern_status status;
        quern_token tokens[3];
    } wrong[] = {
        {QUERN_ERROR_MISUSE, {{.kind = 14}}},
        {QUERN_ERROR_MISUSE, {{.kind = 255}}},
        {QUERN_ERROR_MISUSE, {{.kind = QUERN_TOKEN_BYTES, .flags = QUERN_TOKEN_LAST}}},
        {QUERN_ERROR_MISUSE, {{.kind = QUERN_TOKEN_BYTES, .flags = QUERN_TOKEN_FIRST}, {.kind = QUERN_TOKEN_NULL}}},
        {QUERN_ERROR_MISUSE, {{.kind = QUERN_TOKEN_BYTES, .flags = QUERN_TOKEN_FIRST}, {.kind = QUERN_TOKEN_STRING}}},
        {QUERN_ERROR_MISUSE, {{.kind = QUERN_TOKEN_BYTES, .flags = QUERN_TOKEN_FIRST}, {.kind = QUERN_TOKEN_TAG}}},
        {QUERN_ERROR_MISUSE, {{.kind = QUERN_TOKEN_STRING, .flags = QUERN_TOKEN_FIRST}, {.kind = QUERN_TOKEN_BYTES}}},
        {QUERN_ERROR_MISUSE, {{.kind = QUERN_TOKEN_BYTES, .flags = QUERN_TOKEN_FIRST}}},
        {QUERN_ERROR_LIMIT, {{.kind = QUERN_TOKEN_BYTES, .flags = QUERN_TOKEN_WHOLE, .value.text = {"", SIZE_MAX}}}},
        {QUERN_ERROR_TYPE, {{.kind = QUERN_TOKEN_MAP}, {.kind = QUERN_TOKEN_BYTES, .flags = QUERN_TOKEN_WHOLE}}},
        {QUERN_ERROR_TYPE, {{.kind = QUERN_TOKEN_MAP}, {.kind = QUERN_TOKEN_UNSIGNED}}},
        {QUERN_ERROR_TYPE, {{.kind = QUERN_TOKEN_MAP}, {.kind = QUERN_TOKEN_MAP}}},
        {QUERN_ERROR_NUMBER, {{.kind = QUERN_TOKEN_NUMBER, .value.text = {"1.", 2}}}},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(wrong); i++) {
        at("wrong tokens", i, 0);
        begin_test(&memory, &writer, NULL);
        for (size_t k = 0; k < 3; k++)
            quern_json_write_token(&writer, &wrong[i].tokens[k]);
        /* (What is left of three is null, so what is right so far is wrong then.) */
        CHECK(quern_json_writer_finish(&writer) == wrong[i].status);
        quern_memory_sink_free(&memory);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json_options");
    TCase *tcase = tcase_create("options");
    tcase_set_timeout(tcase, 120);
    ADD(test_refused_options);
    ADD(test_indent);
    ADD(test_locale);
    ADD(test_levels);
    ADD(test_prepared_keys);
    ADD(test_styles);
    ADD(test_bytes);
    ADD(test_tokens);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("bug reports");
    tcase_set_timeout(tcase, 120);
    ADD(test_B106_B107_not_finite);
    ADD(test_B122_indent_100_nesting_200);
    ADD(test_B128_string_of_40000_bytes);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
