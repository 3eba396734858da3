/* SPDX-License-Identifier: MIT */
/**
 * @file
 * text_copy and text_copy_slack, in each variant, for the style NULL: the first fault counts, whatever it is, and
 * wherever one of another kind follows. Other styles: test_style_kernels.c. Finite sets: test_exhaustive_escape.c.
 */
#include "support/escaping.h"
#include "support/ranges.h"
#include "support/texts.h"

#include <stdlib.h>
#include <string.h>

static void expect(const support_variant *v, const char *what, size_t where, const unsigned char *src, size_t len,
                   size_t length, quern_stop why)
{
    escaping_expect_copied_known(v, &escaping_null, src, len, where % SUPPORT_PLACES, (quern_span){length, why}, what,
                                 where);
}

static void expect_reference(const support_variant *v, const char *what, size_t where, const unsigned char *src,
                             size_t len, size_t place)
{
    escaping_expect_copied(v, &escaping_null, src, len, place, what, where);
}

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
        {SUPPORT_BYTES("quern"), 5, QUERN_STOP_END},
        {SUPPORT_BYTES("\""), 0, QUERN_STOP_ESCAPE},
        {SUPPORT_BYTES("\\"), 0, QUERN_STOP_ESCAPE},
        {SUPPORT_BYTES("\0"), 0, QUERN_STOP_ESCAPE},
        {SUPPORT_BYTES("a\x1F"), 1, QUERN_STOP_ESCAPE},
        {SUPPORT_BYTES(" /\x7F"), 3, QUERN_STOP_END},
        {SUPPORT_BYTES("\x80"), 0, QUERN_STOP_ILL_FORMED},
        {SUPPORT_BYTES("caf\xC3\xA9 10 \xE2\x82\xAC \xF0\x9F\x8C\xBE"), 17, QUERN_STOP_END},
        {SUPPORT_BYTES("caf\xC3\xA9 10 \xE2\x82\xAC\n\xF0\x9F\x8C\xBE"), 12, QUERN_STOP_ESCAPE},
        {SUPPORT_BYTES("ab\xC3"), 2, QUERN_STOP_TRUNCATED},
        {SUPPORT_BYTES("\xF0\x9F\x8C"), 0, QUERN_STOP_TRUNCATED},
        {SUPPORT_BYTES("\xE0\x9F"), 0, QUERN_STOP_ILL_FORMED},
        /* a byte to escape ends a sequence: the sequence is the first fault */
        {SUPPORT_BYTES("ab\xC3\""), 2, QUERN_STOP_ILL_FORMED},
        {SUPPORT_BYTES("\xE2\x82\n"), 0, QUERN_STOP_ILL_FORMED},
        {SUPPORT_BYTES("\xF0\x9F\x8C\\"), 0, QUERN_STOP_ILL_FORMED},
        /* but before it, it is the first */
        {SUPPORT_BYTES("\"\xC3"), 0, QUERN_STOP_ESCAPE},
        {SUPPORT_BYTES("\xC3\xA9\n\xFF"), 2, QUERN_STOP_ESCAPE},
        {SUPPORT_BYTES("\xC3\xA9\xFF\n"), 2, QUERN_STOP_ILL_FORMED},
        {SUPPORT_BYTES("\xC3\xA9\x80\""), 2, QUERN_STOP_ILL_FORMED},
        {SUPPORT_BYTES("\"\x80"), 0, QUERN_STOP_ESCAPE},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        expect(&v, "literal", i, cases[i].src, cases[i].len, cases[i].length, cases[i].why);
        expect(&v, "literal in a block", SUPPORT_BLOCK, cases[i].src, cases[i].len, cases[i].length, cases[i].why);
    }
}
END_TEST

START_TEST(empty_ranges)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_guarded pages = support_guarded_new(64);
    const unsigned char *const sources[] = {NULL, support_guarded_tail(&pages, 0), pages.start - 1};
    for (size_t i = 0; i < SUPPORT_COUNT(sources); i++) {
        support_note("an empty range", 0, i);
        expect(&v, "empty", i, sources[i], 0, 0, QUERN_STOP_END);
        const quern_span span = v.row.text_copy(NULL, NULL, (const char *)sources[i], 0);
        ck_assert(span.length == 0 && span.why == QUERN_STOP_END);
        ++*v.checks;
    }
    support_guarded_free(&pages);
}
END_TEST

START_TEST(every_byte)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    for (size_t value = 0; value < 256; value++) {
        const bool escaped = value < 32 || value == 34 || value == 92;
        const bool cut = value >= 0xC2 && value <= 0xF4;
        for (size_t before = 0; before < 130; before++) {
            for (size_t behind = 0; behind < 70; behind += 69) {
                unsigned char *src = ranges_place(value % 64, 0xBF);
                memset(src, 'a', before + 1 + behind);
                src[before] = (unsigned char)value;
                const size_t len = before + 1 + behind;
                if (value < 0x80)
                    expect(&v, "byte", value, src, len, escaped ? before : len,
                           escaped ? QUERN_STOP_ESCAPE : QUERN_STOP_END);
                else
                    expect(&v, "byte", value, src, len, before,
                           cut && behind == 0 ? QUERN_STOP_TRUNCATED : QUERN_STOP_ILL_FORMED);
            }
        }
    }
}
END_TEST

