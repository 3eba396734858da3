/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Styles: what quern_style_init makes of options, the ready-made ones, and what is written in them, in each variant.
 *
 * The kernels themselves, at all lengths and alignments: test_escape.c. Against the producers: test_dialects.py.
 */
#include "reference/style.h"
#include "support/support.h"

#include <string.h>

_Static_assert(sizeof(quern_style) <= 256, "quern/style.h promises that a style is small");
_Static_assert(QUERN_ESCAPE_MAX == 12, "two \\uXXXX");

/* A character of each kind that some style treats apart. */
#define SAMPLE "\"\\/\b\f\n\r\t\x01\x1f\x7f<>&a\xC3\xA9\xE2\x80\xA8\xE2\x80\xA9\xEF\xBF\xBD\xF0\x9F\x98\x80"

/* What is written of well-formed text, whole, in every form of the variant. */
static void expect_text(const support_variant *v, const char *what, const quern_style *style, const char *src,
                        size_t len, const char *expected, size_t length)
{
    static char room[4096];
    quern_escape_write_function *const forms[2] = {v->row.escape_write, v->row.escape_write_slack};
    for (size_t i = 0; i < 2; i++) {
        if (forms[i] == NULL)
            continue;
        size_t used = 0;
        const quern_span span = forms[i](style, room, sizeof room - QUERN_SLACK, src, len, &used, QUERN_ESCAPE_FINAL);
        ++*v->checks;
        if (span.why != QUERN_STOP_END || used != len || span.length != length || memcmp(room, expected, length) != 0)
            ck_abort_msg("%s%s, %s: wrote %.*s (%zu, why %d, used %zu of %zu), expected %.*s", v->name,
                         i ? " with slack" : "", what, (int)span.length, room, span.length, (int)span.why, used, len,
                         (int)length, expected);
    }
    ++*v->checks;
    ck_assert_msg(v->row.escape_size(style, src, len, QUERN_ESCAPE_FINAL) == length, "%s escape_size, %s", v->name,
                  what);
}

#define EXPECT(v, what, style, src, expected) \
    expect_text(v, what, style, src, sizeof(src) - 1, expected, sizeof(expected) - 1)

static quern_style make(quern_style_options options)
{
    quern_style style;
    options.size = sizeof options;
    ck_assert_int_eq(quern_style_init(&style, &options), QUERN_OK);
    return style;
}

/* ---- options ------------------------------------------------------------------------------------- */

/* Everything before the characters that a flag concerns, and what is behind them, in NULL's style. */
#define CONTROLS "\\b\\f\\n\\r\\t\\u0001\\u001f"
#define RAW "\xC3\xA9\xE2\x80\xA8\xE2\x80\xA9\xEF\xBF\xBD\xF0\x9F\x98\x80"
#define MINIMUM "\\\"\\\\/" CONTROLS "\x7f<>&a" RAW

START_TEST(flags_do_what_they_say)
{
    static const struct {
        unsigned flags;
        const char *expected;
    } cases[] = {
        {0, MINIMUM},
        {QUERN_STYLE_SOLIDUS, "\\\"\\\\\\/" CONTROLS "\x7f<>&a" RAW},
        {QUERN_STYLE_DELETE, "\\\"\\\\/" CONTROLS "\\u007f<>&a" RAW},
        {QUERN_STYLE_UPPER, "\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001F\x7f<>&a" RAW},
        {QUERN_STYLE_ASCII, "\\\"\\\\/" CONTROLS "\x7f<>&a\\u00e9\\u2028\\u2029\\ufffd\\ud83d\\ude00"},
        {QUERN_STYLE_LINES, "\\\"\\\\/" CONTROLS "\x7f<>&a\xC3\xA9\\u2028\\u2029\xEF\xBF\xBD\xF0\x9F\x98\x80"},
        {QUERN_STYLE_HTML,
         "\\\"\\\\/" CONTROLS "\x7f\\u003c\\u003e\\u0026a\xC3\xA9\\u2028\\u2029\xEF\xBF\xBD\xF0\x9F\x98\x80"},
        {QUERN_STYLE_UTF8, MINIMUM},
        {QUERN_STYLE_MARK_FFFD, MINIMUM},
        {QUERN_STYLE_SOLIDUS | QUERN_STYLE_DELETE | QUERN_STYLE_UPPER | QUERN_STYLE_ASCII | QUERN_STYLE_LINES |
             QUERN_STYLE_HTML | QUERN_STYLE_UTF8 | QUERN_STYLE_MARK_FFFD,
         "\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0001\\u001F\\u007F\\u003C\\u003E\\u0026a\\u00E9\\u2028\\u2029\\uFFFD\\uD83D"
         "\\uDE00"},
    };
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        const quern_style style = make((quern_style_options){.flags = cases[i].flags});
        support_note("flags", cases[i].flags, 0);
        expect_text(&v, "a flag", &style, SAMPLE, sizeof SAMPLE - 1, cases[i].expected, strlen(cases[i].expected));
    }
    EXPECT(&v, "no style", NULL, SAMPLE, MINIMUM);
}
END_TEST

