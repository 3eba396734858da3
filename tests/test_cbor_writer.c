/* SPDX-License-Identifier: MIT */
/* The CBOR writer: RFC 8949 Appendix A, heads, floats, strings, typed arrays; misuse. */
#include "support/cbor_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void key(const char *text)
{
    quern_cbor_write_key(&w, text, strlen(text));
}

static void string(const char *text)
{
    quern_cbor_write_string(&w, text, strlen(text));
}

static void uints(unsigned from, unsigned to)
{
    for (unsigned i = from; i <= to; i++)
        quern_cbor_write_uint(&w, i);
}

START_TEST(appendix_a_scalars)
{
    if (!open_variant(_i))
        return;
    at("Appendix A", 0, 0);
    static const struct {
        uint64_t value;
        const char *hex;
    } numbers[] = {{0, "00"},
                   {1, "01"},
                   {10, "0a"},
                   {23, "17"},
                   {24, "1818"},
                   {25, "1819"},
                   {100, "1864"},
                   {1000, "1903e8"},
                   {1000000, "1a000f4240"},
                   {1000000000000, "1b000000e8d4a51000"},
                   {UINT64_MAX, "1bffffffffffffffff"}};
    for (size_t i = 0; i < SUPPORT_COUNT(numbers); i++)
        WRITES(numbers[i].hex, quern_cbor_write_uint(&w, numbers[i].value));
    WRITES("c249010000000000000000", quern_cbor_write_bignum(&w, false, "\0\1\0\0\0\0\0\0\0\0", 10));
    WRITES("3bffffffffffffffff", quern_cbor_write_negative(&w, UINT64_MAX));
    WRITES("c349010000000000000000", quern_cbor_write_bignum(&w, true, "\1\0\0\0\0\0\0\0\0", 9));
    WRITES("20", quern_cbor_write_int(&w, -1));
    WRITES("29", quern_cbor_write_int(&w, -10));
    WRITES("3863", quern_cbor_write_int(&w, -100));
    WRITES("3903e7", quern_cbor_write_int(&w, -1000));
    WRITES("3b7fffffffffffffff", quern_cbor_write_int(&w, INT64_MIN));
    WRITES("1b7fffffffffffffff", quern_cbor_write_int(&w, INT64_MAX));
    static const struct {
        double value;
        const char *hex;
    } doubles[] = {{0.0, "f90000"},
                   {-0.0, "f98000"},
                   {1.0, "f93c00"},
                   {1.1, "fb3ff199999999999a"},
                   {1.5, "f93e00"},
                   {65504.0, "f97bff"},
                   {100000.0, "fa47c35000"},
                   {3.4028234663852886e+38, "fa7f7fffff"},
                   {1.0e+300, "fb7e37e43c8800759c"},
                   {5.960464477539063e-8, "f90001"},
                   {0.00006103515625, "f90400"},
                   {-4.0, "f9c400"},
                   {-4.1, "fbc010666666666666"},
                   {INFINITY, "f97c00"},
                   {-INFINITY, "f9fc00"}};
    for (size_t i = 0; i < SUPPORT_COUNT(doubles); i++)
        WRITES(doubles[i].hex, quern_cbor_write_double(&w, doubles[i].value));
    WRITES("f97e00", quern_cbor_write_double(&w, NAN));
    static const quern_cbor_writer_options given = {.size = sizeof given, .floats = QUERN_CBOR_FLOATS_GIVEN};
    WRITES_WITH(&given, "fa7f800000", quern_cbor_write_float(&w, INFINITY));
    WRITES_WITH(&given, "faff800000", quern_cbor_write_float(&w, -INFINITY));
    WRITES_WITH(&given, "fb7ff0000000000000", quern_cbor_write_double(&w, INFINITY));
    WRITES_WITH(&given, "fbfff0000000000000", quern_cbor_write_double(&w, -INFINITY));
    WRITES("f4", quern_cbor_write_bool(&w, false));
    WRITES("f5", quern_cbor_write_bool(&w, true));
    WRITES("f6", quern_cbor_write_null(&w));
    WRITES("f7", quern_cbor_write_undefined(&w));
    WRITES("f0", quern_cbor_write_simple(&w, 16));
    WRITES("f8ff", quern_cbor_write_simple(&w, 255));
    WRITES("f820", quern_cbor_write_simple(&w, 32));
    WRITES("c074323031332d30332d32315432303a30343a30305a", quern_cbor_write_tag(&w, 0); string("2013-03-21T20:04:00Z"));
    WRITES("c11a514b67b0", quern_cbor_write_tag(&w, 1); quern_cbor_write_uint(&w, 1363896240));
    WRITES("c1fb41d452d9ec200000", quern_cbor_write_tag(&w, 1); quern_cbor_write_double(&w, 1363896240.5));
    WRITES("d74401020304", quern_cbor_write_tag(&w, 23); quern_cbor_write_bytes(&w, "\1\2\3\4", 4));
    WRITES("d818456449455446", quern_cbor_write_embedded(&w, "dIETF", 5));
    WRITES("d82076687474703a2f2f7777772e6578616d706c652e636f6d", quern_cbor_write_tag(&w, 32);
           string("http://www.example.com"));
    WRITES("40", quern_cbor_write_bytes(&w, NULL, 0));
    WRITES("4401020304", quern_cbor_write_bytes_ref(&w, "\1\2\3\4", 4));
    WRITES("60", quern_cbor_write_string(&w, NULL, 0));
    WRITES("6161", string("a"));
    WRITES("6449455446", string("IETF"));
    WRITES("62225c", string("\"\\"));
    WRITES("62c3bc", string("\xc3\xbc"));
    WRITES("63e6b0b4", string("\xe6\xb0\xb4"));
    WRITES("64f0908591", quern_cbor_write_string_ref(&w, "\xf0\x90\x85\x91", 4));
}
END_TEST

