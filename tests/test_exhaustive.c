/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Sets that are finite, gone through whole, in each variant and through the public functions.
 *
 * What is expected of a string is asked of the oracle once, before the tests run, not once for each place and variant:
 * the time goes to the kernels. Those of escape_write and text_copy: test_exhaustive_escape.c.
 */
#include "reference/reference.h"
#include "support/sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the oracle says ------------------------------------------------------------------------ */

/* Of a string as a whole text; by its number: the first byte is the lowest. */
static uint8_t *strings[4];
static const size_t string_count[4] = {0, 1 << 8, 1 << 16, 1 << 24};

static uint8_t tuples[SETS_TUPLES];

static bool special[256];

static void string_of(size_t number, size_t len, unsigned char *bytes)
{
    for (size_t i = 0; i < len; i++)
        bytes[i] = (unsigned char)(number >> (8 * i) & 0xFF);
}

/* In the first process: the tests, which may be forked, share it. */
static void ask_the_oracle(void)
{
    unsigned char bytes[4];
    for (size_t len = 1; len <= 3; len++) {
        strings[len] = support_allocate(string_count[len]);
        for (size_t n = 0; n < string_count[len]; n++) {
            string_of(n, len, bytes);
            strings[len][n] = sets_pack(reference_utf8_prefix((const char *)bytes, len));
        }
    }
    for (size_t n = 0; n < SETS_TUPLES; n++) {
        sets_tuple(n, bytes);
        tuples[n] = sets_pack(reference_utf8_prefix((const char *)bytes, 4));
    }
    for (size_t value = 0; value < 256; value++) {
        const char c = (char)value;
        special[value] = reference_escape_find(&c, 1) == 0;
    }
}

/* ---- UTF-8 --------------------------------------------------------------------------------------- */

static void expect_span(const support_variant *v, const char *what, size_t where, const unsigned char *src, size_t len,
                        size_t length, quern_stop why)
{
    quern_span got = v->row.utf8_prefix((const char *)src, len);
    ++*v->checks;
    if (got.length != length || got.why != why)
        ck_abort_msg("%s utf8_prefix, %s %zu: length %zu: got %zu (%d), expected %zu (%d)", v->name, what, where, len,
                     got.length, (int)got.why, length, (int)why);
}

/* Within ASCII, where a sequence that is cut is ill-formed. */
static void expect_in_text(const support_variant *v, const char *what, size_t where, const unsigned char *text,
                           size_t len, size_t at, quern_span alone)
{
    bool valid = alone.why == QUERN_STOP_END;
    expect_span(v, what, where, text, len, valid ? len : at + alone.length,
                valid ? QUERN_STOP_END : QUERN_STOP_ILL_FORMED);
}

enum { TEXT = 96 };

static const size_t places[4] = {0, 13, 29, 61};

START_TEST(strings_of_one_to_three)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const uint64_t well_formed[4] = {0, 128, 18304, 2650112};
    static const char *const names[4] = {"", "strings of 1 byte in text", "strings of 2 bytes in text",
                                         "strings of 3 bytes in text"};
    unsigned char text[TEXT];
    memset(text, 'A', sizeof text);
    for (size_t len = 1; len <= 3; len++) {
        sets_tally in_text = {0, 0, 0};
        for (size_t n = 0; n < string_count[len]; n++) {
            if (sets_leave_out(&in_text, SUPPORT_COUNT(places)))
                continue;
            const quern_span alone = sets_unpack(strings[len][n]);
            for (size_t i = 0; i < SUPPORT_COUNT(places); i++) {
                string_of(n, len, text + places[i]);
                expect_in_text(&v, "string", n, text, TEXT, places[i], alone);
                memset(text + places[i], 'A', len);
            }
            in_text.cases += SUPPORT_COUNT(places);
            in_text.of_kind += alone.why == QUERN_STOP_END ? SUPPORT_COUNT(places) : 0;

            unsigned char bytes[4];
            string_of(n, len, bytes);
            expect_span(&v, "string alone", n, bytes, len, alone.length, alone.why);
        }
        sets_conclude(v.name, names[len], &in_text, 4 * (uint64_t)string_count[len], "well-formed",
                      4 * well_formed[len]);
    }
}
END_TEST

