/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The kernels that take a style, in each variant, with styles of every kind, those of tests/support/styles.c and random
 * ones: escape_find, escape_copy, escape_write, escape_size and text_copy against the oracle.
 */
#include "support/escaping.h"
#include "support/ranges.h"
#include "support/styles.h"
#include "support/texts.h"

#include <stdlib.h>
#include <string.h>

static void any_text(support_random *random, unsigned char *src, size_t len)
{
    static const size_t per_cents[] = {0, 1, 3, 10, 30, 60, 100};
    static const size_t damages[] = {0, 0, 1, 5, 20, 60};
    const size_t per_cent = per_cents[support_random_below(random, SUPPORT_COUNT(per_cents))];
    const size_t damage = damages[support_random_below(random, SUPPORT_COUNT(damages))];
    if (len == 0)
        return;
    if (support_random_below(random, 10) == 0)
        texts_noise(random, src, len);
    else
        texts_fill(random, (support_script)support_random_below(random, SUPPORT_SCRIPTS),
                   (texts_load)support_random_below(random, TEXTS_LOADS), per_cent, damage, src, len);
}

/* All kernels. */
static void check(const support_variant *v, const escaping_style *style, const unsigned char *src, size_t len,
                  size_t place, const char *what, size_t where)
{
    escaping_expect_text(v, style, src, len, 0, place, what, where);
    escaping_expect_text(v, style, src, len, QUERN_ESCAPE_FINAL, place, what, where);
    escaping_expect_find(v, style, src, len, place, what, where);
    escaping_expect_copied(v, style, src, len, place, what, where);
}

/* ---- literals -------------------------------------------------------------------------------------- */

