/* SPDX-License-Identifier: MIT */
/* Sources, and a reader that goes along with one and compares. */
#include "source.h"

#include <stdlib.h>
#include <string.h>

bench_source source_strings(bench_input input)
{
    size_t room = input.total + 4 * input.pieces + 64;
    const char *begin = input.pool + input.begin[0];
    for (size_t i = 0; i < input.total; i++) {
        const unsigned char c = (unsigned char)begin[i];
        room += c < 0x20 || c == 0x7F ? 5 : c == '"' || c == '\\' || c == '/';
    }
    return (bench_source){.kind = BENCH_STRINGS, .strings = input, .room = room};
}

/* A number's text, of libraries that print more digits than needed too, and a comma. */
enum { NUMBER_ROOM = 32 };

bench_source source_ints(const int64_t *ints, size_t count)
{
    return (bench_source){.kind = BENCH_INTS, .ints = ints, .count = count, .room = NUMBER_ROOM * count + 64};
}

bench_source source_uints(const uint64_t *uints, size_t count)
{
    return (bench_source){.kind = BENCH_UINTS, .uints = uints, .count = count, .room = NUMBER_ROOM * count + 64};
}

bench_source source_doubles(const double *doubles, size_t count)
{
    return (bench_source){.kind = BENCH_DOUBLES, .doubles = doubles, .count = count, .room = NUMBER_ROOM * count + 64};
}

/* ---- the check ---- */

typedef struct walker {
    const char *at, *end;
    bool good;
    bool comma; /* must come next, unless the container ends */
} walker;

static void expect(walker *w, char c)
{
    if (w->good && w->at < w->end && *w->at == c)
        w->at++;
    else
        w->good = false;
}

static void before_value(walker *w)
{
    if (w->comma)
        expect(w, ',');
    w->comma = true;
}

static void put_open(walker *w, char c)
{
    before_value(w);
    expect(w, c);
    w->comma = false;
}

static void put_close(walker *w, char c)
{
    expect(w, c);
    w->comma = true;
}

static void put_map(walker *w)
{
    put_open(w, '{');
}

static void put_map_end(walker *w)
{
    put_close(w, '}');
}

static void put_array(walker *w)
{
    put_open(w, '[');
}

static void put_array_end(walker *w)
{
    put_close(w, ']');
}

/* The byte that an escape stands for, or -1. */
static int unescape(walker *w)
{
    static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
    if (w->at == w->end)
        return -1;
    const char letter = *w->at++;
    if (letter != 'u') {
        const char *found = letter ? strchr(letters, letter) : NULL;
        return found ? bytes[found - letters] : -1;
    }
    if (w->end - w->at < 4)
        return -1;
    char digits[5] = {0}, *stop;
    memcpy(digits, w->at, 4);
    w->at += 4;
    const long c = strtol(digits, &stop, 16);
    return stop == digits + 4 && c < 0x80 ? (int)c : -1;
}

static void put_string(walker *w, const char *data, size_t length)
{
    before_value(w);
    expect(w, '"');
    for (size_t i = 0; w->good && i < length;) {
        size_t same = 0;
        while (same < length - i && same < (size_t)(w->end - w->at) && w->at[same] == data[i + same] &&
               data[i + same] != '\\' && data[i + same] != '"')
            same++;
        w->at += same;
        i += same;
        if (i == length)
            break;
        expect(w, '\\');
        w->good = w->good && unescape(w) == (unsigned char)data[i++];
    }
    expect(w, '"');
}

static void put_key(walker *w, const char *data, size_t length)
{
    put_string(w, data, length);
    expect(w, ':');
    w->comma = false;
}

static void put_literal(walker *w, const char *text)
{
    before_value(w);
    while (*text)
        expect(w, *text++);
}

static void put_null(walker *w)
{
    put_literal(w, "null");
}

static void put_bool(walker *w, bool value)
{
    put_literal(w, value ? "true" : "false");
}

static void put_int(walker *w, int64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)value);
    put_literal(w, text);
}

static void put_uint(walker *w, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    put_literal(w, text);
}

static void put_double(walker *w, double value)
{
    before_value(w);
    char text[40];
    size_t length = 0;
    while (length < sizeof text - 1 && w->at < w->end && *w->at && strchr("+-.0123456789eE", *w->at))
        text[length++] = *w->at++;
    text[length] = 0;
    char *stop;
    const double read = strtod(text, &stop);
    w->good = w->good && stop == text + length && length > 0 && memcmp(&read, &value, sizeof read) == 0;
}

#include "walk.h"

bool source_is_json(const bench_source *source, const char *json, size_t length)
{
    walker w = {json, json + length, true, false};
    walk(&w, source);
    return w.good && w.at == w.end;
}
