/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Numbers as text: public suites, and large sets against the oracle.
 */
#include "number/number.h"
#include "reference/reference.h"
#include "support/sha256.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Reads back as the same bits: not taking the oracle's word for it. Zeros lose their sign. */
static void check_double(double value)
{
    char got[QUERN_NUMBER_ROOM + 1], expected[33];
    const size_t length = quern_number_from_double(got, value);
    got[length] = '\0';
    const size_t expected_length = reference_number_from_double(expected, value);
    if (length != expected_length || memcmp(got, expected, length) != 0)
        ck_abort_msg("%a: got %s, expected %.*s", value, got, (int)expected_length, expected);
    if (strtod(got, NULL) != value)
        ck_abort_msg("%a: %s does not read back", value, got);
    support_count(2);
}

static void check_float(float value)
{
    char got[QUERN_NUMBER_ROOM + 1], expected[33];
    const size_t length = quern_number_from_float(got, value);
    got[length] = '\0';
    const size_t expected_length = reference_number_from_float(expected, value);
    if (length != expected_length || memcmp(got, expected, length) != 0)
        ck_abort_msg("%af: got %s, expected %.*s", (double)value, got, (int)expected_length, expected);
    if (strtof(got, NULL) != value)
        ck_abort_msg("%af: %s does not read back", (double)value, got);
    support_count(2);
}

/* If it is finite; and its negative. */
static void check_bits(uint64_t bits)
{
    const double value = double_of(bits);
    if (isfinite(value) && !support_thinned()) {
        check_double(value);
        check_double(-value);
    }
}

static void check_float_bits(uint32_t bits)
{
    const float value = float_of(bits);
    if (isfinite(value) && !support_thinned())
        check_float(value);
}

/* ---- large sets -------------------------------------------------------------------------------------------------- */

START_TEST(powers)
{
    for (int i = -1074; i < 1024; i++) {
        for (uint64_t ulps = 0; ulps <= 8; ulps++)
            check_bits(bits_of(ldexp(1, i)) + ulps - 4);
    }
    for (int i = -324; i <= 308; i++) {
        for (int digit = 1; digit <= 9; digit++) {
            char text[32];
            snprintf(text, sizeof text, "%de%d", digit, i);
            for (uint64_t ulps = 0; ulps <= 8; ulps++)
                check_bits(bits_of(strtod(text, NULL)) + ulps - 4);
        }
    }
    for (int i = -149; i < 128; i++) {
        for (uint32_t ulps = 0; ulps <= 8; ulps++) {
            const float value = ldexpf(1, i);
            uint32_t bits;
            memcpy(&bits, &value, sizeof bits);
            check_float_bits(bits + ulps - 4);
        }
    }
}
END_TEST

/* Subnormals; whole numbers and halves around 2^53; mantissas with a few bits set, in each exponent. */
START_TEST(boundaries)
{
    support_random random = support_random_named("boundaries");
    for (uint64_t i = 1; i < 3000; i++) {
        check_bits(i);
        check_bits((UINT64_C(1) << 52) - 1500 + i);
        check_bits(support_random_next(&random) >> (12 + i % 52));
        check_bits(bits_of(9007199254740992.0) - 1500 + i);
        check_bits(bits_of(4503599627370496.0) - 1500 + i);
        check_bits(bits_of(1e21) - 1500 + i);
        check_bits(bits_of(1e-6) - 1500 + i);
        check_bits(bits_of(1e-7) - 1500 + i);
    }
    for (uint64_t field = 0; field < 2047; field++) {
        for (unsigned bit = 0; bit < 52; bit += 3) {
            check_bits(field << 52 | UINT64_C(1) << bit);
            check_bits((field << 52 | ((UINT64_C(1) << 52) - 1)) ^ UINT64_C(1) << bit);
        }
    }
}
END_TEST

/* Numbers that people write: few digits, few places; the same off by one unit in the last place. */
START_TEST(short_decimals)
{
    support_random random = support_random_named("short decimals");
    for (size_t i = 0; i < 150000; i++) {
        static const double scales[] = {1, 10, 100, 1000, 10000, 1e5, 1e6, 1e7, 1e8, 1e10, 1e15, 1e22};
        static const uint64_t limits[] = {100, 10000, 1000000, 100000000, UINT64_C(1) << 53};
        const uint64_t whole = support_random_next(&random) % limits[i % SUPPORT_COUNT(limits)];
        const uint64_t bits = bits_of((double)whole / scales[support_random_below(&random, SUPPORT_COUNT(scales))]);
        check_bits(bits);
        if (i % 4 == 0)
            check_bits(bits + (i % 8 ? 1 : UINT64_MAX));
    }
}
END_TEST

START_TEST(random_bits)
{
    support_random random = support_random_named("random bits");
    for (size_t i = 0; i < 200000; i++)
        check_bits(support_random_next(&random));
    /* Around 1, where most numbers are. */
    for (size_t i = 0; i < 200000; i++)
        check_bits((support_random_next(&random) & ~(UINT64_C(0x7ff) << 52)) | (uint64_t)(1023 - 30 + i % 90) << 52);
}
END_TEST

