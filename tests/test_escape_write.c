/* SPDX-License-Identifier: MIT */
/**
 * @file
 * escape_write, escape_write_slack and escape_size, in each variant, for the style NULL. Other styles:
 * test_style_kernels.c. All bytes at all positions, all pairs, all code points: test_exhaustive_escape.c.
 *
 * What a fast kernel treats apart is gone through by itself: text with few bytes to escape and with many, and the
 * change from one to the other; runs of two-byte escapes with \u00xx amid them; a room that ends anywhere.
 */
#include "support/escaping.h"
#include "support/ranges.h"
#include "support/texts.h"

#include <stdlib.h>
#include <string.h>

static const size_t densities[] = {0, 1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 75, 90, 99, 100};

static size_t any_density(support_random *random)
{
    return densities[support_random_below(random, SUPPORT_COUNT(densities))];
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
        const char *expected;
    } cases[] = {
        {SUPPORT_BYTES(""), ""},
        {SUPPORT_BYTES("a"), "a"},
        {SUPPORT_BYTES("\""), "\\\""},
        {SUPPORT_BYTES("\\"), "\\\\"},
        {SUPPORT_BYTES("\b\f\n\r\t"), "\\b\\f\\n\\r\\t"},
        {SUPPORT_BYTES("\0\x01\x02\x03\x04\x05\x06\x07"), "\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007"},
        {SUPPORT_BYTES("\x0B\x0E\x0F"), "\\u000b\\u000e\\u000f"},
        {SUPPORT_BYTES("\x10\x11\x12\x13\x14\x15\x16\x17"), "\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017"},
        {SUPPORT_BYTES("\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F"), "\\u0018\\u0019\\u001a\\u001b\\u001c\\u001d\\u001e\\u001f"},
        {SUPPORT_BYTES(" !#/[]\x7F\x80\xFF"), " !#/[]\x7F\x80\xFF"},
        {SUPPORT_BYTES("C:\\temp \"x\"\n"), "C:\\\\temp \\\"x\\\"\\n"},
        {SUPPORT_BYTES("\xE2\x82\xAC\x1F\xE2\x82"), "\xE2\x82\xAC\\u001f\xE2\x82"},
        {SUPPORT_BYTES("exactly sixteen\""), "exactly sixteen\\\""},
        {SUPPORT_BYTES("\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\""),
         "\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\""},
        {SUPPORT_BYTES(
             "one\ttwo\x02three \"four\" five\\six, and seven is a good deal longer than the others\x1B[0m\r\n"),
         "one\\ttwo\\u0002three \\\"four\\\" five\\\\six, and seven is a good deal longer than the others"
         "\\u001b[0m\\r\\n"},
    };
    escaping_case c = {0};
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        escaping_open(&c, &escaping_null, cases[i].src, cases[i].len, 0, "literal", i);
        ck_assert_uint_eq(c.whole.written, strlen(cases[i].expected));
        ck_assert_int_eq(memcmp(c.output, cases[i].expected, c.whole.written), 0);
        for (size_t room = 0; room <= c.whole.written + 13; room++)
            escaping_expect(&v, &c, room, i);
        escaping_expect_size(&v, &c);
        c.flags = QUERN_ESCAPE_FINAL; /* means nothing in this style */
        escaping_expect(&v, &c, c.whole.written, i);
        escaping_expect_size(&v, &c);
    }
    escaping_close(&c);
}
END_TEST

