/* SPDX-License-Identifier: MIT */
#include "reference/reference.h"

/* The Unicode Standard, table 3-7, row by row: the ranges of the first to the fourth byte. */
typedef struct row {
    size_t bytes;
    struct {
        unsigned char low, high;
    } range[4];
} row;

static const row table[] = {
    {1, {{0x00, 0x7F}, {0, 0}, {0, 0}, {0, 0}}},                   /* U+0000   - U+007F */
    {2, {{0xC2, 0xDF}, {0x80, 0xBF}, {0, 0}, {0, 0}}},             /* U+0080   - U+07FF */
    {3, {{0xE0, 0xE0}, {0xA0, 0xBF}, {0x80, 0xBF}, {0, 0}}},       /* U+0800   - U+0FFF */
    {3, {{0xE1, 0xEC}, {0x80, 0xBF}, {0x80, 0xBF}, {0, 0}}},       /* U+1000   - U+CFFF */
    {3, {{0xED, 0xED}, {0x80, 0x9F}, {0x80, 0xBF}, {0, 0}}},       /* U+D000   - U+D7FF */
    {3, {{0xEE, 0xEF}, {0x80, 0xBF}, {0x80, 0xBF}, {0, 0}}},       /* U+E000   - U+FFFF */
    {4, {{0xF0, 0xF0}, {0x90, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}}}, /* U+10000  - U+3FFFF */
    {4, {{0xF1, 0xF3}, {0x80, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}}}, /* U+40000  - U+FFFFF */
    {4, {{0xF4, 0xF4}, {0x80, 0x8F}, {0x80, 0xBF}, {0x80, 0xBF}}}, /* U+100000 - U+10FFFF */
};

static bool fits(const row *r, size_t place, unsigned char byte)
{
    return byte >= r->range[place].low && byte <= r->range[place].high;
}

/* How one sequence at the start of [src, src + len) stands to the table; END means that `*bytes` of it are right. */
static quern_stop sequence(const unsigned char *src, size_t len, size_t *bytes)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const row *r = &table[i];
        if (!fits(r, 0, src[0]))
            continue;
        for (size_t place = 1; place < r->bytes; place++) {
            if (place == len)
                return QUERN_STOP_TRUNCATED;
            if (!fits(r, place, src[place]))
                return QUERN_STOP_ILL_FORMED;
        }
        *bytes = r->bytes;
        return QUERN_STOP_END;
    }
    return QUERN_STOP_ILL_FORMED; /* no row begins with this byte */
}

quern_span reference_utf8_prefix(const char *src, size_t len)
{
    quern_span span = {0, QUERN_STOP_END};
    while (span.length < len) {
        size_t bytes = 0;
        span.why = sequence((const unsigned char *)src + span.length, len - span.length, &bytes);
        if (span.why != QUERN_STOP_END)
            return span;
        span.length += bytes;
    }
    return span;
}
