/* SPDX-License-Identifier: MIT */
/**
 * @file
 * utf8_prefix, in each variant: texts in pieces, the public suites, and faults that other projects had. The cases of
 * the suites go through text_copy too.
 */
#include "reference/reference.h"
#include "support/escaping.h"
#include "support/texts.h"
#include "support/utf8_checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts in pieces ----------------------------------------------------------------------------- */

START_TEST(random_pieces)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("utf8 random_pieces");
    unsigned char text[200];
    for (size_t round = 0; round < 3000; round++) {
        if (support_thinned())
            continue;
        size_t len = 1 + support_random_below(&random, sizeof text);
        support_text(&random, (support_script)(round % SUPPORT_SCRIPTS), text, len);
        if (round % 2 != 0)
            text[support_random_below(&random, len)] ^= 0x80;
        size_t cuts[sizeof text];
        size_t pieces = 0;
        for (size_t at = 0; at < len && pieces < SUPPORT_COUNT(cuts);) {
            at += support_random_below(&random, round % 3 == 0 ? 2 : 40);
            cuts[pieces++] = at < len ? at : len;
        }
        utf8_expect_fed(&v, "pieces", text, len, cuts, pieces, reference_utf8_prefix((const char *)text, len));
    }
}
END_TEST

/* ---- public suites ------------------------------------------------------------------------------- */

/* A case alone, and moved to offsets 0 to 64 of a longer text with and without something behind it. */
static void suite_case(const support_variant *v, const char *what, size_t number, const unsigned char *src, size_t len,
                       size_t length, bool valid)
{
    static const texts_bytes fillers[] = {{SUPPORT_BYTES("A")}, {SUPPORT_BYTES("\xE2\x82\xAC")}};
    quern_span alone = v->row.utf8_prefix((const char *)src, len);
    ++*v->checks;
    if (alone.length != length || (alone.why == QUERN_STOP_END) != valid)
        ck_abort_msg("%s utf8_prefix, %s %zu: got %zu %s, expected %zu, %s", v->name, what, number, alone.length,
                     escaping_stop_name(alone.why), length, valid ? "valid" : "invalid");
    utf8_expect_reference(v, what, number, src, len);
    escaping_expect_copied(v, &escaping_null, src, len, SUPPORT_BLOCK, what, number);

    static unsigned char text[512];
    for (size_t f = 0; f < SUPPORT_COUNT(fillers); f++) {
        for (size_t before = 0; before <= 64; before++) {
            size_t at = 0;
            while (at + fillers[f].length <= before) {
                memcpy(text + at, fillers[f].data, fillers[f].length);
                at += fillers[f].length;
            }
            while (at < before)
                text[at++] = ' ';
            memcpy(text + at, src, len);
            size_t total = at + len;
            utf8_expect(v, what, number, text, total, at + length, alone.why);
            while (total < 200) {
                memcpy(text + total, fillers[f].data, fillers[f].length);
                total += fillers[f].length;
            }
            utf8_expect(v, what, number, text, total, valid ? total : at + length,
                        valid ? QUERN_STOP_END : QUERN_STOP_ILL_FORMED);
            escaping_expect_copied(v, &escaping_null, text, total, before, what, number);
        }
    }
}

/* A style that passes all that is well-formed. */
static const quern_replacement nothing[256];

static escaping_style mending(quern_style *made, quern_style_options *options, quern_ill_formed policy)
{
    *options = (quern_style_options){.size = sizeof *options, .ill_formed = policy, .table = nothing};
    ck_assert_int_eq(quern_style_init(made, options), QUERN_OK);
    return (escaping_style){policy == QUERN_ILL_FORMED_DROP ? "drop" : "replace", made, options};
}

/* What escape_write must make of a whole text. */
static void expect_mended(const support_variant *v, const char *what, size_t number, quern_ill_formed policy,
                          const unsigned char *src, size_t len, const unsigned char *expected, size_t expected_len)
{
    quern_style made;
    quern_style_options options;
    const escaping_style style = mending(&made, &options, policy);
    unsigned char dst[256];
    size_t used = 0;
    const quern_span got =
        v->row.escape_write(&made, (char *)dst, sizeof dst, (const char *)src, len, &used, QUERN_ESCAPE_FINAL);
    ++*v->checks;
    if (got.length != expected_len || memcmp(dst, expected, expected_len) != 0 || used != len)
        ck_abort_msg("%s escape_write, %s, %s %zu: got %zu bytes of %zu, expected %zu", v->name, style.name, what,
                     number, got.length, used, expected_len);
    escaping_expect_text(v, &style, src, len, QUERN_ESCAPE_FINAL, SUPPORT_BLOCK, what, number);
}

