/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Finite sets through escape_write, escape_size and text_copy, in each variant and through the public functions. The
 * strict and the slack form take turns, from one case to the next, where a set says no more.
 */
#include "reference/reference.h"
#include "reference/style.h"
#include "support/escaping.h"
#include "support/sets.h"

#include <stdio.h>
#include <string.h>

/* ---- what the oracle says ------------------------------------------------------------------------ */

/* What NULL's style writes for a byte. */
static struct {
    char text[8];
    size_t length;
} written[256];

/* text_copy of what begins with two bytes, or a tuple, and goes on with letters. */
static uint8_t pairs[65536], tuples[SETS_TUPLES], tuples_last[SETS_TUPLES];

static void ask_the_oracle(void)
{
    for (size_t value = 0; value < 256; value++) {
        const char byte = (char)value;
        written[value].length = reference_escape(NULL, written[value].text, 8, &byte, 1, 0).written;
    }
    for (size_t n = 0; n < 65536; n++) {
        const char text[4] = {(char)(n >> 8), (char)(n & 0xFF), 'A', 'A'};
        pairs[n] = sets_pack(reference_text_prefix(NULL, text, 4));
    }
    for (size_t n = 0; n < SETS_TUPLES; n++) {
        unsigned char text[8];
        memset(text, 'A', sizeof text);
        sets_tuple(n, text);
        tuples[n] = sets_pack(reference_text_prefix(NULL, (const char *)text, 8));
        tuples_last[n] = sets_pack(reference_text_prefix(NULL, (const char *)text, 4));
    }
}

/* ---- targets --------------------------------------------------------------------------------------- */

enum { MOST = 256 };

/* Bytes around a target that is used again and again; what may be written is dirtied before each call. */
enum { AROUND = 64, DIRT = 0x01, CANARY = 0xA5 };
static unsigned char around[AROUND + MOST + 16 + QUERN_SLACK + AROUND];
static unsigned char canary[AROUND];
static unsigned char *const target = around + AROUND;
static unsigned char room[64 + 64 + MOST + 64];

static unsigned char *open_target(size_t len, size_t slack)
{
    memset(target, DIRT, len);
    memset(target + len + slack, CANARY, AROUND);
    return target;
}

static bool is_target_fine(size_t len, size_t slack)
{
    return memcmp(around, canary, AROUND) == 0 && memcmp(target + len + slack, canary, AROUND) == 0;
}

/* A place for a text, amid quotation marks. */
static unsigned char *place(size_t align)
{
    memset(room, '"', sizeof room);
    memset(around, CANARY, sizeof around);
    memset(canary, CANARY, sizeof canary);
    return room + (64 - (uintptr_t)room % 64) % 64 + align;
}

/* ---- escape_write ---------------------------------------------------------------------------------- */

/* A text of `len` bytes, all of them `filler` (which is passed) but those of `expected`'s, from `at` on. */
typedef struct amid {
    unsigned char filler;
    unsigned char *src;
    size_t len;
    size_t at;
    size_t count;
} amid;

static void expect_amid(const support_variant *v, bool slack, const amid *a)
{
    static unsigned char fill[MOST];
    if (fill[0] != a->filler)
        memset(fill, a->filler, sizeof fill);
    char middle[16 * 6];
    size_t length = 0;
    for (size_t i = 0; i < a->count; i++) {
        const unsigned char byte = a->src[a->at + i];
        memcpy(middle + length, written[byte].text, written[byte].length);
        length += written[byte].length;
    }
    const size_t size = a->len - a->count + length;
    const size_t more = slack ? QUERN_SLACK : 0;
    size_t used = 0;
    unsigned char *dst = open_target(size, more);
    const quern_span got = (slack ? v->row.escape_write_slack : v->row.escape_write)(
        NULL, (char *)dst, size, (const char *)a->src, a->len, &used, 0);
    if (got.length != size || got.why != QUERN_STOP_END || used != a->len || memcmp(dst, fill, a->at) != 0 ||
        memcmp(dst + a->at, middle, length) != 0 ||
        memcmp(dst + a->at + length, fill, a->len - a->at - a->count) != 0 || !is_target_fine(size, more))
        ck_abort_msg("%s escape_write%s: bytes %d, %d at %zu of %zu, filler %d: got %zu of %zu, expected %zu, or wrong "
                     "bytes",
                     v->name, slack ? "_slack" : "", a->src[a->at], a->src[a->at + a->count - 1], a->at, a->len,
                     a->filler, got.length, used, size);
}