START_TEST(letters_are_those_that_exist)
{
    static const char bytes[] = "\b\f\n\r\t", names[] = "bfnrt";
    static const char *const escapes[2][5] = {{"\\u0008", "\\u000c", "\\u000a", "\\u000d", "\\u0009"},
                                              {"\\b", "\\f", "\\n", "\\r", "\\t"}};
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    for (unsigned set = 0; set < 32; set++) {
        char letters[8] = "", expected[64] = "";
        size_t count = 0;
        for (unsigned k = 0; k < 5; k++) {
            if (set >> k & 1)
                letters[count++] = names[k];
            strcat(expected, escapes[set >> k & 1][k]);
        }
        const quern_style style = make((quern_style_options){.letters = letters});
        memset(letters, 'b', sizeof letters); /* not needed any more */
        expect_text(&v, "letters", &style, bytes, 5, expected, strlen(expected));
    }
    const quern_style upper = make((quern_style_options){.letters = "", .flags = QUERN_STYLE_UPPER});
    EXPECT(&v, "no letters, upper", &upper, "\n\f\"\\", "\\u000A\\u000C\\\"\\\\");
    const quern_style twice = make((quern_style_options){.letters = "nn"});
    EXPECT(&v, "a letter twice", &twice, "\n\t", "\\n\\u0009");
}
END_TEST

START_TEST(a_table_replaces_all)
{
    static quern_replacement table[256];
    memset(table, 0, sizeof table);
    table['a'] = (quern_replacement){"&alpha;", 7};
    table[0] = (quern_replacement){"0", 1};
    table[0x7F] = (quern_replacement){"<del>", 5};
    table['<'] = (quern_replacement){"xyz", 2};
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    const quern_style bytes = make((quern_style_options){.table = table});
    EXPECT(&v, "a table", &bytes, "\0a\"\\\n\x7f<b\xFF\xC3\xA9", "0&alpha;\"\\\n<del>xyb\xFF\xC3\xA9");
    const quern_style points =
        make((quern_style_options){.table = table,
                                   .flags = QUERN_STYLE_ASCII | QUERN_STYLE_UPPER | QUERN_STYLE_LINES,
                                   .ill_formed = QUERN_ILL_FORMED_REPLACE});
    EXPECT(&v, "a table, ASCII", &points, "\0a\"\\\n\x7f<b\xFF\xC3\xA9", "0&alpha;\"\\\n<del>xyb\\uFFFD\\u00E9");
    memset(table, 0, sizeof table);
    const quern_style nothing = make((quern_style_options){.table = table});
    EXPECT(&v, "an empty table", &nothing, SAMPLE, SAMPLE);
}
END_TEST