typedef struct field {
    const char *text;
    size_t length;
} field;

/* The next field up to `separator` or the end, without blanks around it. */
static field next_field(const char **cursor, const char *end, char separator)
{
    const char *start = *cursor;
    const char *stop = start;
    while (stop < end && *stop != separator)
        stop++;
    *cursor = stop < end ? stop + 1 : end;
    while (start < stop && *start == ' ')
        start++;
    while (stop > start && (stop[-1] == ' ' || stop[-1] == '\r'))
        stop--;
    return (field){start, (size_t)(stop - start)};
}

static bool field_is(field f, const char *text)
{
    return f.length == strlen(text) && memcmp(f.text, text, f.length) == 0;
}

/* Where the input and what replacing gives part: there the first bad byte was. A whole U+FFFD may be in both. */
static size_t first_bad_byte(const unsigned char *src, size_t len, const unsigned char *replaced, size_t replaced_len)
{
    size_t i = 0;
    while (i < len && i < replaced_len) {
        bool mark = replaced_len - i >= 3 && memcmp(replaced + i, "\xEF\xBF\xBD", 3) == 0;
        if (mark && (len - i < 3 || memcmp(src + i, "\xEF\xBF\xBD", 3) != 0))
            break;
        i += mark ? 3 : 1;
    }
    return i;
}

START_TEST(suite_flenniken)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    size_t size = 0;
    unsigned char *file = support_data("utf8_flenniken/utf8tests.txt", &size);
    if (file == NULL)
        return;
    size_t valid = 0;
    size_t invalid = 0;
    const char *cursor = (const char *)file;
    const char *end = cursor + size;
    while (cursor < end) {
        field line = next_field(&cursor, end, '\n');
        if (line.length == 0 || line.text[0] == '#')
            continue;
        const char *in_line = line.text;
        const char *line_end = line.text + line.length;
        next_field(&in_line, line_end, ':'); /* the case's number */
        field kind = next_field(&in_line, line_end, ':');
        field text = next_field(&in_line, line_end, ':');
        unsigned char src[128];
        if (field_is(kind, "valid")) {
            suite_case(&v, "case", valid + invalid, (const unsigned char *)text.text, text.length, text.length, true);
            valid++;
        } else if (field_is(kind, "valid hex")) {
            size_t len = support_hex(src, sizeof src, text.text, text.length);
            suite_case(&v, "case", valid + invalid, src, len, len, true);
            valid++;
        } else if (field_is(kind, "invalid hex")) {
            field skipped = next_field(&in_line, line_end, ':');
            field replacement = next_field(&in_line, line_end, ':');
            unsigned char replaced[256];
            size_t len = support_hex(src, sizeof src, text.text, text.length);
            size_t replaced_len = support_hex(replaced, sizeof replaced, replacement.text, replacement.length);
            expect_mended(&v, "case", invalid, QUERN_ILL_FORMED_REPLACE, src, len, replaced, replaced_len);
            unsigned char dropped[128];
            size_t dropped_len =
                field_is(skipped, "nothing") ? 0 : support_hex(dropped, sizeof dropped, skipped.text, skipped.length);
            expect_mended(&v, "case", invalid, QUERN_ILL_FORMED_DROP, src, len, dropped, dropped_len);
            suite_case(&v, "case", valid + invalid, src, len, first_bad_byte(src, len, replaced, replaced_len), false);
            invalid++;
        } else if (line.length > 3) { /* the file opens with the number of its cases */
            ck_abort_msg("a line not understood: %.*s", (int)line.length, line.text);
        }
    }
    free(file);
    ck_assert_uint_eq(valid, 77);
    ck_assert_uint_eq(invalid, 145);
}
END_TEST

START_TEST(suite_wpt_fatal)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    size_t size = 0;
    unsigned char *file = support_data("wpt_encoding/fatal_utf8.tsv", &size);
    if (file == NULL)
        return;
    size_t refused = 0;
    const char *cursor = (const char *)file;
    const char *end = cursor + size;
    next_field(&cursor, end, '\n'); /* the heading */
    while (cursor < end) {
        field line = next_field(&cursor, end, '\n');
        if (line.length == 0)
            continue;
        const char *in_line = line.text;
        const char *line_end = line.text + line.length;
        field hex = next_field(&in_line, line_end, '\t');
        next_field(&in_line, line_end, '\t'); /* the case's name */
        field verdict = next_field(&in_line, line_end, '\t');
        ck_assert(field_is(verdict, "reject"));
        unsigned char src[64];
        size_t len = support_hex(src, sizeof src, hex.text, hex.length);
        suite_case(&v, "case", refused, src, len, 0, false);
        refused++;
    }
    free(file);
    ck_assert_uint_eq(refused, 33);
}
END_TEST