START_TEST(empty_ranges)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_guarded pages = support_guarded_new(64);
    const char *const sources[] = {NULL, "\"", (const char *)support_guarded_tail(&pages, 0),
                                   (const char *)pages.start - 1};
    for (size_t i = 0; i < SUPPORT_COUNT(sources); i++) {
        for (int slack = 0; slack < 2; slack++) {
            quern_escape_write_function *write = slack ? v.row.escape_write_slack : v.row.escape_write;
            if (write == NULL)
                continue;
            for (size_t room = 0; room <= 520; room += room < 80 ? 1 : 44) {
                size_t used = 77;
                support_note("an empty range", room, i);
                char *dst = (char *)support_target(slack ? 0 : room, slack, 3);
                const quern_span span = write(NULL, dst, room, sources[i], 0, &used, room % 2);
                ck_assert(span.length == 0 && span.why == QUERN_STOP_END && used == 0);
                ck_assert(support_target_fault() == NULL);
                ++*v.checks;
            }
        }
        size_t used = 77;
        const quern_span span = v.row.escape_write(NULL, NULL, 0, sources[i], 0, &used, 0);
        ck_assert(span.length == 0 && span.why == QUERN_STOP_END && used == 0);
        ck_assert_uint_eq(v.row.escape_size(NULL, sources[i], 0, 0), 0);
        *v.checks += 2;
    }
    support_guarded_free(&pages);
}
END_TEST

/* Nothing is read or written where nothing fits, but it is told. */
START_TEST(no_room)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    for (size_t len = 1; len <= 300; len++) {
        unsigned char *src = ranges_place(len % 64, '"');
        for (size_t f = 0; f < 3; f++) {
            memset(src, "a\"\x01"[f], len);
            size_t used = 77;
            const quern_span span = v.row.escape_write(NULL, NULL, 0, (const char *)src, len, &used, 0);
            ck_assert(span.length == 0 && span.why == QUERN_STOP_ROOM && used == 0);
            ++*v.checks;
        }
    }
}
END_TEST

/* Each byte alone, at each place of a vector, and in a row. */
START_TEST(every_byte)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const unsigned char fillers[] = {'a', '"', 0x1E, 0xE9};
    for (size_t value = 0; value < 256; value++) {
        if (support_thinned())
            continue;
        const unsigned char byte = (unsigned char)value;
        escaping_expect_text(&v, &escaping_null, &byte, 1, 0, SUPPORT_ABOVE, "byte", value);
        for (size_t f = 0; f < SUPPORT_COUNT(fillers); f++) {
            unsigned char *src = ranges_place(value % 64, '"');
            for (size_t at = 0; at < 130; at += f == 0 ? 1 : 7) {
                memset(src, fillers[f], 130);
                src[at] = byte;
                escaping_expect_text(&v, &escaping_null, src, 130, 0, at % 64, "byte amid others", value);
            }
        }
        unsigned char *src = ranges_place(0, '"');
        memset(src, byte, 200);
        for (size_t len = 1; len <= 200; len += len < 70 ? 1 : 13)
            escaping_expect_text(&v, &escaping_null, src, len, 0, len % SUPPORT_PLACES, "bytes in a row", value);
    }
}
END_TEST

/* ---- every length, alignment, room ----------------------------------------------------------------- */

static void any_text(support_random *random, unsigned char *src, size_t len)
{
    const texts_load load = (texts_load)support_random_below(random, TEXTS_LOADS);
    switch (support_random_below(random, 8)) {
    case 0: texts_noise(random, src, len); break;
    case 1: texts_open_vswitch(random, any_density(random) / 4, any_density(random) / 2, src, len); break;
    default:
        support_text(random, (support_script)support_random_below(random, SUPPORT_SCRIPTS), src, len);
        texts_sprinkle(random, load, any_density(random), src, len);
    }
}

static void check_range(const support_variant *v, support_random *random, unsigned char *src, size_t len,
                        ranges_kind kind, size_t where)
{
    for (size_t n = 0; n < 3; n++) {
        if (n > 0 && support_thinned())
            continue;
        if (len > 0)
            any_text(random, src, len);
        escaping_expect_text(v, &escaping_null, src, len, 0, ranges_target(random, kind), "range, at", where);
    }
}

START_TEST(every_length_and_alignment)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_aligned(&v, "escape_write alignments", 256, '"', '"', check_range);
}
END_TEST

START_TEST(guard_pages)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_guarded(&v, "escape_write at guards", 1024, check_range);
}
END_TEST

START_TEST(exact_blocks)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_blocks(&v, "escape_write in blocks", 320, check_range);
}
END_TEST

