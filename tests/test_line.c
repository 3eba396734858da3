/* SPDX-License-Identifier: MIT */
/**
 * @file
 * line_locate, in each variant. Ranges are laid among line feeds: a kernel that looks outside of its range counts them.
 */
#include "reference/reference.h"
#include "support/ranges.h"

#include <stdlib.h>
#include <string.h>

static void expect(const support_variant *v, const char *what, size_t where, const unsigned char *src, size_t offset,
                   size_t newlines, size_t start)
{
    quern_line got = v->row.line_locate((const char *)src, offset);
    ++*v->checks;
    if (got.newlines != newlines || got.start != start)
        ck_abort_msg("%s line_locate, %s %zu: offset %zu, alignment %zu: got %zu from %zu, expected %zu from %zu",
                     v->name, what, where, offset, (size_t)((uintptr_t)src % 64), got.newlines, got.start, newlines,
                     start);
}

static void expect_reference(const support_variant *v, const char *what, size_t where, const unsigned char *src,
                             size_t offset)
{
    quern_line expected = reference_line_locate((const char *)src, offset);
    expect(v, what, where, src, offset, expected.newlines, expected.start);
}

/* Random bytes near LF in value or in bits, with about one LF in `apart`; 0 for none. */
static void fill(support_random *random, unsigned char *src, size_t len, size_t apart)
{
    static const unsigned char near_lf[] = {0x0B, 0x09, 0x8A, 0x4A, 0x2A, 0x1A, 0x08, 0x0E, 0x02, 0x0D, 0x00, 0xFF};
    for (size_t i = 0; i < len; i++) {
        bool feed = apart != 0 && support_random_below(random, apart) == 0;
        src[i] = feed ? 0x0A : near_lf[support_random_below(random, SUPPORT_COUNT(near_lf))];
    }
}

static const size_t densities[] = {0, 1000, 80, 20, 5, 2, 1};

START_TEST(literals)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const struct {
        const char *text;
        size_t offset;
        size_t newlines;
        size_t start;
    } cases[] = {
        {"", 0, 0, 0},
        {"a", 0, 0, 0},
        {"a", 1, 0, 0},
        {"\n", 0, 0, 0},
        {"\n", 1, 1, 1},
        {"a\nb", 1, 0, 0},
        {"a\nb", 2, 1, 2},
        {"a\nb", 3, 1, 2},
        {"a\r\nb\r\n", 5, 1, 3},
        {"a\r\nb\r\n", 6, 2, 6},
        {"a\rb", 3, 0, 0},
        {"\n\n\n\n", 3, 3, 3},
        {"{\n  \"one\": 1,\n  \"two\": 2,\n  \"three\": 3\n}\n", 36, 3, 26},
        {"{\n  \"one\": 1,\n  \"two\": 2,\n  \"three\": 3\n}\n", 41, 5, 41},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++)
        expect(&v, "literal", i, (const unsigned char *)cases[i].text, cases[i].offset, cases[i].newlines,
               cases[i].start);
    expect(&v, "NULL", 0, NULL, 0, 0, 0);
}
END_TEST

static void check_range(const support_variant *v, support_random *random, unsigned char *src, size_t len,
                        ranges_kind kind, size_t where)
{
    (void)kind;
    (void)where;
    for (size_t d = 0; d < SUPPORT_COUNT(densities); d++) {
        fill(random, src, len, densities[d]);
        expect_reference(v, "density", d, src, len);
    }
}

START_TEST(every_length_and_alignment)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_aligned(&v, "line every_length_and_alignment", 256, '\n', '\n', check_range);
}
END_TEST

START_TEST(every_byte_at_every_position)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    for (size_t len = 1; len <= 160; len++) {
        unsigned char *src = ranges_place(len % 64, '\n');
        memset(src, 'x', len);
        for (size_t at = 0; at < len; at++) {
            for (size_t value = 0; value < 256; value++) {
                if (support_thinned())
                    continue;
                src[at] = (unsigned char)value;
                bool feed = value == 10;
                expect(&v, "byte", value, src, len, feed ? 1 : 0, feed ? at + 1 : 0);
            }
            src[at] = 'x';
        }
    }
}
END_TEST

START_TEST(every_pair_of_feeds)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    const size_t len = 300;
    unsigned char *src = ranges_place(0, '\n');
    memset(src, 0x8A, len);
    for (size_t first = 0; first < len; first++) {
        src[first] = '\n';
        for (size_t second = first + 1; second < len; second++) {
            if (support_thinned())
                continue;
            src[second] = '\n';
            expect(&v, "pair, the first at", first, src, len, 2, second + 1);
            src[second] = 0x8A;
        }
        src[first] = 0x8A;
    }
}
END_TEST