START_TEST(appendix_a_containers)
{
    if (!open_variant(_i))
        return;
    at("Appendix A", 1, 0);
    quern_cbor_writer *const p = &w;
    WRITES("80", quern_cbor_begin_array(p, 0); quern_cbor_end(p));
    WRITES("83010203", quern_cbor_begin_array(p, 3); uints(1, 3); quern_cbor_end(p));
    WRITES("8301820203820405", quern_cbor_begin_array(p, 3); uints(1, 1); quern_cbor_begin_array(p, 2); uints(2, 3);
           quern_cbor_end(p); quern_cbor_begin_array(p, 2); uints(4, 5); quern_cbor_end(p); quern_cbor_end(p));
    WRITES("98190102030405060708090a0b0c0d0e0f101112131415161718181819", quern_cbor_begin_array(p, 25); uints(1, 25);
           quern_cbor_end(p));
    WRITES("a0", quern_cbor_begin_map(p, 0); quern_cbor_end(p));
    WRITES("a201020304", quern_cbor_begin_map(p, 2); uints(1, 4); quern_cbor_end(p));
    WRITES("a26161016162820203", quern_cbor_begin_map(p, 2); key("a"); uints(1, 1); key("b");
           quern_cbor_begin_array(p, 2); uints(2, 3); quern_cbor_end(p); quern_cbor_end(p));
    WRITES("826161a161626163", quern_cbor_begin_array(p, 2); string("a"); quern_cbor_begin_map(p, 1); key("b");
           string("c"); quern_cbor_end(p); quern_cbor_end(p));
    WRITES("a56161614161626142616361436164614461656145", quern_cbor_begin_map(p, 5); key("a"); string("A"); key("b");
           string("B"); key("c"); string("C"); key("d"); string("D"); key("e"); string("E"); quern_cbor_end(p));
    WRITES("5f42010243030405ff", quern_cbor_begin_bytes(p, QUERN_UNKNOWN); quern_cbor_write_part(p, "\1\2", 2);
           quern_cbor_write_part(p, "\3\4\5", 3); quern_cbor_end_string(p));
    WRITES("7f657374726561646d696e67ff", quern_cbor_begin_string(p, QUERN_UNKNOWN);
           quern_cbor_write_part(p, "strea", 5); quern_cbor_write_part(p, "ming", 4); quern_cbor_end_string(p));
    WRITES("9fff", quern_cbor_begin_array(p, QUERN_UNKNOWN); quern_cbor_end(p));
    WRITES("9f018202039f0405ffff", quern_cbor_begin_array(p, QUERN_UNKNOWN); uints(1, 1); quern_cbor_begin_array(p, 2);
           uints(2, 3); quern_cbor_end(p); quern_cbor_begin_array(p, QUERN_UNKNOWN); uints(4, 5); quern_cbor_end(p);
           quern_cbor_end(p));
    WRITES("9f01820203820405ff", quern_cbor_begin_array(p, QUERN_UNKNOWN); uints(1, 1); quern_cbor_begin_array(p, 2);
           uints(2, 3); quern_cbor_end(p); quern_cbor_begin_array(p, 2); uints(4, 5); quern_cbor_end(p);
           quern_cbor_end(p));
    WRITES("83019f0203ff820405", quern_cbor_begin_array(p, 3); uints(1, 1); quern_cbor_begin_array(p, QUERN_UNKNOWN);
           uints(2, 3); quern_cbor_end(p); quern_cbor_begin_array(p, 2); uints(4, 5); quern_cbor_end(p);
           quern_cbor_end(p));
    WRITES("bf61610161629f0203ffff", quern_cbor_begin_map(p, QUERN_UNKNOWN); key("a"); uints(1, 1); key("b");
           quern_cbor_begin_array(p, QUERN_UNKNOWN); uints(2, 3); quern_cbor_end(p); quern_cbor_end(p));
    WRITES("826161bf61626163ff", quern_cbor_begin_array(p, 2); string("a"); quern_cbor_begin_map(p, QUERN_UNKNOWN);
           key("b"); string("c"); quern_cbor_end(p); quern_cbor_end(p));
    WRITES("bf6346756ef563416d7421ff", quern_cbor_begin_map(p, QUERN_UNKNOWN); key("Fun");
           quern_cbor_write_bool(p, true); key("Amt"); quern_cbor_write_int(p, -2); quern_cbor_end(p));
}
END_TEST