/* The room ends at every place of the output, and behind it. */
START_TEST(every_room)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("escape_write every_room");
    escaping_case c = {0};
    for (size_t round = 0; round < 700; round++) {
        if (support_thinned())
            continue;
        const size_t len = support_random_below(&random, round % 4 == 0 ? 300 : 100);
        unsigned char *src = ranges_place(round % 64, '"');
        any_text(&random, src, len);
        escaping_open(&c, &escaping_null, src, len, 0, "round", round);
        for (size_t room = 0; room <= c.whole.written + 13; room++)
            escaping_expect(&v, &c, room, round % 3 == 0 ? SUPPORT_ABOVE : (room + round) % 64);
        escaping_expect(&v, &c, c.whole.written + 64 + round, round % 64);
    }
    escaping_close(&c);
}
END_TEST

START_TEST(resumed)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("escape_write resumed");
    static const size_t rooms[][2] = {{12, 12},  {12, 20},   {13, 13},  {16, 16}, {64, 64},
                                      {12, 200}, {128, 128}, {60, 140}, {17, 17}, {500, 2000}};
    escaping_case c = {0};
    for (size_t round = 0; round < 1500; round++) {
        if (support_thinned())
            continue;
        const size_t len = support_random_below(&random, round % 8 == 0 ? 3000 : 300);
        unsigned char *src = ranges_place(round % 64, '"');
        any_text(&random, src, len);
        escaping_open(&c, &escaping_null, src, len, 0, "round", round);
        const size_t *room = rooms[round % SUPPORT_COUNT(rooms)];
        escaping_expect_resumed(&v, &c, &random, room[0], room[1]);
        c.flags = QUERN_ESCAPE_FINAL;
        escaping_expect_pieces(&v, &c, &random, room[0], room[1]);
    }
    escaping_close(&c);
}
END_TEST

/* ---- runs ------------------------------------------------------------------------------------------ */

/* A run of bytes to escape from each place on, of each length, of several patterns, among letters. */
START_TEST(runs)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    enum { PATTERNS = 7 };
    support_random random = support_random_named("escape_write runs");
    for (size_t run = 1; run <= 140; run += run < 70 ? 1 : 5) {
        for (size_t before = 0; before <= 70; before++) {
            for (size_t pattern = 0; pattern < PATTERNS; pattern++) {
                if (support_thinned())
                    continue;
                const size_t behind = support_random_below(&random, 5) == 0 ? 0 : support_random_below(&random, 140);
                const size_t len = before + run + behind;
                unsigned char *src = ranges_place(support_random_below(&random, 64), '"');
                unsigned char *at = src + before;
                memset(src, 'a', len);
                for (size_t i = 0; i < run; i++) {
                    static const unsigned char cycle[PATTERNS][4] = {
                        {'"', '"', '"', '"'}, {'\n', '\\', '"', '\t'}, {1, 0x1F, 0x0B, 0x7},     {'"', 'a', '"', 'a'},
                        {'"', 1, '"', 0x1E},  {2, 'a', 'b', 'c'},      {'\\', '\\', 0xC3, 0xA9},
                    };
                    at[i] = cycle[pattern][i % 4];
                }
                if (pattern < 2 && run > 1) /* one \u00xx amid pairs */
                    at[support_random_below(&random, run)] = 0x1B;
                escaping_expect_text(&v, &escaping_null, src, len, 0, support_random_below(&random, 66),
                                     "run, before it", before);
            }
        }
    }
}
END_TEST

