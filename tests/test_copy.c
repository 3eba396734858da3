/* SPDX-License-Identifier: MIT */
/**
 * @file
 * copy, in each variant and form. All lengths to 1024 at all alignments: test_exhaustive.c.
 */
#include "support/ranges.h"

#include <stdlib.h>
#include <string.h>

static void expect_one(const support_variant *v, bool slack, const char *what, const unsigned char *src, size_t len,
                       size_t align)
{
    quern_copy_function *copy = slack ? v->row.copy_slack : v->row.copy;
    if (copy == NULL)
        return;
    unsigned char *dst = support_target(len, slack, align);
    copy(dst, src, len);
    ++*v->checks;
    const char *fault = support_target_fault();
    if (fault == NULL && len != 0 && memcmp(dst, src, len) != 0)
        fault = "wrong bytes";
    if (fault != NULL) {
        size_t at = 0;
        while (at < len && dst[at] == src[at])
            at++;
        ck_abort_msg("%s copy%s, %s: length %zu, alignment %zu, to %zu: %s; %zu bytes are right", v->name,
                     slack ? "_slack" : "", what, len, (size_t)((uintptr_t)src % 64), align, fault, at);
    }
}

static void expect(const support_variant *v, const char *what, const unsigned char *src, size_t len, size_t align)
{
    expect_one(v, false, what, src, len, align);
    expect_one(v, true, what, src, len, align);
}

/* Bytes from which a target that was never written (0x01) differs. */
static void fill(support_random *random, unsigned char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        bytes[i] = (unsigned char)support_random_next(random);
        if (bytes[i] == 0x01)
            bytes[i] = 0xFE;
    }
}

START_TEST(literals)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const char *const texts[] = {"",
                                        "q",
                                        "qu",
                                        "que",
                                        "quern",
                                        "a mill of stone",
                                        "sixteen in a row",
                                        "more than sixteen, to be sure",
                                        "and one that is a good deal longer than the widest of the vectors is, by far"};
    for (size_t i = 0; i < SUPPORT_COUNT(texts); i++) {
        expect(&v, "literal", (const unsigned char *)texts[i], strlen(texts[i]), 0);
        char strict[128] = "";
        v.row.copy(strict, texts[i], strlen(texts[i]) + 1);
        ++*v.checks;
        ck_assert_str_eq(strict, texts[i]);
    }
}
END_TEST

START_TEST(null_range)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    expect(&v, "NULL", NULL, 0, 0);
    v.row.copy(NULL, NULL, 0);
    ++*v.checks;
}
END_TEST

static void check_range(const support_variant *v, support_random *random, unsigned char *src, size_t len,
                        ranges_kind kind, size_t where)
{
    (void)where;
    fill(random, src, len);
    expect(v, "range", src, len, kind == RANGES_BLOCK ? SUPPORT_BLOCK : SUPPORT_ABOVE);
    expect(v, "range", src, len, SUPPORT_BELOW);
}

START_TEST(guard_pages)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_guarded(&v, "copy at guards", 1024, check_range);
}
END_TEST

START_TEST(exact_blocks)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_blocks(&v, "copy in blocks", 600, check_range);
}
END_TEST

/* Runs one behind the other, as a sink gets them: what a slack copy scribbles, the next one overwrites. */
START_TEST(runs_in_a_row)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("copy runs_in_a_row");
    static unsigned char src[8192];
    static unsigned char dst[sizeof src + QUERN_SLACK];
    fill(&random, src, sizeof src);
    for (size_t round = 0; round < 400; round++) {
        quern_copy_function *copy = round % 2 == 0 && v.row.copy_slack != NULL ? v.row.copy_slack : v.row.copy;
        static const size_t longest[] = {4, 16, 40, 300};
        memset(dst, 0x01, sizeof dst);
        size_t used = 0;
        while (used < sizeof src) {
            size_t len = support_random_below(&random, longest[round / 2 % SUPPORT_COUNT(longest)]);
            if (len > sizeof src - used)
                len = sizeof src - used;
            copy(dst + used, src + used, len);
            ++*v.checks;
            used += len;
        }
        if (memcmp(dst, src, sizeof src) != 0)
            ck_abort_msg("%s copy, runs in a row, round %zu", v.name, round);
    }
}
END_TEST

START_TEST(long_blocks)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("copy long_blocks");
    const size_t most = ((size_t)1 << 22) + 2;
    unsigned char *src = support_allocate(most + 64);
    fill(&random, src, most + 64);
    for (size_t power = 256; power <= most; power *= 2) {
        for (size_t len = power - 2; len <= power + 2; len++) {
            if (!support_thinned())
                expect(&v, "long", src + support_random_below(&random, 64), len, support_random_below(&random, 64));
        }
    }
    for (size_t len = 4096 - 70; len <= 4096 + 70; len++) {
        for (size_t n = 0; n < 8; n++) {
            if (!support_thinned())
                expect(&v, "long", src + support_random_below(&random, 64), len, support_random_below(&random, 64));
        }
    }
    for (size_t len = 65536 - 70; len <= 65536 + 70; len++) {
        if (!support_thinned())
            expect(&v, "long", src + support_random_below(&random, 64), len, support_random_below(&random, 64));
    }
    free(src);
}
END_TEST

/* ---- faults that other projects had -------------------------------------------------------------- */

/* dragonflydb/dragonfly PR #5140: the last load takes two bytes past the end of the source. */
START_TEST(B014_source_ends_at_page_end)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("copy B014");
    support_guarded from = support_guarded_new(260);
    for (size_t len = 0; len <= 260; len++) {
        unsigned char *src = support_guarded_tail(&from, len);
        support_text(&random, SUPPORT_ASCII, src, len);
        support_note("B014", len, 0);
        for (size_t align = 0; align < 64; align += 7)
            expect(&v, "B014", src, len, align);
    }
    support_guarded_free(&from);
}
END_TEST

/* simdjson issue #1170: one byte in, sixteen written. */
START_TEST(B042_one_byte)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const unsigned char quote = '"';
    for (size_t align = 0; align < 64; align++)
        expect(&v, "B042", &quote, 1, align);
    expect(&v, "B042", &quote, 1, SUPPORT_ABOVE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("copy");

    TCase *small = tcase_create("small");
    SUPPORT_ADD(small, literals);
    SUPPORT_ADD(small, null_range);
    suite_add_tcase(suite, small);

    TCase *big = tcase_create("big");
    tcase_set_timeout(big, 600);
    SUPPORT_ADD(big, guard_pages);
    SUPPORT_ADD(big, exact_blocks);
    SUPPORT_ADD(big, runs_in_a_row);
    SUPPORT_ADD(big, long_blocks);
    suite_add_tcase(suite, big);

    TCase *reports = tcase_create("reports");
    tcase_set_timeout(reports, 60);
    SUPPORT_ADD(reports, B014_source_ends_at_page_end);
    SUPPORT_ADD(reports, B042_one_byte);
    suite_add_tcase(suite, reports);

    return support_main(suite);
}
