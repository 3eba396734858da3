/* SPDX-License-Identifier: MIT */
#include "reference/json_check.h"

#include <string.h>

enum { EXPECT_VALUE, EXPECT_FIRST, EXPECT_COMMA, EXPECT_NOTHING, EXPECT_FAULT, EXPECT_FIRST_KEY };

void json_check_init(json_check *check, const void *text, size_t length, void *scratch)
{
    check->text = text;
    check->length = length;
    check->at = 0;
    check->depth = 0;
    check->expect = EXPECT_VALUE;
    check->string = scratch;
    check->string_length = 0;
}

static json_event fault(json_check *check)
{
    check->expect = EXPECT_FAULT;
    return JSON_FAULT;
}

/* The next byte, or -1 at the end. */
static int peek(const json_check *check)
{
    return check->at < check->length ? check->text[check->at] : -1;
}

static void skip_blanks(json_check *check)
{
    for (;;) {
        int byte = peek(check);
        if (byte != ' ' && byte != '\t' && byte != '\n' && byte != '\r')
            return;
        check->at++;
    }
}

static json_event after_value(json_check *check, json_event event)
{
    check->expect = check->depth > 0 ? EXPECT_COMMA : EXPECT_NOTHING;
    return event;
}

static json_event literal(json_check *check, const char *word, json_event event)
{
    size_t length = strlen(word);
    if (check->length - check->at < length || memcmp(check->text + check->at, word, length) != 0)
        return fault(check);
    check->at += length;
    return after_value(check, event);
}

static void put(json_check *check, uint32_t byte)
{
    check->string[check->string_length++] = (unsigned char)(byte & 0xff);
}