/* In blocks of 8 to 128 bytes: each number of bytes to escape, first ones, last ones, and anywhere. */
START_TEST(counts_in_blocks)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("escape_write counts_in_blocks");
    static const size_t blocks[] = {8, 16, 32, 64, 128};
    for (size_t b = 0; b < SUPPORT_COUNT(blocks); b++) {
        const size_t size = blocks[b];
        for (size_t count = 0; count <= size; count++) {
            for (size_t n = 0; n < 4 * TEXTS_LOADS; n++) {
                if (support_thinned())
                    continue;
                const texts_load load = (texts_load)(n / 4);
                const size_t block = size * support_random_below(&random, 3);
                const size_t len = block + size + (n % 2 == 0 ? 0 : support_random_below(&random, 130));
                unsigned char *src = ranges_place(0, '"');
                support_text(&random, n % 3 == 0 ? SUPPORT_MIXED : SUPPORT_ASCII, src, len);
                for (size_t i = 0; i < count; i++) {
                    const size_t at = n % 4 == 0   ? i
                                      : n % 4 == 1 ? size - 1 - i
                                                   : (i * 37 + n * 11) % size; /* 37 is prime to the sizes */
                    texts_sprinkle(&random, load, 100, src + block + at, 1);
                }
                escaping_expect_text(&v, &escaping_null, src, len, 0, n % SUPPORT_PLACES, "count in a block", count);
            }
        }
    }
}
END_TEST

/* ---- texts ----------------------------------------------------------------------------------------- */

static void check_text(const support_variant *v, support_random *random, const unsigned char *src, size_t len,
                       const char *what, size_t where)
{
    static escaping_case c;
    escaping_open(&c, &escaping_null, src, len, 0, what, where);
    escaping_expect_known(v, &c, c.whole.written, support_random_below(random, SUPPORT_PLACES), c.whole);
    escaping_expect_known(v, &c, 6 * len + QUERN_SLACK, support_random_below(random, SUPPORT_PLACES), c.whole);
    escaping_expect_size(v, &c);
    for (size_t n = 0; n < 3; n++)
        escaping_expect(v, &c, support_random_below(random, c.whole.written + 1), support_random_below(random, 66));
}

START_TEST(densities_swept)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("escape_write densities_swept");
    for (size_t d = 0; d < SUPPORT_COUNT(densities); d++) {
        for (size_t load = 0; load < TEXTS_LOADS; load++) {
            for (size_t n = 0; n < 48; n++) {
                if (support_thinned())
                    continue;
                const size_t len = n == 0  ? 4096
                                   : n < 8 ? support_random_below(&random, 1500)
                                           : support_random_below(&random, 64);
                unsigned char *src = ranges_place(support_random_below(&random, 64), '"');
                support_text(&random, (support_script)(n % SUPPORT_SCRIPTS), src, len);
                texts_sprinkle(&random, (texts_load)load, densities[d], src, len);
                check_text(&v, &random, src, len, texts_load_name((texts_load)load), densities[d]);
            }
        }
    }
}
END_TEST

START_TEST(open_vswitch_bytes)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("escape_write open_vswitch_bytes");
    static const size_t mixes[][2] = {{0, 0}, {1, 2}, {1, 10}, {0, 50}, {50, 0}, {25, 25}, {0, 100}, {100, 0}};
    static unsigned char text[20000];
    for (size_t i = 0; i < SUPPORT_COUNT(mixes); i++) {
        for (size_t n = 0; n < 12; n++) {
            if (support_thinned())
                continue;
            const size_t len = sizeof text - support_random_below(&random, 150);
            texts_open_vswitch(&random, mixes[i][0], mixes[i][1], text, len);
            check_text(&v, &random, text, len, "Open vSwitch", i);
        }
    }
}
END_TEST

/* Stretches of every density one behind the other: a kernel that changes its ways must not lose count. */
START_TEST(long_texts)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("escape_write long_texts");
    static const size_t longest[] = {20, 100, 300, 1000, 20000};
    const size_t most = 300 * 1024;
    support_guarded pages = support_guarded_new(most);
    escaping_case c = {0};
    for (size_t round = 0; round < 10; round++) {
        if (support_thinned())
            continue;
        const size_t len = most - support_random_below(&random, 300);
        unsigned char *src = support_guarded_tail(&pages, len);
        for (size_t at = 0; at < len;) {
            size_t stretch = 1 + support_random_below(&random, longest[round % SUPPORT_COUNT(longest)]);
            if (stretch > len - at)
                stretch = len - at;
            if (support_random_below(&random, 3) == 0)
                support_text(&random, SUPPORT_MIXED, src + at, stretch);
            else
                any_text(&random, src + at, stretch);
            at += stretch;
        }
        support_note("escape_write, long", len, round);
        escaping_open(&c, &escaping_null, src, len, 0, "long text", round);
        escaping_expect_known(&v, &c, c.whole.written, SUPPORT_ABOVE, c.whole);
        escaping_expect_known(&v, &c, c.whole.written + 200, round, c.whole);
        for (size_t less = 1; less <= 5; less++)
            escaping_expect(&v, &c, c.whole.written - less, SUPPORT_ABOVE);
        escaping_expect_size(&v, &c);
        escaping_expect_resumed(&v, &c, &random, 100, 10000);
        escaping_expect_resumed(&v, &c, &random, 12, 300);
    }
    escaping_close(&c);
    support_guarded_free(&pages);
}
END_TEST