START_TEST(every_offset)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("line every_offset");
    for (size_t d = 0; d < SUPPORT_COUNT(densities); d++) {
        for (size_t align = 0; align < 64; align += 5) {
            unsigned char *src = ranges_place(align, '\n');
            fill(&random, src, 1500, densities[d]);
            for (size_t offset = 0; offset <= 1500; offset++) {
                if (!support_thinned())
                    expect_reference(&v, "density", d, src, offset);
            }
        }
    }
}
END_TEST

START_TEST(guard_pages)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_guarded(&v, "line_locate at guards", 1024, check_range);
}
END_TEST

START_TEST(exact_blocks)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_blocks(&v, "line_locate in blocks", 600, check_range);
}
END_TEST

/* Texts of feeds only, and of none: where counters of a byte per lane run over. */
START_TEST(uniform_texts)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    const size_t most = ((size_t)1 << 22) + 64;
    unsigned char *feeds = support_allocate(most);
    unsigned char *none = support_allocate(most);
    memset(feeds, '\n', most);
    memset(none, 0x8A, most);
    static const size_t lanes[] = {8, 16, 32, 64, 128, 256, 512};
    for (size_t i = 0; i < SUPPORT_COUNT(lanes); i++) {
        for (size_t rounds = 1; rounds <= 3; rounds++) {
            size_t around = 255 * lanes[i] * rounds;
            for (size_t offset = around - 140; offset <= around + 140; offset++) {
                if (support_thinned())
                    continue;
                expect(&v, "feeds only", 0, feeds, offset, offset, offset);
                expect(&v, "no feed", 0, none, offset, 0, 0);
            }
        }
    }
    for (size_t power = 256; power < most; power *= 2) {
        for (size_t offset = power - 2; offset <= power + 2; offset++) {
            if (support_thinned())
                continue;
            expect(&v, "feeds only", 0, feeds, offset, offset, offset);
            expect(&v, "no feed", 0, none, offset, 0, 0);
        }
    }
    free(feeds);
    free(none);
}
END_TEST

START_TEST(long_texts)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("line long_texts");
    const size_t most = ((size_t)1 << 20) + 100;
    unsigned char *src = support_allocate(most);
    for (size_t d = 0; d < SUPPORT_COUNT(densities); d++) {
        fill(&random, src, most, densities[d]);
        for (size_t power = 256; power < most; power *= 2) {
            for (size_t offset = power - 2; offset <= power + 2; offset++) {
                if (!support_thinned())
                    expect_reference(&v, "long, density", d, src, offset);
            }
        }
        for (size_t offset = 4096 - 70; offset <= 4096 + 70; offset++) {
            if (!support_thinned())
                expect_reference(&v, "long, density", d, src + 1, offset);
        }
        for (size_t offset = 65536 - 70; offset <= 65536 + 70; offset += 5) {
            if (!support_thinned())
                expect_reference(&v, "long, density", d, src + 3, offset);
        }
    }
    free(src);
}
END_TEST

/* One feed, far in front of the offset: the start must not be looked for nearby only. */
START_TEST(long_lines)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    const size_t len = 200000;
    unsigned char *src = support_allocate(len);
    memset(src, 'x', len);
    for (size_t n = 0; n < 400; n++) {
        if (support_thinned())
            continue;
        size_t at = n < 150 ? n : n < 250 ? 16320 - 200 + 4 * (n - 150) : len - 1 - (n - 250) * 131;
        src[at] = '\n';
        expect(&v, "long line, feed at", at, src, len, 1, at + 1);
        expect(&v, "offset of the feed", at, src, at, 0, 0);
        src[at] = 'x';
    }
    free(src);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("line");

    TCase *small = tcase_create("small");
    SUPPORT_ADD(small, literals);
    suite_add_tcase(suite, small);

    TCase *big = tcase_create("big");
    tcase_set_timeout(big, 600);
    SUPPORT_ADD(big, every_length_and_alignment);
    SUPPORT_ADD(big, every_byte_at_every_position);
    SUPPORT_ADD(big, every_pair_of_feeds);
    SUPPORT_ADD(big, every_offset);
    SUPPORT_ADD(big, guard_pages);
    SUPPORT_ADD(big, exact_blocks);
    SUPPORT_ADD(big, uniform_texts);
    SUPPORT_ADD(big, long_texts);
    SUPPORT_ADD(big, long_lines);
    suite_add_tcase(suite, big);

    return support_main(suite);
}