/* Each head at each side of each width, and all of 16 bits. */
START_TEST(heads)
{
    if (!open_variant(_i))
        return;
    for (uint64_t n = 0; n < 65536; n++) {
        at("head", (size_t)n, 0);
        quern_fixed_sink fixed;
        unsigned char bytes[16];
        quern_fixed_sink_init(&fixed, bytes, sizeof bytes);
        quern_cbor_writer_init(&w, &fixed.sink, NULL);
        CHECK(quern_cbor_write_uint(&w, n) == QUERN_OK && quern_cbor_writer_finish(&w) == QUERN_OK);
        const size_t length = n < 24 ? 1 : n < 256 ? 2 : 3;
        CHECK(quern_fixed_sink_needed(&fixed) == length);
        CHECK(bytes[0] == (length == 1 ? n : length == 2 ? 24 : 25));
        CHECK(length == 1 || bytes[length - 1] == (n & 255));
        CHECK(length < 3 || bytes[1] == n >> 8);
    }
    WRITES("1a00010000", quern_cbor_write_uint(&w, 65536));
    WRITES("1affffffff", quern_cbor_write_uint(&w, 0xFFFFFFFF));
    WRITES("1b0000000100000000", quern_cbor_write_uint(&w, 0x100000000));
    WRITES("3a00010000", quern_cbor_write_negative(&w, 65536));
    WRITES("d9d9f700", quern_cbor_write_tag(&w, 55799); uints(0, 0));
    WRITES("dbffffffffffffffff00", quern_cbor_write_tag(&w, UINT64_MAX); uints(0, 0));
    static const struct {
        uint64_t count;
        const char *array, *map;
    } counts[] = {{23, "97", "b7"},
                  {24, "9818", "b818"},
                  {255, "98ff", "b8ff"},
                  {256, "990100", "b90100"},
                  {65535, "99ffff", "b9ffff"},
                  {65536, "9a00010000", "ba00010000"},
                  {0xFFFFFFFF, "9affffffff", "baffffffff"},
                  {0x100000000, "9b0000000100000000", "bb0000000100000000"}};
    for (size_t i = 0; i < SUPPORT_COUNT(counts); i++) {
        for (int map = 0; map < 2; map++) {
            at("count", i, (size_t)map);
            char hex[20] = "";
            open_out(NULL);
            CHECK((map ? quern_cbor_begin_map : quern_cbor_begin_array)(&w, counts[i].count) == QUERN_OK);
            const quern_string view = quern_memory_sink_view(&out);
            for (size_t k = 0; k < view.length; k++)
                snprintf(hex + 2 * k, 3, "%02x", (unsigned char)view.data[k]);
            CHECK(strcmp(hex, map ? counts[i].map : counts[i].array) == 0);
            close_out(__FILE__, __LINE__, QUERN_ERROR_MISUSE, "");
        }
    }
    FAILS(QUERN_ERROR_LIMIT, quern_cbor_begin_array(&w, UINT64_MAX - 1));
    FAILS(QUERN_ERROR_LIMIT, quern_cbor_begin_map(&w, (UINT64_MAX >> 1) + 1));
}
END_TEST

static double value_of_half(unsigned bits)
{
    const unsigned exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double size = exponent == 31  ? (fraction ? NAN : INFINITY)
                        : exponent == 0 ? ldexp(fraction, -24)
                                        : ldexp(fraction + 1024, (int)exponent - 25);
    return bits >> 15 ? -size : size;
}

START_TEST(all_halfs)
{
    if (!open_variant(_i))
        return;
    static const quern_cbor_writer_options keep = {.size = sizeof keep, .nan = QUERN_CBOR_NAN_KEEP};
    for (unsigned bits = 0; bits < 65536; bits++) {
        if (support_thinned())
            continue;
        at("half", bits, 0);
        const bool nan = (bits & 0x7FFF) > 0x7C00;
        const unsigned wanted = nan ? 0x7E00 : bits;
        char hex[8], kept[8];
        snprintf(hex, sizeof hex, "f9%04x", wanted);
        snprintf(kept, sizeof kept, "f9%04x", bits);
        const double value = value_of_half(bits);
        WRITES(hex, quern_cbor_write_half(&w, (uint16_t)bits));
        WRITES_WITH(&keep, kept, quern_cbor_write_half(&w, (uint16_t)bits));
        WRITES(hex, quern_cbor_write_double(&w, value));
        WRITES(hex, quern_cbor_write_float(&w, (float)value));
        WRITES(hex, quern_cbor_write_doubles(&w, &value, 1));
        if (nan) {
            uint64_t wide = (uint64_t)(bits >> 15) << 63 | UINT64_C(0x7FF) << 52 | (uint64_t)(bits & 1023) << 42;
            double payload;
            memcpy(&payload, &wide, sizeof payload);
            WRITES_WITH(&keep, kept, quern_cbor_write_double(&w, payload));
        }
    }
}
END_TEST

/* The neighbours of what fits, in both directions. */
START_TEST(narrowing)
{
    if (!open_variant(_i))
        return;
    at("narrowing", 0, 0);
    static const struct {
        double value;
        const char *hex;
    } cases[] = {
        {0x1p-25, "fa33000000"},
        {0x1.8p-24, "fa33c00000"},
        {0x1p-24 + 0x1p-25, "fa33c00000"},
        {65505, "fa477fe100"},
        {65520, "fa477ff000"},
        {65536, "fa47800000"},
        {2049, "fa45001000"},
        {2048, "f96800"},
        {0x1p-149, "fa00000001"},
        {0x1p-150, "fb3690000000000000"},
        {0x1.8p-149, "fb36a8000000000000"},
        {0x1.fffffep127, "fa7f7fffff"},
        {0x1.ffffffp127, "fb47effffff0000000"},
        {0x1p128, "fb47f0000000000000"},
        {3.5e38, "fb47f074f8c4d3cd7b"},
        {0x1p-1074, "fb0000000000000001"},
        {1.7976931348623157e308, "fb7fefffffffffffff"},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        at("narrowing", i, 0);
        WRITES(cases[i].hex, quern_cbor_write_double(&w, cases[i].value));
    }
}
END_TEST

