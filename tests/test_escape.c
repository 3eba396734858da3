/* SPDX-License-Identifier: MIT */
/**
 * @file
 * escape_find and escape_copy, in each variant and form, for the style NULL.
 *
 * All bytes at all positions and all pairs: test_exhaustive.c. Ranges are laid amid quotation marks wherever possible:
 * a kernel that looks outside of its range finds them.
 */
#include "reference/reference.h"
#include "support/escaping.h"
#include "support/ranges.h"
#include "support/texts.h"

#include <stdlib.h>
#include <string.h>

static void expect_find(const support_variant *v, const char *what, size_t where, const unsigned char *src, size_t len,
                        size_t expected)
{
    size_t got = v->row.escape_find(NULL, (const char *)src, len);
    ++*v->checks;
    if (got != expected)
        ck_abort_msg("%s escape_find, %s %zu: length %zu, alignment %zu: got %zu, expected %zu", v->name, what, where,
                     len, (size_t)((uintptr_t)src % 64), got, expected);
}

static void expect_copy(const support_variant *v, const char *what, size_t where, const unsigned char *src, size_t len,
                        size_t expected, size_t place)
{
    escaping_expect_copy(v, &escaping_null, src, len, place, expected, what, where);
}

static void expect(const support_variant *v, const char *what, size_t where, const unsigned char *src, size_t len,
                   size_t expected)
{
    expect_find(v, what, where, src, len, expected);
    expect_copy(v, what, where, src, len, expected, where % 64);
}

/* ---- the oracle itself --------------------------------------------------------------------------- */

START_TEST(reference_json_string_is_right)
{
    static const struct {
        const unsigned char *src;
        size_t len;
        const char *expected;
    } cases[] = {
        {SUPPORT_BYTES(""), "\"\""},
        {SUPPORT_BYTES("plain /\x7F"), "\"plain /\x7F\""},
        {SUPPORT_BYTES("\"\\"), "\"\\\"\\\\\""},
        {SUPPORT_BYTES("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\""},
        {SUPPORT_BYTES("\0\x01\x0B\x0E\x1A\x1F"), "\"\\u0000\\u0001\\u000b\\u000e\\u001a\\u001f\""},
        {SUPPORT_BYTES("f\xC3\xBCr"), "\"f\xC3\xBCr\""},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        char got[64];
        size_t length = reference_json_string(got, (const char *)cases[i].src, cases[i].len);
        ck_assert_msg(length == strlen(cases[i].expected) && memcmp(got, cases[i].expected, length) == 0,
                      "case %zu: got %.*s", i, (int)length, got);
    }
    support_count(SUPPORT_COUNT(cases));
}
END_TEST

/* ---- small cases --------------------------------------------------------------------------------- */

START_TEST(literals)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const struct {
        const unsigned char *src;
        size_t len;
        size_t expected;
    } cases[] = {
        {SUPPORT_BYTES(""), 0},
        {SUPPORT_BYTES("a"), 1},
        {SUPPORT_BYTES("\""), 0},
        {SUPPORT_BYTES("\\"), 0},
        {SUPPORT_BYTES("\n"), 0},
        {SUPPORT_BYTES("\0"), 0},
        {SUPPORT_BYTES("\x1F"), 0},
        {SUPPORT_BYTES(" "), 1},
        {SUPPORT_BYTES("!#/[]'\x7F\x80\x9F\xA2\xDC\xFF"), 12},
        {SUPPORT_BYTES("say \"no\""), 4},
        {SUPPORT_BYTES("C:\\temp"), 2},
        {SUPPORT_BYTES("\"\\\n"), 0},
        {SUPPORT_BYTES("one line\nand another"), 8},
        {SUPPORT_BYTES("\xE2\x82\xAC 20\t"), 6},
        {SUPPORT_BYTES("exactly sixteen."), 16},
        {SUPPORT_BYTES("exactly sixteen\""), 15},
        {SUPPORT_BYTES("exactly sixteen.\""), 16},
        {SUPPORT_BYTES("a text of some length, without any byte that is to be escaped, and longer than 64"), 81},
        {SUPPORT_BYTES("a text of some length, with only one byte that is to be escaped, right at the end\x1F"), 81},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++)
        expect(&v, "literal", i, cases[i].src, cases[i].len, cases[i].expected);
}
END_TEST

