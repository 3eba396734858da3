/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Numbers as text: literals, integers, what the functions are built from, where they write, what they must not depend
 * on. Large sets and public suites are in test_number_suites.c, the tables in test_number.py.
 */
#include "number/digits.h"
#include "number/multiply.h"
#include "number/number.h"
#include "support/support.h"

#include <fenv.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect(const char *what, const char *got, size_t length, const char *expected)
{
    if (length != strlen(expected) || memcmp(got, expected, length) != 0)
        ck_abort_msg("%s: got %.*s, expected %s", what, (int)length, got, expected);
    support_count(1);
}

static void expect_double(double value, const char *expected)
{
    char text[QUERN_NUMBER_ROOM];
    expect("double", text, quern_number_from_double(text, value), expected);
}

START_TEST(literals_double)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.0, "0"},
        {-0.0, "0"},
        {1.0, "1"},
        {-1.0, "-1"},
        {0.1, "0.1"},
        {-0.25, "-0.25"},
        {1.5, "1.5"},
        {123.456, "123.456"},
        {-65.613616999999977, "-65.61361699999998"},
        {43.420273000000009, "43.42027300000001"},
        {19.99, "19.99"},
        {0.30000000000000004, "0.30000000000000004"},
        {3.141592653589793, "3.141592653589793"},
        /* the limits of the forms */
        {1e20, "100000000000000000000"},
        {123456789012345680000.0, "123456789012345680000"},
        {999999999999999900000.0, "999999999999999900000"},
        {1e21, "1e+21"},
        {-1e21, "-1e+21"},
        {1.5e300, "1.5e+300"},
        {1e-6, "0.000001"},
        {-0.0000012345678901234567, "-0.0000012345678901234567"},
        {1e-7, "1e-7"},
        {1.25e-7, "1.25e-7"},
        {9.5e-10, "9.5e-10"},
        {1e100, "1e+100"},
        {1e23, "1e+23"},
        {1.0000000000000001e23, "1.0000000000000001e+23"},
        /* each place of the point, with digits behind it and without */
        {1.2345678901234567, "1.2345678901234567"},
        {12.345678901234567, "12.345678901234567"},
        {123.45678901234567, "123.45678901234567"},
        {1234.5678901234567, "1234.5678901234567"},
        {12345.678901234567, "12345.678901234567"},
        {123456.78901234567, "123456.78901234567"},
        {1234567.8901234567, "1234567.8901234567"},
        {12345678.901234567, "12345678.901234567"},
        {123456789.01234567, "123456789.01234567"},
        {1234567890.1234567, "1234567890.1234567"},
        {12345678901.234567, "12345678901.234568"},
        {123456789012.34567, "123456789012.34567"},
        {1234567890123.4567, "1234567890123.4568"},
        {12345678901234.567, "12345678901234.566"},
        {123456789012345.67, "123456789012345.67"},
        {1234567890123456.7, "1234567890123456.8"},
        {12345678.5, "12345678.5"},
        {1234567890123456789.0, "1234567890123456800"},
        {0.12345678901234567, "0.12345678901234566"},
        {0.012345678901234567, "0.012345678901234567"},
        {0.00012345678901234567, "0.00012345678901234567"},
        {0.000012345678901234567, "0.000012345678901234568"},
        /* whole numbers around 2^53, where they stop being written exactly */
        {9007199254740991.0, "9007199254740991"},
        {9007199254740992.0, "9007199254740992"},
        {9007199254740994.0, "9007199254740994"},
        {-9007199254740993.0, "-9007199254740992"},
        {4503599627370495.5, "4503599627370495.5"},
        {9223372036854775808.0, "9223372036854776000"},
        {18446744073709551616.0, "18446744073709552000"},
        {4294967296.0, "4294967296"},
        {295147905179352830000.0, "295147905179352830000"},
        /* the middle between two 17-digit numbers: the even one */
        {1125899906842624.25, "1125899906842624.2"},
        {1125899906842624.75, "1125899906842624.8"},
        {562949953421312.125, "562949953421312.1"},
        {562949953421312.625, "562949953421312.6"},
        /* powers of two: the next value down is nearer */
        {0x1p-24, "5.960464477539063e-8"},
        {0x1p-44, "5.684341886080802e-14"},
        {0x1p89, "6.189700196426902e+26"},
        {0x1p-1022, "2.2250738585072014e-308"},
        /* the smallest and the largest */
        {5e-324, "5e-324"},
        {-5e-324, "-5e-324"},
        {1e-323, "1e-323"},
        {1.5e-323, "1.5e-323"},
        {2.225073858507201e-308, "2.225073858507201e-308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {DBL_MAX, "1.7976931348623157e+308"}, /* B102 */
        {-DBL_MAX, "-1.7976931348623157e+308"},
        {1e99, "1e+99"}, /* B103 */
        {-2645e-308, "-2.645e-305"},
        {-1e-200 * 1e-200, "0"}, /* B095: what -2645e-1141622225 is read as */
        /* B099, B100: what readers got wrong, from their own writer's output */
        {0x1.93e93e93e863bp+0, "1.5777777777770001"},
        {0x1.fffffffffffffp-1, "0.9999999999999999"},
        {0x1.e9aa48fbb2888p+6, "122.41629403378658"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++)
        expect_double(cases[i].value, cases[i].text);
}
END_TEST