/* A lone surrogate is grammatical; it is stored as its three bytes, which no well-formed text equals. */
static void put_code(json_check *check, uint32_t code)
{
    if (code < 0x80) {
        put(check, code);
    } else if (code < 0x800) {
        put(check, 0xc0 | code >> 6);
        put(check, 0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        put(check, 0xe0 | code >> 12);
        put(check, 0x80 | (code >> 6 & 0x3f));
        put(check, 0x80 | (code & 0x3f));
    } else {
        put(check, 0xf0 | code >> 18);
        put(check, 0x80 | (code >> 12 & 0x3f));
        put(check, 0x80 | (code >> 6 & 0x3f));
        put(check, 0x80 | (code & 0x3f));
    }
}

/* Four hex digits at `at`, or -1. */
static int32_t hex4(const json_check *check, size_t at)
{
    int32_t value = 0;
    if (check->length < 4 || at > check->length - 4)
        return -1;
    for (size_t i = at; i < at + 4; i++) {
        int byte = check->text[i];
        int digit;
        if (byte >= '0' && byte <= '9')
            digit = byte - '0';
        else if (byte >= 'a' && byte <= 'f')
            digit = byte - 'a' + 10;
        else if (byte >= 'A' && byte <= 'F')
            digit = byte - 'A' + 10;
        else
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* What follows a reverse solidus. */
static bool escape(json_check *check)
{
    static const char names[] = "\"\\/bfnrt";
    static const char values[] = "\"\\/\b\f\n\r\t";
    int byte = peek(check);
    if (byte < 0)
        return false;
    if (byte == 'u') {
        int32_t high = hex4(check, check->at + 1);
        if (high < 0)
            return false;
        check->at += 5;
        if (high >= 0xd800 && high < 0xdc00 && peek(check) == '\\' && check->length - check->at >= 6 &&
            check->text[check->at + 1] == 'u') {
            int32_t low = hex4(check, check->at + 2);
            if (low >= 0xdc00 && low < 0xe000) {
                check->at += 6;
                put_code(check, 0x10000 + (uint32_t)(high - 0xd800) * 0x400 + (uint32_t)(low - 0xdc00));
                return true;
            }
        }
        put_code(check, (uint32_t)high);
        return true;
    }
    const char *name = byte != 0 ? strchr(names, byte) : NULL;
    if (name == NULL)
        return false;
    check->at++;
    put(check, (unsigned char)values[name - names]);
    return true;
}

/* One sequence of two to four bytes: Unicode Standard, table 3-7. */
static bool sequence(json_check *check)
{
    const unsigned char *text = check->text + check->at;
    size_t room = check->length - check->at;
    size_t length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    unsigned low = 0x80, high = 0xbf;
    if (text[0] < 0xc2 || text[0] > 0xf4 || room < length)
        return false;
    if (text[0] == 0xe0)
        low = 0xa0;
    else if (text[0] == 0xed)
        high = 0x9f;
    else if (text[0] == 0xf0)
        low = 0x90;
    else if (text[0] == 0xf4)
        high = 0x8f;
    if (text[1] < low || text[1] > high)
        return false;
    for (size_t i = 2; i < length; i++)
        if (text[i] < 0x80 || text[i] > 0xbf)
            return false;
    for (size_t i = 0; i < length; i++)
        put(check, text[i]);
    check->at += length;
    return true;
}

static json_event string(json_check *check)
{
    check->at++;
    check->string_length = 0;
    for (;;) {
        int byte = peek(check);
        if (byte < 0x20)
            return fault(check); /* a control character, or the end */
        if (byte == '"') {
            check->at++;
            return after_value(check, JSON_STRING);
        }
        if (byte == '\\') {
            check->at++;
            if (!escape(check))
                return fault(check);
        } else if (byte < 0x80) {
            put(check, (uint32_t)byte);
            check->at++;
        } else if (!sequence(check)) {
            return fault(check);
        }
    }
}

static bool is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

static bool digits(json_check *check)
{
    if (!is_digit(peek(check)))
        return false;
    while (is_digit(peek(check)))
        check->at++;
    return true;
}

static json_event number(json_check *check)
{
    const size_t start = check->at;
    if (peek(check) == '-')
        check->at++;
    if (peek(check) == '0')
        check->at++;
    else if (!digits(check))
        return fault(check);
    if (peek(check) == '.') {
        check->at++;
        if (!digits(check))
            return fault(check);
    }
    if (peek(check) == 'e' || peek(check) == 'E') {
        check->at++;
        if (peek(check) == '+' || peek(check) == '-')
            check->at++;
        if (!digits(check))
            return fault(check);
    }
    check->number = (const char *)check->text + start;
    check->number_length = check->at - start;
    return after_value(check, JSON_NUMBER);
}

static json_event begin(json_check *check, bool map)
{
    if (check->depth == sizeof check->maps / sizeof *check->maps)
        return fault(check);
    check->at++;
    check->maps[check->depth++] = map;
    check->expect = map ? EXPECT_FIRST_KEY : EXPECT_FIRST;
    return map ? JSON_BEGIN_MAP : JSON_BEGIN_ARRAY;
}

/* A key and the colon behind it. */
static json_event key(json_check *check)
{
    if (peek(check) != '"' || string(check) != JSON_STRING)
        return fault(check);
    skip_blanks(check);
    if (peek(check) != ':')
        return fault(check);
    check->at++;
    check->expect = EXPECT_VALUE;
    return JSON_KEY;
}

json_event json_check_next(json_check *check)
{
    if (check->expect == EXPECT_FAULT)
        return JSON_FAULT;
    skip_blanks(check);
    int byte = peek(check);
    if (check->expect == EXPECT_NOTHING)
        return byte < 0 ? JSON_END_OF_TEXT : fault(check);
    if (check->expect != EXPECT_VALUE && byte == (check->maps[check->depth - 1] ? '}' : ']')) {
        check->at++;
        check->depth--;
        return after_value(check, JSON_END);
    }
    bool in_map = check->expect == EXPECT_FIRST_KEY;
    if (check->expect == EXPECT_COMMA) {
        if (byte != ',')
            return fault(check);
        check->at++;
        skip_blanks(check);
        byte = peek(check);
        in_map = check->maps[check->depth - 1];
    }
    if (in_map)
        return key(check);
    switch (byte) {
    case '[': return begin(check, false);
    case '{': return begin(check, true);
    case '"': return string(check);
    case 'n': return literal(check, "null", JSON_NULL);
    case 'f': return literal(check, "false", JSON_FALSE);
    case 't': return literal(check, "true", JSON_TRUE);
    default: return number(check);
    }
}

bool json_check_valid(const void *text, size_t length, void *scratch)
{
    json_check check;
    json_event event;
    json_check_init(&check, text, length, scratch);
    do
        event = json_check_next(&check);
    while (event != JSON_FAULT && event != JSON_END_OF_TEXT);
    return event == JSON_END_OF_TEXT;
}
