/* SPDX-License-Identifier: MIT */
/*
 * The JSON writer's calls: against literals, against a model that knows nothing of sinks and windows, and read back by
 * a checker that knows nothing of the writer.
 */
#include "support/json_model.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static size_t first_active; /* the variant that was in use before any was forced */

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
                                       "\"\xe2\x80\xa8\"",
                                       "0",
                                       "-0",
                                       "[1,-20.50e+06,1E-7]",
                                       "{}",
                                       "{\"\":{}}",
                                       " { \"a\" : [ 1 , { \"b\" : null } ] , \"a\" : 2 } "};
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
                                      "01",
                                      "-",
                                      "+1",
                                      "1.",
                                      ".5",
                                      "1e",
                                      "1e+",
                                      "NaN",
                                      "-Infinity",
                                      "{",
                                      "}",
                                      "{]",
                                      "[}",
                                      "{1:2}",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "{\"a\":1,}",
                                      "{,\"a\":1}",
                                      "{\"a\":1 \"b\":2}",
                                      "{\"a\":1:2}",
                                      "{\"a\",1}",
                                      "[\"a\":1]",
                                      "{null:1}",
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
    ck_assert_int_eq(json_check_next(&check), JSON_END);
    ck_assert_int_eq(json_check_next(&check), JSON_END_OF_TEXT);
    support_count(SUPPORT_COUNT(good) + SUPPORT_COUNT(bad) + 8);
}
END_TEST

/* ---- literals ------------------------------------------------------------------------------------ */

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

/* A letter for each call; strings are "s", parts "p", keys "k", the number -1. */
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
        case '{': c->kind = CALL_BEGIN_MAP; break;
        case ']':
        case '}': c->kind = CALL_END; break;
        case '1':
            c->kind = CALL_VALUE;
            c->length = 1;
            break;
        case 'k':
        case 'q':
            c->kind = *letters == 'k' ? CALL_KEY : CALL_PREPARED;
            c->data = "k";
            c->length = 1;
            break;
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
        {"1", "-1", "-1"},
        {"{}", "{}", "{}"},
        {"{kn}", "{\"k\":null}", "{\"k\": null}"},
        {"{ks}", "{\"k\":\"s\"}", "{\"k\": \"s\"}"},
        {"{q1ks}", "{\"k\":-1,\"k\":\"s\"}", "{\"k\": -1, \"k\": \"s\"}"},
        {"{k{}k[]qbpe}", "{\"k\":{},\"k\":[],\"k\":\"p\"}", "{\"k\": {}, \"k\": [], \"k\": \"p\"}"},
        {"[{k[{k1}]}1]", "[{\"k\":[{\"k\":-1}]},-1]", "[{\"k\": [{\"k\": -1}]}, -1]"},
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
    /* The least that the system grants: 16 KiB on most machines, 128 KiB on AArch64. */
    const long least_stack = sysconf(_SC_THREAD_STACK_MIN);
    ck_assert_int_eq(pthread_attr_setstacksize(&attributes, least_stack > 65536 ? (size_t)least_stack : 65536), 0);
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
        {"", 0},     {"nn", 1},    {"n[", 1},  {"[]n", 2},  {"[]]", 2},  {"]", 0},    {"[", 1},    {"[[]", 3},
        {"p", 0},    {"e", 0},     {"bn", 1},  {"bs", 1},   {"bb", 1},   {"b[", 1},   {"b]", 1},   {"[b]", 2},
        {"bpb", 2},  {"bp", 2},    {"b", 1},   {"be e", 2}, {"bep", 2},  {"[bep", 3}, {"[bee", 3}, {"np", 1},
        {"ne", 1},   {"ss", 1},    {"sb", 1},  {"[bpn", 3}, {"[np", 2},  {"n]", 1},   {"bebe", 2}, {"{n", 1},
        {"{s", 1},   {"{1", 1},    {"{b", 1},  {"{[", 1},   {"{{", 1},   {"k", 0},    {"q", 0},    {"[k", 1},
        {"[q", 1},   {"{kk", 2},   {"{kq", 2}, {"{k}", 2},  {"{knn", 3}, {"{kns", 3}, {"{kn", 3},  {"{}}", 2},
        {"{k[k", 3}, {"{k[]s", 4}, {"{bp", 1}, {"[n}]", 3}, {"{kbk", 3},
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
    static const char letters[] = "nsbpek1[{]";
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

/* ---- random calls -------------------------------------------------------------------------------- */

START_TEST(test_random_calls)
{
    if (!open_variant(_i))
        return;
    support_random random = support_random_named("random calls");
    static char pool[POOL_SIZE];
    size_t good = 0;
    fill_pool(&random, pool);
    for (size_t round = 0; round < 20000; round++) {
        call calls[200];
        quern_json_writer_options options;
        if (round % 500 == 0)
            fill_pool(&random, pool);
        if (support_thinned())
            continue;
        random_options(&random, &options);
        the_model.tokens = round % 4 == 2;
        size_t count = random_calls(&random, &the_model, &options, pool, calls, 200, round % 8 != 1);
        at("random calls, round, count", round, count);
        check_calls_as(&the_model, &options, NULL, the_model.tokens, calls, count);
        check_sinks(&the_model, calls, count,
                    &(model_sinks){.fixed_size = support_random_below(&random, 300),
                                   .buffer_size = support_random_below(&random, 300),
                                   .most_taken = round % 3 ? SIZE_MAX : 1 + support_random_below(&random, 40)});
        good += the_model.error.status == QUERN_OK;
    }
    CHECK(good > 50 || support_thinned()); /* not all of them are wrong */
}
END_TEST

START_TEST(test_documents_in_one_sink)
{
    if (!open_variant(_i))
        return;
    support_random random = support_random_named("documents");
    static char pool[POOL_SIZE];
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
        CHECK(write_calls(&memory.sink, options, false, calls, count) == QUERN_OK);
        CHECK(quern_sink_write(&memory.sink, "\n", 1) == QUERN_OK);
        CHECK(quern_sink_total(&memory.sink) == length);
    }
    CHECK(quern_sink_finish(&memory.sink) == QUERN_OK);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length == length && memcmp(view.data, all, length) == 0);
    quern_memory_sink_free(&memory);
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
    ADD(test_documents_in_one_sink);
    ADD(test_locale);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("bug reports");
    tcase_set_timeout(tcase, 120);
    ADD(test_B076_million_levels_on_a_small_stack);
    suite_add_tcase(suite, tcase);

    first_active = quern_variant_active();
    return run_suite(suite);
}
