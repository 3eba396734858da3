/* SPDX-License-Identifier: MIT */
/* The JSON writer's numbers and raw values. */
#include "json/writer.h"

#include "common/bits.h"
#include "number/integer.h"
#include "number/number.h"

#define NEGATIVE_ZERO ((uint64_t)1 << 63)

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool is_finite(double value)
{
    return (bits_of(value) >> 52 & 0x7FF) != 0x7FF;
}

/* In canonical form numbers are doubles, and nothing else. */
quern_status quern_json_write_exact(quern_json_writer *w, bool negative, uint64_t magnitude)
{
    if (magnitude && magnitude >> bits_trailing_zeros(magnitude) >> 53) {
        char *out = value_start(w, 0);
        return out ? quern_json_fail(w, QUERN_ERROR_RANGE, 0) : status_of(w);
    }
    return quern_json_write_double(w, negative ? -(double)magnitude : (double)magnitude);
}

quern_status quern_json_write_int(quern_json_writer *w, int64_t value)
{
    if (QUERN_UNLIKELY(w->canonical_) && value)
        return quern_json_write_exact(w, value < 0, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    char *out = value_start(w, QUERN_NUMBER_ROOM);
    if (QUERN_UNLIKELY(!out))
        return status_of(w);
    return value_end(w, out + integer_write_signed(out, value));
}

quern_status quern_json_write_uint(quern_json_writer *w, uint64_t value)
{
    if (QUERN_UNLIKELY(w->canonical_) && value)
        return quern_json_write_exact(w, false, value);
    char *out = value_start(w, QUERN_NUMBER_ROOM);
    if (QUERN_UNLIKELY(!out))
        return status_of(w);
    return value_end(w, out + integer_write(out, value));
}

/* Negative zero, and what JSON has no number for. */
static QUERN_NOINLINE quern_status write_special(quern_json_writer *w, double value)
{
    if (bits_of(value) == NEGATIVE_ZERO)
        return w->canonical_ ? write_literal(w, "0", 1) : write_literal(w, "-0", 2);
    char *out;
    switch (w->nonfinite_) {
    case QUERN_JSON_NONFINITE_NULL: return quern_json_write_null(w);
    case QUERN_JSON_NONFINITE_LITERAL:
        if (bits_of(value) << 12)
            return write_literal(w, "NaN", 3);
        return value < 0 ? write_literal(w, "-Infinity", 9) : write_literal(w, "Infinity", 8);
    default: out = value_start(w, 0); return out ? quern_json_fail(w, QUERN_ERROR_RANGE, 0) : status_of(w);
    }
}

quern_status quern_json_write_double(quern_json_writer *w, double value)
{
    if (QUERN_UNLIKELY(!is_finite(value) || bits_of(value) == NEGATIVE_ZERO))
        return write_special(w, value);
    char *out = value_start(w, QUERN_NUMBER_ROOM);
    if (QUERN_UNLIKELY(!out))
        return status_of(w);
    return value_end(w, out + quern_number_from_double(out, value));
}

quern_status quern_json_write_float(quern_json_writer *w, float value)
{
    /* (By the bits: where the processor takes subnormal numbers for 0, a conversion does, too.) */
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (w->canonical_ || (bits >> 23 & 0xFF) == 0xFF || bits == (uint32_t)1 << 31)
        return quern_json_write_double(w, (double)value);
    char *out = value_start(w, QUERN_NUMBER_ROOM);
    if (QUERN_UNLIKELY(!out))
        return status_of(w);
    return value_end(w, out + quern_number_from_float(out, value));
}

/* ---- many at once ---------------------------------------------------------------------------------- */

/*
 * An array's elements, as many as there is room for, without the detour through the writer's state: behind an element
 * the place is the same as before it. The first one, and what the loop leaves out, are calls like any others.
 */
#define WRITE_MANY(name, one, type, can, put)                                                    \
    quern_status name(quern_json_writer *w, const type *values, size_t count)                    \
    {                                                                                            \
        for (; count > 0; count--) {                                                             \
            one(w, *values++);                                                                   \
            const quern_json_head head = w->place_.now[AT_VALUE];                                \
            if (head.length < 2 || w->canonical_)                                                \
                continue; /* not within an array, or more than a comma precedes an element */    \
            quern_sink *sink = w->sink_;                                                         \
            char *out = (char *)sink->cursor;                                                    \
            const char *limit = (const char *)sink->limit;                                       \
            const size_t before = (size_t)head.length - 1;                                       \
            while (count > 1 && (size_t)(limit - out) >= sizeof head.text + QUERN_NUMBER_ROOM) { \
                type value;                                                                      \
                memcpy(&value, pinned_address(values), sizeof value);                            \
                if (!(can))                                                                      \
                    break;                                                                       \
                memcpy(out, head.text, sizeof head.text);                                        \
                out += before;                                                                   \
                out += put(out, value);                                                          \
                values++;                                                                        \
                count--;                                                                         \
            }                                                                                    \
            sink->cursor = (uint8_t *)out;                                                       \
        }                                                                                        \
        return status_of(w);                                                                     \
    }

WRITE_MANY(quern_json_write_ints, quern_json_write_int, int64_t, true, integer_write_signed)
WRITE_MANY(quern_json_write_uints, quern_json_write_uint, uint64_t, true, integer_write)
WRITE_MANY(quern_json_write_doubles, quern_json_write_double, double,
           is_finite(value) && bits_of(value) != NEGATIVE_ZERO, quern_number_from_double)

/* ---- as text --------------------------------------------------------------------------------------- */

static size_t skip_digits(const char *text, size_t length, size_t i)
{
    while (i < length && text[i] >= '0' && text[i] <= '9')
        i++;
    return i;
}

/* RFC 8259 section 6. */
static bool is_number(const char *text, size_t length)
{
    size_t i = length > 0 && text[0] == '-', end;
    end = skip_digits(text, length, i);
    if (end == i || (text[i] == '0' && end > i + 1))
        return false;
    i = end;
    if (i < length && text[i] == '.') {
        end = skip_digits(text, length, ++i);
        if (end == i)
            return false;
        i = end;
    }
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        if (i < length && (text[i] == '+' || text[i] == '-'))
            i++;
        end = skip_digits(text, length, i);
        if (end == i)
            return false;
        i = end;
    }
    return i == length;
}

