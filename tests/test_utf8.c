/* SPDX-License-Identifier: MIT */
/**
 * @file
 * utf8_prefix, in each variant: what is well-formed by Unicode table 3-7, and the exact place of what is not. All short
 * strings and all code points: test_exhaustive.c.
 */
#include "reference/reference.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *why_name(quern_stop why)
{
    switch (why) {
    case QUERN_STOP_END: return "END";
    case QUERN_STOP_ILL_FORMED: return "ILL_FORMED";
    case QUERN_STOP_TRUNCATED: return "TRUNCATED";
    default: return "(no such answer)";
    }
}

static void expect(const support_variant *v, const char *what, size_t where, const unsigned char *src, size_t len,
                   size_t length, quern_stop why)
{
    quern_span got = v->row.utf8_prefix((const char *)src, len);
    ++*v->checks;
    if (got.length != length || got.why != why)
        ck_abort_msg("%s utf8_prefix, %s %zu: length %zu, alignment %zu: got %zu %s, expected %zu %s", v->name, what,
                     where, len, (size_t)((uintptr_t)src % 64), got.length, why_name(got.why), length, why_name(why));
}

static void expect_reference(const support_variant *v, const char *what, size_t where, const unsigned char *src,
                             size_t len)
{
    quern_span expected = reference_utf8_prefix((const char *)src, len);
    expect(v, what, where, src, len, expected.length, expected.why);
}

typedef struct bytes {
    const unsigned char *data;
    size_t length;
} bytes;

/* Ill-formed whatever follows. The fault is at the first byte. */
static const bytes ill_formed[] = {
    {SUPPORT_BYTES("\x80")},
    {SUPPORT_BYTES("\xBF")},
    {SUPPORT_BYTES("\xC0\x80")},
    {SUPPORT_BYTES("\xC0")},
    {SUPPORT_BYTES("\xC1\xBF")},
    {SUPPORT_BYTES("\xC2 ")},
    {SUPPORT_BYTES("\xDF\xC3")},
    {SUPPORT_BYTES("\xE0\x80\x80")},
    {SUPPORT_BYTES("\xE0\x9F\xBF")},
    {SUPPORT_BYTES("\xE0\xA0 ")},
    {SUPPORT_BYTES("\xE2\x82 ")},
    {SUPPORT_BYTES("\xE2 ")},
    {SUPPORT_BYTES("\xE2\x82\xE2")},
    {SUPPORT_BYTES("\xED\xA0\x80")},
    {SUPPORT_BYTES("\xED\xBF\xBF")},
    {SUPPORT_BYTES("\xEF\xBF\xC0")},
    {SUPPORT_BYTES("\xF0\x80\x80\x80")},
    {SUPPORT_BYTES("\xF0\x8F\xBF\xBF")},
    {SUPPORT_BYTES("\xF0\x90\x80 ")},
    {SUPPORT_BYTES("\xF0\x9F ")},
    {SUPPORT_BYTES("\xF1 ")},
    {SUPPORT_BYTES("\xF3\xBF\xBF\xF3")},
    {SUPPORT_BYTES("\xF4\x90\x80\x80")},
    {SUPPORT_BYTES("\xF5\x80\x80\x80")},
    {SUPPORT_BYTES("\xF8\x88\x80\x80")},
    {SUPPORT_BYTES("\xFC\x84\x80\x80")},
    {SUPPORT_BYTES("\xFE")},
    {SUPPORT_BYTES("\xFF")},
};

/* The outermost code points of each row of the table, and some between. */
static const uint32_t edges[] = {0x00,    0x41,    0x7F,    0x80,    0xFF,    0x7FF,    0x800,   0xFFF,  0x1000,
                                 0x20AC,  0xCFFF,  0xD000,  0xD7FF,  0xE000,  0xFEFF,   0xFFFD,  0xFFFF, 0x10000,
                                 0x1F600, 0x3FFFF, 0x40000, 0xABCDE, 0xFFFFF, 0x100000, 0x10FFFF};

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
        expect(&v, "literal", i, cases[i].src, cases[i].len, cases[i].length, cases[i].why);
    expect(&v, "NULL", 0, NULL, 0, 0, QUERN_STOP_END);
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
            expect(&v, "overlong", code_point, text, TEXT, at, QUERN_STOP_ILL_FORMED);
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
    expect(&v, "all code points", 0, text, len, len, QUERN_STOP_END);
    for (size_t cut = 1; cut <= 3; cut++)
        expect(&v, "all code points, cut by", cut, text, len - cut, len - 4, QUERN_STOP_TRUNCATED);
    free(text);
}
END_TEST