/* ---- faults that other projects had -------------------------------------------------------------- */

/* kristapsdz/kcgi issue #56: with a signed char, 0x80 to 0xFF pass for control characters. */
START_TEST(B023_signed_char)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    escaping_case c = {0};
    escaping_open(&c, &escaping_null, SUPPORT_BYTES("f\xC3\xBCr"), 0, "B023", 0);
    ck_assert(c.whole.written == 4 && memcmp(c.output, "f\xC3\xBCr", 4) == 0);
    escaping_expect(&v, &c, 4, 0);
    escaping_close(&c);
    unsigned char all[128];
    for (size_t i = 0; i < sizeof all; i++)
        all[i] = (unsigned char)(0x80 + i);
    for (size_t len = 1; len <= sizeof all; len++)
        escaping_expect_text(&v, &escaping_null, all + sizeof all - len, len, 0, len % 64, "B023", len);
}
END_TEST

/* spotify/spotify-json PR #51, apache/arrow PR #50483: a NUL hides what follows. */
START_TEST(B028_B029_nul_hides_quote)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    escaping_case c = {0};
    escaping_open(&c, &escaping_null, SUPPORT_BYTES("A\0\"AAAAAAAAAAAAA"), 0, "B028", 0);
    static const char expected[] = "A\\u0000\\\"AAAAAAAAAAAAA";
    ck_assert(c.whole.written == sizeof expected - 1 && memcmp(c.output, expected, sizeof expected - 1) == 0);
    escaping_expect(&v, &c, c.whole.written, 0);
    escaping_close(&c);
    for (size_t align = 0; align < 64; align++) {
        for (size_t before = 0; before < 70; before++) {
            unsigned char *src = ranges_place(align, '"');
            memset(src, 'x', before + 105);
            memcpy(src + before, "\"a\0b\"", 5);
            escaping_expect_text(&v, &escaping_null, src, before + 105, 0, align, "B029", before);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("escape_write");

    TCase *small = tcase_create("small");
    tcase_set_timeout(small, 120);
    SUPPORT_ADD(small, literals);
    SUPPORT_ADD(small, empty_ranges);
    SUPPORT_ADD(small, no_room);
    SUPPORT_ADD(small, every_byte);
    suite_add_tcase(suite, small);

    TCase *big = tcase_create("big");
    tcase_set_timeout(big, 600);
    SUPPORT_ADD(big, every_length_and_alignment);
    SUPPORT_ADD(big, guard_pages);
    SUPPORT_ADD(big, exact_blocks);
    SUPPORT_ADD(big, every_room);
    SUPPORT_ADD(big, resumed);
    SUPPORT_ADD(big, runs);
    SUPPORT_ADD(big, counts_in_blocks);
    SUPPORT_ADD(big, densities_swept);
    SUPPORT_ADD(big, open_vswitch_bytes);
    SUPPORT_ADD(big, long_texts);
    suite_add_tcase(suite, big);

    TCase *reports = tcase_create("reports");
    tcase_set_timeout(reports, 60);
    SUPPORT_ADD(reports, B023_signed_char);
    SUPPORT_ADD(reports, B028_B029_nul_hides_quote);
    suite_add_tcase(suite, reports);

    return support_main(suite);
}