START_TEST(ill_formed_text_as_the_policy_says)
{
    /* E2 82: cut short by "b", a maximal subpart of two bytes; ED A0: two of one; F0 9F 98: at the end of the text. */
#define BAD     \
    "a\xFF"     \
    "\xE2\x82"  \
    "b\xED\xA0" \
    "c\xF0\x9F\x98"
#define FFFD "\xEF\xBF\xBD"
    static const struct {
        quern_ill_formed policy;
        unsigned flags;
        const char *expected;
    } cases[] = {
        {QUERN_ILL_FORMED_STOP, 0, BAD}, /* not looked at */
        {QUERN_ILL_FORMED_KEEP, 0, BAD},
        {QUERN_ILL_FORMED_KEEP, QUERN_STYLE_UTF8, BAD},
        {QUERN_ILL_FORMED_REPLACE, 0, "a" FFFD FFFD "b" FFFD FFFD "c" FFFD},
        {QUERN_ILL_FORMED_REPLACE, QUERN_STYLE_MARK_FFFD, "a\\ufffd\\ufffdb\\ufffd\\ufffdc\\ufffd"},
        {QUERN_ILL_FORMED_REPLACE, QUERN_STYLE_ASCII | QUERN_STYLE_UPPER, "a\\uFFFD\\uFFFDb\\uFFFD\\uFFFDc\\uFFFD"},
        {QUERN_ILL_FORMED_REPLACE_BYTES, 0, "a" FFFD FFFD FFFD "b" FFFD FFFD "c" FFFD FFFD FFFD},
        {QUERN_ILL_FORMED_REPLACE_BYTES, QUERN_STYLE_HTML | QUERN_STYLE_MARK_FFFD,
         "a\\ufffd\\ufffd\\ufffdb\\ufffd\\ufffdc\\ufffd\\ufffd\\ufffd"},
        {QUERN_ILL_FORMED_DROP, 0, "abc"},
    };
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        const quern_style style = make((quern_style_options){.flags = cases[i].flags, .ill_formed = cases[i].policy});
        support_note("policy", (size_t)cases[i].policy, i);
        expect_text(&v, "a policy", &style, BAD, sizeof BAD - 1, cases[i].expected, strlen(cases[i].expected));
    }
    char room[64];
    size_t used;
    const quern_style stops = make((quern_style_options){.flags = QUERN_STYLE_UTF8});
    quern_span span = v.row.escape_write(&stops, room, sizeof room, BAD, sizeof BAD - 1, &used, QUERN_ESCAPE_FINAL);
    ck_assert(span.length == 1 && span.why == QUERN_STOP_ILL_FORMED && used == 1);
    span = v.row.escape_write(&stops, room, sizeof room, "a\xE2\x82", 3, &used, 0);
    ck_assert(span.length == 1 && span.why == QUERN_STOP_TRUNCATED && used == 1);
    span = v.row.escape_write(&stops, room, sizeof room, "a\xE2\x82", 3, &used, QUERN_ESCAPE_FINAL);
    ck_assert(span.length == 1 && span.why == QUERN_STOP_ILL_FORMED && used == 1);
    *v.checks += 3;
}
END_TEST

START_TEST(impossible_options_are_refused)
{
    static quern_replacement table[256], high[256], longer[256];
    high[0x80] = (quern_replacement){"x", 1};
    longer['a'].length = 8;
    const quern_style_options cases[] = {
        {.flags = 0x100},
        {.flags = ~0u},
        {.ill_formed = (quern_ill_formed)(QUERN_ILL_FORMED_KEEP + 1)},
        {.letters = "bfnrtx"},
        {.letters = "B"},
        {.letters = "\""},
        {.table = high},
        {.table = longer},
        {.table = table, .letters = "n"},
        {.table = table, .letters = ""},
        {.table = table, .flags = QUERN_STYLE_SOLIDUS},
        {.table = table, .flags = QUERN_STYLE_DELETE},
        {.table = table, .flags = QUERN_STYLE_HTML},
    };
    quern_style minimum, style;
    ck_assert_int_eq(quern_style_init(&minimum, NULL), QUERN_OK);
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        memset(&style, 0xA5, sizeof style);
        ck_assert_msg(quern_style_init(&style, &cases[i]) == QUERN_ERROR_RANGE, "options %zu are accepted", i);
        ck_assert_msg(memcmp(&style, &minimum, sizeof style) == 0, "options %zu leave another style than NULL's", i);
    }
    const quern_style none = make((quern_style_options){0});
    ck_assert(memcmp(&none, &minimum, sizeof none) == 0);
    support_count(2 * SUPPORT_COUNT(cases) + 1);
}
END_TEST