START_TEST(literals)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const struct {
        quern_style_options options;
        const unsigned char *src;
        size_t len;
        const char *expected;
        size_t used;
        quern_stop why;
    } cases[] = {
        {{.flags = QUERN_STYLE_SOLIDUS}, SUPPORT_BYTES("a/b\x7F"), "a\\/b\x7F", 4, QUERN_STOP_END},
        {{.flags = QUERN_STYLE_DELETE}, SUPPORT_BYTES("a/b\x7F"), "a/b\\u007f", 4, QUERN_STOP_END},
        {{.flags = QUERN_STYLE_DELETE | QUERN_STYLE_UPPER},
         SUPPORT_BYTES("\x7F\x1F\n"),
         "\\u007F\\u001F\\n",
         3,
         QUERN_STOP_END},
        {{.letters = "t"}, SUPPORT_BYTES("\b\t\n"), "\\u0008\\t\\u000a", 3, QUERN_STOP_END},
        {{.flags = QUERN_STYLE_ASCII},
         SUPPORT_BYTES("\xC2\xA7\xE2\x82\xAC\xF0\x9F\x98\x80"),
         "\\u00a7\\u20ac\\ud83d\\ude00",
         9,
         QUERN_STOP_END},
        {{.flags = QUERN_STYLE_ASCII | QUERN_STYLE_UPPER},
         SUPPORT_BYTES("\xF4\x8F\xBF\xBF"),
         "\\uDBFF\\uDFFF",
         4,
         QUERN_STOP_END},
        {{.flags = QUERN_STYLE_ASCII}, SUPPORT_BYTES("a\xFF"), "a", 1, QUERN_STOP_ILL_FORMED},
        {{.flags = QUERN_STYLE_LINES},
         SUPPORT_BYTES("\xE2\x80\xA7\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAA"),
         "\xE2\x80\xA7\\u2028\\u2029\xE2\x80\xAA",
         12,
         QUERN_STOP_END},
        {{.flags = QUERN_STYLE_LINES}, SUPPORT_BYTES("x\xE2\x80"), "x", 1, QUERN_STOP_TRUNCATED},
        {{.flags = QUERN_STYLE_HTML},
         SUPPORT_BYTES("<a&b>\xE2\x80\xA8"),
         "\\u003ca\\u0026b\\u003e\\u2028",
         8,
         QUERN_STOP_END},
        {{.flags = QUERN_STYLE_UTF8}, SUPPORT_BYTES("\xC3\xA9\xED\xA0\x80"), "\xC3\xA9", 2, QUERN_STOP_ILL_FORMED},
        {{.ill_formed = QUERN_ILL_FORMED_REPLACE},
         SUPPORT_BYTES("\xF0\x9F\x98z\xFF\xED\xA0\x80"),
         "\xEF\xBF\xBDz\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD",
         8,
         QUERN_STOP_END},
        {{.ill_formed = QUERN_ILL_FORMED_REPLACE_BYTES, .flags = QUERN_STYLE_MARK_FFFD},
         SUPPORT_BYTES("\xF0\x9F\x98z"),
         "\\ufffd\\ufffd\\ufffdz",
         4,
         QUERN_STOP_END},
        {{.ill_formed = QUERN_ILL_FORMED_DROP}, SUPPORT_BYTES("\x80z\xE2\x82y"), "zy", 5, QUERN_STOP_END},
        {{.ill_formed = QUERN_ILL_FORMED_KEEP, .flags = QUERN_STYLE_UTF8},
         SUPPORT_BYTES("\x80\"\xE2\x82y"),
         "\x80\\\"\xE2\x82y",
         5,
         QUERN_STOP_END},
        {{.ill_formed = QUERN_ILL_FORMED_KEEP}, SUPPORT_BYTES("\xE2\x82"), "\xE2\x82", 2, QUERN_STOP_END},
    };
    escaping_case c = {0};
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        quern_style made;
        quern_style_options options = cases[i].options;
        options.size = sizeof options;
        ck_assert_int_eq(quern_style_init(&made, &options), QUERN_OK);
        const escaping_style style = {"of a literal", &made, &options};
        escaping_open(&c, &style, cases[i].src, cases[i].len, 0, "literal", i);
        ck_assert_msg(c.whole.written == strlen(cases[i].expected) &&
                          memcmp(c.output, cases[i].expected, c.whole.written) == 0,
                      "literal %zu: the oracle says %.*s", i, (int)c.whole.written, c.output);
        ck_assert_uint_eq(c.whole.used, cases[i].used);
        ck_assert_int_eq(c.whole.why, cases[i].why);
        for (size_t room = 0; room <= c.whole.written + 13; room++)
            escaping_expect(&v, &c, room, i);
        check(&v, &style, cases[i].src, cases[i].len, SUPPORT_BLOCK, "literal", i);
    }
    escaping_close(&c);
}
END_TEST

/* ---- ranges of any kind, any style ----------------------------------------------------------------- */

static void check_range(const support_variant *v, support_random *random, unsigned char *src, size_t len,
                        ranges_kind kind, size_t where)
{
    any_text(random, src, len);
    check(v, styles_any(random), src, len, ranges_target(random, kind), "range, at", where);
}

START_TEST(every_length_and_alignment)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_aligned(&v, "style kernels, alignments", 256, 0xE2, 0xBF, check_range);
}
END_TEST

START_TEST(guard_pages)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_guarded(&v, "style kernels at guards", 1024, check_range);
}
END_TEST

START_TEST(exact_blocks)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    ranges_blocks(&v, "style kernels in blocks", 320, check_range);
}
END_TEST

START_TEST(every_style)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("style kernels, every_style");
    for (size_t i = 0; i < styles_count(); i++) {
        for (size_t round = 0; round < 150; round++) {
            if (support_thinned())
                continue;
            const size_t len = support_random_below(&random, round % 16 == 0 ? 2000 : 200);
            unsigned char *src = ranges_place(support_random_below(&random, 64), 0x80);
            any_text(&random, src, len);
            check(&v, styles_get(i), src, len, support_random_below(&random, 66), "round", round);
        }
    }
}
END_TEST