/* All upper halves with some lower ones; by a stride through all. Whole: all of them, read back. */
START_TEST(floats)
{
    support_random random = support_random_named("floats");
    for (uint32_t upper = 0; upper < 65536; upper++) {
        check_float_bits(upper << 16);
        check_float_bits(upper << 16 | 0xffff);
        check_float_bits(upper << 16 | (uint32_t)support_random_below(&random, 65536));
    }
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 43013)
        check_float_bits((uint32_t)bits);
    if (!support_whole())
        return;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits++) {
        const float value = float_of((uint32_t)bits);
        if (!isfinite(value))
            continue;
        char text[QUERN_NUMBER_ROOM + 1];
        text[quern_number_from_float(text, value)] = '\0';
        if (strtof(text, NULL) != value)
            ck_abort_msg("%af: %s does not read back", (double)value, text);
        if (bits % 1009 == 0)
            check_float(value);
        support_count(1);
    }
}
END_TEST

/* ---- public suites ----------------------------------------------------------------------------------------------- */

/* Ends the next line with a NUL; NULL at the end. */
static char *next_line(char **cursor)
{
    char *line = *cursor;
    if (*line == '\0')
        return NULL;
    char *end = strchr(line, '\n');
    if (end) {
        *cursor = end + 1;
        *end = '\0';
        if (end > line && end[-1] == '\r')
            end[-1] = '\0';
    } else {
        *cursor = line + strlen(line);
    }
    return line;
}

/* A file as a string, to be freed; NULL if it is not there. */
static char *text_file(const char *name)
{
    size_t size;
    unsigned char *file = support_data(name, &size);
    if (file == NULL)
        return NULL;
    char *text = support_allocate(size + 1);
    memcpy(text, file, size);
    text[size] = '\0';
    free(file);
    return text;
}

/* Whether sets are thinned that cannot be by their single cases. */
static bool is_slow(void)
{
    const char *stride = getenv("QUERN_TEST_STRIDE");
    return stride != NULL && atoi(stride) > 1;
}

/* RFC 8785's numbers: a made sequence, given by the hash of its lines. */
typedef struct sequence {
    sha256 hash;
    uint64_t lines, bytes;
} sequence;

static void add_number(sequence *s, uint64_t bits)
{
    char line[24 + QUERN_NUMBER_ROOM];
    size_t length = (size_t)sprintf(line, "%" PRIx64 ",", bits);
    length += quern_number_from_double(line + length, double_of(bits));
    line[length++] = '\n';
    sha256_add(&s->hash, line, length);
    s->lines++;
    s->bytes += length;
}

START_TEST(jcs)
{
    char *statics = text_file("jcs/es6_static_u64.txt");
    char *hashes = text_file("jcs/es6_sha256.tsv");
    if (statics == NULL || hashes == NULL)
        return;
    sequence s = {.lines = 0};
    sha256_init(&s.hash);
    char *cursor = statics;
    for (char *line; (line = next_line(&cursor)) != NULL;) {
        if (*line)
            add_number(&s, strtoull(line, NULL, 16));
    }
    ck_assert_uint_eq(s.lines, 168);
    for (uint64_t i = 0; i < 2000; i++)
        add_number(&s, UINT64_C(0x0010000000000000) + i);

    cursor = hashes;
    next_line(&cursor); /* the heading */
    const uint64_t most = support_whole() ? UINT64_C(100000000) : is_slow() ? 100000 : 1000000;
    unsigned char block[32] = {0};
    size_t in_block = 4, checked = 0;
    for (char *line; (line = next_line(&cursor)) != NULL;) {
        unsigned long long lines, bytes;
        char hex[65];
        ck_assert_int_eq(sscanf(line, "%llu\t%llu\t%64s", &lines, &bytes, hex), 3);
        if (lines > most)
            break;
        sequence head = {.lines = 0};
        sequence *at = &s;
        if (lines < s.lines) {
            /* From the start again: the statics, and a part of those 2000. */
            char *again = statics;
            sha256_init(&head.hash);
            for (size_t i = 0; i < 168; i++, again += strlen(again) + 1)
                add_number(&head, strtoull(again, NULL, 16));
            for (uint64_t i = 0; head.lines < lines; i++)
                add_number(&head, UINT64_C(0x0010000000000000) + i);
            at = &head;
        }
        while (at->lines < lines) {
            if (in_block == 4) {
                sha256 chain;
                sha256_init(&chain);
                sha256_add(&chain, block, sizeof block);
                sha256_get(&chain, block);
                in_block = 0;
            }
            uint64_t bits = 0;
            for (size_t i = 8; i-- > 0;)
                bits = bits << 8 | block[in_block * 8 + i];
            in_block++;
            if (bits << 1 != 0 && isfinite(double_of(bits)))
                add_number(at, bits);
        }
        unsigned char digest[32], expected[32];
        sha256_get(&at->hash, digest);
        ck_assert_uint_eq(support_hex(expected, sizeof expected, hex, 64), 32);
        ck_assert_uint_eq(at->bytes, bytes);
        ck_assert_msg(memcmp(digest, expected, sizeof digest) == 0, "the hash of %llu lines", lines);
        support_count(1);
        checked++;
    }
    ck_assert_uint_eq(checked, support_whole() ? 6 : is_slow() ? 3 : 4);
    free(statics);
    free(hashes);
}
END_TEST