/* ---- ready-made styles ---------------------------------------------------------------------------- */

enum {
    S = QUERN_STYLE_SOLIDUS,
    D = QUERN_STYLE_DELETE,
    U = QUERN_STYLE_UPPER,
    A = QUERN_STYLE_ASCII,
    L = QUERN_STYLE_LINES,
    H = QUERN_STYLE_HTML,
    P = QUERN_STYLE_UTF8,
    M = QUERN_STYLE_MARK_FFFD
};

static const struct {
    const char *name;
    quern_style_options options;
} named[] = {
    {"rfc8259", {0}},
    {"python", {.flags = A | D}},
    {"python-unicode", {.flags = P}},
    {"node", {.flags = P}},
    {"jq", {.flags = P | D, .ill_formed = QUERN_ILL_FORMED_REPLACE}},
    {"jq-ascii", {.flags = A | D, .ill_formed = QUERN_ILL_FORMED_REPLACE}},
    {"jansson", {.flags = P | U}},
    {"jansson-ascii", {.flags = A | U}},
    {"jansson-slash", {.flags = P | U | S}},
    {"cjson", {.ill_formed = QUERN_ILL_FORMED_KEEP}},
    {"json-c", {.flags = S, .ill_formed = QUERN_ILL_FORMED_KEEP}},
    {"json-c-noslash", {.ill_formed = QUERN_ILL_FORMED_KEEP}},
    {"yajl", {.flags = U, .ill_formed = QUERN_ILL_FORMED_KEEP}},
    {"yajl-slash", {.flags = U | S, .ill_formed = QUERN_ILL_FORMED_KEEP}},
    {"nlohmann", {.flags = P}},
    {"nlohmann-ascii", {.flags = A | D}},
    {"rapidjson", {.flags = U, .ill_formed = QUERN_ILL_FORMED_KEEP}},
    {"rapidjson-ascii", {.flags = A | U}},
    {"serde-json", {.flags = P}},
    {"postgresql", {.flags = P}},
    {"go", {.flags = H | M, .ill_formed = QUERN_ILL_FORMED_REPLACE_BYTES}},
    {"go-nohtml", {.flags = L | M, .ill_formed = QUERN_ILL_FORMED_REPLACE_BYTES}},
    {"go-1.21", {.flags = H | M, .ill_formed = QUERN_ILL_FORMED_REPLACE_BYTES, .letters = "nrt"}},
    {"go-1.21-nohtml", {.flags = L | M, .ill_formed = QUERN_ILL_FORMED_REPLACE_BYTES, .letters = "nrt"}},
    {"php", {.flags = A | S}},
    {"php-noslash", {.flags = A}},
    {"php-unicode", {.flags = L | S}},
    {"php-unicode-noslash", {.flags = L}},
};

