/* SPDX-License-Identifier: MIT */
/**
 * @file
 * utf8_prefix, in each variant: what is well-formed by Unicode table 3-7, and the exact place of what is not. All short
 * strings and all code points: test_exhaustive.c.
 */
#include "reference/reference.h"
#include "support/ranges.h"
#include "support/texts.h"
#include "support/utf8_checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- small cases --------------------------------------------------------------------------------- */

START_TEST(literals)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const struct {
        const unsigned char *src;
        size_t len;
        size_t length;
        quern_stop why;
    } cases[] = {
        {SUPPORT_BYTES(""), 0, QUERN_STOP_END},
        {SUPPORT_BYTES("\0"), 1, QUERN_STOP_END},
        {SUPPORT_BYTES("quern"), 5, QUERN_STOP_END},
        {SUPPORT_BYTES("\x7F"), 1, QUERN_STOP_END},
        {SUPPORT_BYTES("\x80"), 0, QUERN_STOP_ILL_FORMED},
        {SUPPORT_BYTES("\xC2\x80\xDF\xBF"), 4, QUERN_STOP_END},
        {SUPPORT_BYTES("\xE0\xA0\x80\xEF\xBF\xBF"), 6, QUERN_STOP_END},
        {SUPPORT_BYTES("\xED\x9F\xBF\xEE\x80\x80"), 6, QUERN_STOP_END},
        {SUPPORT_BYTES("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"), 8, QUERN_STOP_END},
        {SUPPORT_BYTES("caf\xC3\xA9 10 \xE2\x82\xAC \xF0\x9F\x8C\xBE"), 17, QUERN_STOP_END},
        {SUPPORT_BYTES("ab\xC3"), 2, QUERN_STOP_TRUNCATED},
        {SUPPORT_BYTES("\xE2"), 0, QUERN_STOP_TRUNCATED},
        {SUPPORT_BYTES("\xE2\x82"), 0, QUERN_STOP_TRUNCATED},
        {SUPPORT_BYTES("\xF0\x9F\x8C"), 0, QUERN_STOP_TRUNCATED},
        {SUPPORT_BYTES("\xF4\x8F"), 0, QUERN_STOP_TRUNCATED},
        /* cut, but nothing that follows could mend them */
        {SUPPORT_BYTES("ab\xC1"), 2, QUERN_STOP_ILL_FORMED},
        {SUPPORT_BYTES("\xE0\x9F"), 0, QUERN_STOP_ILL_FORMED},
        {SUPPORT_BYTES("\xED\xA0"), 0, QUERN_STOP_ILL_FORMED},
        {SUPPORT_BYTES("\xF0\x8F"), 0, QUERN_STOP_ILL_FORMED},
        {SUPPORT_BYTES("\xF4\x90"), 0, QUERN_STOP_ILL_FORMED},
        {SUPPORT_BYTES("\xF5"), 0, QUERN_STOP_ILL_FORMED},
        {SUPPORT_BYTES("\xE2\x28"), 0, QUERN_STOP_ILL_FORMED},
        {SUPPORT_BYTES("\xE2\xE2"), 0, QUERN_STOP_ILL_FORMED},
        {SUPPORT_BYTES("\xF0\x9F\x8C\x41"), 0, QUERN_STOP_ILL_FORMED},
        /* the first fault counts, not the first that is found */
        {SUPPORT_BYTES("a\xE2\x82 \xFF"), 1, QUERN_STOP_ILL_FORMED},
        {SUPPORT_BYTES("\xC3\xA9\x80\xE2"), 2, QUERN_STOP_ILL_FORMED},
        {SUPPORT_BYTES("\xC3\xA9\xC3\xA9\xC3"), 4, QUERN_STOP_TRUNCATED},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++)
        utf8_expect(&v, "literal", i, cases[i].src, cases[i].len, cases[i].length, cases[i].why);
    utf8_expect(&v, "NULL", 0, NULL, 0, 0, QUERN_STOP_END);
}
END_TEST

/* ---- whole sets ---------------------------------------------------------------------------------- */