/* Within a text, and at its end, where a sequence that is cut is truncated. */
START_TEST(tuples_of_edge_bytes)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    enum { PLACES = 192, LEN = PLACES + 8 };
    unsigned char text[LEN];
    memset(text, 'A', sizeof text);
    sets_tally t = {0, 0, 0};
    for (size_t n = 0; n < SETS_TUPLES; n++) {
        if (sets_leave_out(&t, PLACES))
            continue;
        unsigned char tuple[4];
        sets_tuple(n, tuple);
        const quern_span alone = sets_unpack(tuples[n]);
        for (size_t at = 0; at < PLACES; at++) {
            memcpy(text + at, tuple, 4);
            expect_in_text(&v, "tuple", n, text, LEN, at, alone);
            expect_span(&v, "tuple at the end", n, text, at + 4, at + alone.length, alone.why);
            memset(text + at, 'A', 4);
        }
        t.cases += PLACES;
        t.of_kind += alone.why == QUERN_STOP_END ? PLACES : 0;
    }
    sets_conclude(v.name, "4-tuples of 26 edge bytes at 192 offsets", &t, 87739392, "well-formed", 192 * 2277);
}
END_TEST

/* All that three and four bytes can hold, at a place that moves. */
START_TEST(code_points)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    unsigned char text[TEXT];
    memset(text, 'A', sizeof text);
    sets_tally t = {0, 0, 0};
    uint64_t surrogates = 0;
    for (uint32_t code_point = 0; code_point < 0x200000; code_point++) {
        if (sets_leave_out(&t, 1))
            continue;
        const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
        const bool right = !surrogate && code_point <= 0x10FFFF;
        const size_t size = support_encoded_size(code_point);
        const size_t at = (code_point * 11 + code_point / 64) % (TEXT - 3);
        support_encode(text + at, code_point, size);
        expect_span(&v, "code point", code_point, text, TEXT, right ? TEXT : at,
                    right ? QUERN_STOP_END : QUERN_STOP_ILL_FORMED);
        expect_span(&v, "code point, last", code_point, text, at + size, right ? at + size : at,
                    right ? QUERN_STOP_END : QUERN_STOP_ILL_FORMED);
        memset(text + at, 'A', size);
        t.cases++;
        t.of_kind += right;
        surrogates += surrogate;
    }
    sets_conclude(v.name, "code points, and numbers above them", &t, 0x200000, "valid", 1112064);
    if (t.left_out == 0)
        ck_assert_uint_eq(surrogates, 2048);
}
END_TEST

/*
 * A code point alone, within a text of at most a block, and within a longer one, as elements of an array; surrogates
 * are refused where they begin.
 */
START_TEST(code_points_written)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    quern_variant before;
    ck_assert(quern_variant_get(quern_variant_active(), &before));
    if (!v.is_public && !support_variant_use(&v))
        return;

    enum { SHORT = 40, LONG = 100 };
    unsigned char text[LONG + 4];
    memset(text, '/', sizeof text);
    sets_tally t = {0, 0, 0};
    uint64_t refused = 0;
    for (uint32_t code_point = 0; code_point <= 0x10FFFF; code_point++) {
        if (sets_leave_out(&t, 1))
            continue;
        const size_t size = support_encoded_size(code_point);
        const size_t at = (code_point + code_point / 64) % SHORT;
        support_encode(text + at, code_point, size);
        const struct {
            const char *data;
            size_t length;
            size_t fault;
        } forms[] = {
            {(const char *)text + at, size, 0}, {(const char *)text, SHORT + size, at}, {(const char *)text, LONG, at}};
        bool valid = false;
        for (size_t i = 0; i < SUPPORT_COUNT(forms); i++) {
            char expected[6 * sizeof text + 16] = "[null,";
            char got[sizeof expected];
            quern_fixed_sink sink;
            quern_json_writer writer;
            quern_error error;
            quern_fixed_sink_init(&sink, got, sizeof got);
            quern_json_writer_init(&writer, &sink.sink, NULL);
            quern_json_begin_array(&writer);
            quern_json_write_null(&writer);
            quern_json_write_string(&writer, forms[i].data, forms[i].length);
            quern_json_end(&writer);
            const quern_status status = quern_json_writer_finish(&writer);
            quern_json_writer_error(&writer, &error);
            ++*v.checks;
            valid = status == QUERN_OK;
            if (code_point >= 0xD800 && code_point <= 0xDFFF) {
                if (status != QUERN_ERROR_UTF8 || error.offset != forms[i].fault)
                    ck_abort_msg("%s: U+%04" PRIX32 ", form %zu: not refused", v.name, code_point, i);
                continue;
            }
            size_t length = 6 + reference_json_string(expected + 6, forms[i].data, forms[i].length);
            expected[length++] = ']';
            if (!valid || quern_fixed_sink_needed(&sink) != length || memcmp(got, expected, length) != 0)
                ck_abort_msg("%s: U+%04" PRIX32 ", form %zu: status %d, %" PRIu64 " bytes", v.name, code_point, i,
                             (int)status, quern_fixed_sink_needed(&sink));
        }
        memset(text + at, '/', size);
        t.cases++;
        t.of_kind += valid;
        refused += !valid;
    }
    ck_assert_int_eq(quern_variant_force(before.name), QUERN_OK);
    sets_conclude(v.name, "code points through the JSON writer", &t, 0x110000, "written", 1112064);
    if (t.left_out == 0)
        ck_assert_uint_eq(refused, 2048);
}
END_TEST