/* Pieces, and what is written for each; the last one is final. */
START_TEST(suite_wpt_replacement)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    size_t size = 0;
    unsigned char *file = support_data("wpt_encoding/replacement_utf8.tsv", &size);
    if (file == NULL)
        return;
    quern_style made;
    quern_style_options options;
    mending(&made, &options, QUERN_ILL_FORMED_REPLACE);
    size_t rows = 0;
    const char *cursor = (const char *)file;
    const char *end = cursor + size;
    next_field(&cursor, end, '\n'); /* the heading */
    while (cursor < end) {
        field line = next_field(&cursor, end, '\n');
        if (line.length == 0)
            continue;
        const char *in_line = line.text;
        const char *line_end = line.text + line.length;
        next_field(&in_line, line_end, '\t'); /* in one piece or several */
        field inputs = next_field(&in_line, line_end, '\t');
        field outputs = next_field(&in_line, line_end, '\t');
        const char *in = inputs.text, *out = outputs.text;
        const char *in_end = in + inputs.length, *out_end = out + outputs.length;
        unsigned char src[64];
        size_t held = 0;
        bool last = false;
        while (!last) {
            const field input = next_field(&in, in_end, '|');
            const field output = next_field(&out, out_end, '|');
            last = input.text + input.length == in_end;
            const size_t len = held + support_hex(src + held, sizeof src - held, input.text, input.length);
            unsigned char expected[64], dst[64];
            const size_t expected_len = support_hex(expected, sizeof expected, output.text, output.length);
            size_t used = 0;
            const quern_span got = v.row.escape_write(&made, (char *)dst, sizeof dst, (const char *)src, len, &used,
                                                      last ? QUERN_ESCAPE_FINAL : 0);
            ++*v.checks;
            if (got.length != expected_len || memcmp(dst, expected, expected_len) != 0)
                ck_abort_msg("%s escape_write, row %zu of the replacements: %zu bytes, expected %zu", v.name, rows,
                             got.length, expected_len);
            held = len - used;
            memmove(src, src + used, held);
        }
        ck_assert_uint_eq(held, 0);
        rows++;
    }
    free(file);
    ck_assert_uint_eq(rows, 18);
}
END_TEST

START_TEST(suite_lipsum)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const char *const languages[] = {"Arabic", "Chinese", "Emoji", "Korean", "Latin", "Russian"};
    for (size_t i = 0; i < SUPPORT_COUNT(languages); i++) {
        char name[64];
        snprintf(name, sizeof name, "unicode_lipsum/%s-Lipsum.utf8.txt", languages[i]);
        size_t size = 0;
        unsigned char *text = support_data(name, &size);
        if (text == NULL)
            continue;
        utf8_expect(&v, languages[i], 0, text, size, size, QUERN_STOP_END);
        for (size_t cut = 1; cut <= 70; cut++)
            utf8_expect_reference(&v, languages[i], cut, text, size - cut);
        for (size_t from = 1; from <= 70; from++)
            utf8_expect_reference(&v, languages[i], from, text + from, size - from);
        text[size / 2] = 0xFF;
        utf8_expect_reference(&v, languages[i], size / 2, text, size);
        free(text);
    }
}
END_TEST

/* ---- faults that other projects had -------------------------------------------------------------- */

/* simdjson issue #1187: an overlong form of four bytes passes in one variant. */
START_TEST(B001_overlong_four_bytes)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    utf8_expect(&v, "B001", 0, SUPPORT_BYTES("\xF0\x8F\xBF\xBF"), 0, QUERN_STOP_ILL_FORMED);
}
END_TEST

/* simdjson issue #1169: FF as the last byte of a full block; the final check was missing. */
START_TEST(B002_fault_in_last_byte_of_block)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    unsigned char text[512];
    for (size_t len = 1; len <= sizeof text; len++) {
        memset(text, 0x20, len - 1);
        text[len - 1] = 0xFF;
        utf8_expect(&v, "B002", 0, text, len, len - 1, QUERN_STOP_ILL_FORMED);
    }
}
END_TEST