START_TEST(bulk)
{
    if (!open_variant(_i))
        return;
    at("bulk", 0, 0);
    static const uint64_t u[] = {0, 23, 24, 255, 256, 65535, 65536, UINT32_MAX, UINT64_C(1) << 32, UINT64_MAX};
    static const int64_t s[] = {0, -1, -24, -25, 255, -256, -257, INT64_MIN, INT64_MAX};
    static const double d[] = {0.1, 1.0, 100000.0, -0.1, 0.0};
    static const float f[] = {0.1f, 1.0f, 100000.0f};
    WRITES("8a 00 17 1818 18ff 190100 19ffff 1a00010000 1affffffff 1b0000000100000000 1bffffffffffffffff",
           quern_cbor_begin_array(&w, 10);
           quern_cbor_write_u64s(&w, u, 10); quern_cbor_end(&w));
    WRITES("9f 00 20 37 3818 18ff 38ff 390100 3b7fffffffffffffff 1b7fffffffffffffff ff",
           quern_cbor_begin_array(&w, QUERN_UNKNOWN);
           quern_cbor_write_i64s(&w, s, 9); quern_cbor_end(&w));
    WRITES("85 fb3fb999999999999a f93c00 fa47c35000 fbbfb999999999999a f90000", quern_cbor_begin_array(&w, 5);
           quern_cbor_write_doubles(&w, d, 5); quern_cbor_end(&w));
    WRITES("83 fa3dcccccd f93c00 fa47c35000", quern_cbor_begin_array(&w, 3); quern_cbor_write_floats(&w, f, 3);
           quern_cbor_end(&w));
    static const quern_cbor_writer_options given = {.size = sizeof given, .floats = QUERN_CBOR_FLOATS_GIVEN};
    WRITES_WITH(&given, "82 fb3fb999999999999a fb3ff0000000000000", quern_cbor_begin_array(&w, 2);
                quern_cbor_write_doubles(&w, d, 2); quern_cbor_end(&w));
    WRITES("80", quern_cbor_begin_array(&w, 0); quern_cbor_write_u64s(&w, NULL, 0); quern_cbor_end(&w));
    FAILS(QUERN_ERROR_MISUSE, quern_cbor_begin_array(&w, 9); quern_cbor_write_u64s(&w, u, 10));
}
END_TEST

START_TEST(typed_arrays)
{
    if (!open_variant(_i))
        return;
    static const struct {
        unsigned big, little, width;
    } tags[] = {{0x40, 0x40, 1}, {0x44, 0x44, 1}, {0x41, 0x45, 2}, {0x42, 0x46, 4}, {0x43, 0x47, 8}, {0x48, 0x48, 1},
                {0x49, 0x4d, 2}, {0x4a, 0x4e, 4}, {0x4b, 0x4f, 8}, {0x50, 0x54, 2}, {0x51, 0x55, 4}, {0x52, 0x56, 8}};
    const uint16_t probe = 1;
    const bool little = *(const unsigned char *)&probe == 1;
    static unsigned char data[40000];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i * 7 + i / 256);
    for (unsigned e = 0; e < SUPPORT_COUNT(tags); e++) {
        for (int order = 0; order < 3; order++) {
            static const size_t counts[] = {0, 1, 2, 3, 5, 29, 4999};
            for (size_t c = 0; c < SUPPORT_COUNT(counts); c++) {
                at("typed array", e, counts[c]);
                const size_t width = tags[e].width, length = width * counts[c];
                const bool to_little = order == QUERN_CBOR_NATIVE_ORDER ? little : order == QUERN_CBOR_LITTLE_ENDIAN;
                open_out(NULL);
                CHECK(quern_cbor_write_typed_array(&w, (quern_cbor_element)e, (quern_cbor_order)order, data + 1,
                                                   counts[c]) == QUERN_OK);
                CHECK(quern_cbor_writer_finish(&w) == QUERN_OK);
                const quern_string view = quern_memory_sink_view(&out);
                const unsigned char *p = (const unsigned char *)view.data;
                CHECK(p[0] == 0xd8 && p[1] == (to_little ? tags[e].little : tags[e].big));
                const size_t head = length < 24 ? 1 : length < 256 ? 2 : length < 65536 ? 3 : 5;
                CHECK(view.length == 2 + head + length);
                for (size_t i = 0; i < length; i++) {
                    const size_t from = to_little == little ? i : i - i % width + width - 1 - i % width;
                    CHECK(p[2 + head + i] == data[1 + from]);
                }
                quern_memory_sink_free(&out);
            }
        }
    }
    FAILS(QUERN_ERROR_RANGE, quern_cbor_write_typed_array(&w, (quern_cbor_element)12, QUERN_CBOR_BIG_ENDIAN, data, 1));
    FAILS(QUERN_ERROR_RANGE, quern_cbor_write_typed_array(&w, QUERN_CBOR_INT8, (quern_cbor_order)3, data, 1));
    FAILS(QUERN_ERROR_LIMIT,
          quern_cbor_write_typed_array(&w, QUERN_CBOR_INT64, QUERN_CBOR_BIG_ENDIAN, data, SIZE_MAX / 8 + 1));
}
END_TEST