START_TEST(literals_float)
{
    static const struct {
        float value;
        const char *text;
    } cases[] = {
        {0.0f, "0"},
        {-0.0f, "0"},
        {1.0f, "1"},
        {0.1f, "0.1"},
        {-0.3f, "-0.3"},
        {3.14159274f, "3.1415927"},
        {16777216.0f, "16777216"},
        {16777217.0f, "16777216"},
        {33554432.0f, "33554432"},
        {1e20f, "100000000000000000000"},
        {1e21f, "1e+21"},
        {1e-6f, "0.000001"},
        {-0.00000123456789f, "-0.0000012345679"},
        {1e-7f, "1e-7"},
        {FLT_MIN, "1.1754944e-38"},
        {FLT_MAX, "3.4028235e+38"},
        {1e-45f, "1e-45"},
        {8.999999E9f, "9000000000"},
        {0x1p-96f, "1.2621775e-29"},
        {1.00014165E-36f, "1.00014165e-36"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        char text[QUERN_NUMBER_ROOM];
        expect("float", text, quern_number_from_float(text, cases[i].value), cases[i].text);
    }
}
END_TEST

/* ---- integers ------------------------------------------------------------------------------------------------ */

/* Digit by digit, from the last one. */
static const char *digits_of(uint64_t magnitude, bool negative, char room[24])
{
    char *p = room + 23;
    *p = '\0';
    do
        *--p = (char)('0' + magnitude % 10);
    while (magnitude /= 10);
    if (negative)
        *--p = '-';
    return p;
}

static void expect_integer(uint64_t value)
{
    char text[QUERN_NUMBER_ROOM], room[24];
    expect("unsigned", text, quern_number_from_uint64(text, value), digits_of(value, false, room));
    const bool negative = value >> 63;
    int64_t same;
    memcpy(&same, &value, sizeof same);
    expect("signed", text, quern_number_from_int64(text, same),
           digits_of(negative ? 0 - value : value, negative, room));
}

START_TEST(integers)
{
    char text[QUERN_NUMBER_ROOM];
    /* B104, B105 */
    expect("INT64_MIN", text, quern_number_from_int64(text, INT64_MIN), "-9223372036854775808");
    expect("INT64_MAX", text, quern_number_from_int64(text, INT64_MAX), "9223372036854775807");
    expect("UINT64_MAX", text, quern_number_from_uint64(text, UINT64_MAX), "18446744073709551615");
    expect("-1", text, quern_number_from_int64(text, -1), "-1");
    for (uint64_t i = 0; i < 1200000; i++) {
        if (!support_thinned())
            expect_integer(i);
    }
    for (uint64_t power = 1, last = 0; power > last; last = power, power *= 10) {
        for (uint64_t d = 0; d <= 40; d++) {
            expect_integer(power + d - 20);
            expect_integer(0 - (power + d - 20));
            expect_integer(power * (d % 10) + d / 10);
        }
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        for (uint64_t d = 0; d <= 8; d++)
            expect_integer((UINT64_C(1) << bit) + d - 4);
    }
    support_random random = support_random_named("integers");
    for (size_t i = 0; i < 2000000; i++) {
        uint64_t value = support_random_next(&random) >> support_random_below(&random, 64);
        if (i % 4 == 0)
            value -= value % 100000000; /* zeros within */
        if (!support_thinned())
            expect_integer(value);
    }
}
END_TEST

/* ---- what they are built from -------------------------------------------------------------------------------- */

static void expect_digits(uint64_t digits, size_t count, uint64_t value)
{
    uint64_t number = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t digit = digits >> 8 * i & 0xff;
        if (digit > 9)
            number = UINT64_MAX / 10;
        number = number * 10 + digit;
    }
    if (number != value)
        ck_abort_msg("digits of %" PRIu64 ": %016" PRIx64, value, digits);
}