/*
 * All rows in one go, so that the oracle is asked once. One string in 4099 unless whole sets are asked for. A string
 * goes on where one of three bytes ended, but for those that the third byte leaves open.
 */
START_TEST(strings_of_four)
{
    enum { MOST = 32 };
    support_variant rows[MOST];
    size_t row_count = 0;
    for (int i = 0; i < support_variants(); i++) {
        ck_assert_uint_lt(row_count, MOST);
        if (support_variant_open(&rows[row_count], i))
            row_count++;
    }
    const uint64_t step = support_whole() ? 1 : 4099;
    sets_tally t = {0, 0, 0};
    for (uint64_t n = 0; n < (uint64_t)1 << 32; n += step) {
        if (sets_leave_out(&t, 1))
            continue;
        unsigned char bytes[4];
        string_of((size_t)n, 4, bytes);
        quern_span alone = sets_unpack(strings[3][n & 0xFFFFFF]);
        if (alone.why == QUERN_STOP_END) {
            alone = sets_unpack(strings[1][bytes[3]]);
            alone.length += 3;
        } else if (alone.why == QUERN_STOP_TRUNCATED) {
            alone = reference_utf8_prefix((const char *)bytes, 4);
        }
        for (size_t i = 0; i < row_count; i++)
            expect_span(&rows[i], "string", (size_t)n, bytes, 4, alone.length, alone.why);
        t.cases++;
        t.of_kind += alone.why == QUERN_STOP_END;
    }
    sets_conclude("all", support_whole() ? "strings of 4 bytes" : "one in 4099 strings of 4 bytes", &t,
                  support_whole() ? (uint64_t)1 << 32 : 1047809, "well-formed", support_whole() ? 383270912 : 93452);
}
END_TEST

/* ---- escape scan --------------------------------------------------------------------------------- */

enum { SCAN = 256 };

static unsigned char room[64 + 64 + SCAN + 64];

/* A place in the room, `align` bytes behind a multiple of 64, with quotation marks all around. */
static unsigned char *place(size_t align)
{
    memset(room, '"', sizeof room);
    size_t past = (size_t)((uintptr_t)room % 64);
    return room + (64 - past) % 64 + align;
}

/* Neighbours in value of what is escaped, and non-ASCII. */
static const unsigned char fillers[3] = {' ', ']', 0xE9};

static const uint64_t scan_cases = 25264128;
static const uint64_t scan_special = 3 * 34 * (uint64_t)32896;

START_TEST(bytes_found)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    sets_tally t = {0, 0, 0};
    for (size_t f = 0; f < SUPPORT_COUNT(fillers); f++) {
        for (size_t len = 1; len <= SCAN; len++) {
            unsigned char *src = place(len % 64);
            memset(src, fillers[f], len);
            for (size_t at = 0; at < len; at++) {
                if (sets_leave_out(&t, 256))
                    continue;
                for (size_t value = 0; value < 256; value++) {
                    src[at] = (unsigned char)value;
                    const size_t expected = special[value] ? at : len;
                    const size_t got = v.row.escape_find(NULL, (const char *)src, len);
                    if (got != expected)
                        ck_abort_msg("%s escape_find: byte %zu at %zu of %zu, filler %d: got %zu", v.name, value, at,
                                     len, fillers[f], got);
                    t.of_kind += special[value];
                }
                src[at] = fillers[f];
                t.cases += 256;
            }
        }
    }
    *v.checks += t.cases;
    sets_conclude(v.name, "bytes at each place, escape_find", &t, scan_cases, "to be escaped", scan_special);
}
END_TEST

/* The copying forms, with canaries around the target. */
static void copy_bytes(const support_variant *v, quern_escape_copy_function *copy, size_t slack, const char *name)
{
    if (copy == NULL)
        return;
    enum { AROUND = 64 };
    unsigned char canary[AROUND];
    unsigned char target[AROUND + SCAN + QUERN_SLACK + AROUND];
    memset(canary, 0xA5, sizeof canary);
    memset(target, 0xA5, sizeof target);
    unsigned char *dst = target + AROUND;
    sets_tally t = {0, 0, 0};
    for (size_t f = 0; f < SUPPORT_COUNT(fillers); f++) {
        for (size_t len = 1; len <= SCAN; len++) {
            unsigned char *src = place(len % 64);
            memset(src, fillers[f], len);
            memset(dst + len, 0xA5, QUERN_SLACK + AROUND);
            for (size_t at = 0; at < len; at++) {
                if (sets_leave_out(&t, 256))
                    continue;
                for (size_t value = 0; value < 256; value++) {
                    src[at] = (unsigned char)value;
                    const size_t expected = special[value] ? at : len;
                    memset(dst, 0x01, len);
                    const size_t got = copy(NULL, (char *)dst, (const char *)src, len);
                    if (got != expected || memcmp(dst, src, expected) != 0 || memcmp(target, canary, AROUND) != 0 ||
                        memcmp(dst + len + slack, canary, AROUND) != 0)
                        ck_abort_msg("%s %s: byte %zu at %zu of %zu, filler %d: got %zu, or wrong bytes", v->name, name,
                                     value, at, len, fillers[f], got);
                    t.of_kind += special[value];
                }
                src[at] = fillers[f];
                t.cases += 256;
            }
        }
    }
    *v->checks += t.cases;
    char set[64];
    snprintf(set, sizeof set, "bytes at each place, %s", name);
    sets_conclude(v->name, set, &t, scan_cases, "to be escaped", scan_special);
}