/* ---- every length and alignment -------------------------------------------------------------------- */

static void check_range(const support_variant *v, support_random *random, unsigned char *src, size_t len,
                        ranges_kind kind, size_t where)
{
    for (size_t script = 0; script < SUPPORT_SCRIPTS; script++) {
        static const size_t damages[] = {0, 0, 1, 5};
        const size_t per_cent = support_random_below(random, 4) == 0 ? 1 : 0;
        if (len > 0)
            texts_fill(random, (support_script)script, TEXTS_MIXED, per_cent, damages[support_random_below(random, 4)],
                       src, len);
        expect_reference(v, support_script_name((support_script)script), where, src, len, ranges_target(random, kind));
    }
}

START_TEST(every_length_and_alignment)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_aligned(&v, "text_copy alignments", 256, 0xF1, 0xBF, check_range);
}
END_TEST

START_TEST(guard_pages)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_guarded(&v, "text_copy at guards", 1024, check_range);
}
END_TEST

START_TEST(exact_blocks)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_blocks(&v, "text_copy in blocks", 320, check_range);
}
END_TEST

/* ---- faults at every position ---------------------------------------------------------------------- */

/* A fault of any kind, or nothing. `truncated` alone must be followed by nothing. */
typedef struct fault {
    unsigned char bytes[8];
    size_t length;
    quern_stop why;
} fault;

static fault any_fault(support_random *random, quern_stop why)
{
    fault f = {{0}, 1, why};
    if (why == QUERN_STOP_ESCAPE) {
        texts_sprinkle(random, TEXTS_MIXED, 100, f.bytes, 1);
    } else if (why == QUERN_STOP_ILL_FORMED) {
        const texts_bytes *bytes = &texts_ill_formed[support_random_below(random, texts_ill_formed_count)];
        f.length = bytes->length;
        memcpy(f.bytes, bytes->data, f.length);
    } else {
        uint32_t point;
        do
            point = texts_edges[support_random_below(random, texts_edge_count)];
        while (point < 0x80);
        support_encode(f.bytes, point, support_encoded_size(point));
        f.length = 1 + support_random_below(random, support_encoded_size(point) - 1);
    }
    return f;
}

static const quern_stop kinds[] = {QUERN_STOP_ESCAPE, QUERN_STOP_ILL_FORMED, QUERN_STOP_TRUNCATED};

static size_t put_fault(unsigned char *dst, const fault *f)
{
    memcpy(dst, f->bytes, f->length);
    return f->length;
}

START_TEST(fault_at_every_position)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("text_copy fault_at_every_position");
    for (size_t script = 0; script < SUPPORT_SCRIPTS; script++) {
        for (size_t before = 0; before <= 300; before++) {
            for (size_t n = 0; n < 24; n++) {
                if (support_thinned())
                    continue;
                const fault f = any_fault(&random, kinds[n % 3]);
                unsigned char *src = ranges_place(support_random_below(&random, 64), 0xBF);
                support_text(&random, (support_script)script, src, before);
                size_t len = before + put_fault(src + before, &f);
                if (f.why != QUERN_STOP_TRUNCATED && n % 2 == 0) {
                    const size_t behind = support_random_below(&random, 200);
                    support_text(&random, (support_script)script, src + len, behind);
                    len += behind;
                } else if (f.why == QUERN_STOP_ILL_FORMED && n % 4 == 1) {
                    src[len++] = '"'; /* does not hide the fault */
                }
                expect(&v, "fault at", before, src, len, before, f.why);
            }
        }
    }
}
END_TEST