START_TEST(digits_by_reciprocals)
{
    for (uint32_t i = 0; i < 10000; i++)
        expect_digits(digits_of_4(i), 4, i);
    const uint64_t step = support_whole() ? 1 : 7;
    for (uint64_t i = 0; i < 100000000; i += step) {
        if (support_thinned())
            continue;
        expect_digits(digits_of_8(i), 8, i);
        uint64_t high = i, low = 99999999 - i;
        digits_of_16(&high, &low);
        expect_digits(high, 8, i);
        expect_digits(low, 8, 99999999 - i);
        support_count(3);
    }
}
END_TEST

/* 16 digits and one, each number of zeros at the end. */
START_TEST(zeros_at_the_end)
{
    support_random random = support_random_named("zeros");
    for (unsigned zeros = 0; zeros <= 16; zeros++) {
        for (size_t i = 0; i < 3000; i++) {
            uint64_t unit = 1;
            for (unsigned j = 1; j < zeros; j++)
                unit *= 10;
            const uint64_t most = UINT64_C(9999999999999999) / unit, least = UINT64_C(1000000000000000) / unit;
            uint64_t digits = least + support_random_next(&random) % (most - least + 1);
            if (zeros && digits % 10 == 0)
                digits++;
            digits *= unit;
            const uint64_t last = zeros ? 0 : 1 + support_random_below(&random, 9);
            const digits_text text = digits_of_17(digits, last);
            ck_assert_uint_eq(text.zeros, zeros);
            expect_digits(bits_swap_bytes(text.high - DIGITS_ZEROS), 8, digits / 100000000);
            expect_digits(bits_swap_bytes(text.low - DIGITS_ZEROS), 8, digits % 100000000);
            support_count(3);
        }
    }
}
END_TEST

START_TEST(products)
{
    static const uint64_t edges[] = {
        0, 1, 2, UINT32_MAX, UINT64_C(1) << 32, UINT64_MAX - 1, UINT64_MAX, UINT64_C(1) << 63};
    uint64_t low;
    ck_assert_uint_eq(multiply_portable(UINT64_MAX, UINT64_MAX, &low), UINT64_MAX - 1);
    ck_assert_uint_eq(low, 1);
    ck_assert_uint_eq(multiply_portable(UINT64_C(0x123456789abcdef0), UINT64_C(0xfedcba9876543210), &low),
                      UINT64_C(0x121fa00ad77d7422));
    ck_assert_uint_eq(low, UINT64_C(0x236d88fe5618cf00));
    support_random random = support_random_named("products");
    for (size_t i = 0; i < 1000000; i++) {
        uint64_t a = support_random_next(&random), b = support_random_next(&random);
        if (i < SUPPORT_COUNT(edges) * SUPPORT_COUNT(edges)) {
            a = edges[i % SUPPORT_COUNT(edges)];
            b = edges[i / SUPPORT_COUNT(edges)];
        } else if (i % 2) {
            a |= UINT64_C(0xffffffff) << i % 33;
            b >>= i % 64;
        }
        uint64_t low0, low1;
        const uint64_t high0 = multiply(a, b, &low0), high1 = multiply_portable(a, b, &low1);
        if (high0 != high1 || low0 != low1)
            ck_abort_msg("%" PRIx64 " * %" PRIx64 ": the portable product differs", a, b);
        support_count(1);
    }
}
END_TEST