/* simdjson issue #357: only the variant that nobody ran was wrong. So each is forced, and called as users do. */
START_TEST(B003_each_variant_forced)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    quern_variant before;
    ck_assert(quern_variant_get(quern_variant_active(), &before));
    if (!v.is_public && !support_variant_use(&v))
        return;
    static const texts_bytes faults[] = {{SUPPORT_BYTES("\xED\xA0\x80")}, {SUPPORT_BYTES("\xC0\x80")}};
    size_t wrong = SIZE_MAX;
    for (size_t i = 0; i < SUPPORT_COUNT(faults); i++) {
        for (size_t at = 0; at <= 64; at++) {
            unsigned char text[128];
            memset(text, 0x41, sizeof text);
            memcpy(text + at, faults[i].data, faults[i].length);
            utf8_expect(&v, "B003", at, text, sizeof text, at, QUERN_STOP_ILL_FORMED);
            quern_span got = quern_utf8_prefix((const char *)text, sizeof text);
            ++*v.checks;
            if (got.length != at || got.why != QUERN_STOP_ILL_FORMED)
                wrong = at;
        }
    }
    ck_assert_int_eq(quern_variant_force(before.name), QUERN_OK);
    ck_assert_msg(wrong == SIZE_MAX, "B003: %s forced: wrong at %zu", v.name, wrong);
}
END_TEST

/* simdjson issue #424: a window that ends within a character is not an error yet. */
START_TEST(B004_window_ends_in_character)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const unsigned char text[] = "\"\xE2\x82\xAC\"";
    const size_t cut = 3;
    utf8_expect(&v, "B004, first window", 0, text, 3, 1, QUERN_STOP_TRUNCATED);
    utf8_expect_fed(&v, "B004", text, 5, &cut, 1, (quern_span){5, QUERN_STOP_END});
    utf8_expect_fed(&v, "B004, ended", text, 3, &cut, 1, (quern_span){1, QUERN_STOP_TRUNCATED});
}
END_TEST

/* simdutf, tests/validate_utf8_puzzler_tests.cpp, puzzler2: noticed in the next block, the place is given wrong. */
START_TEST(B005_fault_noticed_in_next_block)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    unsigned char text[62 + 3 + 37];
    memset(text, 0x41, sizeof text);
    memcpy(text + 62, "\xE7\x81\x00", 3);
    utf8_expect(&v, "B005", 0, text, sizeof text, 62, QUERN_STOP_ILL_FORMED);
}
END_TEST

/* simdutf issue #479: one continuation byte too many at the edge of a block. */
START_TEST(B006_one_continuation_too_many)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    unsigned char text[65];
    for (size_t i = 0; i < 15; i++)
        memcpy(text + 4 * i, "\xF1\xA1\xA9\xA9", 4);
    memcpy(text + 60, "\xF1\xA0\xA0\xA0\xA0", 5);
    utf8_expect(&v, "B006", 0, text, sizeof text, 64, QUERN_STOP_ILL_FORMED);
    utf8_expect(&v, "B006, without it", 0, text, 64, 64, QUERN_STOP_END);
}
END_TEST

/* simdutf issue #441: going back from a fault, the pointer leaves the buffer. */
START_TEST(B007_stray_continuation)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_guarded from = support_guarded_new(73);
    const size_t at[] = {64, 0};
    for (size_t i = 0; i < SUPPORT_COUNT(at); i++) {
        memset(from.start, 0x20, 73);
        from.start[at[i]] = 0xA1;
        support_note("B007", 73, at[i]);
        utf8_expect(&v, "B007", at[i], from.start, 73, at[i], QUERN_STOP_ILL_FORMED);
    }
    support_guarded_free(&from);
}
END_TEST

/* simdutf issue #448: going back from a fault reads outside of the buffer. */
START_TEST(B008_fault_behind_character)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    const size_t len = 2 + 61 + 1 + 64;
    support_guarded from = support_guarded_new(len);
    unsigned char *flush[] = {from.start, support_guarded_tail(&from, len)};
    for (size_t i = 0; i < SUPPORT_COUNT(flush); i++) {
        memset(flush[i], 0x20, len);
        memcpy(flush[i], "\xCD\xB8", 2);
        flush[i][63] = 0xFF;
        support_note("B008", len, i);
        utf8_expect(&v, "B008", i, flush[i], len, 63, QUERN_STOP_ILL_FORMED);
    }
    support_guarded_free(&from);
}
END_TEST