START_TEST(single_bytes)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    for (size_t value = 0; value < 256; value++) {
        const unsigned char byte = (unsigned char)value;
        bool escaped = value <= 31 || value == 34 || value == 92;
        expect(&v, "byte", value, &byte, 1, escaped ? 0 : 1);
    }
}
END_TEST

START_TEST(null_range)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    expect_find(&v, "NULL", 0, NULL, 0, 0);
    expect_copy(&v, "NULL", 0, NULL, 0, 0, 0);
    ck_assert_uint_eq(v.row.escape_copy(NULL, NULL, NULL, 0), 0);
    ++*v.checks;
}
END_TEST

/* ---- every length, alignment, position ----------------------------------------------------------- */

/* Nothing to escape, and one such byte: the first, the last, any other one. */
static void check_range(const support_variant *v, support_random *random, unsigned char *src, size_t len,
                        ranges_kind kind, size_t where)
{
    static const unsigned char hits[] = {'"', '\\', 0x00, 0x1F};
    if (len > 0)
        support_text(random, where % 2 == 0 ? SUPPORT_MIXED : SUPPORT_ASCII, src, len);
    for (size_t n = 0; n < 4 && n <= 3 * len; n++) {
        size_t at = n == 0 ? len : n == 1 ? 0 : n == 2 ? len - 1 : support_random_below(random, len);
        const unsigned char kept = at < len ? src[at] : 0;
        if (at < len)
            src[at] = hits[support_random_below(random, SUPPORT_COUNT(hits))];
        expect_find(v, "range, at", where, src, len, at);
        expect_copy(v, "range, at", where, src, len, at, ranges_target(random, kind));
        if (kind == RANGES_ALIGNED && n == 0 && !support_thinned()) {
            for (size_t to = 0; to < 64; to++)
                expect_copy(v, "range, at", where, src, len, at, to);
        }
        if (at < len)
            src[at] = kept;
    }
}

START_TEST(every_length_and_alignment)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_aligned(&v, "escape every_length_and_alignment", 256, '"', '"', check_range);
}
END_TEST

START_TEST(guard_pages)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_guarded(&v, "escape at guards", 1024, check_range);
}
END_TEST

START_TEST(exact_blocks)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_blocks(&v, "escape in blocks", 320, check_range);
}
END_TEST

/* ---- texts --------------------------------------------------------------------------------------- */

START_TEST(random_texts)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("escape random_texts");
    static const size_t densities[] = {0, 1, 3, 12, 50, 100};
    for (size_t round = 0; round < 6000; round++) {
        if (support_thinned())
            continue;
        size_t len = support_random_below(&random, round % 8 == 0 ? 2000 : 200);
        unsigned char *src = ranges_place(support_random_below(&random, 64), '"');
        if (round % 6 == 5) {
            for (size_t i = 0; i < len; i++)
                src[i] = (unsigned char)support_random_next(&random);
        } else {
            support_text(&random, (support_script)(round % SUPPORT_SCRIPTS), src, len);
        }
        texts_sprinkle(&random, TEXTS_MIXED, densities[support_random_below(&random, SUPPORT_COUNT(densities))], src,
                       len);

        /* from each escaped byte on to the next, as a writer goes */
        for (size_t at = 0; at <= len;) {
            size_t expected = reference_escape_find((const char *)src + at, len - at);
            expect_find(&v, "text", round, src + at, len - at, expected);
            expect_copy(&v, "text", round, src + at, len - at, expected, support_random_below(&random, 64));
            at += expected + 1;
        }
    }
}
END_TEST