START_TEST(bytes_copied)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    copy_bytes(&v, v.row.escape_copy, 0, "escape_copy");
    copy_bytes(&v, v.row.escape_copy_slack, QUERN_SLACK, "escape_copy_slack");
}
END_TEST

START_TEST(pairs_found)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    enum { PLACES = 128, LEN = PLACES + 2 };
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
                const size_t expected = special[first] ? at : special[second] ? at + 1 : LEN;
                const size_t got = v.row.escape_find(NULL, (const char *)src, LEN);
                if (got != expected)
                    ck_abort_msg("%s escape_find: bytes %zu, %zu at %zu: got %zu", v.name, first, second, at, got);
                t.of_kind += expected != LEN;
            }
            t.cases += 256;
        }
        src[at] = 'A';
        src[at + 1] = 'A';
    }
    *v.checks += t.cases;
    sets_conclude(v.name, "pairs of bytes at 128 places", &t, 8388608, "with one to be escaped",
                  128 * (uint64_t)(65536 - 222 * 222));
}
END_TEST

/* ---- copy ---------------------------------------------------------------------------------------- */

/* Bytes from which a target that was never written (0x01) differs. */
static void fill(support_random *random, unsigned char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        bytes[i] = (unsigned char)support_random_next(random);
        if (bytes[i] == 0x01)
            bytes[i] = 0xFE;
    }
}

static void copy_lengths(const support_variant *v, quern_copy_function *copy, bool slack, const char *name)
{
    if (copy == NULL)
        return;
    enum { MOST = 1024 };
    static unsigned char source[64 + 64 + MOST];
    support_random random = support_random_named("exhaustive copies");
    fill(&random, source, sizeof source);
    unsigned char *base = source + (64 - (uintptr_t)source % 64) % 64;
    sets_tally t = {0, 0, 0};
    for (size_t len = 0; len <= MOST; len++) {
        for (size_t from = 0; from < 64; from++) {
            for (size_t to = 0; to < 64; to++) {
                if (sets_leave_out(&t, 1))
                    continue;
                unsigned char *dst = support_target(len, slack, to);
                copy(dst, base + from, len);
                const char *fault = support_target_fault();
                if (fault == NULL && memcmp(dst, base + from, len) != 0)
                    fault = "wrong bytes";
                if (fault != NULL)
                    ck_abort_msg("%s %s: length %zu, from %zu to %zu: %s", v->name, name, len, from, to, fault);
                t.cases++;
                t.of_kind += len >= 64;
            }
        }
    }
    *v->checks += t.cases;
    sets_conclude(v->name, name, &t, 4198400, "of 64 bytes or more", 961 * 4096);
}

START_TEST(lengths_copied)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    copy_lengths(&v, v.row.copy, false, "copy, lengths and alignments");
    copy_lengths(&v, v.row.copy_slack, true, "copy_slack, lengths and alignments");
}
END_TEST

int main(void)
{
    ask_the_oracle();
    Suite *suite = suite_create("exhaustive");
    TCase *sets = tcase_create("sets");
    tcase_set_timeout(sets, 3600);
    SUPPORT_ADD(sets, strings_of_one_to_three);
    SUPPORT_ADD(sets, tuples_of_edge_bytes);
    SUPPORT_ADD(sets, code_points);
    SUPPORT_ADD(sets, code_points_written);
    SUPPORT_ADD(sets, bytes_found);
    SUPPORT_ADD(sets, bytes_copied);
    SUPPORT_ADD(sets, pairs_found);
    SUPPORT_ADD(sets, lengths_copied);
    suite_add_tcase(suite, sets);

    TCase *four = tcase_create("four");
    tcase_set_timeout(four, 7200);
    tcase_add_test(four, strings_of_four);
    suite_add_tcase(suite, four);

    int result = support_main(suite);
    for (size_t len = 1; len <= 3; len++)
        free(strings[len]);
    return result;
}