enum { TEXT = 96 };

START_TEST(overlong_forms)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    unsigned char text[TEXT];
    memset(text, 'A', sizeof text);
    static const uint32_t below[5] = {0, 0, 0x80, 0x800, 0x10000};
    for (size_t size = 2; size <= 4; size++) {
        for (uint32_t code_point = 0; code_point < below[size]; code_point++) {
            if (support_thinned())
                continue;
            size_t at = code_point % (TEXT - 3);
            support_encode(text + at, code_point, size);
            utf8_expect(&v, "overlong", code_point, text, TEXT, at, QUERN_STOP_ILL_FORMED);
            memset(text + at, 'A', size);
        }
    }
}
END_TEST

START_TEST(all_code_points_in_one_text)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    const size_t total = 0x80 + 2 * 0x780 + 3 * (0xF800 - 0x800) + 4 * 0x100000;
    unsigned char *text = support_allocate(total);
    size_t len = 0;
    for (uint32_t code_point = 0; code_point <= 0x10FFFF; code_point++) {
        if (code_point == 0xD800)
            code_point = 0xE000;
        size_t size = support_encoded_size(code_point);
        support_encode(text + len, code_point, size);
        len += size;
    }
    ck_assert_uint_eq(len, total);
    utf8_expect(&v, "all code points", 0, text, len, len, QUERN_STOP_END);
    for (size_t cut = 1; cut <= 3; cut++)
        utf8_expect(&v, "all code points, cut by", cut, text, len - cut, len - 4, QUERN_STOP_TRUNCATED);
    free(text);
}
END_TEST

/* ---- places -------------------------------------------------------------------------------------- */

static void check_range(const support_variant *v, support_random *random, unsigned char *src, size_t len,
                        ranges_kind kind, size_t where)
{
    (void)kind;
    for (size_t n = 0; n < SUPPORT_SCRIPTS; n++) {
        const support_script script = (support_script)n;
        if (len > 0)
            support_text(random, script, src, len);
        utf8_expect(v, support_script_name(script), where, src, len, len, QUERN_STOP_END);
        if (len == 0)
            continue;
        const size_t at = support_random_below(random, len);
        src[at] = 0xFF;
        utf8_expect_reference(v, "a fault at", at, src, len);
        for (size_t cut = 1; cut <= 3 && cut <= len; cut++) {
            src[len - cut] = 0xF0;
            utf8_expect_reference(v, "a lead at the end less", cut, src, len);
        }
    }
}

/* What lies around the range would mend a cut sequence at its end, or hurt at its start. */
START_TEST(every_length_and_alignment)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_aligned(&v, "utf8 every_length_and_alignment", 256, 0xF1, 0xBF, check_range);
}
END_TEST

START_TEST(every_byte_at_every_position)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("utf8 every_byte_at_every_position");
    unsigned char text[160];
    for (size_t script = 0; script < SUPPORT_SCRIPTS; script++) {
        for (size_t len = 1; len <= sizeof text; len++) {
            if (len > 20 && len % 16 > 1 && len % 16 < 15) /* tails around multiples of a vector */
                continue;
            support_text(&random, (support_script)script, text, len);
            for (size_t at = 0; at < len; at++) {
                unsigned char kept = text[at];
                for (size_t value = script == SUPPORT_ASCII ? 0 : 0x78; value < 256; value += 3) {
                    if (support_thinned())
                        continue;
                    text[at] = (unsigned char)(value + (at + len) % 3);
                    utf8_expect_reference(&v, support_script_name((support_script)script), at, text, len);
                }
                text[at] = kept;
            }
        }
    }
}
END_TEST