/* Digits, without zeros around them, and the place of the point: 0.d1d2d3... * 10^point. */
static int digits_and_point(const char *text, char digits[64])
{
    int count = 0, point = 0;
    bool behind = false;
    for (; *text && *text != 'e' && *text != 'E'; text++) {
        if (*text == '.') {
            behind = true;
        } else if (*text != '-') {
            if (count || *text != '0') {
                digits[count++] = *text;
                point += !behind;
            } else {
                point -= behind;
            }
        }
    }
    while (count && digits[count - 1] == '0')
        count--;
    digits[count] = '\0';
    return point + (*text ? atoi(text + 1) : 0);
}

static size_t check_ryu(const char *name, bool is_float)
{
    char *file = text_file(name);
    if (file == NULL)
        return 0;
    size_t checked = 0;
    char *cursor = file;
    next_line(&cursor); /* the heading */
    for (char *line; (line = next_line(&cursor)) != NULL;) {
        char *tab = strchr(line, '\t');
        ck_assert_ptr_nonnull(tab);
        *tab = '\0';
        checked++;
        if (line[0] == 'N' || strchr(line, 'I'))
            continue;
        char got[QUERN_NUMBER_ROOM + 1], digits[64], expected[64];
        got[is_float ? quern_number_from_float(got, strtof(line, NULL))
                     : quern_number_from_double(got, strtod(line, NULL))] = '\0';
        const int point = digits_and_point(got, digits), expected_point = digits_and_point(line, expected);
        ck_assert_msg(strcmp(digits, expected) == 0 && point == expected_point, "%s: got %s", line, got);
        support_count(1);
    }
    free(file);
    return checked;
}

START_TEST(ryu)
{
    const size_t doubles = check_ryu("ryu_shortest/d2s.tsv", false);
    const size_t singles = check_ryu("ryu_shortest/f2s.tsv", true);
    ck_assert(doubles == 0 || doubles == 132);
    ck_assert(singles == 0 || singles == 61);
}
END_TEST

/* Texts, which strtod makes doubles of. */
START_TEST(yyjson)
{
    static const char *const names[] = {"real_2.txt", "real_5.txt", "real_6.txt", "int.txt", "int(big).txt"};
    for (size_t i = 0; i < SUPPORT_COUNT(names); i++) {
        char name[64];
        snprintf(name, sizeof name, "yyjson_num/%s", names[i]);
        char *file = text_file(name);
        if (file == NULL)
            continue;
        char *cursor = file;
        size_t checked = 0;
        for (char *line; (line = next_line(&cursor)) != NULL;) {
            char *end;
            const double value = strtod(line, &end);
            if (line[0] == '#' || end == line || !isfinite(value))
                continue;
            check_double(value);
            checked++;
        }
        ck_assert_uint_gt(checked, 10);
        free(file);
    }
}
END_TEST

START_TEST(parse_number_fxx)
{
    static const char *const names[] = {"freetype-2-7.txt", "google-wuffs.txt", "lemire-fast-float.txt",
                                        "more-test-cases.txt", "tencent-rapidjson.txt"};
    size_t lines = 0;
    for (size_t i = 0; i < SUPPORT_COUNT(names); i++) {
        char name[64];
        snprintf(name, sizeof name, "parse_number_fxx/%s", names[i]);
        char *file = text_file(name);
        if (file == NULL)
            return;
        char *cursor = file;
        for (char *line; (line = next_line(&cursor)) != NULL;) {
            if (strlen(line) < 31)
                continue;
            lines++;
            check_float_bits((uint32_t)strtoul(line + 5, NULL, 16));
            check_bits(strtoull(line + 14, NULL, 16));
        }
        free(file);
    }
    ck_assert_uint_eq(lines, 21232);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("number_suites");

    TCase *sets = tcase_create("sets");
    tcase_set_timeout(sets, 3600);
    tcase_add_test(sets, powers);
    tcase_add_test(sets, boundaries);
    tcase_add_test(sets, short_decimals);
    tcase_add_test(sets, random_bits);
    tcase_add_test(sets, floats);
    suite_add_tcase(suite, sets);

    TCase *suites = tcase_create("suites");
    tcase_set_timeout(suites, 3600);
    tcase_add_test(suites, jcs);
    tcase_add_test(suites, ryu);
    tcase_add_test(suites, yyjson);
    tcase_add_test(suites, parse_number_fxx);
    suite_add_tcase(suite, suites);

    return support_main(suite);
}