/* eclipse-paho/paho.mqtt.c issue #433: the bytes behind a lead are read although the range ends. */
START_TEST(B010_lead_as_last_byte)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_guarded from = support_guarded_new(4);
    unsigned char *src = support_guarded_tail(&from, 4);
    memcpy(src, "\x00\x00\x00\xF0", 4);
    support_note("B010", 4, 3);
    utf8_expect(&v, "B010", 0, src, 4, 3, QUERN_STOP_TRUNCATED);
    support_guarded_free(&from);
}
END_TEST

/* tgockel/json-voorhees issue #207: the shape is checked, the code point is not. */
START_TEST(B011_shape_without_value)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const texts_bytes faults[] = {
        {SUPPORT_BYTES("\xF8\x80\x80\x80\x80")},
        {SUPPORT_BYTES("\xC0\x80")},
        {SUPPORT_BYTES("\xED\xA0\x80")},
        {SUPPORT_BYTES("\xF5\x80\x80\x80")},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(faults); i++)
        utf8_expect(&v, "B011", i, faults[i].data, faults[i].length, 0, QUERN_STOP_ILL_FORMED);
}
END_TEST

/* JulienPalard/is_utf8 issue #1: a character that the read buffer of 4096 bytes cuts. */
START_TEST(B012_character_cut_by_read_buffer)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static unsigned char text[4097];
    memset(text, 0x41, 4095);
    memcpy(text + 4095, "\xC3\xA9", 2);
    const size_t cut = 4096;
    utf8_expect_fed(&v, "B012", text, sizeof text, &cut, 1, (quern_span){4097, QUERN_STOP_END});
}
END_TEST

/* dscape/clarinet PR #29: pieces that start or end within a character. */
START_TEST(B013_every_split)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const texts_bytes texts[] = {
        {SUPPORT_BYTES("\"a\xE2\x82\xAC"
                       "b\"")},
        {SUPPORT_BYTES("\xF0\x9F\x8C\xBE\xC3\xA9\xE2\x82\xAC\xF4\x8F\xBF\xBF")},
        {SUPPORT_BYTES("\xC3\xA9\xE2\x82\xAC\xED\xA0\x80 ")},
        {SUPPORT_BYTES("a\xF0\x9F\x8C")},
    };
    static const quern_span expected[] = {
        {7, QUERN_STOP_END}, {13, QUERN_STOP_END}, {5, QUERN_STOP_ILL_FORMED}, {1, QUERN_STOP_TRUNCATED}};
    for (size_t i = 0; i < SUPPORT_COUNT(texts); i++) {
        size_t cuts[2];
        for (cuts[0] = 0; cuts[0] <= texts[i].length; cuts[0]++) {
            utf8_expect_fed(&v, "B013, in two", texts[i].data, texts[i].length, cuts, 1, expected[i]);
            for (cuts[1] = cuts[0]; cuts[1] <= texts[i].length; cuts[1]++)
                utf8_expect_fed(&v, "B013, in three", texts[i].data, texts[i].length, cuts, 2, expected[i]);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("utf8_suites");

    TCase *big = tcase_create("big");
    tcase_set_timeout(big, 600);
    SUPPORT_ADD(big, random_pieces);
    suite_add_tcase(suite, big);

    TCase *suites = tcase_create("suites");
    tcase_set_timeout(suites, 120);
    SUPPORT_ADD(suites, suite_flenniken);
    SUPPORT_ADD(suites, suite_wpt_fatal);
    SUPPORT_ADD(suites, suite_wpt_replacement);
    SUPPORT_ADD(suites, suite_lipsum);
    suite_add_tcase(suite, suites);

    TCase *reports = tcase_create("reports");
    tcase_set_timeout(reports, 60);
    SUPPORT_ADD(reports, B001_overlong_four_bytes);
    SUPPORT_ADD(reports, B002_fault_in_last_byte_of_block);
    SUPPORT_ADD(reports, B003_each_variant_forced);
    SUPPORT_ADD(reports, B004_window_ends_in_character);
    SUPPORT_ADD(reports, B005_fault_noticed_in_next_block);
    SUPPORT_ADD(reports, B006_one_continuation_too_many);
    SUPPORT_ADD(reports, B007_stray_continuation);
    SUPPORT_ADD(reports, B008_fault_behind_character);
    SUPPORT_ADD(reports, B010_lead_as_last_byte);
    SUPPORT_ADD(reports, B011_shape_without_value);
    SUPPORT_ADD(reports, B012_character_cut_by_read_buffer);
    SUPPORT_ADD(reports, B013_every_split);
    suite_add_tcase(suite, reports);

    return support_main(suite);
}