START_TEST(strings)
{
    if (!open_variant(_i))
        return;
    at("strings", 0, 0);
    quern_cbor_writer *const p = &w;
    static const quern_cbor_writer_options keep = {.size = sizeof keep, .invalid = QUERN_CBOR_INVALID_KEEP};
    FAILS(QUERN_ERROR_UTF8, string("ab\xff"));
    quern_error error;
    quern_cbor_writer_error(&w, &error);
    CHECK(error.offset == 2);
    WRITES_WITH(&keep, "636162ff", string("ab\xff"));
    WRITES("45 61c3a4e282", quern_cbor_begin_bytes(p, 5); quern_cbor_write_part(p, "a\xc3", 2);
           quern_cbor_write_part(p, "\xa4\xe2\x82", 3); quern_cbor_end_string(p));
    WRITES("66 61c3a4e282ac", quern_cbor_begin_string(p, 6); quern_cbor_write_part(p, "a\xc3", 2);
           quern_cbor_write_part(p, "\xa4\xe2\x82", 3); quern_cbor_write_part(p, NULL, 0);
           quern_cbor_write_part(p, "\xac", 1); quern_cbor_end_string(p));
    WRITES("7f 6161 62c3a4 63e282ac ff", quern_cbor_begin_string(p, QUERN_UNKNOWN);
           quern_cbor_write_part(p, "a\xc3", 2); quern_cbor_write_part(p, "\xa4\xe2\x82", 3);
           quern_cbor_write_part(p, "\xac", 1); quern_cbor_end_string(p));
    FAILS(QUERN_ERROR_UTF8, quern_cbor_begin_string(p, QUERN_UNKNOWN); quern_cbor_write_part(p, "a\xc3", 2);
          quern_cbor_write_part(p, "a", 1));
    quern_cbor_writer_error(&w, &error);
    CHECK(error.offset == 1);
    FAILS(QUERN_ERROR_UTF8, quern_cbor_begin_string(p, 2); quern_cbor_write_part(p, "a\xc3", 2);
          quern_cbor_end_string(p));
    FAILS(QUERN_ERROR_MISUSE, quern_cbor_begin_string(p, 2); quern_cbor_write_part(p, "a", 1);
          quern_cbor_end_string(p));
    FAILS(QUERN_ERROR_MISUSE, quern_cbor_begin_bytes(p, 2); quern_cbor_write_part(p, "abc", 3));
    FAILS(QUERN_ERROR_LIMIT, quern_cbor_write_bytes(p, "", SIZE_MAX));
    FAILS(QUERN_ERROR_LIMIT, quern_cbor_write_string(p, "", SIZE_MAX));
}
END_TEST

/* Every cut into three parts gives the text that the whole gives. */
START_TEST(ill_formed_text)
{
    if (!open_variant(_i))
        return;
    static const quern_cbor_writer_options mend[] = {{.size = sizeof *mend, .invalid = QUERN_CBOR_INVALID_REPLACE},
                                                     {.size = sizeof *mend, .invalid = QUERN_CBOR_INVALID_DROP}};
    WRITES_WITH(&mend[0], "6a 61efbfbd62efbfbdc3a4",
                string("a\xe2\x82"
                       "b\xff\xc3\xa4"));
    WRITES_WITH(&mend[1], "64 6162c3a4",
                string("a\xe2\x82"
                       "b\xff\xc3\xa4"));
    WRITES_WITH(&mend[0], "64 61efbfbd", string("a\xe2\x82"));
    WRITES_WITH(&mend[1], "61 61", string("a\xe2\x82"));
    WRITES_WITH(&mend[0], "65 68656c6c6f", string("hello"));
    FAILS_WITH(&mend[0], QUERN_ERROR_UTF8, quern_cbor_begin_string(&w, 1); quern_cbor_write_part(&w, "\xff", 1));
    FAILS_WITH(&mend[1], QUERN_ERROR_MISUSE, string("\xff"); string("\xff"));
    static const char text[] = "a\xe2\x82"
                               "b\xff\xf0\x9f\x98\x80\xf0\x9f\x98z\xed\xa0\x80\xe2\xc3\xa4\xe2\x82";
    static const char *const wanted[] = {"a\xef\xbf\xbd"
                                         "b\xef\xbf\xbd\xf0\x9f\x98\x80\xef\xbf\xbdz\xef\xbf\xbd\xef\xbf\xbd"
                                         "\xef\xbf\xbd\xef\xbf\xbd\xc3\xa4\xef\xbf\xbd",
                                         "ab\xf0\x9f\x98\x80z\xc3\xa4"};
    const size_t length = sizeof text - 1;
    for (size_t m = 0; m < 2; m++) {
        for (size_t i = 0; i <= length; i++) {
            for (size_t j = i; j <= length; j++) {
                at("ill-formed text, cut", i, j);
                open_out(&mend[m]);
                quern_cbor_begin_string(&w, QUERN_UNKNOWN);
                quern_cbor_write_part(&w, text, i);
                quern_cbor_write_part(&w, text + i, j - i);
                quern_cbor_write_part(&w, text + j, length - j);
                quern_cbor_end_string(&w);
                CHECK(quern_cbor_writer_finish(&w) == QUERN_OK);
                const quern_string view = quern_memory_sink_view(&out);
                char joined[64];
                size_t used = 0, k = 1;
                while ((unsigned char)view.data[k] != 0xff) {
                    size_t part = (unsigned char)view.data[k++] - 0x60u;
                    if (part == 24)
                        part = (unsigned char)view.data[k++];
                    CHECK(part < 64 && quern_utf8_prefix(view.data + k, part).length == part);
                    memcpy(joined + used, view.data + k, part);
                    used += part;
                    k += part;
                }
                CHECK(k + 1 == view.length);
                CHECK(used == strlen(wanted[m]) && memcmp(joined, wanted[m], used) == 0);
                quern_memory_sink_free(&out);
            }
        }
    }
}
END_TEST