/* Well-formed text in front, of each script and each length; the end cuts a sequence after each of its bytes. */
START_TEST(truncated_at_the_end)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("utf8 truncated_at_the_end");
    unsigned char text[204];
    for (size_t script = 0; script < SUPPORT_SCRIPTS; script++) {
        for (size_t before = 0; before <= 200; before++) {
            support_text(&random, (support_script)script, text, before);
            for (size_t i = 0; i < texts_edge_count; i++) {
                size_t size = support_encoded_size(texts_edges[i]);
                support_encode(text + before, texts_edges[i], size);
                for (size_t kept = 1; kept < size; kept++)
                    utf8_expect(&v, "cut sequence behind", before, text, before + kept, before, QUERN_STOP_TRUNCATED);
                utf8_expect(&v, "whole sequence behind", before, text, before + size, before + size, QUERN_STOP_END);
            }
        }
    }
}
END_TEST

START_TEST(ill_formed_at_every_offset)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("utf8 ill_formed_at_every_offset");
    unsigned char text[200 + 4 + 140];
    for (size_t script = 0; script < SUPPORT_SCRIPTS; script++) {
        for (size_t before = 0; before <= 200; before++) {
            for (size_t i = 0; i < texts_ill_formed_count; i++) {
                if (support_thinned())
                    continue;
                size_t size = texts_ill_formed[i].length;
                size_t behind = i % 4 == 0 ? 0 : support_random_below(&random, 140);
                support_text(&random, (support_script)script, text, before);
                memcpy(text + before, texts_ill_formed[i].data, size);
                support_text(&random, (support_script)script, text + before + size, behind);
                utf8_expect(&v, "ill-formed sequence", i, text, before + size + behind, before, QUERN_STOP_ILL_FORMED);
            }
        }
    }
}
END_TEST

START_TEST(first_of_two_faults)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("utf8 first_of_two_faults");
    unsigned char text[300];
    for (size_t script = 0; script < SUPPORT_SCRIPTS; script++) {
        for (size_t first = 0; first < 130; first++) {
            for (size_t gap = 0; gap < 70; gap++) {
                if (support_thinned())
                    continue;
                const texts_bytes *one = &texts_ill_formed[support_random_below(&random, texts_ill_formed_count)];
                const texts_bytes *two = &texts_ill_formed[support_random_below(&random, texts_ill_formed_count)];
                size_t len = 0;
                support_text(&random, (support_script)script, text, first);
                len += first;
                memcpy(text + len, one->data, one->length);
                len += one->length;
                support_text(&random, (support_script)script, text + len, gap);
                len += gap;
                memcpy(text + len, two->data, two->length);
                len += two->length;
                support_text(&random, (support_script)script, text + len, 30);
                len += 30;
                utf8_expect(&v, "two faults, the first at", first, text, len, first, QUERN_STOP_ILL_FORMED);
            }
        }
    }
}
END_TEST

/* ---- the edges of memory ------------------------------------------------------------------------- */

START_TEST(guard_pages)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_guarded(&v, "utf8_prefix at guards", 1024, check_range);
}
END_TEST

START_TEST(exact_blocks)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_blocks(&v, "utf8_prefix in blocks", 320, check_range);
}
END_TEST

/* ---- texts --------------------------------------------------------------------------------------- */

START_TEST(random_damage)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("utf8 random_damage");
    static unsigned char text[1024];
    for (size_t round = 0; round < 150000; round++) {
        if (support_thinned())
            continue;
        size_t len = support_random_below(&random, round % 16 == 0 ? sizeof text : 150);
        support_text(&random, (support_script)(round % SUPPORT_SCRIPTS), text, len);
        size_t damages = support_random_below(&random, 3);
        for (size_t i = 0; i < damages && len > 0; i++)
            texts_damage(&random, text, len);
        utf8_expect_reference(&v, "round", round, text, len);
    }
}
END_TEST