/* A whole JSON string, made by the kernel and single escapes. */
START_TEST(json_strings)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("escape json_strings");
    static const size_t densities[] = {0, 2, 12, 50, 100};
    static unsigned char src[1200];
    static char got[6 * sizeof src + 2 + QUERN_SLACK];
    static char expected[6 * sizeof src + 2];
    for (size_t round = 0; round < 4000; round++) {
        if (support_thinned())
            continue;
        size_t len = support_random_below(&random, round % 8 == 0 ? sizeof src : 100);
        support_text(&random, (support_script)(round % SUPPORT_SCRIPTS), src, len);
        texts_sprinkle(&random, TEXTS_MIXED, densities[support_random_below(&random, SUPPORT_COUNT(densities))], src,
                       len);
        size_t wanted = reference_json_string(expected, (const char *)src, len);

        quern_escape_copy_function *copy =
            round % 2 == 0 && v.row.escape_copy_slack != NULL ? v.row.escape_copy_slack : v.row.escape_copy;
        size_t used = 0;
        got[used++] = '"';
        for (size_t at = 0; at < len;) {
            size_t run = copy(NULL, got + used, (const char *)src + at, len - at);
            used += run;
            at += run;
            if (at < len) {
                char one[8];
                size_t size = reference_json_string(one, (const char *)src + at, 1) - 2;
                memcpy(got + used, one + 1, size);
                used += size;
                at++;
            }
        }
        got[used++] = '"';
        ++*v.checks;
        if (used != wanted || memcmp(got, expected, wanted) != 0)
            ck_abort_msg("%s json string, round %zu, length %zu: got %zu bytes, expected %zu", v.name, round, len, used,
                         wanted);
    }
}
END_TEST

static void long_text(const support_variant *v, unsigned char *src, size_t len)
{
    if (support_thinned())
        return;
    expect(v, "long", 0, src, len, len);
    const size_t places[] = {0, len / 2, len - 1};
    for (size_t i = 0; i < SUPPORT_COUNT(places); i++) {
        unsigned char kept = src[places[i]];
        src[places[i]] = 0x1F;
        expect(v, "long, escape at", places[i], src, len, places[i]);
        src[places[i]] = kept;
    }
}

START_TEST(long_texts)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("escape long_texts");
    const size_t most = ((size_t)1 << 21) + 2;
    unsigned char *src = support_allocate(most + 1);
    support_text(&random, SUPPORT_MIXED, src, most);
    src[most] = '"';
    for (size_t power = 256; power <= most; power *= 2) {
        for (size_t len = power - 2; len <= power + 2; len++)
            long_text(&v, src, len);
    }
    for (size_t len = 4096 - 70; len <= 4096 + 70; len++)
        long_text(&v, src + 1, len);
    for (size_t len = 65536 - 70; len <= 65536 + 70; len++)
        long_text(&v, src + 3, len);
    free(src);
}
END_TEST

/* ---- faults that other projects had -------------------------------------------------------------- */

/* kristapsdz/kcgi issue #56: with a signed char, 0x80 to 0xFF pass for control characters. */
START_TEST(B023_signed_char)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    expect(&v, "B023", 0, SUPPORT_BYTES("f\xC3\xBCr"), 4);
    for (size_t len = 1; len <= 130; len++) {
        unsigned char *src = ranges_place(0, '"');
        for (size_t i = 0; i < len; i++)
            src[i] = (unsigned char)(0x80 + (i * 7 + len) % 0x80);
        expect(&v, "B023", len, src, len, len);
    }
}
END_TEST

/* spotify/spotify-json PR #51: the string instructions of SSE4.2 stop at a NUL. */
START_TEST(B028_nul_hides_quote)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const unsigned char text[] = "A\0\"AAAAAAAAAAAAA";
    expect(&v, "B028", 0, text, 16, 1);
    expect(&v, "B028", 1, text + 1, 15, 0);
    expect(&v, "B028", 2, text + 2, 14, 0);
    expect(&v, "B028", 3, text + 3, 13, 13);
}
END_TEST

/* apache/arrow PR #50483: an embedded NUL hides the quotation mark behind it. */
START_TEST(B029_nul_within_long_text)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const unsigned char text[] = "\"a\0b\"";
    static const size_t special_at[] = {0, 2, 4};
    for (size_t align = 0; align < 64; align++) {
        for (size_t before = 0; before < 70; before++) {
            unsigned char *src = ranges_place(align, '"');
            size_t len = before + 5 + 100;
            memset(src, 'x', len);
            memcpy(src + before, text, 5);
            size_t from = 0;
            for (size_t i = 0; i < SUPPORT_COUNT(special_at); i++) {
                size_t at = before + special_at[i];
                expect(&v, "B029", before, src + from, len - from, at - from);
                from = at + 1;
            }
            expect(&v, "B029", before, src + from, len - from, len - from);
        }
    }
}
END_TEST

