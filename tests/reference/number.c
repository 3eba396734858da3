/* SPDX-License-Identifier: MIT */
/*
 * Numbers as ECMAScript writes them, by the C library's conversions, which are exact: fewer and fewer digits are tried
 * until they do not read back. In the locale "C" and rounding to nearest alone.
 */
#include "reference/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 0.d1d2d3... * 10^point */
typedef struct decimal {
    char digits[24];
    int count;
    int point;
} decimal;

static bool reads_back(const decimal *d, double value, bool is_float)
{
    char text[48];
    snprintf(text, sizeof text, "0.%se%d", d->digits, d->point);
    return is_float ? (double)strtof(text, NULL) == value : strtod(text, NULL) == value;
}

static void strip(decimal *d)
{
    while (d->count > 1 && d->digits[d->count - 1] == '0')
        d->digits[--d->count] = '\0';
}

/* The nearest one of that many digits; value > 0. */
static decimal nearest(double value, int count)
{
    char text[48];
    decimal d = {.count = count};
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    d.digits[0] = text[0];
    memcpy(d.digits + 1, text + 2, (size_t)count - 1);
    d.point = atoi(strchr(text, 'e') + 1) + 1;
    return d;
}

/* The next larger one of as many digits, unless it has one digit more. */
static void increase(decimal *d)
{
    for (int i = d->count - 1; i >= 0; i--) {
        if (d->digits[i] != '9') {
            d->digits[i]++;
            return;
        }
        d->digits[i] = '0';
    }
    d->digits[0] = '1';
    d->point++;
}

static decimal shortest(double value, bool is_float)
{
    decimal best = nearest(value, is_float ? 9 : 17);
    strip(&best);
    while (best.count > 1) {
        decimal d = nearest(value, best.count - 1);
        /*
         * If not even the nearest one reads back, none does, but for a power of two: from there the next value up is
         * farther than the next one down, so the larger neighbour may.
         */
        if (!reads_back(&d, value, is_float)) {
            increase(&d);
            if (!reads_back(&d, value, is_float))
                break;
        }
        strip(&d);
        best = d;
    }
    return best;
}

static size_t write_decimal(char *dst, decimal d)
{
    char *p = dst;
    if (d.count <= d.point && d.point <= 21) {
        p += sprintf(p, "%s", d.digits);
        for (int i = d.count; i < d.point; i++)
            *p++ = '0';
    } else if (0 < d.point && d.point <= 21) {
        p += sprintf(p, "%.*s.%s", d.point, d.digits, d.digits + d.point);
    } else if (-6 < d.point && d.point <= 0) {
        p += sprintf(p, "0.%.*s%s", -d.point, "000000", d.digits);
    } else {
        *p++ = d.digits[0];
        if (d.count > 1)
            p += sprintf(p, ".%s", d.digits + 1);
        p += sprintf(p, "e%+d", d.point - 1);
    }
    return (size_t)(p - dst);
}

static size_t write_number(char *dst, double value, bool is_float)
{
    size_t length = 0;
    if (value == 0)
        return (size_t)sprintf(dst, "0");
    if (value < 0)
        dst[length++] = '-';
    return length + write_decimal(dst + length, shortest(fabs(value), is_float));
}

size_t reference_number_from_double(char *dst, double value)
{
    return write_number(dst, value, false);
}

size_t reference_number_from_float(char *dst, float value)
{
    return write_number(dst, (double)value, true);
}
