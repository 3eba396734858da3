/* SPDX-License-Identifier: MIT */
/*
 * The JSON writer: against literals, against a model that knows nothing of sinks and windows, and read back by a
 * checker that knows nothing of the writer.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* memfd_create */
#endif
#include "reference/json_check.h"
#include "reference/reference.h"
#include "support/support.h"

#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t *fault_points; /* shared with forked tests */
static size_t first_active;    /* the variant that was in use before any was forced */

static struct {
    support_variant variant;
    const char *what;
    size_t a;
    size_t b;
} now;

_Noreturn static void fail_check(int line, const char *condition)
{
    ck_abort_msg("line %d: %s (variant %s, %s %zu, %zu)", line, condition, now.variant.name, now.what, now.a, now.b);
}

/* Millions of these are made: Check's own assertions would tell its parent about each. */
#define CHECK(condition)                      \
    do {                                      \
        ++*now.variant.checks;                \
        if (!(condition))                     \
            fail_check(__LINE__, #condition); \
    } while (0)

static void at(const char *what, size_t a, size_t b)
{
    now.what = what;
    now.a = a;
    now.b = b;
    support_note(what, a, b);
}

/* Writers take the variant that is in use when they are opened. */
static bool open_variant(int i)
{
    if (!support_variant_open(&now.variant, i))
        return false;
    at("start", 0, 0);
    CHECK(quern_variant_force(now.variant.name) == QUERN_OK);
    return true;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same(const void *a, const void *b, size_t length)
{
    return length == 0 || memcmp(a, b, length) == 0;
}

/* ---- calls and the model ------------------------------------------------------------------------- */

typedef enum call_kind {
    CALL_NULL,
    CALL_FALSE,
    CALL_TRUE,
    CALL_STRING,
    CALL_BEGIN_STRING,
    CALL_PART,
    CALL_END_STRING,
    CALL_BEGIN_ARRAY,
    CALL_END,
    CALLS
} call_kind;

typedef struct call {
    call_kind kind;
    const char *data;
    size_t length;
} call;

static quern_status make_call(quern_json_writer *writer, const call *c)
{
    switch (c->kind) {
    case CALL_NULL: return quern_json_write_null(writer);
    case CALL_FALSE: return quern_json_write_bool(writer, false);
    case CALL_TRUE: return quern_json_write_bool(writer, true);
    case CALL_STRING: return quern_json_write_string(writer, c->data, c->length);
    case CALL_BEGIN_STRING: return quern_json_begin_string(writer);
    case CALL_PART: return quern_json_write_part(writer, c->data, c->length);
    case CALL_END_STRING: return quern_json_end_string(writer);
    case CALL_BEGIN_ARRAY: return quern_json_begin_array(writer);
    default: return quern_json_end(writer);
    }
}

enum { MODEL_TEXT = 1 << 16, MODEL_STRING = 4096, MODEL_EVENTS = 4096 };

typedef struct model {
    quern_json_writer_options options;
    char text[MODEL_TEXT]; /* what the writer has to have written when all is well */
    size_t length;
    size_t depth;
    bool started; /* the root, or the open array's first element, is there */
    bool in_string;
    quern_error error;
    char string[MODEL_STRING]; /* the open one */
    size_t string_length;
    json_event events[MODEL_EVENTS]; /* what the checker has to read back */
    size_t event_count;
    char strings[MODEL_TEXT]; /* the strings of it, one behind the other */
    size_t strings_length;
    size_t string_ends[MODEL_EVENTS];
} model;

static void model_init(model *m, const quern_json_writer_options *options)
{
    m->options = *options;
    m->length = m->depth = m->event_count = m->string_length = m->strings_length = 0;
    m->started = m->in_string = false;
    m->error.status = QUERN_OK;
    m->error.offset = 0;
}

static void model_put(model *m, const char *text, size_t length)
{
    CHECK(length <= MODEL_TEXT - m->length);
    memcpy(m->text + m->length, text, length);
    m->length += length;
}

static void model_event(model *m, json_event event)
{
    CHECK(m->event_count < MODEL_EVENTS);
    m->events[m->event_count] = event;
    m->string_ends[m->event_count++] = m->strings_length;
}

static void model_fail(model *m, quern_status status)
{
    m->error.status = status;
}

/* Whether a value may come; writes what stands before it. */
static bool model_value(model *m, bool array)
{
    if (m->in_string || (m->depth == 0 && m->started)) {
        model_fail(m, QUERN_ERROR_MISUSE);
        return false;
    }
    size_t most = m->options.max_depth == 0 ? 1024 : m->options.max_depth;
    if (array && m->depth == most) {
        model_fail(m, QUERN_ERROR_DEPTH);
        return false;
    }
    if (m->started)
        model_put(m, ", ", m->options.layout == QUERN_JSON_SPACED ? 2 : 1);
    m->started = true;
    return true;
}

/* Whether the open string is well-formed so far. */
static bool model_text_check(model *m, bool whole)
{
    if (m->options.invalid == QUERN_JSON_INVALID_KEEP)
        return true;
    quern_span span = reference_utf8_prefix(m->string, m->string_length);
    if (span.why == QUERN_STOP_END || (span.why == QUERN_STOP_TRUNCATED && !whole))
        return true;
    model_fail(m, QUERN_ERROR_UTF8);
    m->error.offset = span.length;
    return false;
}

static void model_part(model *m, const char *data, size_t length)
{
    CHECK(length <= MODEL_STRING - m->string_length);
    if (length > 0)
        memcpy(m->string + m->string_length, data, length);
    m->string_length += length;
}

static void model_string(model *m)
{
    CHECK(6 * m->string_length + 2 <= MODEL_TEXT - m->length);
    m->length += reference_json_string(m->text + m->length, m->string, m->string_length);
    CHECK(m->string_length <= MODEL_TEXT - m->strings_length);
    memcpy(m->strings + m->strings_length, m->string, m->string_length);
    m->strings_length += m->string_length;
    model_event(m, JSON_STRING);
}

static void model_call(model *m, const call *c)
{
    static const char *const words[] = {"null", "false", "true"};
    static const json_event events[] = {JSON_NULL, JSON_FALSE, JSON_TRUE};
    if (m->error.status != QUERN_OK)
        return;
    switch (c->kind) {
    case CALL_NULL:
    case CALL_FALSE:
    case CALL_TRUE:
        if (model_value(m, false)) {
            model_put(m, words[c->kind], strlen(words[c->kind]));
            model_event(m, events[c->kind]);
        }
        break;
    case CALL_STRING:
        if (model_value(m, false)) {
            m->string_length = 0;
            model_part(m, c->data, c->length);
            if (model_text_check(m, true))
                model_string(m);
        }
        break;
    case CALL_BEGIN_STRING:
        if (model_value(m, false)) {
            m->string_length = 0;
            m->in_string = true;
        }
        break;
    case CALL_PART:
        if (!m->in_string) {
            model_fail(m, QUERN_ERROR_MISUSE);
        } else {
            model_part(m, c->data, c->length);
            model_text_check(m, false);
        }
        break;
    case CALL_END_STRING:
        if (!m->in_string) {
            model_fail(m, QUERN_ERROR_MISUSE);
        } else if (model_text_check(m, true)) {
            model_string(m);
            m->in_string = false;
        }
        break;
    case CALL_BEGIN_ARRAY:
        if (model_value(m, true)) {
            model_put(m, "[", 1);
            model_event(m, JSON_BEGIN_ARRAY);
            m->depth++;
            m->started = false;
        }
        break;
    default:
        if (m->in_string || m->depth == 0) {
            model_fail(m, QUERN_ERROR_MISUSE);
        } else {
            model_put(m, "]", 1);
            model_event(m, JSON_END_ARRAY);
            m->depth--;
            m->started = true;
        }
        break;
    }
}

static quern_status model_finish(model *m)
{
    if (m->error.status == QUERN_OK && (m->in_string || m->depth > 0 || !m->started))
        model_fail(m, QUERN_ERROR_MISUSE);
    return m->error.status;
}

/* The text is valid JSON and says what the model says. */
static void check_read_back(const model *m, const char *text, size_t length)
{
    static unsigned char scratch[MODEL_TEXT];
    json_check check;
    json_check_init(&check, text, length, scratch);
    size_t start = 0;
    for (size_t i = 0; i < m->event_count; i++) {
        CHECK(json_check_next(&check) == m->events[i]);
        if (m->events[i] == JSON_STRING) {
            CHECK(check.string_length == m->string_ends[i] - start);
            CHECK(same(check.string, m->strings + start, check.string_length));
        }
        start = m->string_ends[i];
    }
    CHECK(json_check_next(&check) == JSON_END_OF_TEXT);
}

/* Makes the calls; each has to tell what the model tells, and nothing is written after a failure. */
static void check_calls(model *m, const quern_json_writer_options *options, const call *calls, size_t count)
{
    static quern_memory_sink memory;
    static bool ready;
    quern_json_writer writer;
    quern_json_writer_options copy = *options;
    quern_error error;
    if (!ready)
        quern_memory_sink_init(&memory, NULL);
    ready = true;
    quern_memory_sink_free(&memory); /* it took another variant when it was opened */
    quern_memory_sink_init(&memory, NULL);
    copy.size = sizeof copy;
    model_init(m, options);
    quern_json_writer_init(&writer, &memory.sink, &copy);
    memset(&copy, 0xee, sizeof copy); /* not needed any more */
    uint64_t written = 0;
    for (size_t i = 0; i < count; i++) {
        bool failed = m->error.status != QUERN_OK;
        if (!failed)
            written = quern_sink_total(&memory.sink);
        model_call(m, &calls[i]);
        CHECK(make_call(&writer, &calls[i]) == m->error.status);
        if (failed)
            CHECK(quern_sink_total(&memory.sink) == written);
        else if (m->error.status != QUERN_OK)
            written = quern_sink_total(&memory.sink);
        quern_json_writer_error(&writer, &error);
        CHECK(error.status == m->error.status);
        CHECK(error.status != QUERN_ERROR_UTF8 || error.offset == m->error.offset);
    }
    quern_status status = model_finish(m);
    CHECK(quern_json_writer_finish(&writer) == status);
    quern_json_writer_error(&writer, &error);
    CHECK(error.status == status);
    CHECK(error.status != QUERN_ERROR_UTF8 || error.offset == m->error.offset);
    quern_string view = quern_memory_sink_view(&memory);
    if (status == QUERN_OK) {
        CHECK(view.length == m->length);
        CHECK(memcmp(view.data, m->text, m->length) == 0);
        if (m->options.invalid == QUERN_JSON_INVALID_STOP)
            check_read_back(m, view.data, view.length);
    } else {
        /* The text before the failing value is right; the model has nothing of that value. */
        CHECK(same(view.data, m->text, least(view.length, m->length)));
    }
    /* Whatever comes now is refused, and writes nothing. */
    uint64_t total = quern_sink_total(&memory.sink);
    for (call_kind kind = CALL_NULL; kind < CALLS; kind++) {
        call late = {kind, "x", 1};
        CHECK(make_call(&writer, &late) == (status == QUERN_OK ? QUERN_ERROR_MISUSE : status));
    }
    CHECK(quern_failed(quern_json_writer_finish(&writer)));
    CHECK(quern_sink_total(&memory.sink) == total);
    CHECK(quern_sink_status(&memory.sink) == QUERN_OK); /* the sink is not to blame */
}

static model the_model;
static const quern_json_writer_options compact = {.size = sizeof(quern_json_writer_options)};
static const quern_json_writer_options spaced = {.size = sizeof(quern_json_writer_options),
                                                 .layout = QUERN_JSON_SPACED};
static const quern_json_writer_options keeping = {.size = sizeof(quern_json_writer_options),
                                                  .invalid = QUERN_JSON_INVALID_KEEP};

/* ---- the checker itself -------------------------------------------------------------------------- */

START_TEST(test_checker)
{
    static const char *const good[] = {"null",
                                       "true",
                                       "false",
                                       "\"\"",
                                       "[]",
                                       " [ ] ",
                                       "\t\n\r null \t\n\r",
                                       "[null]",
                                       "[[],[[]],null]",
                                       "[\"a\" , \"b\"]",
                                       "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uABcd\"",
                                       "\"\\ud834\\udd1e\"",
                                       "\"\\ud834\"",
                                       "\"\x7f\"",
                                       "\"\xc2\x80\"",
                                       "\"\xed\x9f\xbf\xee\x80\x80\"",
                                       "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"",
                                       "\"\xe2\x80\xa8\""};
    static const char *const bad[] = {"",
                                      " ",
                                      "nul",
                                      "nulll",
                                      "null null",
                                      "True",
                                      "[",
                                      "]",
                                      "[,]",
                                      "[null,]",
                                      "[,null]",
                                      "[null null]",
                                      "[null,,null]",
                                      "[]]",
                                      "[[]",
                                      "\"",
                                      "\"a",
                                      "\"\\\"",
                                      "\"\\a\"",
                                      "\"\\u12\"",
                                      "\"\\u12g4\"",
                                      "\"\\u123",
                                      "\"\n\"",
                                      "\"\x1f\"",
                                      "\"\x80\"",
                                      "\"\xc0\x80\"",
                                      "\"\xc1\xbf\"",
                                      "\"\xc2\"",
                                      "\"\xe0\x9f\xbf\"",
                                      "\"\xed\xa0\x80\"",
                                      "\"\xe2\x80\"",
                                      "\"\xf0\x8f\xbf\xbf\"",
                                      "\"\xf4\x90\x80\x80\"",
                                      "\"\xf5\x80\x80\x80\"",
                                      "\"\xff\"",
                                      "'a'",
                                      "1",
                                      "{}",
                                      "\xef\xbb\xbfnull",
                                      "null\v",
                                      "[null\f]",
                                      "null,",
                                      "\"a\"\"b\""};
    unsigned char scratch[64];
    for (size_t i = 0; i < SUPPORT_COUNT(good); i++)
        ck_assert_msg(json_check_valid(good[i], strlen(good[i]), scratch), "refused: %s", good[i]);
    for (size_t i = 0; i < SUPPORT_COUNT(bad); i++)
        ck_assert_msg(!json_check_valid(bad[i], strlen(bad[i]), scratch), "accepted: %s", bad[i]);
    ck_assert(!json_check_valid("null\0", 5, scratch));
    ck_assert(!json_check_valid("\"\\\0\"", 4, scratch));

    static const char text[] = "[\"\\u00e9\\n\",\"\\ud834\\udd1e\"]";
    json_check check;
    json_check_init(&check, text, sizeof text - 1, scratch);
    ck_assert_int_eq(json_check_next(&check), JSON_BEGIN_ARRAY);
    ck_assert_int_eq(json_check_next(&check), JSON_STRING);
    ck_assert(check.string_length == 3 && memcmp(check.string, "\xc3\xa9\n", 3) == 0);
    ck_assert_int_eq(json_check_next(&check), JSON_STRING);
    ck_assert(check.string_length == 4 && memcmp(check.string, "\xf0\x9d\x84\x9e", 4) == 0);
    ck_assert_int_eq(json_check_next(&check), JSON_END_ARRAY);
    ck_assert_int_eq(json_check_next(&check), JSON_END_OF_TEXT);
    support_count(SUPPORT_COUNT(good) + SUPPORT_COUNT(bad) + 8);
}
END_TEST

/* ---- literals ------------------------------------------------------------------------------------ */

/* One value into a memory sink. */
static void check_value(const quern_json_writer_options *options, const call *c, const char *expected, size_t length)
{
    quern_memory_sink memory;
    quern_json_writer writer;
    quern_memory_sink_init(&memory, NULL);
    quern_json_writer_init(&writer, &memory.sink, options);
    CHECK(make_call(&writer, c) == QUERN_OK);
    CHECK(quern_json_writer_finish(&writer) == QUERN_OK);
    CHECK(quern_sink_finish(&memory.sink) == QUERN_OK);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length == length);
    CHECK(memcmp(view.data, expected, length) == 0);
    quern_memory_sink_free(&memory);
}

static void check_string(const char *data, size_t length, const char *expected)
{
    call c = {CALL_STRING, data, length};
    check_value(NULL, &c, expected, strlen(expected));
}

START_TEST(test_literals)
{
    if (!open_variant(_i))
        return;
    call c = {CALL_NULL, NULL, 0};
    at("literals", 0, 0);
    check_value(NULL, &c, "null", 4);
    check_value(&spaced, &c, "null", 4);
    c.kind = CALL_TRUE;
    check_value(NULL, &c, "true", 4);
    c.kind = CALL_FALSE;
    check_value(NULL, &c, "false", 5);
    check_string(NULL, 0, "\"\"");
    check_string("", 0, "\"\"");
    check_string("a", 1, "\"a\"");
    check_string("a\0b\0", 4, "\"a\\u0000b\\u0000\"");
    check_string("\"", 1, "\"\\\"\"");
    check_string("\\", 1, "\"\\\\\"");
    check_string("/", 1, "\"/\"");
    check_string("\b\f\n\r\t", 5, "\"\\b\\f\\n\\r\\t\"");
    check_string("\x7f", 1, "\"\x7f\"");
    check_string("\xe2\x80\xa8\xe2\x80\xa9", 6, "\"\xe2\x80\xa8\xe2\x80\xa9\"");
    check_string("<>&'", 4, "\"<>&'\"");
    check_string("\xef\xbb\xbf", 3, "\"\xef\xbb\xbf\"");
    check_string("\xf4\x8f\xbf\xbf", 4, "\"\xf4\x8f\xbf\xbf\"");
    static const char *const controls[] = {"\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006",
                                           "\\u0007", "\\b",     "\\t",     "\\n",     "\\u000b", "\\f",     "\\r",
                                           "\\u000e", "\\u000f", "\\u0010", "\\u0011", "\\u0012", "\\u0013", "\\u0014",
                                           "\\u0015", "\\u0016", "\\u0017", "\\u0018", "\\u0019", "\\u001a", "\\u001b",
                                           "\\u001c", "\\u001d", "\\u001e", "\\u001f"};
    for (size_t i = 0; i < SUPPORT_COUNT(controls); i++) {
        static const char filler[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
        char byte = (char)i, expected[128], inside[sizeof filler];
        at("control", i, 0);
        snprintf(expected, sizeof expected, "\"%s\"", controls[i]);
        check_string(&byte, 1, expected);
        memset(inside, 'x', sizeof inside);
        inside[i] = byte;
        snprintf(expected, sizeof expected, "\"%.*s%s%s\"", (int)i, filler, controls[i], filler + i);
        check_string(inside, sizeof inside, expected);
    }
}
END_TEST

/* A letter for each call; strings are "s", parts "p". */
static size_t spell(const char *letters, call *calls)
{
    size_t count = 0;
    for (; *letters != '\0'; letters++) {
        call *c = &calls[count++];
        c->data = NULL;
        c->length = 0;
        switch (*letters) {
        case 'n': c->kind = CALL_NULL; break;
        case 'f': c->kind = CALL_FALSE; break;
        case 't': c->kind = CALL_TRUE; break;
        case 'b': c->kind = CALL_BEGIN_STRING; break;
        case 'e': c->kind = CALL_END_STRING; break;
        case '[': c->kind = CALL_BEGIN_ARRAY; break;
        case ']': c->kind = CALL_END; break;
        case 's':
            c->kind = CALL_STRING;
            c->data = "s";
            c->length = 1;
            break;
        default:
            c->kind = CALL_PART;
            c->data = "p";
            c->length = 1;
            break;
        }
    }
    return count;
}

/* The model is measured as well: expected texts are spelt out. */
START_TEST(test_layouts)
{
    if (!open_variant(_i))
        return;
    static const struct {
        const char *calls;
        const char *compact;
        const char *spaced;
    } cases[] = {
        {"n", "null", "null"},
        {"s", "\"s\"", "\"s\""},
        {"be", "\"\"", "\"\""},
        {"bppe", "\"pp\"", "\"pp\""},
        {"[]", "[]", "[]"},
        {"[n]", "[null]", "[null]"},
        {"[nn]", "[null,null]", "[null, null]"},
        {"[[]]", "[[]]", "[[]]"},
        {"[[][]]", "[[],[]]", "[[], []]"},
        {"[tf[sbe]n]", "[true,false,[\"s\",\"\"],null]", "[true, false, [\"s\", \"\"], null]"},
        {"[[[[n]]]]", "[[[[null]]]]", "[[[[null]]]]"},
        {"[bpe[]bpe]", "[\"p\",[],\"p\"]", "[\"p\", [], \"p\"]"},
        {"[[n]t]", "[[null],true]", "[[null], true]"},
        {"[sss]", "[\"s\",\"s\",\"s\"]", "[\"s\", \"s\", \"s\"]"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        call calls[64];
        size_t count = spell(cases[i].calls, calls);
        at("layout", i, 0);
        check_calls(&the_model, &compact, calls, count);
        CHECK(the_model.error.status == QUERN_OK);
        CHECK(the_model.length == strlen(cases[i].compact));
        CHECK(memcmp(the_model.text, cases[i].compact, the_model.length) == 0);
        check_calls(&the_model, &spaced, calls, count);
        CHECK(the_model.error.status == QUERN_OK);
        CHECK(the_model.length == strlen(cases[i].spaced));
        CHECK(memcmp(the_model.text, cases[i].spaced, the_model.length) == 0);
    }
}
END_TEST

/* ---- depth --------------------------------------------------------------------------------------- */

START_TEST(test_depth)
{
    if (!open_variant(_i))
        return;
    static const size_t limits[] = {1, 2, 3, 63, 64, 65, 1023, 0, 1025, 5000};
    for (size_t i = 0; i < SUPPORT_COUNT(limits); i++) {
        size_t most = limits[i] == 0 ? 1024 : limits[i];
        for (size_t over = 0; over < 2; over++) {
            at("depth, over", most, over);
            quern_fixed_sink fixed;
            quern_json_writer writer;
            quern_json_writer_options options = {.size = sizeof options, .max_depth = limits[i]};
            static char array[2 * 5000 + 7];
            quern_fixed_sink_init(&fixed, array, sizeof array);
            quern_json_writer_init(&writer, &fixed.sink, limits[i] == 0 && over == 0 ? NULL : &options);
            for (size_t depth = 0; depth < most; depth++)
                CHECK(quern_json_begin_array(&writer) == QUERN_OK);
            if (over == 1) {
                CHECK(quern_json_begin_array(&writer) == QUERN_ERROR_DEPTH);
                CHECK(quern_json_end(&writer) == QUERN_ERROR_DEPTH);
                CHECK(quern_json_writer_finish(&writer) == QUERN_ERROR_DEPTH);
                continue;
            }
            /* Closing makes room again. */
            CHECK(quern_json_write_null(&writer) == QUERN_OK);
            CHECK(quern_json_end(&writer) == QUERN_OK);
            if (most > 1) {
                CHECK(quern_json_begin_array(&writer) == QUERN_OK);
                CHECK(quern_json_end(&writer) == QUERN_OK);
            }
            for (size_t depth = most - 1; depth > 0; depth--)
                CHECK(quern_json_end(&writer) == QUERN_OK);
            CHECK(quern_json_writer_finish(&writer) == QUERN_OK);
            CHECK(quern_fixed_sink_needed(&fixed) == 2 * most + 4 + (most > 1 ? 3 : 0));
        }
    }
}
END_TEST

enum { LEVELS = 1000000 };

/* Constant stack. Nothing asserts here: a failed assertion may leave only on the test's own thread. */
static void *deep_thread(void *context)
{
    quern_status *status = context;
    quern_fixed_sink fixed;
    quern_json_writer writer;
    quern_json_writer_options options = {.size = sizeof options, .max_depth = LEVELS};
    quern_fixed_sink_init(&fixed, NULL, 0);
    quern_json_writer_init(&writer, &fixed.sink, &options);
    for (size_t i = 0; i < LEVELS; i++)
        quern_json_begin_array(&writer);
    quern_error error;
    quern_json_writer_error(&writer, &error);
    if (error.status == QUERN_OK || error.status == QUERN_ERROR_ROOM) {
        for (size_t i = 0; i < LEVELS; i++)
            quern_json_end(&writer);
        *status = quern_json_writer_finish(&writer); /* the sink only counts */
        if (quern_fixed_sink_needed(&fixed) != 2 * (uint64_t)LEVELS)
            *status = QUERN_ERROR_TRUNCATED;
    } else {
        *status = error.status;
    }
    return NULL;
}

/* akheron/jansson #741: depth was limited in the reader alone (B076). */
START_TEST(test_B076_million_levels_on_a_small_stack)
{
    if (!open_variant(_i))
        return;
    pthread_attr_t attributes;
    pthread_t thread;
    quern_status status = QUERN_DONE;
    at("levels", LEVELS, 0);
    ck_assert_int_eq(pthread_attr_init(&attributes), 0);
    ck_assert_int_eq(pthread_attr_setstacksize(&attributes, 65536), 0);
    ck_assert_int_eq(pthread_create(&thread, &attributes, deep_thread, &status), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    CHECK(status == QUERN_ERROR_ROOM);
}
END_TEST

/* ---- misuse -------------------------------------------------------------------------------------- */

START_TEST(test_misuse)
{
    if (!open_variant(_i))
        return;
    static const struct {
        const char *calls;
        int good; /* how many of the calls succeed */
    } cases[] = {
        {"", 0},    {"nn", 1}, {"n[", 1}, {"[]n", 2},  {"[]]", 2}, {"]", 0},    {"[", 1},    {"[[]", 3},
        {"p", 0},   {"e", 0},  {"bn", 1}, {"bs", 1},   {"bb", 1},  {"b[", 1},   {"b]", 1},   {"[b]", 2},
        {"bpb", 2}, {"bp", 2}, {"b", 1},  {"be e", 2}, {"bep", 2}, {"[bep", 3}, {"[bee", 3}, {"np", 1},
        {"ne", 1},  {"ss", 1}, {"sb", 1}, {"[bpn", 3}, {"[np", 2}, {"n]", 1},   {"bebe", 2},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        quern_fixed_sink fixed;
        quern_json_writer writer;
        char array[64];
        call calls[16];
        size_t count = spell(cases[i].calls, calls);
        at("misuse", i, 0);
        quern_fixed_sink_init(&fixed, array, sizeof array);
        quern_json_writer_init(&writer, &fixed.sink, NULL);
        for (size_t k = 0; k < count; k++)
            CHECK(make_call(&writer, &calls[k]) == ((int)k < cases[i].good ? QUERN_OK : QUERN_ERROR_MISUSE));
        CHECK(quern_json_writer_finish(&writer) == QUERN_ERROR_MISUSE);
        quern_error error;
        quern_json_writer_error(&writer, &error);
        CHECK(error.status == QUERN_ERROR_MISUSE);
        check_calls(&the_model, &compact, calls, count);
    }
}
END_TEST

/* Every sequence of up to five calls, in both layouts, with room for two levels. */
START_TEST(test_every_short_sequence)
{
    if (!open_variant(_i))
        return;
    static const char letters[] = "ntsbpe[]";
    enum { KINDS = sizeof letters - 1, LONGEST = 5 };
    for (size_t length = 0; length <= LONGEST; length++) {
        size_t count = 1;
        for (size_t i = 0; i < length; i++)
            count *= KINDS;
        for (size_t number = 0; number < count; number++) {
            if (support_thinned())
                continue;
            char word[LONGEST + 1];
            call calls[LONGEST];
            for (size_t i = 0, rest = number; i < length; i++, rest /= KINDS)
                word[i] = letters[rest % KINDS];
            word[length] = '\0';
            quern_json_writer_options options = {.size = sizeof options, .max_depth = 2};
            options.layout = number % 2 == 0 ? QUERN_JSON_COMPACT : QUERN_JSON_SPACED;
            at("sequence, length", number, length);
            check_calls(&the_model, &options, calls, spell(word, calls));
        }
    }
}
END_TEST

/* ---- strings ------------------------------------------------------------------------------------- */

enum { LONG_STRING = 300 * 1024 };

static char long_string[LONG_STRING];
static char long_expected[6 * LONG_STRING + 2];

/* Well-formed text, now and then a byte to escape; `one_in` 0: none, 1: nothing else. */
static void some_text(support_random *random, char *dst, size_t length, size_t one_in)
{
    static const char to_escape[] = "\"\\\b\f\n\r\t\0\1\x1f";
    support_script script = (support_script)support_random_below(random, SUPPORT_SCRIPTS);
    support_text(random, script, (unsigned char *)dst, length);
    for (size_t i = 0; one_in != 0 && i < length; i++) {
        if ((unsigned char)dst[i] < 0x80 && support_random_below(random, one_in) == 0)
            dst[i] = to_escape[support_random_below(random, sizeof to_escape - 1)];
        if (one_in == 1)
            dst[i] = to_escape[support_random_below(random, sizeof to_escape - 1)];
    }
}

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
    }
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

/* ---- random calls -------------------------------------------------------------------------------- */

enum { POOL = 2000 };

static void random_call(support_random *random, const model *m, const char *pool, call *c)
{
    size_t choice = support_random_below(random, 100);
    c->data = pool + support_random_below(random, POOL);
    c->length = support_random_below(random, choice % 4 == 0 ? 150 : 20);
    if (choice == 0)
        c->kind = (call_kind)support_random_below(random, CALLS); /* maybe wrong */
    else if (m->in_string)
        c->kind = choice < 70 ? CALL_PART : CALL_END_STRING;
    else if (choice < 25)
        c->kind = CALL_STRING;
    else if (choice < 45)
        c->kind = CALL_BEGIN_ARRAY;
    else if (choice < 70 && m->depth > (choice < 68 ? 1 : 0))
        c->kind = CALL_END;
    else if (choice < 80)
        c->kind = CALL_BEGIN_STRING;
    else
        c->kind = (call_kind)(choice % 3);
    /* A part may be cut anywhere; a whole string is cut at characters, mostly. */
    if (c->kind == CALL_STRING && support_random_below(random, 50) != 0) {
        while (c->length > 0 && (*c->data & 0xc0) == 0x80) {
            c->data++;
            c->length--;
        }
        c->length = reference_utf8_prefix(c->data, c->length).length;
    }
}

/* What closes all that is open. */
static void closing_call(const model *m, call *c)
{
    c->data = NULL;
    c->length = 0;
    c->kind = m->in_string ? CALL_END_STRING : m->depth > 0 ? CALL_END : CALL_NULL;
}

static size_t random_calls(support_random *random, model *m, const quern_json_writer_options *options, const char *pool,
                           call *calls, size_t most, bool closes)
{
    size_t count = 0;
    model_init(m, options);
    size_t wanted = 1 + support_random_below(random, most / 2);
    const char *next = NULL; /* parts go on where the last one ended, so that most strings are well-formed */
    while (count < wanted) {
        random_call(random, m, pool, &calls[count]);
        if (calls[count].kind == CALL_PART) {
            if (next == NULL || next >= pool + POOL)
                next = pool;
            calls[count].data = next;
            next += calls[count].length;
        } else {
            next = NULL;
        }
        if (m->depth == 0 && !m->started && !m->in_string && support_random_below(random, 10) != 0)
            calls[count].kind = CALL_BEGIN_ARRAY;
        model_call(m, &calls[count++]);
    }
    while (closes && count < most && (m->in_string || m->depth > 0)) {
        call *c = &calls[count++];
        closing_call(m, c);
        model_call(m, c);
        if (m->error.status != QUERN_OK)
            break;
    }
    return count;
}

static void fill_pool(support_random *random, char *pool)
{
    some_text(random, pool, POOL + 200, 12);
}

START_TEST(test_random_calls)
{
    if (!open_variant(_i))
        return;
    support_random random = support_random_named("random calls");
    static char pool[POOL + 200];
    size_t good = 0;
    fill_pool(&random, pool);
    for (size_t round = 0; round < 20000; round++) {
        call calls[200];
        quern_json_writer_options options = {.size = sizeof options};
        options.layout = round % 2 == 0 ? QUERN_JSON_COMPACT : QUERN_JSON_SPACED;
        options.invalid = round % 8 == 0 ? QUERN_JSON_INVALID_KEEP : QUERN_JSON_INVALID_STOP;
        options.max_depth = round % 16 == 0 ? 3 : 0;
        if (round % 500 == 0)
            fill_pool(&random, pool);
        size_t count = random_calls(&random, &the_model, &options, pool, calls, 200, round % 8 != 1);
        if (support_thinned())
            continue;
        at("random calls, round, count", round, count);
        check_calls(&the_model, &options, calls, count);
        good += the_model.error.status == QUERN_OK;
    }
    CHECK(good > 50 || support_thinned()); /* not all of them are wrong */
}
END_TEST

/* ---- every sink ---------------------------------------------------------------------------------- */

/* A document that succeeds, as calls; its text is in the model. */
static size_t random_document(support_random *random, model *m, const quern_json_writer_options *options,
                              const char *pool, call *calls, size_t most)
{
    for (;;) {
        size_t count = random_calls(random, m, options, pool, calls, most, true);
        if (model_finish(m) == QUERN_OK)
            return count;
    }
}

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

/* Writes the calls, whatever they answer. */
static quern_status write_calls(quern_sink *sink, const quern_json_writer_options *options, const call *calls,
                                size_t count)
{
    quern_json_writer writer;
    quern_error error;
    quern_status latched = QUERN_OK;
    quern_json_writer_init(&writer, sink, options);
    for (size_t i = 0; i < count; i++) {
        quern_status status = make_call(&writer, &calls[i]);
        CHECK(latched == QUERN_OK || status == latched);
        latched = status;
    }
    quern_status status = quern_json_writer_finish(&writer);
    CHECK(latched == QUERN_OK || status == latched);
    quern_json_writer_error(&writer, &error);
    CHECK(error.status == status);
    return status;
}

static const size_t buffer_sizes[] = {0, 1, 2, 63, 64, 65, 127, 128, 129, 191, 192, 193, 300, 4096};

START_TEST(test_callback_sinks)
{
    if (!open_variant(_i))
        return;
    support_random random = support_random_named("callback sinks");
    support_guarded guarded = support_guarded_new(8192);
    static char pool[POOL + 200];
    fill_pool(&random, pool);
    for (size_t round = 0; round < 100; round++) {
        if (support_thinned())
            continue;
        call calls[200];
        const quern_json_writer_options *options = round % 2 == 0 ? &compact : &spaced;
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
                quern_status status = write_calls(&callback.sink, options, calls, count);
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
    static char pool[POOL + 200];
    fill_pool(&random, pool);
    for (size_t round = 0; round < 60; round++) {
        call calls[60];
        const quern_json_writer_options *options = round % 2 == 0 ? &compact : &spaced;
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
            quern_status status = write_calls(&fixed.sink, options, calls, count);
            CHECK(status == (size >= needed ? QUERN_OK : QUERN_ERROR_ROOM));
            CHECK(quern_fixed_sink_needed(&fixed) == needed);
            CHECK(same(data, the_model.text, least(size, needed)));
            CHECK(quern_sink_finish(&fixed.sink) == status);
            CHECK(quern_fixed_sink_needed(&fixed) == needed);
            CHECK(quern_sink_total(&fixed.sink) == least(size, needed));
            CHECK(same(data, the_model.text, least(size, needed)));
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
    support_random random = support_random_named("long fixed");
    support_guarded guarded = support_guarded_new(16384);
    for (size_t round = 0; round < 12; round++) {
        static const size_t densities[] = {0, 1, 3, 20};
        size_t length = 600 + support_random_below(&random, 400);
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
    static char pool[POOL + 200];
    fill_pool(&random, pool);
    for (size_t round = 0; round < 400; round++) {
        if (support_thinned())
            continue;
        call calls[200];
        const quern_json_writer_options *options = round % 2 == 0 ? &compact : &spaced;
        size_t count = random_document(&random, &the_model, options, pool, calls, round % 2 == 0 ? 200 : 40);
        bool reached = true;
        for (size_t n = 1; reached; n++) {
            failing f = {0, n, round % 4 < 2, 0};
            quern_allocator allocator = {failing_resize, &f};
            quern_memory_sink_options memory_options = {.size = sizeof memory_options, .allocator = &allocator};
            quern_memory_sink memory;
            at("allocation fails, round, number", round, n);
            quern_memory_sink_init(&memory, &memory_options);
            quern_status status = write_calls(&memory.sink, options, calls, count);
            reached = f.calls >= n;
            CHECK(status == (reached ? QUERN_ERROR_MEMORY : QUERN_OK));
            quern_string view = quern_memory_sink_view(&memory);
            CHECK(view.length <= the_model.length && same(view.data, the_model.text, view.length));
            CHECK(reached || view.length == the_model.length);
            CHECK(quern_sink_finish(&memory.sink) == status);
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
    static char pool[POOL + 200];
    fill_pool(&random, pool);
    for (size_t round = 0; round < 40; round++) {
        call calls[60];
        size_t count = random_document(&random, &the_model, &compact, pool, calls, round % 4 == 0 ? 60 : 12);
        size_t needed = the_model.length;
        for (size_t limit = 1; limit <= needed + 1; limit++) {
            if (support_thinned())
                continue;
            quern_memory_sink memory;
            quern_memory_sink_options options = {.size = sizeof options, .limit = limit};
            at("memory limit, needed, limit", needed, limit);
            quern_memory_sink_init(&memory, &options);
            quern_status status = write_calls(&memory.sink, &compact, calls, count);
            CHECK(status == (limit >= needed ? QUERN_OK : QUERN_ERROR_LIMIT));
            quern_string view = quern_memory_sink_view(&memory);
            CHECK(view.length <= limit && same(view.data, the_model.text, view.length));
            CHECK(limit < needed || view.length == needed);
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
    CHECK(write_calls(&memory.sink, &compact, calls, SUPPORT_COUNT(calls)) == QUERN_ERROR_MISUSE);
    CHECK(quern_memory_sink_view(&memory).length == 1);
    at("failed sink", 0, 0);
    quern_memory_sink_reset(&memory);
    CHECK(quern_sink_write(&memory.sink, "x", SIZE_MAX) == QUERN_ERROR_LIMIT);
    CHECK(write_calls(&memory.sink, &compact, calls, SUPPORT_COUNT(calls)) == QUERN_ERROR_LIMIT);
    CHECK(quern_memory_sink_view(&memory).length == 0);
    quern_memory_sink_free(&memory);
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

START_TEST(test_documents_in_one_sink)
{
    if (!open_variant(_i))
        return;
    support_random random = support_random_named("documents");
    static char pool[POOL + 200];
    static char all[1 << 20];
    size_t length = 0;
    quern_memory_sink memory;
    fill_pool(&random, pool);
    quern_memory_sink_init(&memory, NULL);
    for (size_t round = 0; round < 300; round++) {
        call calls[60];
        const quern_json_writer_options *options = round % 2 == 0 ? &compact : &spaced;
        size_t count = random_document(&random, &the_model, options, pool, calls, 60);
        at("documents, round", round, 0);
        CHECK(the_model.length + 1 <= sizeof all - length);
        memcpy(all + length, the_model.text, the_model.length);
        length += the_model.length;
        all[length++] = '\n';
        CHECK(write_calls(&memory.sink, options, calls, count) == QUERN_OK);
        CHECK(quern_sink_write(&memory.sink, "\n", 1) == QUERN_OK);
        CHECK(quern_sink_total(&memory.sink) == length);
    }
    CHECK(quern_sink_finish(&memory.sink) == QUERN_OK);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length == length && memcmp(view.data, all, length) == 0);
    quern_memory_sink_free(&memory);
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

/* ---- locale -------------------------------------------------------------------------------------- */

START_TEST(test_locale)
{
    if (!open_variant(_i))
        return;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "C.UTF-8", "C"};
    for (size_t i = 0; i < SUPPORT_COUNT(names); i++) {
        at("locale", i, 0);
        if (setlocale(LC_ALL, names[i]) == NULL) {
            if (i == 0 && (size_t)_i == first_active)
                printf("skipped: locale %s: not there\n", names[i]);
            continue;
        }
        check_string("Gr\xc3\xbc\xc3\x9f"
                     "e 1,5\t\x1f",
                     13,
                     "\"Gr\xc3\xbc\xc3\x9f"
                     "e 1,5\\t\\u001f\"");
        call calls[16];
        check_calls(&the_model, &spaced, calls, spell("[ns[tf]bpe]", calls));
        CHECK(the_model.error.status == QUERN_OK);
    }
    setlocale(LC_ALL, "C");
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------- */

#define ADD(test) tcase_add_loop_test(tcase, test, 0, support_variants() - 1) /* without the public functions */

int main(void)
{
    Suite *suite = suite_create("json_writer");
    TCase *tcase = tcase_create("checker");
    tcase_add_test(tcase, test_checker);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("calls");
    tcase_set_timeout(tcase, 120);
    ADD(test_literals);
    ADD(test_layouts);
    ADD(test_depth);
    ADD(test_misuse);
    ADD(test_every_short_sequence);
    ADD(test_random_calls);
    ADD(test_locale);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("strings");
    tcase_set_timeout(tcase, 120);
    ADD(test_strings);
    ADD(test_escape_at_each_place);
    ADD(test_pieces);
    ADD(test_pieces_of_one_byte);
    ADD(test_ill_formed);
    ADD(test_ill_formed_edges);
    ADD(test_lengths_beyond_objects);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("sinks");
    tcase_set_timeout(tcase, 120);
    ADD(test_callback_sinks);
    ADD(test_fixed_sinks);
    ADD(test_fixed_sinks_and_long_strings);
    ADD(test_allocation_fails);
    ADD(test_memory_limit);
    ADD(test_failed_sinks);
    ADD(test_sink_fails_at_a_cut_character);
    ADD(test_documents_in_one_sink);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("bug reports");
    tcase_set_timeout(tcase, 120);
    ADD(test_B026_byte_above_7f);
    ADD(test_B027_all_strings_of_one_and_two_bytes);
    ADD(test_B035_replacement_character_and_cut_character);
    ADD(test_B036_B037_B041_one_policy_in_all_modes);
    ADD(test_B038_string_past_2_GiB);
    ADD(test_B076_million_levels_on_a_small_stack);
    suite_add_tcase(suite, tcase);

    first_active = quern_variant_active();
    void *map = mmap(NULL, sizeof *fault_points, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return EXIT_FAILURE;
    fault_points = map;
    int result = support_main(suite);
    printf("fault points: %" PRIu64 "\n", *fault_points);
    return result;
}