/* ClickHouse PR #103389: NUL matched by unused slots of a table. Here NUL is special by right, and found as such. */
START_TEST(B030_nul_in_table)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const unsigned char text[] = "A\0A\0\"";
    expect(&v, "B030", 0, text, 5, 1);
    expect(&v, "B030", 2, text + 2, 3, 1);
    expect(&v, "B030", 4, text + 4, 1, 0);
}
END_TEST

/* ijl/orjson issue #452, PR #455, #459: the scan loads a vector past a string that ends at the end of a page. */
START_TEST(B033_string_ends_at_page_end)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_guarded from = support_guarded_new(256);
    for (size_t len = 0; len <= 160; len++) {
        unsigned char *src = support_guarded_tail(&from, len);
        memset(src, 'a', len);
        support_note("B033", len, 0);
        expect(&v, "B033", 0, src, len, len);
        if (len > 0) {
            src[len - 1] = '"';
            expect(&v, "B033", 1, src, len, len - 1);
        }
    }
    support_guarded_free(&from);
}
END_TEST

/* bytedance/sonic PR #820: an empty range whose address must not be read. */
START_TEST(B034_empty_at_unreadable_page)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_guarded from = support_guarded_new(64);
    const unsigned char *unreadable = support_guarded_tail(&from, 0);
    support_note("B034", 0, 0);
    expect(&v, "B034 unreadable", 0, unreadable, 0, 0);
    expect(&v, "B034 below the pages", 0, from.start - 1, 0, 0);
    expect(&v, "B034 NULL", 0, NULL, 0, 0);
    support_guarded_free(&from);
}
END_TEST

/* rust-works/succinctly issue #186: nibble tables that match too much (@ \ ^ _ ` | ~ DEL). */
START_TEST(B058_nibble_tables_match_too_much)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const unsigned char fillers[] = {' ', 'A'};
    for (size_t f = 0; f < SUPPORT_COUNT(fillers); f++) {
        unsigned char *src = ranges_place(0, '"');
        memset(src, fillers[f], 64);
        for (size_t at = 0; at < 64; at++) {
            for (size_t value = 0; value < 256; value++) {
                src[at] = (unsigned char)value;
                size_t expected = value < 32 || value == 34 || value == 92 ? at : 64;
                expect_find(&v, "B058, byte", value, src, 64, expected);
                expect_copy(&v, "B058, byte", value, src, 64, expected, value % 64);
            }
            src[at] = fillers[f];
        }
    }
}
END_TEST

/* simdjson issue #1170: one byte in, sixteen written. */
START_TEST(B042_one_byte)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    expect_copy(&v, "B042", 0, (const unsigned char *)"\"", 1, 0, SUPPORT_ABOVE);
    expect_copy(&v, "B042", 1, (const unsigned char *)"x", 1, 1, SUPPORT_ABOVE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("escape");

    TCase *small = tcase_create("small");
    tcase_add_test(small, reference_json_string_is_right);
    SUPPORT_ADD(small, literals);
    SUPPORT_ADD(small, single_bytes);
    SUPPORT_ADD(small, null_range);
    suite_add_tcase(suite, small);

    TCase *big = tcase_create("big");
    tcase_set_timeout(big, 600);
    SUPPORT_ADD(big, every_length_and_alignment);
    SUPPORT_ADD(big, guard_pages);
    SUPPORT_ADD(big, exact_blocks);
    SUPPORT_ADD(big, random_texts);
    SUPPORT_ADD(big, json_strings);
    SUPPORT_ADD(big, long_texts);
    suite_add_tcase(suite, big);

    TCase *reports = tcase_create("reports");
    tcase_set_timeout(reports, 120);
    SUPPORT_ADD(reports, B023_signed_char);
    SUPPORT_ADD(reports, B028_nul_hides_quote);
    SUPPORT_ADD(reports, B029_nul_within_long_text);
    SUPPORT_ADD(reports, B030_nul_in_table);
    SUPPORT_ADD(reports, B033_string_ends_at_page_end);
    SUPPORT_ADD(reports, B034_empty_at_unreadable_page);
    SUPPORT_ADD(reports, B042_one_byte);
    SUPPORT_ADD(reports, B058_nibble_tables_match_too_much);
    suite_add_tcase(suite, reports);

    return support_main(suite);
}