START_TEST(bytes_written)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const unsigned char fillers[3] = {' ', ']', 0xE9};
    sets_tally t = {0, 0, 0};
    for (size_t f = 0; f < SUPPORT_COUNT(fillers); f++) {
        for (size_t len = 1; len <= MOST; len++) {
            amid a = {fillers[f], place(len % 64), len, 0, 1};
            memset(a.src, a.filler, len);
            for (a.at = 0; a.at < len; a.at++) {
                if (sets_leave_out(&t, 256))
                    continue;
                for (size_t value = 0; value < 256; value++) {
                    a.src[a.at] = (unsigned char)value;
                    const bool slack = (value ^ a.at ^ len) % 2 != 0 && v.row.escape_write_slack != NULL;
                    expect_amid(&v, slack, &a);
                    t.of_kind += written[value].length != 1;
                }
                a.src[a.at] = a.filler;
                t.cases += 256;
            }
        }
    }
    *v.checks += t.cases;
    sets_conclude(v.name, "bytes at each place, escape_write", &t, 25264128, "escaped", 3 * 34 * (uint64_t)32896);
}
END_TEST

/* Each pair at each place, amid one of three fillers. */
START_TEST(pairs_written)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const unsigned char fillers[3] = {'A', '!', 0xE9};
    enum { PLACES = 128, LEN = PLACES + 2 };
    sets_tally t = {0, 0, 0};
    amid a = {0, place(0), LEN, 0, 2};
    for (a.at = 0; a.at < PLACES; a.at++) {
        for (size_t first = 0; first < 256; first++) {
            if (sets_leave_out(&t, 256))
                continue;
            a.filler = fillers[(a.at + first) % 3];
            memset(a.src, a.filler, LEN);
            a.src[a.at] = (unsigned char)first;
            for (size_t second = 0; second < 256; second++) {
                a.src[a.at + 1] = (unsigned char)second;
                const bool slack = (second ^ first) % 2 != 0 && v.row.escape_write_slack != NULL;
                expect_amid(&v, slack, &a);
                const size_t size = PLACES + written[first].length + written[second].length;
                const size_t got = v.row.escape_size(NULL, (const char *)a.src, LEN, 0);
                if (got != size)
                    ck_abort_msg("%s escape_size: bytes %zu, %zu at %zu: got %zu, expected %zu", v.name, first, second,
                                 a.at, got, size);
                t.of_kind += size != LEN;
            }
            t.cases += 256;
        }
    }
    *v.checks += 2 * t.cases;
    sets_conclude(v.name, "pairs of bytes at 128 places, escape_write and escape_size", &t, 8388608,
                  "with one to be escaped", 128 * (uint64_t)(65536 - 222 * 222));
}
END_TEST

/* Each choice of the bytes to escape among 16, as pairs, as \u00xx, and as both, over several blocks' borders. */
START_TEST(masks_written)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const unsigned char kinds[3][2] = {{'"', '\n'}, {0x01, 0x1F}, {'\\', 0x0B}};
    static const size_t offsets[6] = {0, 8, 24, 48, 56, 65};
    enum { LEN = 100 };
    sets_tally t = {0, 0, 0};
    amid a = {'A', place(0), LEN, 0, 16};
    for (size_t mask = 0; mask < 65536; mask++) {
        if (sets_leave_out(&t, 18))
            continue;
        for (size_t n = 0; n < 18; n++) {
            a.at = offsets[n / 3];
            memset(a.src, a.filler, LEN);
            for (size_t i = 0; i < 16; i++) {
                if (mask >> i & 1)
                    a.src[a.at + i] = kinds[n % 3][i * 7 / 3 % 2];
            }
            expect_amid(&v, (mask ^ n) % 2 != 0 && v.row.escape_write_slack != NULL, &a);
        }
        t.cases += 18;
        t.of_kind += mask == 0 ? 0 : 18;
    }
    *v.checks += t.cases;
    sets_conclude(v.name, "choices among 16 bytes at 6 places, 3 kinds", &t, 18 * 65536, "with one to be escaped",
                  18 * 65535);
}
END_TEST

/* ---- text_copy ------------------------------------------------------------------------------------- */