/* ---- where they write, what they depend on --------------------------------------------------------------------- */

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* 32 bytes and not one more, whatever the value; infinities and NaN too, whose text means nothing. */
START_TEST(room)
{
    support_guarded guarded = support_guarded_new(QUERN_NUMBER_ROOM);
    char *dst = (char *)support_guarded_tail(&guarded, QUERN_NUMBER_ROOM);
    support_random random = support_random_named("room");
    size_t longest = 0, longest_float = 0, longest_integer = 0;
    for (size_t i = 0; i < 1000000; i++) {
        uint64_t bits = support_random_next(&random);
        if (i % 3 == 1)
            bits = (bits & ~(UINT64_C(0x7ff) << 52)) | (uint64_t)(1023 - 40 + i % 120) << 52;
        else if (i % 300 == 2)
            bits |= UINT64_C(0x7ff) << 52;
        if (i < 2)
            bits = i ? UINT64_C(0x7ff0000000000000) : UINT64_C(0xfff0000000000000);
        const float value = (float)((double)(int64_t)bits * 0x1p-80);
        size_t length = quern_number_from_double(dst, double_of(bits));
        longest = length > longest ? length : longest;
        length = quern_number_from_float(dst, value);
        longest_float = length > longest_float ? length : longest_float;
        uint32_t half = (uint32_t)bits;
        float other;
        memcpy(&other, &half, sizeof other);
        length = quern_number_from_float(dst, other);
        longest_float = length > longest_float ? length : longest_float;
        length = quern_number_from_int64(dst, (int64_t)(bits >> i % 64));
        longest_integer = length > longest_integer ? length : longest_integer;
        quern_number_from_uint64(dst, bits >> i % 64);
        support_count(5);
    }
    quern_number_from_float(dst, INFINITY);
    quern_number_from_float(dst, -INFINITY);
    quern_number_from_float(dst, NAN);
    support_guarded_free(&guarded);
    ck_assert_uint_eq(longest, QUERN_NUMBER_MAX_DOUBLE);
    ck_assert_uint_eq(longest_float, QUERN_NUMBER_MAX_FLOAT);
    ck_assert_uint_eq(longest_integer, QUERN_NUMBER_MAX_INTEGER);
}
END_TEST

static void some_values(void)
{
    expect_double(1.5, "1.5");
    expect_double(0.1, "0.1");
    expect_double(-65.613616999999977, "-65.61361699999998");
    expect_double(1e23, "1e+23");
    expect_double(0x1p-24, "5.960464477539063e-8");
    expect_double(1125899906842624.25, "1125899906842624.2");
    expect_double(1234567.25, "1234567.25");
    expect_double(5e-324, "5e-324");
}

START_TEST(rounding_modes)
{
    static const int modes[] = {
        FE_TONEAREST,
#ifdef FE_UPWARD
        FE_UPWARD,
#endif
#ifdef FE_DOWNWARD
        FE_DOWNWARD,
#endif
#ifdef FE_TOWARDZERO
        FE_TOWARDZERO,
#endif
    };
    for (size_t i = 0; i < SUPPORT_COUNT(modes); i++) {
        if (fesetround(modes[i]) != 0)
            continue;
        some_values();
    }
    fesetround(FE_TONEAREST);
}
END_TEST

/* Whether the locale in use has a decimal comma. */
static bool has_comma(void)
{
    char text[16];
    snprintf(text, sizeof text, "%.1f", 1.5);
    return strcmp(text, "1,5") == 0;
}

/* A locale of the machine, or one that localedef makes in a folder of its own. */
static bool set_comma_locale(char folder[])
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "de_DE",       "fr_FR.UTF-8",
                                        "es_ES.UTF-8", "pt_BR.UTF-8", "ru_RU.UTF-8", "German_Germany.1252"};
    for (size_t i = 0; i < SUPPORT_COUNT(names); i++) {
        if (setlocale(LC_ALL, names[i]) && has_comma())
            return true;
    }
    char command[256];
    if (!mkdtemp(folder))
        return false;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/log 2>&1", folder, folder);
    if (system(command) != 0)
        return false;
    setenv("LOCPATH", folder, 1);
    return setlocale(LC_ALL, "de_DE.UTF-8") && has_comma();
}

/* B113 for what is written. (B114, that the library calls nothing of locales, is in test_structure.py.) */
START_TEST(decimal_comma)
{
    char folder[] = "/tmp/quern-locale-XXXXXX";
    const bool there = set_comma_locale(folder);
    if (there)
        some_values();
    setlocale(LC_ALL, "C");
    if (folder[strlen(folder) - 1] != 'X') {
        char command[64];
        snprintf(command, sizeof command, "rm -rf %s", folder);
        if (system(command) != 0)
            printf("%s is left\n", folder);
    }
    if (!there)
        printf("skipped: decimal_comma: there is no locale with one, and localedef makes none\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("number");

    TCase *small_cases = tcase_create("literals");
    tcase_add_test(small_cases, literals_double);
    tcase_add_test(small_cases, literals_float);
    tcase_add_test(small_cases, rounding_modes);
    tcase_add_test(small_cases, products);
    tcase_add_test(small_cases, zeros_at_the_end);
    suite_add_tcase(suite, small_cases);

    TCase *big = tcase_create("big");
    tcase_set_timeout(big, 600);
    tcase_add_test(big, integers);
    tcase_add_test(big, digits_by_reciprocals);
    tcase_add_test(big, room);
    tcase_add_test(big, decimal_comma);
    suite_add_tcase(suite, big);

    return support_main(suite);
}