/* ---- places -------------------------------------------------------------------------------------- */

enum { ROOM = 2048 };

static unsigned char room[ROOM + 128];

static unsigned char *place(size_t align)
{
    size_t past = (size_t)((uintptr_t)room % 64);
    return room + (64 - past) % 64 + 64 + align;
}

/* What lies around the range would mend a cut sequence at its end, or hurt at its start. */
START_TEST(every_length_and_alignment)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("utf8 every_length_and_alignment");
    unsigned char text[260];
    for (size_t len = 0; len <= 256; len++) {
        for (size_t script = 0; script < SUPPORT_SCRIPTS; script++) {
            support_text(&random, (support_script)script, text, sizeof text);
            for (size_t align = 0; align < 64; align++) {
                if (support_thinned())
                    continue;
                unsigned char *src = place(align);
                memset(room, 0xF1, sizeof room);
                memcpy(src, text, len);
                memset(src + len, 0xBF, 64);
                expect_reference(&v, support_script_name((support_script)script), align, src, len);
            }
        }
    }
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
                    expect_reference(&v, support_script_name((support_script)script), at, text, len);
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
            for (size_t i = 0; i < SUPPORT_COUNT(edges); i++) {
                size_t size = support_encoded_size(edges[i]);
                support_encode(text + before, edges[i], size);
                for (size_t kept = 1; kept < size; kept++)
                    expect(&v, "cut sequence behind", before, text, before + kept, before, QUERN_STOP_TRUNCATED);
                expect(&v, "whole sequence behind", before, text, before + size, before + size, QUERN_STOP_END);
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
            for (size_t i = 0; i < SUPPORT_COUNT(ill_formed); i++) {
                if (support_thinned())
                    continue;
                size_t size = ill_formed[i].length;
                size_t behind = i % 4 == 0 ? 0 : support_random_below(&random, 140);
                support_text(&random, (support_script)script, text, before);
                memcpy(text + before, ill_formed[i].data, size);
                support_text(&random, (support_script)script, text + before + size, behind);
                expect(&v, "ill-formed sequence", i, text, before + size + behind, before, QUERN_STOP_ILL_FORMED);
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
                const bytes *one = &ill_formed[support_random_below(&random, SUPPORT_COUNT(ill_formed))];
                const bytes *two = &ill_formed[support_random_below(&random, SUPPORT_COUNT(ill_formed))];
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
                expect(&v, "two faults, the first at", first, text, len, first, QUERN_STOP_ILL_FORMED);
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
    support_random random = support_random_named("utf8 guard_pages");
    support_guarded from = support_guarded_new(1024);
    static unsigned char text[1028];
    for (size_t script = 0; script < SUPPORT_SCRIPTS; script++) {
        support_text(&random, (support_script)script, text, sizeof text);
        for (size_t len = 0; len <= 1024; len++) {
            unsigned char *flush[] = {from.start, support_guarded_tail(&from, len)};
            for (size_t i = 0; i < SUPPORT_COUNT(flush); i++) {
                memcpy(flush[i], text, len);
                support_note(i == 0 ? "utf8_prefix, start flush" : "utf8_prefix, end flush", len, script);
                expect_reference(&v, i == 0 ? "start flush, script" : "end flush, script", script, flush[i], len);
                if (len == 0)
                    continue;
                size_t at = support_random_below(&random, len);
                flush[i][at] = 0xFF;
                support_note(i == 0 ? "utf8_prefix, fault, start flush" : "utf8_prefix, fault, end flush", len, at);
                expect_reference(&v, i == 0 ? "start flush, fault at" : "end flush, fault at", at, flush[i], len);
            }
        }
    }
    support_guarded_free(&from);
}
END_TEST

/* Blocks of exactly the length, for the memory checkers. */
START_TEST(exact_blocks)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    support_random random = support_random_named("utf8 exact_blocks");
    for (size_t script = 0; script < SUPPORT_SCRIPTS; script++) {
        for (size_t len = 0; len <= 320; len++) {
            unsigned char *src = support_allocate(len);
            if (len > 0)
                support_text(&random, (support_script)script, src, len);
            expect(&v, "block, script", script, src, len, len, QUERN_STOP_END);
            for (size_t cut = 1; cut <= 3 && cut <= len; cut++) {
                src[len - cut] = 0xF0;
                expect_reference(&v, "block, lead at the end less", cut, src, len);
            }
            free(src);
        }
    }
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
        for (size_t i = 0; i < damages && len > 1; i++) {
            size_t at = support_random_below(&random, len);
            switch (support_random_below(&random, 4)) {
            case 0: text[at] = (unsigned char)support_random_next(&random); break;
            case 1: text[at] = (unsigned char)(text[at] ^ 1u << support_random_below(&random, 8)); break;
            case 2:
                memmove(text + at, text + at + 1, len - at - 1);
                len--;
                break;
            default:
                memmove(text + at + 1, text + at, len - at - 1);
                text[at] = (unsigned char)(0x80 + support_random_below(&random, 0x80));
                break;
            }
        }
        expect_reference(&v, "round", round, text, len);
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
                const bytes *piece = &ill_formed[support_random_below(&random, SUPPORT_COUNT(ill_formed))];
                size_t size = 1 + support_random_below(&random, piece->length);
                size = size < wanted - len ? size : wanted - len;
                memcpy(text + len, piece->data, size);
                len += size;
            }
            if (support_random_below(&random, 2) == 0)
                break;
        }
        expect_reference(&v, "round", round, text, wanted);
    }
}
END_TEST