/* The nibble maps: each byte in each lane, among bytes that are passed, and among others. */
START_TEST(every_byte)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    for (size_t i = 0; i < styles_count(); i++) {
        const escaping_style *style = styles_get(i);
        for (size_t value = 0; value < 256; value++) {
            if (support_thinned())
                continue;
            unsigned char *src = ranges_place(i % 64, '"');
            memset(src, 'x', 132);
            for (size_t at = value % 7; at < 130; at += 7) {
                src[at] = (unsigned char)value;
                escaping_expect_find(&v, style, src, 132, at % 64, "byte", value);
                escaping_expect_copied(&v, style, src, 132, at % 64, "byte", value);
                src[at] = 'x';
            }
            for (size_t at = value % 23; at < 130; at += 23)
                src[at] = (unsigned char)value;
            check(&v, style, src, 132, value % 64, "bytes apart", value);
            memset(src, (int)value, 100);
            check(&v, style, src, 100, value % 64, "bytes in a row", value);
        }
    }
}
END_TEST

START_TEST(every_room)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("style kernels, every_room");
    escaping_case c = {0};
    for (size_t round = 0; round < 500; round++) {
        if (support_thinned())
            continue;
        const escaping_style *style = round < styles_count() ? styles_get(round) : styles_any(&random);
        const size_t len = support_random_below(&random, round % 8 == 0 ? 200 : 60);
        unsigned char *src = ranges_place(round % 64, 0x80);
        any_text(&random, src, len);
        escaping_open(&c, style, src, len, round % 2 == 0 ? 0 : QUERN_ESCAPE_FINAL, "round", round);
        for (size_t room = 0; room <= c.whole.written + 13; room++)
            escaping_expect(&v, &c, room, round % 3 == 0 ? SUPPORT_ABOVE : (room + round) % 64);
    }
    escaping_close(&c);
}
END_TEST

/* Where there is no room, what is left out is consumed all the same, and the rest told. */
START_TEST(no_target)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("style kernels, no_target");
    for (size_t round = 0; round < 4000; round++) {
        if (support_thinned())
            continue;
        const size_t len = support_random_below(&random, 150);
        unsigned char *src = ranges_place(round % 64, 0x80);
        any_text(&random, src, len);
        if (round % 4 == 0)
            memset(src, 0xFF, len);
        const escaping_style *style = styles_any(&random);
        const unsigned flags = round % 2 == 0 ? 0 : QUERN_ESCAPE_FINAL;
        char none[1];
        const reference_escaped expected = reference_escape(style->options, none, 0, (const char *)src, len, flags);
        size_t used = 77;
        const quern_span got = v.row.escape_write(style->style, NULL, 0, (const char *)src, len, &used, flags);
        ++*v.checks;
        if (got.length != 0 || used != expected.used || got.why != expected.why)
            ck_abort_msg("%s escape_write, style %s, no room, round %zu: got %zu of %zu %s, expected %zu %s", v.name,
                         style->name, round, got.length, used, escaping_stop_name(got.why), expected.used,
                         escaping_stop_name(expected.why));
        ck_assert_uint_eq(v.row.escape_find(style->style, NULL, 0), 0);
        ck_assert_uint_eq(v.row.escape_copy(style->style, NULL, NULL, 0), 0);
        ck_assert_uint_eq(v.row.text_copy(style->style, NULL, NULL, 0).length, 0);
        ck_assert_uint_eq(v.row.escape_size(style->style, NULL, 0, flags), 0);
        ck_assert_uint_eq(v.row.escape_write(style->style, NULL, 0, NULL, 0, &used, flags).length, 0);
        ck_assert_uint_eq(used, 0);
    }
}
END_TEST

/* Nothing but the longest outputs of a style: what a block may need is needed, wherever the room ends. */
START_TEST(every_room_of_the_longest)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    enum { LEN = 260 };
    escaping_case c = {0};
    for (size_t i = 0; i < styles_count(); i++) {
        const escaping_style *style = styles_get(i);
        unsigned char longest[4] = {1};
        size_t size = 1;
        if (style->options != NULL && style->options->flags & QUERN_STYLE_ASCII) {
            size = 4;
            support_encode(longest, 0x10FFFF, size);
        } else if (style->options != NULL && style->options->table != NULL) {
            for (unsigned char b = 0; b < 0x80; b++) {
                if (style->options->table[b].length > style->options->table[longest[0]].length)
                    longest[0] = b;
            }
        }
        unsigned char *src = ranges_place(i % 64, '"');
        for (size_t at = 0; at < LEN; at++)
            src[at] = longest[at % size];
        escaping_open(&c, style, src, LEN, 0, "the longest, style", i);
        for (size_t room = 0; room <= c.whole.written + 13; room++) {
            if (!support_thinned())
                escaping_expect(&v, &c, room, room % 2 == 0 ? SUPPORT_ABOVE : room % 64);
        }
    }
    escaping_close(&c);
}
END_TEST