START_TEST(names_are_listed)
{
    size_t count = 0;
    const char *name, *summary = NULL;
    for (; (name = quern_style_name(count, &summary)) != NULL; count++) {
        ck_assert_msg(count < SUPPORT_COUNT(named) && strcmp(name, named[count].name) == 0, "%s is not in this test",
                      name);
        ck_assert_msg(summary && *summary, "%s has no summary", name);
        ck_assert_msg(name == quern_style_name(count, NULL), "%s", name);
        ck_assert_msg(quern_style_named(name) != NULL, "%s cannot be found", name);
        ck_assert_msg(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-.") == strlen(name), "%s", name);
        for (size_t i = 0; i < count; i++)
            ck_assert_msg(quern_style_named(quern_style_name(i, NULL)) != quern_style_named(name), "%s twice", name);
    }
    ck_assert_uint_eq(count, SUPPORT_COUNT(named));
    ck_assert_ptr_null(quern_style_name(SIZE_MAX, NULL));
    for (size_t i = 0; i < 4; i++)
        ck_assert_ptr_null(quern_style_named(((const char *const[]){"", "pytho", "pythonx", "Python"})[i]));
    support_count(count + 5);
}
END_TEST

/* Constants that could drift from what quern_style_init makes. */
START_TEST(named_styles_are_what_init_makes)
{
    for (size_t i = 0; i < SUPPORT_COUNT(named); i++) {
        const quern_style style = make(named[i].options);
        ck_assert_msg(memcmp(quern_style_named(named[i].name), &style, sizeof style) == 0,
                      "%s is not what its options make", named[i].name);
    }
    support_count(SUPPORT_COUNT(named));
}
END_TEST

START_TEST(named_styles_write_as_their_producers)
{
#define UPPER_CONTROLS "\\b\\f\\n\\r\\t\\u0001\\u001F"
#define ASCII_RAW "\\u00e9\\u2028\\u2029\\ufffd\\ud83d\\ude00"
#define ASCII_UPPER "\\u00E9\\u2028\\u2029\\uFFFD\\uD83D\\uDE00"
#define LINES_RAW "\xC3\xA9\\u2028\\u2029\xEF\xBF\xBD\xF0\x9F\x98\x80"
#define GO_CONTROLS "\\u0008\\u000c\\n\\r\\t\\u0001\\u001f"
    static const char *const expected[][2] = {
        {"rfc8259", MINIMUM},
        {"python", "\\\"\\\\/" CONTROLS "\\u007f<>&a" ASCII_RAW},
        {"python-unicode", MINIMUM},
        {"node", MINIMUM},
        {"jq", "\\\"\\\\/" CONTROLS "\\u007f<>&a" RAW},
        {"jq-ascii", "\\\"\\\\/" CONTROLS "\\u007f<>&a" ASCII_RAW},
        {"jansson", "\\\"\\\\/" UPPER_CONTROLS "\x7f<>&a" RAW},
        {"jansson-ascii", "\\\"\\\\/" UPPER_CONTROLS "\x7f<>&a" ASCII_UPPER},
        {"jansson-slash", "\\\"\\\\\\/" UPPER_CONTROLS "\x7f<>&a" RAW},
        {"cjson", MINIMUM},
        {"json-c", "\\\"\\\\\\/" CONTROLS "\x7f<>&a" RAW},
        {"json-c-noslash", MINIMUM},
        {"yajl", "\\\"\\\\/" UPPER_CONTROLS "\x7f<>&a" RAW},
        {"yajl-slash", "\\\"\\\\\\/" UPPER_CONTROLS "\x7f<>&a" RAW},
        {"nlohmann", MINIMUM},
        {"nlohmann-ascii", "\\\"\\\\/" CONTROLS "\\u007f<>&a" ASCII_RAW},
        {"rapidjson", "\\\"\\\\/" UPPER_CONTROLS "\x7f<>&a" RAW},
        {"rapidjson-ascii", "\\\"\\\\/" UPPER_CONTROLS "\x7f<>&a" ASCII_UPPER},
        {"serde-json", MINIMUM},
        {"postgresql", MINIMUM},
        {"go", "\\\"\\\\/" CONTROLS "\x7f\\u003c\\u003e\\u0026a" LINES_RAW},
        {"go-nohtml", "\\\"\\\\/" CONTROLS "\x7f<>&a" LINES_RAW},
        {"go-1.21", "\\\"\\\\/" GO_CONTROLS "\x7f\\u003c\\u003e\\u0026a" LINES_RAW},
        {"go-1.21-nohtml", "\\\"\\\\/" GO_CONTROLS "\x7f<>&a" LINES_RAW},
        {"php", "\\\"\\\\\\/" CONTROLS "\x7f<>&a" ASCII_RAW},
        {"php-noslash", "\\\"\\\\/" CONTROLS "\x7f<>&a" ASCII_RAW},
        {"php-unicode", "\\\"\\\\\\/" CONTROLS "\x7f<>&a" LINES_RAW},
        {"php-unicode-noslash", "\\\"\\\\/" CONTROLS "\x7f<>&a" LINES_RAW},
    };
    ck_assert_uint_eq(SUPPORT_COUNT(expected), SUPPORT_COUNT(named));
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    for (size_t i = 0; i < SUPPORT_COUNT(expected); i++)
        expect_text(&v, expected[i][0], quern_style_named(expected[i][0]), SAMPLE, sizeof SAMPLE - 1, expected[i][1],
                    strlen(expected[i][1]));
}
END_TEST

/* ---- whole sets ------------------------------------------------------------------------------------ */

/* Each byte alone, and what a style that looks at code points does with a lone one from 0x80 on. */
START_TEST(every_byte)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    for (size_t i = 0; i < SUPPORT_COUNT(named); i++) {
        const bool stops = named[i].options.ill_formed == QUERN_ILL_FORMED_STOP && named[i].options.flags != 0;
        for (unsigned byte = 0; byte < 256; byte++) {
            const char src = (char)byte;
            char room[16], expected[16];
            size_t used;
            support_note(named[i].name, byte, 0);
            const reference_escaped r =
                reference_escape(&named[i].options, expected, sizeof expected, &src, 1, QUERN_ESCAPE_FINAL);
            ck_assert(r.used == (byte < 0x80 || !stops));
            if (r.used == 1) {
                expect_text(&v, named[i].name, quern_style_named(named[i].name), &src, 1, expected, r.written);
                continue;
            }
            const quern_span span = v.row.escape_write(quern_style_named(named[i].name), room, sizeof room, &src, 1,
                                                       &used, QUERN_ESCAPE_FINAL);
            ++*v.checks;
            ck_assert_msg(span.length == 0 && span.why == QUERN_STOP_ILL_FORMED && used == 0, "%s, %s: byte %02x",
                          v.name, named[i].name, byte);
        }
    }
}
END_TEST