START_TEST(misuse)
{
    if (!open_variant(_i))
        return;
    at("misuse", 0, 0);
    quern_cbor_writer *const p = &w;
    const quern_status wrong = QUERN_ERROR_MISUSE;
    FAILS(wrong, (void)0);
    FAILS(wrong, uints(1, 2));
    FAILS(wrong, quern_cbor_end(p));
    FAILS(wrong, quern_cbor_write_tag(p, 1));
    FAILS(wrong, quern_cbor_begin_array(p, 1); quern_cbor_end(p));
    FAILS(wrong, quern_cbor_begin_array(p, 1); uints(1, 2));
    FAILS(wrong, quern_cbor_begin_array(p, 1); uints(1, 1));
    FAILS(wrong, quern_cbor_begin_map(p, 1); uints(1, 1); quern_cbor_end(p));
    FAILS(wrong, quern_cbor_begin_map(p, QUERN_UNKNOWN); uints(1, 1); quern_cbor_end(p));
    FAILS(wrong, quern_cbor_begin_array(p, QUERN_UNKNOWN); quern_cbor_write_tag(p, 1); quern_cbor_end(p));
    FAILS(wrong, quern_cbor_begin_array(p, QUERN_UNKNOWN); uints(1, 1); quern_cbor_write_tag(p, 1); quern_cbor_end(p));
    FAILS(wrong, quern_cbor_write_part(p, "", 0));
    FAILS(wrong, quern_cbor_end_string(p));
    FAILS(wrong, quern_cbor_begin_string(p, 0));
    FAILS(wrong, quern_cbor_begin_string(p, 0); quern_cbor_end(p));
    FAILS(wrong, quern_cbor_begin_string(p, 0); uints(1, 1));
    FAILS(wrong, quern_cbor_write_raw(p, "", 0));
    FAILS(QUERN_ERROR_RANGE, quern_cbor_write_simple(p, 24));
    FAILS(QUERN_ERROR_RANGE, quern_cbor_write_simple(p, 31));
    FAILS(QUERN_ERROR_RANGE, quern_cbor_write_simple(p, 256));
    WRITES("9f c101 c281c300 ff", quern_cbor_begin_array(p, QUERN_UNKNOWN); quern_cbor_write_tag(p, 1); uints(1, 1);
           quern_cbor_write_tag(p, 2); quern_cbor_begin_array(p, 1); quern_cbor_write_tag(p, 3); uints(0, 0);
           quern_cbor_end(p); quern_cbor_end(p));
    WRITES("8101", quern_cbor_begin_array(p, 1); quern_cbor_write_raw(p, "\1", 1); quern_cbor_end(p));
    static const quern_cbor_writer_options sequence = {.size = sizeof sequence, .sequence = true};
    WRITES_WITH(&sequence, "", (void)0);
    WRITES_WITH(&sequence, "010203 80", uints(1, 3); quern_cbor_begin_array(p, 0); quern_cbor_end(p));
    FAILS_WITH(&sequence, wrong, uints(1, 3); quern_cbor_write_tag(p, 1));
    static const quern_cbor_writer_options bad[] = {
        {.size = sizeof *bad, .invalid = (quern_cbor_invalid)4},
        {.size = sizeof *bad, .floats = (quern_cbor_floats)2},
        {.size = sizeof *bad, .nan = (quern_cbor_nan)2},
        {.size = sizeof *bad, .stack_size = 1},
        {.size = sizeof *bad, .deterministic = true, .invalid = QUERN_CBOR_INVALID_KEEP},
        {.size = sizeof *bad, .deterministic = true, .floats = QUERN_CBOR_FLOATS_GIVEN}};
    for (size_t i = 0; i < SUPPORT_COUNT(bad); i++)
        FAILS_WITH(&bad[i], QUERN_ERROR_RANGE, uints(1, 1));
    /* More values than any object holds must not be followed into memory, nor fill the array. */
    static const quern_status limit = QUERN_ERROR_LIMIT;
    static const uint64_t one = 1;
    static const int64_t minus = -1;
    static const double real = 0.1;
    static const float single = 0.1f;
    FAILS(limit, quern_cbor_begin_array(p, 1); quern_cbor_write_u64s(p, &one, SIZE_MAX / 8));
    FAILS(limit, quern_cbor_begin_array(p, 1); quern_cbor_write_i64s(p, &minus, SIZE_MAX));
    FAILS(limit, quern_cbor_begin_array(p, 1); quern_cbor_write_doubles(p, &real, SIZE_MAX / 8));
    FAILS(limit, quern_cbor_begin_array(p, 1); quern_cbor_write_floats(p, &single, SIZE_MAX));
}
END_TEST

/* A back end that takes everything, and passes it on later. */
static quern_status take(void *context, size_t *used, size_t wanted, uint8_t **block, size_t *room)
{
    static uint8_t taken[256];
    (void)context, (void)used, (void)wanted;
    *block = taken;
    *room = sizeof taken;
    return QUERN_OK;
}

static quern_status pass_on_later(void *context)
{
    (void)context;
    return QUERN_AGAIN;
}

START_TEST(pending_is_no_failure)
{
    if (!open_variant(_i))
        return;
    static const quern_sink_ops ops = {.size = sizeof ops, .next = take, .flush = pass_on_later};
    for (size_t missing = 0; missing < 2; missing++) {
        at("a flush that says AGAIN", missing, 0);
        const quern_status wanted = missing ? QUERN_ERROR_MISUSE : QUERN_OK;
        quern_sink sink;
        quern_error error;
        quern_sink_init(&sink, &ops, NULL);
        quern_cbor_writer_init(&w, &sink, NULL);
        quern_cbor_begin_array(&w, 1 + missing);
        uints(1, 1);
        if (!missing)
            quern_cbor_end(&w);
        CHECK(quern_cbor_writer_finish(&w) == wanted);
        CHECK(quern_cbor_writer_finish(&w) == wanted);
        quern_cbor_writer_error(&w, &error);
        CHECK(error.status == wanted);
        CHECK(quern_sink_finish(&sink) == QUERN_AGAIN);
    }
}
END_TEST