/* Every ill-formed sequence, and every cut one, at every offset of two vectors. */
START_TEST(sequences_at_every_offset)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("text_copy sequences_at_every_offset");
    for (size_t script = 0; script < SUPPORT_SCRIPTS; script++) {
        for (size_t before = 0; before <= 130; before++) {
            unsigned char *src = ranges_place(before % 64, 0xBF);
            support_text(&random, (support_script)script, src, before);
            for (size_t i = 0; i < texts_ill_formed_count; i++) {
                if (support_thinned())
                    continue;
                const size_t size = texts_ill_formed[i].length, behind = i % 3 == 0 ? 0 : 70;
                memcpy(src + before, texts_ill_formed[i].data, size);
                memset(src + before + size, 'a', behind);
                expect(&v, "ill-formed sequence", i, src, before + size + behind, before, QUERN_STOP_ILL_FORMED);
            }
            for (size_t i = 0; i < texts_edge_count; i++) {
                if (support_thinned() || texts_edges[i] < 0x80)
                    continue;
                const size_t size = support_encoded_size(texts_edges[i]);
                support_encode(src + before, texts_edges[i], size);
                for (size_t kept = 1; kept < size; kept++)
                    expect(&v, "cut sequence", i, src, before + kept, before, QUERN_STOP_TRUNCATED);
                expect(&v, "whole sequence", i, src, before + size, before + size, QUERN_STOP_END);
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
    support_random random = support_random_named("text_copy first_of_two_faults");
    for (size_t script = 0; script < SUPPORT_SCRIPTS; script++) {
        for (size_t before = 0; before < 130; before++) {
            for (size_t gap = 0; gap < 70; gap++) {
                if (support_thinned())
                    continue;
                /* the first of the two that have something behind them, the second of all three */
                const fault one = any_fault(&random, kinds[support_random_below(&random, 2)]);
                const fault two = any_fault(&random, kinds[support_random_below(&random, 3)]);
                unsigned char *src = ranges_place(gap % 64, 0xBF);
                size_t len = before;
                support_text(&random, (support_script)script, src, len);
                len += put_fault(src + len, &one);
                support_text(&random, (support_script)script, src + len, gap);
                len += gap;
                len += put_fault(src + len, &two);
                if (two.why != QUERN_STOP_TRUNCATED) {
                    support_text(&random, (support_script)script, src + len, 40);
                    len += 40;
                }
                expect(&v, "two faults, the first at", before, src, len, before, one.why);
            }
        }
    }
}
END_TEST

/* ---- texts ----------------------------------------------------------------------------------------- */

START_TEST(random_texts)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("text_copy random_texts");
    for (size_t round = 0; round < 60000; round++) {
        if (support_thinned())
            continue;
        const size_t len = support_random_below(&random, round % 16 == 0 ? 1500 : 150);
        const support_script script = (support_script)(round % SUPPORT_SCRIPTS);
        const size_t place = support_random_below(&random, 66);
        unsigned char *src = ranges_place(support_random_below(&random, 64), 0x80);
        switch (round % 4) {
        case 0: texts_noise(&random, src, len); break;
        case 1: texts_fill(&random, script, TEXTS_MIXED, 1, 1, src, len); break;
        default:
            support_text(&random, script, src, len);
            for (size_t n = support_random_below(&random, 3); n > 0 && len > 0; n--)
                texts_damage(&random, src, len);
        }
        expect_reference(&v, "round", round, src, len, place);
        escaping_expect_find(&v, &escaping_null, src, len, place, "round", round);
    }
}
END_TEST

/* From each fault on to the next, as a writer goes that mends them. */
START_TEST(from_fault_to_fault)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("text_copy from_fault_to_fault");
    for (size_t round = 0; round < 600; round++) {
        if (support_thinned())
            continue;
        const size_t len = support_random_below(&random, 1000);
        unsigned char *src = ranges_place(support_random_below(&random, 64), 0x80);
        texts_fill(&random, (support_script)(round % SUPPORT_SCRIPTS), TEXTS_MIXED, 1 + round % 20, round % 7, src,
                   len);
        for (size_t at = 0; at <= len;) {
            expect_reference(&v, "round", round, src + at, len - at, support_random_below(&random, 64));
            at += reference_text_prefix(NULL, (const char *)src + at, len - at).length + 1;
        }
    }
}
END_TEST

START_TEST(long_texts)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("text_copy long_texts");
    const size_t most = ((size_t)1 << 18) + 300;
    support_guarded pages = support_guarded_new(most);
    for (size_t script = 0; script < SUPPORT_SCRIPTS; script++) {
        const size_t len = most - support_random_below(&random, 200);
        unsigned char *src = support_guarded_tail(&pages, len);
        support_text(&random, (support_script)script, src, len);
        support_note("text_copy, long", len, script);
        expect(&v, "long text, script", script, src, len, len, QUERN_STOP_END);
        for (size_t n = 0; n < 60; n++) {
            if (support_thinned())
                continue;
            static const size_t near[] = {4096, 16384, 65536, 131072};
            const size_t at = n < 30   ? near[n % 4] - 64 + support_random_below(&random, 128)
                              : n < 40 ? len - 1 - (n - 30) * 3
                                       : support_random_below(&random, len);
            const unsigned char kept = src[at];
            src[at] = (unsigned char)"\"\xFF\n\xC1"[n % 4];
            expect_reference(&v, "long text, fault at", at, src, len, n);
            src[at] = kept;
        }
    }
    support_guarded_free(&pages);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("text");

    TCase *small = tcase_create("small");
    tcase_set_timeout(small, 120);
    SUPPORT_ADD(small, literals);
    SUPPORT_ADD(small, empty_ranges);
    SUPPORT_ADD(small, every_byte);
    suite_add_tcase(suite, small);

    TCase *big = tcase_create("big");
    tcase_set_timeout(big, 600);
    SUPPORT_ADD(big, every_length_and_alignment);
    SUPPORT_ADD(big, guard_pages);
    SUPPORT_ADD(big, exact_blocks);
    SUPPORT_ADD(big, fault_at_every_position);
    SUPPORT_ADD(big, sequences_at_every_offset);
    SUPPORT_ADD(big, first_of_two_faults);
    SUPPORT_ADD(big, random_texts);
    SUPPORT_ADD(big, from_fault_to_fault);
    SUPPORT_ADD(big, long_texts);
    suite_add_tcase(suite, big);

    return support_main(suite);
}