/* Every code point, in runs of 64, so that they stand at all places of a vector. All variants at once: the oracle is
 * slow. */
START_TEST(every_code_point)
{
    enum { MOST = 32 };
    support_variant variants[MOST];
    size_t count = 0;
    ck_assert_int_le(support_variants(), MOST);
    for (int i = 0; i < support_variants(); i++)
        count += support_variant_open(&variants[count], i);
    for (uint32_t from = 0; from < 0x110000; from += 64) {
        if ((from >= 0x3000 && support_thinned()) || (from >= 0xD800 && from < 0xE000))
            continue;
        unsigned char text[256];
        char expected[12 * 64];
        size_t len = 0;
        for (uint32_t c = from; c < from + 64; c++) {
            const size_t bytes = support_encoded_size(c);
            support_encode(text + len, c, bytes);
            len += bytes;
        }
        support_note("code points", from, 0);
        for (size_t i = 0; i < SUPPORT_COUNT(named); i++) {
            const char *src = (const char *)text;
            const reference_escaped r =
                reference_escape(&named[i].options, expected, sizeof expected, src, len, QUERN_ESCAPE_FINAL);
            ck_assert_msg(r.why == QUERN_STOP_END && r.used == len, "%s: the oracle stops", named[i].name);
            for (size_t k = 0; k < count; k++)
                expect_text(&variants[k], named[i].name, quern_style_named(named[i].name), src, len, expected,
                            r.written);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("style");
    TCase *tcase = tcase_create("style");
    tcase_set_timeout(tcase, 300);
    SUPPORT_ADD(tcase, flags_do_what_they_say);
    SUPPORT_ADD(tcase, letters_are_those_that_exist);
    SUPPORT_ADD(tcase, a_table_replaces_all);
    SUPPORT_ADD(tcase, ill_formed_text_as_the_policy_says);
    tcase_add_test(tcase, impossible_options_are_refused);
    tcase_add_test(tcase, names_are_listed);
    tcase_add_test(tcase, named_styles_are_what_init_makes);
    SUPPORT_ADD(tcase, named_styles_write_as_their_producers);
    SUPPORT_ADD(tcase, every_byte);
    tcase_add_test(tcase, every_code_point);
    suite_add_tcase(suite, tcase);
    return support_main(suite);
}