static void expect_copied(const support_variant *v, bool slack, const char *what, size_t number,
                          const unsigned char *src, size_t len, size_t at, quern_span expected)
{
    const size_t more = slack ? QUERN_SLACK : 0;
    unsigned char *dst = open_target(len, more);
    const quern_span got =
        (slack ? v->row.text_copy_slack : v->row.text_copy)(NULL, (char *)dst, (const char *)src, len);
    if (got.length != expected.length || got.why != expected.why || memcmp(dst, src, expected.length) != 0 ||
        !is_target_fine(len, more))
        ck_abort_msg("%s text_copy%s: %s %zu at %zu of %zu: got %zu %s, expected %zu %s, or wrong bytes", v->name,
                     slack ? "_slack" : "", what, number, at, len, got.length, escaping_stop_name(got.why),
                     expected.length, escaping_stop_name(expected.why));
}

/* What stands at `at` of a text without other faults, by the answer for it alone, with as much behind it. */
static quern_span within(uint8_t packed, size_t at, size_t len)
{
    const quern_span alone = sets_unpack(packed);
    return alone.why == QUERN_STOP_END ? (quern_span){len, QUERN_STOP_END} : (quern_span){at + alone.length, alone.why};
}

START_TEST(bytes_copied)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const unsigned char fillers[3] = {' ', ']', 0x7F};
    sets_tally t = {0, 0, 0};
    for (size_t f = 0; f < SUPPORT_COUNT(fillers); f++) {
        for (size_t len = 1; len <= MOST; len++) {
            unsigned char *src = place(len % 64);
            memset(src, fillers[f], len);
            for (size_t at = 0; at < len; at++) {
                if (sets_leave_out(&t, 256))
                    continue;
                for (size_t value = 0; value < 256; value++) {
                    src[at] = (unsigned char)value;
                    const bool slack = (value ^ at ^ len) % 2 != 0 && v.row.text_copy_slack != NULL;
                    quern_span expected = {len, QUERN_STOP_END};
                    if (value < 0x80 && written[value].length != 1)
                        expected = (quern_span){at, QUERN_STOP_ESCAPE};
                    else if (value >= 0x80)
                        expected =
                            (quern_span){at, at == len - 1 && value >= 0xC2 && value <= 0xF4 ? QUERN_STOP_TRUNCATED
                                                                                             : QUERN_STOP_ILL_FORMED};
                    expect_copied(&v, slack, "byte", value, src, len, at, expected);
                    t.of_kind += expected.why == QUERN_STOP_END;
                }
                src[at] = fillers[f];
                t.cases += 256;
            }
        }
    }
    *v.checks += t.cases;
    sets_conclude(v.name, "bytes at each place, text_copy", &t, 25264128, "passed", 3 * 94 * (uint64_t)32896);
}
END_TEST

START_TEST(pairs_copied)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    enum { PLACES = 128, LEN = PLACES + 4 };
    unsigned char *src = place(0);
    memset(src, 'A', LEN);
    sets_tally t = {0, 0, 0};
    for (size_t at = 0; at < PLACES; at++) {
        for (size_t first = 0; first < 256; first++) {
            if (sets_leave_out(&t, 256))
                continue;
            src[at] = (unsigned char)first;
            for (size_t second = 0; second < 256; second++) {
                src[at + 1] = (unsigned char)second;
                const bool slack = (second ^ first) % 2 != 0 && v.row.text_copy_slack != NULL;
                const quern_span expected = within(pairs[first << 8 | second], at, LEN);
                expect_copied(&v, slack, "pair", first << 8 | second, src, LEN, at, expected);
                t.of_kind += expected.why == QUERN_STOP_END;
            }
            t.cases += 256;
        }
        src[at] = src[at + 1] = 'A';
    }
    *v.checks += t.cases;
    sets_conclude(v.name, "pairs of bytes at 128 places, text_copy", &t, 8388608, "passed",
                  128 * (uint64_t)(94 * 94 + 30 * 64));
}
END_TEST

/* One tuple in 16, within a text and at its end. */
START_TEST(tuples_of_edge_bytes)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    enum { STEP = 16, PLACES = 192, LEN = PLACES + 8 };
    unsigned char *src = place(0);
    memset(src, 'A', LEN);
    sets_tally t = {0, 0, 0};
    for (size_t n = support_whole() ? 0 : 7; n < SETS_TUPLES; n += support_whole() ? 1 : STEP) {
        if (sets_leave_out(&t, PLACES))
            continue;
        for (size_t at = 0; at < PLACES; at++) {
            sets_tuple(n, src + at);
            const bool slack = at % 2 != 0 && v.row.text_copy_slack != NULL;
            expect_copied(&v, slack, "tuple", n, src, LEN, at, within(tuples[n], at, LEN));
            expect_copied(&v, !slack && v.row.text_copy_slack != NULL, "tuple at the end", n, src, at + 4, at,
                          within(tuples_last[n], at, at + 4));
            memset(src + at, 'A', 4);
        }
        t.cases += PLACES;
        t.of_kind += sets_unpack(tuples[n]).why == QUERN_STOP_END ? PLACES : 0;
    }
    *v.checks += 2 * t.cases;
    sets_conclude(v.name,
                  support_whole() ? "4-tuples of edge bytes, text_copy" : "one in 16 4-tuples of edge bytes, text_copy",
                  &t, support_whole() ? 87739392 : 28561 * PLACES, "passed", PLACES * (support_whole() ? 1672 : 106));
}
END_TEST

