/* SPDX-License-Identifier: MIT */
#include "reference/canonical.h"

#include <stdint.h>
#include <string.h>

/* Behind the string that begins at p. */
static const char *behind_string(const char *p)
{
    for (p++; *p != '"'; p++)
        if (*p == '\\')
            p++;
    return p + 1;
}

/* Behind the value that begins at p. */
static const char *behind_value(const char *p, const char *end)
{
    size_t depth = 0;
    do {
        if (*p == '"') {
            p = behind_string(p);
            continue;
        }
        if (*p == '[' || *p == '{')
            depth++;
        else if (*p == ']' || *p == '}')
            depth--;
        p++;
    } while (p < end && (depth > 0 || (*p != ',' && *p != ']' && *p != '}')));
    return p;
}

/* The next UTF-16 code unit of a key; *pending is the second half of a pair. -1 at the end. */
static int32_t next_unit(const char **p, int32_t *pending)
{
    int32_t unit = *pending;
    if (unit != 0) {
        *pending = 0;
        return unit;
    }
    const unsigned char *s = (const unsigned char *)*p;
    if (*s == '"')
        return -1;
    if (*s == '\\') {
        static const char names[] = "bfnrt\"\\", values[] = "\b\f\n\r\t\"\\";
        if (s[1] != 'u') {
            *p += 2;
            return values[strchr(names, s[1]) - names];
        }
        unit = 0;
        for (int i = 2; i < 6; i++)
            unit = unit * 16 + (s[i] <= '9' ? s[i] - '0' : s[i] - 'a' + 10);
        *p += 6;
        return unit;
    }
    int32_t bytes = *s < 0x80 ? 1 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;
    unit = bytes == 1 ? *s : *s & (0x7f >> bytes);
    for (int i = 1; i < bytes; i++)
        unit = unit * 64 + (s[i] & 0x3f);
    *p += bytes;
    if (unit >= 0x10000) {
        *pending = 0xdc00 + (unit - 0x10000) % 0x400;
        unit = 0xd800 + (unit - 0x10000) / 0x400;
    }
    return unit;
}

static int compare_keys(const char *a, const char *b)
{
    int32_t pending_a = 0, pending_b = 0;
    a++;
    b++;
    for (;;) {
        int32_t x = next_unit(&a, &pending_a), y = next_unit(&b, &pending_b);
        if (x != y)
            return x < y ? -1 : 1;
        if (x < 0)
            return 0;
    }
}

/* Sorts the map at `map`, whose end is `end`, by taking the smallest key that is larger than the last one. */
static bool sort_map(char *map, const char *end, char *work)
{
    size_t used = 0;
    const char *last = NULL;
    size_t members = 0, taken = 0;
    for (const char *p = map + 1; *p != '}'; p += *p == ',') {
        members++;
        p = behind_value(behind_string(p) + 1, end);
    }
    for (;;) {
        const char *best = NULL;
        for (const char *p = map + 1; *p != '}'; p += *p == ',') {
            if ((last == NULL || compare_keys(p, last) > 0) && (best == NULL || compare_keys(p, best) < 0))
                best = p;
            p = behind_value(behind_string(p) + 1, end);
        }
        if (best == NULL)
            break;
        const size_t length = (size_t)(behind_value(behind_string(best) + 1, end) - best);
        if (taken++ > 0)
            work[used++] = ',';
        memcpy(work + used, best, length);
        used += length;
        last = best;
    }
    if (taken < members)
        return false;
    memcpy(map + 1, work, used);
    return true;
}

bool reference_canonical(char *text, size_t length, char *work)
{
    /* From the end, so that inner maps are sorted before outer ones. */
    for (size_t i = length; i-- > 0;) {
        if (text[i] != '{')
            continue;
        /* Not if it is within a string: those are found from the start. */
        const char *p = text;
        while (p < text + i)
            p = *p == '"' ? behind_string(p) : p + 1;
        if (p == text + i && !sort_map(text + i, text + length, work))
            return false;
    }
    return true;
}