static quern_status write_given(quern_json_writer *w, const char *data, size_t length, quern_status fault, bool stable)
{
    char *out = value_start(w, 0);
    if (!out)
        return status_of(w);
    if (w->canonical_)
        fault = QUERN_ERROR_MISUSE;
    if (fault != QUERN_OK)
        return quern_json_fail(w, fault, 0);
    if (w->mark_open_ == MARK_SKIP)
        length = 0; /* it is left out anyway */
    w->sink_->cursor = (uint8_t *)out;
    if (stable)
        quern_sink_write_ref(w->sink_, data, length);
    else
        quern_sink_write(w->sink_, data, length);
    go_on(w, AT_VALUE);
    return w->sink_->status_;
}

quern_status quern_json_write_number(quern_json_writer *w, const char *text, size_t length)
{
    if (length > PTRDIFF_MAX)
        return quern_json_fail(w, QUERN_ERROR_LIMIT, 0);
    return write_given(w, text, length, is_number(text, length) ? QUERN_OK : QUERN_ERROR_NUMBER, false);
}

quern_status quern_json_write_raw(quern_json_writer *w, const char *data, size_t length)
{
    if (length > PTRDIFF_MAX)
        return quern_json_fail(w, QUERN_ERROR_LIMIT, 0);
    return write_given(w, data, length, length ? QUERN_OK : QUERN_ERROR_MISUSE, false);
}

quern_status quern_json_write_raw_ref(quern_json_writer *w, const char *data, size_t length)
{
    if (length > PTRDIFF_MAX)
        return quern_json_fail(w, QUERN_ERROR_LIMIT, 0);
    return write_given(w, data, length, length ? QUERN_OK : QUERN_ERROR_MISUSE, true);
}