/* ---- code points ----------------------------------------------------------------------------------- */

/* Each alone and within a text, raw, raw with the UTF-8 looked at, and as ASCII; surrogates stop the latter two. */
START_TEST(code_points)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const quern_style_options options[] = {
        {.size = sizeof options[0]},
        {.size = sizeof options[0], .flags = QUERN_STYLE_UTF8},
        {.size = sizeof options[0], .flags = QUERN_STYLE_ASCII},
    };
    quern_style styles[3];
    for (size_t i = 0; i < 3; i++)
        ck_assert_int_eq(quern_style_init(&styles[i], &options[i]), QUERN_OK);
    enum { LEN = 80 };
    unsigned char *src = place(0);
    memset(src, '/', LEN + 4);
    sets_tally t = {0, 0, 0};
    uint64_t refused = 0;
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        if (sets_leave_out(&t, 1))
            continue;
        const size_t size = support_encoded_size(c);
        const size_t at = (c + c / 64) % (LEN - 4);
        const size_t len = c % 3 == 0 ? at + size : LEN; /* also as the last one */
        const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
        support_encode(src + at, c, size);
        for (size_t i = 0; i < 3; i++) {
            /* the point, by the oracle, amid what is passed */
            char point[16];
            const reference_escaped r =
                reference_escape(&options[i], point, sizeof point, (const char *)src + at, size, 0);
            const bool stops = surrogate && i > 0;
            const size_t behind = stops ? 0 : len - at - size;
            const size_t length = at + r.written + behind, used_up = stops ? at : len;
            const quern_stop why = stops ? QUERN_STOP_ILL_FORMED : QUERN_STOP_END;
            const bool slack = (c ^ i) % 2 != 0 && v.row.escape_write_slack != NULL;
            const size_t more = slack ? QUERN_SLACK : 0;
            size_t used = 0;
            unsigned char *dst = open_target(length, more);
            const quern_span got = (slack ? v.row.escape_write_slack : v.row.escape_write)(
                &styles[i], (char *)dst, length, (const char *)src, len, &used, 0);
            if ((r.why != QUERN_STOP_END) != stops || got.length != length || got.why != why || used != used_up ||
                memcmp(dst, src, at) != 0 || memcmp(dst + at, point, r.written) != 0 ||
                memcmp(dst + at + r.written, src + at + size, behind) != 0 || !is_target_fine(length, more) ||
                v.row.escape_size(&styles[i], (const char *)src, len, 0) != length)
                ck_abort_msg("%s escape_write%s, style %zu: U+%04" PRIX32 " at %zu of %zu: got %zu of %zu %s, expected "
                             "%zu, or wrong bytes, or escape_size",
                             v.name, slack ? "_slack" : "", i, c, at, len, got.length, used,
                             escaping_stop_name(got.why), length);
        }
        *v.checks += 6;
        memset(src + at, '/', size);
        t.cases++;
        t.of_kind += !surrogate;
        refused += surrogate;
    }
    sets_conclude(v.name, "code points, raw, raw and looked at, as ASCII", &t, 0x110000, "valid", 1112064);
    if (t.left_out == 0)
        ck_assert_uint_eq(refused, 2048);
}
END_TEST

int main(void)
{
    ask_the_oracle();
    Suite *suite = suite_create("exhaustive_escape");
    TCase *sets = tcase_create("sets");
    tcase_set_timeout(sets, 3600);
    SUPPORT_ADD(sets, bytes_written);
    SUPPORT_ADD(sets, pairs_written);
    SUPPORT_ADD(sets, masks_written);
    SUPPORT_ADD(sets, bytes_copied);
    SUPPORT_ADD(sets, pairs_copied);
    SUPPORT_ADD(sets, tuples_of_edge_bytes);
    SUPPORT_ADD(sets, code_points);
    suite_add_tcase(suite, sets);
    return support_main(suite);
}