/* Leads and trails in any order: the checks of one sequence upon the other. */
START_TEST(random_noise)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("utf8 random_noise");
    unsigned char text[160];
    for (size_t round = 0; round < 150000; round++) {
        if (support_thinned())
            continue;
        size_t len = 0;
        size_t wanted = support_random_below(&random, 150);
        support_text(&random, (support_script)(round % SUPPORT_SCRIPTS), text, wanted);
        while (len < wanted) {
            /* well-formed for a while, then pieces of sequences */
            len += support_random_below(&random, wanted - len + 1);
            for (size_t i = 0; i < 3 && len < wanted; i++) {
                const texts_bytes *piece = &texts_ill_formed[support_random_below(&random, texts_ill_formed_count)];
                size_t size = 1 + support_random_below(&random, piece->length);
                size = size < wanted - len ? size : wanted - len;
                memcpy(text + len, piece->data, size);
                len += size;
            }
            if (support_random_below(&random, 2) == 0)
                break;
        }
        utf8_expect_reference(&v, "round", round, text, wanted);
    }
}
END_TEST

static void long_text(const support_variant *v, const unsigned char *src, size_t len, size_t script)
{
    if (!support_thinned())
        utf8_expect_reference(v, support_script_name((support_script)script), script, src, len);
}

START_TEST(long_texts)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("utf8 long_texts");
    const size_t most = ((size_t)1 << 21) + 2;
    unsigned char *text = support_allocate(most);
    for (size_t script = 0; script < SUPPORT_SCRIPTS; script++) {
        support_text(&random, (support_script)script, text, most);
        utf8_expect(&v, "long, script", script, text, most, most, QUERN_STOP_END);
        for (size_t power = 256; power <= most; power *= 2) {
            for (size_t len = power - 2; len <= power + 2; len++)
                long_text(&v, text, len, script);
        }
        for (size_t len = 4096 - 70; len <= 4096 + 70; len++)
            long_text(&v, text, len, script);
        for (size_t len = 65536 - 70; len <= 65536 + 70; len += 3)
            long_text(&v, text, len, script);
    }
    free(text);
}
END_TEST

/* The place must not depend on how much text is behind, nor on how much is before. */
START_TEST(fault_in_long_text)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("utf8 fault_in_long_text");
    const size_t len = (size_t)1 << 18;
    unsigned char *text = support_allocate(len);
    for (size_t script = 0; script < SUPPORT_SCRIPTS; script++) {
        support_text(&random, (support_script)script, text, len);
        for (size_t n = 0; n < 300; n++) {
            if (support_thinned())
                continue;
            static const size_t near[] = {4096, 16384, 65536, 131072};
            size_t at = n < 130   ? n
                        : n < 260 ? near[n % 4] - 64 + support_random_below(&random, 128)
                        : n < 290 ? len - 1 - (n - 260) * 3
                                  : support_random_below(&random, len);
            unsigned char kept = text[at];
            text[at] = n % 2 == 0 ? 0xFF : 0xC1;
            size_t start = at;
            if ((kept & 0xC0) == 0x80) { /* the sequence that is broken off is the fault */
                do
                    start--;
                while ((text[start] & 0xC0) == 0x80);
            }
            utf8_expect(&v, "fault at", at, text, len, start, QUERN_STOP_ILL_FORMED);
            text[at] = kept;
        }
    }
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("utf8");

    TCase *small = tcase_create("small");
    SUPPORT_ADD(small, literals);
    suite_add_tcase(suite, small);

    TCase *sets = tcase_create("sets");
    tcase_set_timeout(sets, 3600);
    SUPPORT_ADD(sets, overlong_forms);
    SUPPORT_ADD(sets, all_code_points_in_one_text);
    suite_add_tcase(suite, sets);

    TCase *big = tcase_create("big");
    tcase_set_timeout(big, 600);
    SUPPORT_ADD(big, every_length_and_alignment);
    SUPPORT_ADD(big, every_byte_at_every_position);
    SUPPORT_ADD(big, truncated_at_the_end);
    SUPPORT_ADD(big, ill_formed_at_every_offset);
    SUPPORT_ADD(big, first_of_two_faults);
    SUPPORT_ADD(big, guard_pages);
    SUPPORT_ADD(big, exact_blocks);
    SUPPORT_ADD(big, random_damage);
    SUPPORT_ADD(big, random_noise);
    SUPPORT_ADD(big, long_texts);
    SUPPORT_ADD(big, fault_in_long_text);
    suite_add_tcase(suite, big);

    return support_main(suite);
}