START_TEST(resumed_and_in_pieces)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("style kernels, resumed_and_in_pieces");
    static const size_t rooms[][2] = {{12, 12}, {12, 40}, {64, 64}, {16, 200}, {100, 1000}};
    escaping_case c = {0};
    for (size_t round = 0; round < 2500; round++) {
        if (support_thinned())
            continue;
        const size_t len = support_random_below(&random, round % 8 == 0 ? 2000 : 200);
        unsigned char *src = ranges_place(round % 64, 0x80);
        any_text(&random, src, len);
        escaping_open(&c, styles_any(&random), src, len, QUERN_ESCAPE_FINAL, "round", round);
        const size_t *room = rooms[round % SUPPORT_COUNT(rooms)];
        escaping_expect_resumed(&v, &c, &random, room[0], room[1]);
        escaping_expect_pieces(&v, &c, &random, room[0], room[1]);
        escaping_expect_pieces(&v, &c, &random, 4, 12);
    }
    escaping_close(&c);
}
END_TEST

/* ---- characters ------------------------------------------------------------------------------------ */

/* The end cuts each kind of sequence behind each number of bytes; also where it is ill-formed already. */
START_TEST(cut_at_the_end)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("style kernels, cut_at_the_end");
    static const char *const sequences[] = {"\xC3\xA9",     "\xE2\x80\xA8",     "\xE2\x80\xA9",     "\xE0\xA0\x80",
                                            "\xED\x9F\xBF", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF", "\xED\xA0\x80",
                                            "\xE0\x9F\xBF", "\xF0\x8F\x80\x80", "\xF4\x90\x80\x80"};
    for (size_t i = 0; i < styles_count(); i++) {
        for (size_t before = 0; before <= 140; before++) {
            if (support_thinned())
                continue;
            const char *sequence = sequences[(before + i) % SUPPORT_COUNT(sequences)];
            const size_t size = strlen(sequence);
            unsigned char *src = ranges_place(support_random_below(&random, 64), 0xBF);
            support_text(&random, (support_script)support_random_below(&random, SUPPORT_SCRIPTS), src, before);
            memcpy(src + before, sequence, size);
            for (size_t kept = 1; kept <= size; kept++)
                check(&v, styles_get(i), src, before + kept, support_random_below(&random, 66), "cut, behind", before);
        }
    }
}
END_TEST

/* U+2028 and its neighbours from each offset on, so that a vector's end cuts them everywhere. */
START_TEST(line_ends_at_every_offset)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("style kernels, line_ends_at_every_offset");
    for (size_t i = 0; i < styles_count(); i++) {
        const escaping_style *style = styles_get(i);
        if (style->options == NULL ||
            !(style->options->flags & (QUERN_STYLE_LINES | QUERN_STYLE_HTML | QUERN_STYLE_ASCII)))
            continue;
        for (size_t before = 0; before <= 140; before++) {
            for (size_t n = 0; n < 6; n++) {
                if (support_thinned())
                    continue;
                static const char *const points[] = {"\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAA",
                                                     "\xE2\x81\xA8", "\xE3\x80\xA8", "\xE2\xA8\x80"};
                unsigned char *src = ranges_place(support_random_below(&random, 64), 0xE2);
                support_text(&random, n % 2 == 0 ? SUPPORT_ASCII : SUPPORT_THREE, src, before);
                size_t len = before;
                for (size_t k = 0; k <= support_random_below(&random, 3); k++, len += 3)
                    memcpy(src + len, points[(n + k) % SUPPORT_COUNT(points)], 3);
                const size_t behind = support_random_below(&random, 100);
                support_text(&random, SUPPORT_MIXED, src + len, behind);
                check(&v, style, src, len + behind, support_random_below(&random, 66), "line end, behind", before);
            }
        }
    }
}
END_TEST