static void long_text(const support_variant *v, const unsigned char *src, size_t len, size_t script)
{
    if (!support_thinned())
        expect_reference(v, support_script_name((support_script)script), script, src, len);
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
        expect(&v, "long, script", script, text, most, most, QUERN_STOP_END);
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
            expect(&v, "fault at", at, text, len, start, QUERN_STOP_ILL_FORMED);
            text[at] = kept;
        }
    }
    free(text);
}
END_TEST

/* ---- texts in pieces ----------------------------------------------------------------------------- */

/* Feeds a text that is cut at `cuts`; the bytes that an end leaves over go before the next piece. */
static quern_span feed(const support_variant *v, const unsigned char *src, size_t len, const size_t *cuts,
                       size_t pieces)
{
    static unsigned char piece[8192];
    size_t held = 0;
    size_t before = 0; /* offset of piece[0] in the text */
    size_t from = 0;
    for (size_t i = 0; i <= pieces; i++) {
        size_t to = i < pieces ? cuts[i] : len;
        if (to > from) /* src may be NULL */
            memcpy(piece + held, src + from, to - from);
        size_t here = held + (to - from);
        from = to;
        quern_span span = v->row.utf8_prefix((const char *)piece, here);
        ++*v->checks;
        held = here - span.length;
        before += span.length;
        if (span.why == QUERN_STOP_ILL_FORMED)
            return (quern_span){before, QUERN_STOP_ILL_FORMED};
        bool right =
            span.why == QUERN_STOP_END ? held == 0 : span.why == QUERN_STOP_TRUNCATED && held >= 1 && held <= 3;
        if (!right)
            ck_abort_msg("%s utf8_prefix, piece %zu: length %zu: %zu bytes are left, %s", v->name, i, here, held,
                         why_name(span.why));
        memmove(piece, piece + span.length, held);
    }
    return (quern_span){before, held == 0 ? QUERN_STOP_END : QUERN_STOP_TRUNCATED};
}

static void expect_fed(const support_variant *v, const char *what, const unsigned char *src, size_t len,
                       const size_t *cuts, size_t pieces, quern_span expected)
{
    quern_span got = feed(v, src, len, cuts, pieces);
    if (got.length != expected.length || got.why != expected.why)
        ck_abort_msg("%s utf8_prefix, %s, length %zu cut at %zu, %zu: got %zu %s, expected %zu %s", v->name, what, len,
                     cuts[0], pieces > 1 ? cuts[1] : len, got.length, why_name(got.why), expected.length,
                     why_name(expected.why));
}

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
        expect_fed(&v, "pieces", text, len, cuts, pieces, reference_utf8_prefix((const char *)text, len));
    }
}
END_TEST

/* ---- public suites ------------------------------------------------------------------------------- */