START_TEST(depth)
{
    if (!open_variant(_i))
        return;
    static uint64_t stack[100];
    for (size_t most = 1; most < 200; most += most < 30 || most > 36 ? 13 : 1) {
        for (int own = 0; own < 2; own++) {
            at("depth", most, (size_t)own);
            const quern_cbor_writer_options options = {.size = sizeof options,
                                                       .max_depth = most,
                                                       .stack = own ? stack : NULL,
                                                       .stack_size = own ? (most > 32 ? (most - 32) * 8 : 1) : 0};
            if (own && most > 132)
                continue;
            open_out(&options);
            for (size_t i = 0; i < most; i++)
                CHECK((i % 2 ? quern_cbor_begin_map(&w, QUERN_UNKNOWN) : quern_cbor_begin_array(&w, 2)) == QUERN_OK);
            for (size_t i = most; i-- > 0;) {
                if (i % 2 == 0)
                    uints(1, i + 1 == most ? 2 : 1);
                if (i % 2 == 1 && i + 1 < most)
                    uints(1, 1);
                CHECK(quern_cbor_end(&w) == QUERN_OK);
            }
            CHECK(quern_cbor_writer_finish(&w) == QUERN_OK);
            quern_memory_sink_free(&out);
            open_out(&options);
            for (size_t i = 0; i < most; i++)
                quern_cbor_begin_array(&w, 1);
            CHECK(quern_cbor_begin_array(&w, 1) == QUERN_ERROR_DEPTH);
            close_out(__FILE__, __LINE__, QUERN_ERROR_DEPTH, "");
        }
    }
}
END_TEST

static void token(quern_token t)
{
    quern_cbor_write_token(&w, &t);
}

START_TEST(tokens)
{
    if (!open_variant(_i))
        return;
    at("tokens", 0, 0);
    static const quern_cbor_writer_options given = {.size = sizeof given, .floats = QUERN_CBOR_FLOATS_GIVEN};
#define NUMBER(kind_, n) token((quern_token){.kind = kind_, .value.number = (n)})
#define TEXT(kind_, flags_, s) token((quern_token){.kind = kind_, .flags = flags_, .value.text = {s, sizeof(s) - 1}})
    WRITES("9f f6 f5 01 21 6161 4162 c101 e5 f7 1903e8 24 f98000 a0 fb3fb999999999999a ff",
           NUMBER(QUERN_TOKEN_ARRAY, QUERN_UNKNOWN);
           NUMBER(QUERN_TOKEN_NULL, 0); token((quern_token){.kind = QUERN_TOKEN_BOOL, .value.truth = true});
           NUMBER(QUERN_TOKEN_UNSIGNED, 1); NUMBER(QUERN_TOKEN_NEGATIVE, 1);
           TEXT(QUERN_TOKEN_STRING, QUERN_TOKEN_WHOLE, "a"); TEXT(QUERN_TOKEN_BYTES, QUERN_TOKEN_WHOLE, "b");
           NUMBER(QUERN_TOKEN_TAG, 1); NUMBER(QUERN_TOKEN_UNSIGNED, 1); NUMBER(QUERN_TOKEN_SIMPLE, 5);
           NUMBER(QUERN_TOKEN_UNDEFINED, 0); TEXT(QUERN_TOKEN_NUMBER, 0, "1000"); TEXT(QUERN_TOKEN_NUMBER, 0, "-5");
           TEXT(QUERN_TOKEN_NUMBER, 0, "-0"); NUMBER(QUERN_TOKEN_MAP, 0); NUMBER(QUERN_TOKEN_END, 0);
           token((quern_token){.kind = QUERN_TOKEN_DOUBLE, .value.real = 0.1}); NUMBER(QUERN_TOKEN_END, 0));
    WRITES("7f 6161 60 6162 ff", TEXT(QUERN_TOKEN_STRING, QUERN_TOKEN_FIRST, "a"); TEXT(QUERN_TOKEN_STRING, 0, "");
           TEXT(QUERN_TOKEN_STRING, QUERN_TOKEN_LAST, "b"));
    WRITES("5f 4161 4162 ff", TEXT(QUERN_TOKEN_BYTES, QUERN_TOKEN_FIRST, "a");
           TEXT(QUERN_TOKEN_BYTES, QUERN_TOKEN_LAST, "b"));
    FAILS(QUERN_ERROR_MISUSE, TEXT(QUERN_TOKEN_BYTES, QUERN_TOKEN_FIRST, "a");
          TEXT(QUERN_TOKEN_STRING, QUERN_TOKEN_LAST, "b"));
    WRITES("1bffffffffffffffff", TEXT(QUERN_TOKEN_NUMBER, 0, "18446744073709551615"));
    WRITES("3bfffffffffffffffe", TEXT(QUERN_TOKEN_NUMBER, 0, "-18446744073709551615"));
    FAILS(QUERN_ERROR_MISUSE, NUMBER(14, 0));
    FAILS(QUERN_ERROR_RANGE, NUMBER(QUERN_TOKEN_SIMPLE, UINT64_C(1) << 32));
    static const struct {
        unsigned width;
        const char *hex;
    } widths[] = {{16, "f93e00"}, {32, "fa3fc00000"}, {64, "fb3ff8000000000000"}, {0, "fb3ff8000000000000"}};
    for (size_t i = 0; i < SUPPORT_COUNT(widths); i++) {
        const quern_token t = {.kind = QUERN_TOKEN_DOUBLE, .width = (uint8_t)widths[i].width, .value.real = 1.5};
        WRITES_WITH(&given, widths[i].hex, token(t));
    }
}
END_TEST

/* The digits given, `times` over, behind `first`. */
static void number_token(const char *first, char digit, size_t times)
{
    static char text[5000];
    const size_t length = strlen(first);
    memcpy(text, first, length);
    memset(text + length, digit, times);
    token((quern_token){.kind = QUERN_TOKEN_NUMBER, .value.text = {text, length + times}});
}