/* Text without ASCII, from every byte of a character on, over a border of a page and of what may be checked at once. */
START_TEST(around_4096)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("style kernels, around_4096");
    static unsigned char text[4096 + 80];
    for (size_t i = 0; i < styles_count(); i++) {
        for (size_t n = 0; n < 3 * 5; n++) {
            if (support_thinned())
                continue;
            const size_t before = n % 5, size = 2 + n / 5, len = 4096 - 6 + support_random_below(&random, 80);
            memset(text, 'a', sizeof text);
            for (size_t at = before; at + size <= len; at += size)
                support_encode(text + at, size == 2 ? 0xE9 : size == 3 ? 0x20AC : 0x1F600, size);
            check(&v, styles_get(i), text, len, n, "around 4096", n);
        }
    }
}
END_TEST

START_TEST(long_texts)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("style kernels, long_texts");
    const size_t most = 64 * 1024;
    support_guarded pages = support_guarded_new(most);
    escaping_case c = {0};
    for (size_t round = 0; round < styles_count(); round++) {
        if (support_thinned())
            continue;
        const size_t len = most - support_random_below(&random, 300);
        unsigned char *src = support_guarded_tail(&pages, len);
        for (size_t at = 0; at < len;) {
            size_t stretch = 1 + support_random_below(&random, 1500);
            stretch = stretch < len - at ? stretch : len - at;
            if (support_random_below(&random, 2) == 0)
                support_text(&random, SUPPORT_MIXED, src + at, stretch);
            else
                texts_fill(&random, SUPPORT_MIXED, TEXTS_SPECIAL, 20, 0, src + at, stretch);
            at += stretch;
        }
        const escaping_style *style = styles_get(round);
        check(&v, style, src, len, round, "long text", round);
        escaping_open(&c, style, src, len, QUERN_ESCAPE_FINAL, "long text", round);
        escaping_expect_resumed(&v, &c, &random, 100, 5000);
        escaping_expect_pieces(&v, &c, &random, 4, 3000);
    }
    escaping_close(&c);
    support_guarded_free(&pages);
}
END_TEST

/* ---- faults that other projects had -------------------------------------------------------------- */

static void expect_output(const support_variant *v, const escaping_style *style, const unsigned char *src, size_t len,
                          unsigned flags, const char *expected, size_t used, quern_stop why)
{
    char dst[64];
    size_t got_used = 77;
    const quern_span span =
        v->row.escape_write(style->style, dst, sizeof dst, (const char *)src, len, &got_used, flags);
    ++*v->checks;
    ck_assert_msg(span.length == strlen(expected) && memcmp(dst, expected, span.length) == 0 && got_used == used &&
                      span.why == why,
                  "%s, style %s: got %.*s, %zu bytes read, %s", v->name, style->name, (int)span.length, dst, got_used,
                  escaping_stop_name(span.why));
    ck_assert_uint_eq(v->row.escape_size(style->style, (const char *)src, len, flags), span.length);
}

static escaping_style style_of(quern_style *made, quern_style_options *options, const char *name)
{
    options->size = sizeof *options;
    ck_assert_int_eq(quern_style_init(made, options), QUERN_OK);
    return (escaping_style){name, made, options};
}

/* mattgodbolt/seasocks issue #105: %04x of a negative char gives eight digits. */
START_TEST(B024_four_digits)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    quern_style made;
    quern_style_options options = {.flags = QUERN_STYLE_ASCII};
    const escaping_style style = style_of(&made, &options, "ascii");
    expect_output(&v, &style, SUPPORT_BYTES("\xC2\xA7"), 0, "\\u00a7", 2, QUERN_STOP_END);
    expect_output(&v, &style, SUPPORT_BYTES("\xC2\x80\xC3\xBF"), 0, "\\u0080\\u00ff", 4, QUERN_STOP_END);
}
END_TEST