/* A case alone, and moved to offsets 0 to 64 of a longer text with and without something behind it. */
static void suite_case(const support_variant *v, const char *what, size_t number, const unsigned char *src, size_t len,
                       size_t length, bool valid)
{
    static const bytes fillers[] = {{SUPPORT_BYTES("A")}, {SUPPORT_BYTES("\xE2\x82\xAC")}};
    quern_span alone = v->row.utf8_prefix((const char *)src, len);
    ++*v->checks;
    if (alone.length != length || (alone.why == QUERN_STOP_END) != valid)
        ck_abort_msg("%s utf8_prefix, %s %zu: got %zu %s, expected %zu, %s", v->name, what, number, alone.length,
                     why_name(alone.why), length, valid ? "valid" : "invalid");
    expect_reference(v, what, number, src, len);

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
            expect(v, what, number, text, total, at + length, alone.why);
            while (total < 200) {
                memcpy(text + total, fillers[f].data, fillers[f].length);
                total += fillers[f].length;
            }
            expect(v, what, number, text, total, valid ? total : at + length,
                   valid ? QUERN_STOP_END : QUERN_STOP_ILL_FORMED);
        }
    }
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
            next_field(&in_line, line_end, ':'); /* the bytes when bad ones are skipped */
            field replacement = next_field(&in_line, line_end, ':');
            unsigned char replaced[256];
            size_t len = support_hex(src, sizeof src, text.text, text.length);
            size_t replaced_len = support_hex(replaced, sizeof replaced, replacement.text, replacement.length);
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
        expect(&v, languages[i], 0, text, size, size, QUERN_STOP_END);
        for (size_t cut = 1; cut <= 70; cut++)
            expect_reference(&v, languages[i], cut, text, size - cut);
        for (size_t from = 1; from <= 70; from++)
            expect_reference(&v, languages[i], from, text + from, size - from);
        text[size / 2] = 0xFF;
        expect_reference(&v, languages[i], size / 2, text, size);
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
    expect(&v, "B001", 0, SUPPORT_BYTES("\xF0\x8F\xBF\xBF"), 0, QUERN_STOP_ILL_FORMED);
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
        expect(&v, "B002", 0, text, len, len - 1, QUERN_STOP_ILL_FORMED);
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
    static const bytes faults[] = {{SUPPORT_BYTES("\xED\xA0\x80")}, {SUPPORT_BYTES("\xC0\x80")}};
    size_t wrong = SIZE_MAX;
    for (size_t i = 0; i < SUPPORT_COUNT(faults); i++) {
        for (size_t at = 0; at <= 64; at++) {
            unsigned char text[128];
            memset(text, 0x41, sizeof text);
            memcpy(text + at, faults[i].data, faults[i].length);
            expect(&v, "B003", at, text, sizeof text, at, QUERN_STOP_ILL_FORMED);
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
    expect(&v, "B004, first window", 0, text, 3, 1, QUERN_STOP_TRUNCATED);
    expect_fed(&v, "B004", text, 5, &cut, 1, (quern_span){5, QUERN_STOP_END});
    expect_fed(&v, "B004, ended", text, 3, &cut, 1, (quern_span){1, QUERN_STOP_TRUNCATED});
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
    expect(&v, "B005", 0, text, sizeof text, 62, QUERN_STOP_ILL_FORMED);
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
    expect(&v, "B006", 0, text, sizeof text, 64, QUERN_STOP_ILL_FORMED);
    expect(&v, "B006, without it", 0, text, 64, 64, QUERN_STOP_END);
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
        expect(&v, "B007", at[i], from.start, 73, at[i], QUERN_STOP_ILL_FORMED);
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
        expect(&v, "B008", i, flush[i], len, 63, QUERN_STOP_ILL_FORMED);
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
    expect(&v, "B010", 0, src, 4, 3, QUERN_STOP_TRUNCATED);
    support_guarded_free(&from);
}
END_TEST

/* tgockel/json-voorhees issue #207: the shape is checked, the code point is not. */
START_TEST(B011_shape_without_value)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const bytes faults[] = {
        {SUPPORT_BYTES("\xF8\x80\x80\x80\x80")},
        {SUPPORT_BYTES("\xC0\x80")},
        {SUPPORT_BYTES("\xED\xA0\x80")},
        {SUPPORT_BYTES("\xF5\x80\x80\x80")},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(faults); i++)
        expect(&v, "B011", i, faults[i].data, faults[i].length, 0, QUERN_STOP_ILL_FORMED);
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
    expect_fed(&v, "B012", text, sizeof text, &cut, 1, (quern_span){4097, QUERN_STOP_END});
}
END_TEST

/* dscape/clarinet PR #29: pieces that start or end within a character. */
START_TEST(B013_every_split)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const bytes texts[] = {
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
            expect_fed(&v, "B013, in two", texts[i].data, texts[i].length, cuts, 1, expected[i]);
            for (cuts[1] = cuts[0]; cuts[1] <= texts[i].length; cuts[1]++)
                expect_fed(&v, "B013, in three", texts[i].data, texts[i].length, cuts, 2, expected[i]);
        }
    }
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
    SUPPORT_ADD(big, random_pieces);
    suite_add_tcase(suite, big);

    TCase *suites = tcase_create("suites");
    tcase_set_timeout(suites, 120);
    SUPPORT_ADD(suites, suite_flenniken);
    SUPPORT_ADD(suites, suite_wpt_fatal);
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