START_TEST(number_tokens)
{
    if (!open_variant(_i))
        return;
    at("number tokens", 0, 0);
    WRITES("1bffffffffffffffff", number_token("18446744073709551615", 0, 0));
    WRITES("c249010000000000000000", number_token("18446744073709551616", 0, 0));
    WRITES("3bfffffffffffffffe", number_token("-18446744073709551615", 0, 0));
    WRITES("3bffffffffffffffff", number_token("-18446744073709551616", 0, 0));
    WRITES("c349010000000000000000", number_token("-18446744073709551617", 0, 0));
    WRITES("c24a028fa1a73bf5e6ed8d4e", number_token("12094265713168300739918", 0, 0));
    WRITES("f98000", number_token("-0", 0, 0));
    WRITES("c250ffffffffffffffffffffffffffffffff", number_token("340282366920938463463374607431768211455", 0, 0));
    WRITES("c25101"
           "00000000000000000000000000000000",
           number_token("340282366920938463463374607431768211456", 0, 0));
    WRITES("c350ffffffffffffffffffffffffffffffff", number_token("-340282366920938463463374607431768211456", 0, 0));
    FAILS(QUERN_ERROR_LIMIT, number_token("1", '0', 4096));
    static const char *const refused[] = {"1.5",
                                          "1.0",
                                          "1e3",
                                          "1E3",
                                          "-0.0",
                                          "0e0",
                                          "1e-400",
                                          "01",
                                          "-01",
                                          "-",
                                          "",
                                          "+1",
                                          " 1",
                                          "1 ",
                                          "0x1",
                                          "NaN",
                                          "18446744073709551616.0",
                                          "18446744073709551616e0"};
    for (size_t i = 0; i < SUPPORT_COUNT(refused); i++) {
        at("refused number", i, 0);
        open_out(NULL);
        number_token(refused[i], 0, 0);
        CHECK(quern_memory_sink_view(&out).length == 0);
        close_out(__FILE__, __LINE__, QUERN_ERROR_NUMBER, "");
    }
    /* 10^4095, the largest there is room for, and 10^4096 - 1: they are divided down again. */
    for (int nines = 0; nines < 2; nines++) {
        at("4096 digits", (size_t)nines, 0);
        open_out(NULL);
        number_token(nines ? "9" : "1", nines ? '9' : '0', 4095);
        CHECK(quern_cbor_writer_finish(&w) == QUERN_OK);
        const quern_string view = quern_memory_sink_view(&out);
        unsigned char number[2000];
        const size_t length = view.length - 4;
        CHECK(memcmp(view.data, "\xc2\x59", 2) == 0 && length < sizeof number && view.data[4] != 0);
        CHECK(length == ((size_t)(unsigned char)view.data[2] << 8 | (unsigned char)view.data[3]));
        memcpy(number, view.data + 4, length);
        for (size_t digit = 0; digit < 4096; digit++) {
            unsigned rest = 0;
            for (size_t i = 0; i < length; i++) {
                rest = rest << 8 | number[i];
                number[i] = (unsigned char)(rest / 10);
                rest %= 10;
            }
            CHECK(rest == (nines ? 9u : digit == 4095 ? 1u : 0u));
        }
        for (size_t i = 0; i < length; i++)
            CHECK(number[i] == 0);
        quern_memory_sink_free(&out);
    }
}
END_TEST

/* ---- faults that other projects had -------------------------------------------------------------- */

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

START_TEST(B165_to_B169)
{
    if (!open_variant(_i))
        return;
    at("B165", 0, 0); /* PJK/libcbor issues #53, #112, #5 */
    WRITES("f97e00", quern_cbor_write_double(&w, NAN));
    WRITES("f98001", quern_cbor_write_double(&w, -0x1p-24));
    WRITES("f98200", quern_cbor_write_double(&w, -0x1p-15));
    WRITES("f90001", quern_cbor_write_double(&w, 0x1p-24));
    at("B166", 0, 0); /* PJK/libcbor PR #412 */
    static const quern_cbor_writer_options keep = {.size = sizeof keep, .nan = QUERN_CBOR_NAN_KEEP};
    WRITES_WITH(&keep, "fb7ff8000000000001", quern_cbor_write_double(&w, double_of(UINT64_C(0x7ff8000000000001))));
    WRITES("f97e00", quern_cbor_write_double(&w, double_of(UINT64_C(0x7ff8000000000001))));
    WRITES("f97e00", quern_cbor_write_double(&w, double_of(UINT64_C(0xfff8000000000000))));
    WRITES_WITH(&keep, "f9fe00", quern_cbor_write_double(&w, double_of(UINT64_C(0xfff8000000000000))));
    at("B167", 0, 0); /* nlohmann/json issue #1719 */
    WRITES("fb7e37e43c8800759c", quern_cbor_write_double(&w, 1e300));
    at("B168", 0, 0); /* fxamacker/cbor PR #765 */
    open_out(NULL);
    CHECK(quern_cbor_begin_string(&w, QUERN_UNKNOWN) == QUERN_OK);
    CHECK(quern_cbor_begin_string(&w, QUERN_UNKNOWN) == QUERN_ERROR_MISUSE);
    CHECK(quern_memory_sink_view(&out).length == 1);
    close_out(__FILE__, __LINE__, QUERN_ERROR_MISUSE, "");
    at("B169", 0, 0); /* PJK/libcbor PR #260 */
    WRITES("60", quern_cbor_write_string(&w, "", 0));
    WRITES("40", quern_cbor_write_bytes(&w, "", 0));
    WRITES("7f60ff", quern_cbor_begin_string(&w, QUERN_UNKNOWN); quern_cbor_write_part(&w, "", 0);
           quern_cbor_end_string(&w));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cbor_writer");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 600);
    ADD(appendix_a_scalars);
    ADD(appendix_a_containers);
    ADD(heads);
    ADD(all_halfs);
    ADD(narrowing);
    ADD(bulk);
    ADD(typed_arrays);
    ADD(strings);
    ADD(ill_formed_text);
    ADD(misuse);
    ADD(pending_is_no_failure);
    ADD(depth);
    ADD(tokens);
    ADD(number_tokens);
    ADD(B165_to_B169);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