/* ClickHouse PR #103389: unused slots of a table match NUL. */
START_TEST(B030_set_without_nul)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static quern_replacement table[256];
    quern_style made;
    quern_style_options options = {.table = table};
    table['"'] = (quern_replacement){"\\\"", 2};
    table['\\'] = (quern_replacement){"\\\\", 2};
    const escaping_style style = style_of(&made, &options, "quotes alone");
    static const unsigned char text[] = "A\0A\0\"";
    ck_assert_uint_eq(v.row.escape_find(style.style, (const char *)text, 5), 4);
    for (size_t len = 1; len <= 200; len++) {
        unsigned char *src = ranges_place(len % 64, '"');
        memset(src, 0, len);
        ck_assert_uint_eq(v.row.escape_find(style.style, (const char *)src, len), len);
        src[len - 1] = '\\';
        ck_assert_uint_eq(v.row.escape_find(style.style, (const char *)src, len), len - 1);
        check(&v, &style, src, len, len % 64, "B030", len);
    }
}
END_TEST

/* bytedance/sonic-cpp PR #142: a character that the end cuts is skipped without being counted, and the loop runs on. */
START_TEST(B032_character_cut_in_ascii_style)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_guarded pages = support_guarded_new(256);
    for (size_t before = 0; before <= 130; before++) {
        unsigned char *src = support_guarded_tail(&pages, before + 2);
        memset(src, 'a', before);
        memcpy(src + before, "\xF0\x9F", 2);
        quern_style made;
        quern_style_options options = {.flags = QUERN_STYLE_ASCII};
        const escaping_style stops = style_of(&made, &options, "ascii");
        support_note("B032", before + 2, before);
        check(&v, &stops, src, before + 2, before % SUPPORT_PLACES, "B032", before);
        if (before == 0) {
            expect_output(&v, &stops, src, 2, 0, "", 0, QUERN_STOP_TRUNCATED);
            expect_output(&v, &stops, src, 2, QUERN_ESCAPE_FINAL, "", 0, QUERN_STOP_ILL_FORMED);
        }
        options.ill_formed = QUERN_ILL_FORMED_REPLACE;
        const escaping_style replaces = style_of(&made, &options, "ascii, replace");
        check(&v, &replaces, src, before + 2, before % SUPPORT_PLACES, "B032", before);
        if (before == 0)
            expect_output(&v, &replaces, src, 2, QUERN_ESCAPE_FINAL, "\\ufffd", 2, QUERN_STOP_END);
    }
    support_guarded_free(&pages);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("style_kernels");

    TCase *small = tcase_create("small");
    tcase_set_timeout(small, 120);
    SUPPORT_ADD(small, literals);
    suite_add_tcase(suite, small);

    TCase *big = tcase_create("big");
    tcase_set_timeout(big, 600);
    SUPPORT_ADD(big, every_length_and_alignment);
    SUPPORT_ADD(big, guard_pages);
    SUPPORT_ADD(big, exact_blocks);
    SUPPORT_ADD(big, every_style);
    SUPPORT_ADD(big, every_byte);
    SUPPORT_ADD(big, every_room);
    SUPPORT_ADD(big, no_target);
    SUPPORT_ADD(big, every_room_of_the_longest);
    SUPPORT_ADD(big, resumed_and_in_pieces);
    SUPPORT_ADD(big, cut_at_the_end);
    SUPPORT_ADD(big, line_ends_at_every_offset);
    SUPPORT_ADD(big, around_4096);
    SUPPORT_ADD(big, long_texts);
    suite_add_tcase(suite, big);

    TCase *reports = tcase_create("reports");
    tcase_set_timeout(reports, 60);
    SUPPORT_ADD(reports, B024_four_digits);
    SUPPORT_ADD(reports, B030_set_without_nul);
    SUPPORT_ADD(reports, B032_character_cut_in_ascii_style);
    suite_add_tcase(suite, reports);

    return support_main(suite);
}
