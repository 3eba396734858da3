/* SPDX-License-Identifier: MIT */
/*
 * UTF-8 validation by table lookup: John Keiser, Daniel Lemire, "Validating UTF-8 In Less Than One Instruction Per
 * Byte", Software: Practice and Experience 51 (2021).
 *
 * Every fault but one shows in two neighbouring bytes. Three tables, indexed by the first byte's nibbles and by the
 * second's high nibble, each give the set of faults that this nibble allows; a fault is real if all three agree. The
 * one left is a third or fourth byte that is missing or too many: a byte must be a continuation of that kind exactly
 * if the byte two before is a lead of three or more, or the byte three before a lead of four.
 *
 * A fault is noticed in its step or the next; where it begins is then found by walking from a boundary before it.
 */
#include "common/utf8.h"

enum {
    UTF8_TOO_SHORT = 1 << 0,      /* a lead before something that is no continuation */
    UTF8_TOO_LONG = 1 << 1,       /* ASCII before a continuation */
    UTF8_OVERLONG_3 = 1 << 2,     /* E0 before 80…9F */
    UTF8_TOO_LARGE = 1 << 3,      /* F4 before 90…BF, F5…FF before any */
    UTF8_SURROGATE = 1 << 4,      /* ED before A0…BF */
    UTF8_OVERLONG_2 = 1 << 5,     /* C0, C1 */
    UTF8_TOO_LARGE_1000 = 1 << 6, /* F5…FF before 80…8F; */
    UTF8_OVERLONG_4 = 1 << 6,     /* F0 before 80…8F */
    UTF8_TWO_CONTS = 1 << 7,      /* a continuation before a continuation: right if a lead of 3 or 4 stands before */
    UTF8_CARRY = UTF8_TOO_SHORT | UTF8_TOO_LONG | UTF8_TWO_CONTS
};

/* clang-format off */
static const uint8_t utf8_first_high[16] = {
    /* 0… to 7…: ASCII */
    UTF8_TOO_LONG, UTF8_TOO_LONG, UTF8_TOO_LONG, UTF8_TOO_LONG,
    UTF8_TOO_LONG, UTF8_TOO_LONG, UTF8_TOO_LONG, UTF8_TOO_LONG,
    /* 8… to B…: continuations */
    UTF8_TWO_CONTS, UTF8_TWO_CONTS, UTF8_TWO_CONTS, UTF8_TWO_CONTS,
    /* C… */ UTF8_TOO_SHORT | UTF8_OVERLONG_2,
    /* D… */ UTF8_TOO_SHORT,
    /* E… */ UTF8_TOO_SHORT | UTF8_OVERLONG_3 | UTF8_SURROGATE,
    /* F… */ UTF8_TOO_SHORT | UTF8_TOO_LARGE | UTF8_TOO_LARGE_1000 | UTF8_OVERLONG_4,
};

static const uint8_t utf8_first_low[16] = {
    /* …0 */ UTF8_CARRY | UTF8_OVERLONG_3 | UTF8_OVERLONG_2 | UTF8_OVERLONG_4,
    /* …1 */ UTF8_CARRY | UTF8_OVERLONG_2,
    UTF8_CARRY, UTF8_CARRY,
    /* …4 */ UTF8_CARRY | UTF8_TOO_LARGE,
    UTF8_CARRY | UTF8_TOO_LARGE | UTF8_TOO_LARGE_1000, UTF8_CARRY | UTF8_TOO_LARGE | UTF8_TOO_LARGE_1000,
    UTF8_CARRY | UTF8_TOO_LARGE | UTF8_TOO_LARGE_1000, UTF8_CARRY | UTF8_TOO_LARGE | UTF8_TOO_LARGE_1000,
    UTF8_CARRY | UTF8_TOO_LARGE | UTF8_TOO_LARGE_1000, UTF8_CARRY | UTF8_TOO_LARGE | UTF8_TOO_LARGE_1000,
    UTF8_CARRY | UTF8_TOO_LARGE | UTF8_TOO_LARGE_1000, UTF8_CARRY | UTF8_TOO_LARGE | UTF8_TOO_LARGE_1000,
    /* …D */ UTF8_CARRY | UTF8_TOO_LARGE | UTF8_TOO_LARGE_1000 | UTF8_SURROGATE,
    UTF8_CARRY | UTF8_TOO_LARGE | UTF8_TOO_LARGE_1000, UTF8_CARRY | UTF8_TOO_LARGE | UTF8_TOO_LARGE_1000,
};

static const uint8_t utf8_second_high[16] = {
    /* 0… to 7… */
    UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_TOO_SHORT,
    UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_TOO_SHORT,
    /* 8… */ UTF8_TOO_LONG | UTF8_OVERLONG_2 | UTF8_TWO_CONTS | UTF8_OVERLONG_3 | UTF8_TOO_LARGE_1000 | UTF8_OVERLONG_4,
    /* 9… */ UTF8_TOO_LONG | UTF8_OVERLONG_2 | UTF8_TWO_CONTS | UTF8_OVERLONG_3 | UTF8_TOO_LARGE,
    /* A…, B… */
    UTF8_TOO_LONG | UTF8_OVERLONG_2 | UTF8_TWO_CONTS | UTF8_SURROGATE | UTF8_TOO_LARGE,
    UTF8_TOO_LONG | UTF8_OVERLONG_2 | UTF8_TWO_CONTS | UTF8_SURROGATE | UTF8_TOO_LARGE,
    /* C… to F… */
    UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_TOO_SHORT,
};
/* clang-format on */

typedef struct utf8_tables {
    vec first_high, first_low, second_high;
} utf8_tables;

/* Not zero where v, with `before` in front of it, holds a fault. */
QUERN_INLINE vec utf8_faults(const utf8_tables *t, vec before, vec v)
{
    vec first = vec_before_1(before, v);
    vec pairs = vec_and(vec_and(vec_lookup(t->first_high, vec_high_nibble(first)),
                                vec_lookup(t->first_low, vec_and(first, vec_splat(0x0F)))),
                        vec_lookup(t->second_high, vec_high_nibble(v)));
    /* Bit 7 where a lead of three stands two before, or a lead of four three before. */
    vec third = vec_subtract_saturated(vec_before_2(before, v), vec_splat(0xE0 - 0x80));
    vec fourth = vec_subtract_saturated(vec_before_3(before, v), vec_splat(0xF0 - 0x80));
    vec expected = vec_and(vec_or(third, fourth), vec_splat(0x80));
    return vec_xor(expected, pairs);
}

QUERN_COLD static quern_span utf8_locate(const char *src, size_t len, size_t step)
{
    return utf8_walk(src, len, utf8_boundary(src, step));
}

#define UTF8_STEP (VEC_BYTES < 64 ? 64 : 2 * VEC_BYTES)
enum { UTF8_VECTORS = UTF8_STEP / VEC_BYTES };

quern_utf8_prefix_function QUERN_KERNEL(utf8_prefix);
quern_span QUERN_KERNEL(utf8_prefix)(const char *src, size_t len)
{
    const utf8_tables tables = {vec_table(utf8_first_high), vec_table(utf8_first_low), vec_table(utf8_second_high)};
    vec before = vec_zero();
    size_t i = 0;

    if (len == 0)
        return (quern_span){0, QUERN_STOP_END}; /* src may be NULL */
    for (; len - i >= UTF8_STEP; i += UTF8_STEP) {
        vec v[UTF8_VECTORS], all = vec_zero();
        for (size_t k = 0; k < UTF8_VECTORS; k++) {
            v[k] = vec_load(src + i + k * VEC_BYTES);
            all = vec_or(all, v[k]);
        }
        vec faults;
        if (!flags_any(vec_is_high(all))) {
            /* ASCII: only a sequence that `before` leaves open can be at fault, and that shows in the first vector. */
            if (!flags_any(vec_is_high(before)))
                continue;
            faults = utf8_faults(&tables, before, v[0]);
            before = vec_zero();
        } else {
            faults = utf8_faults(&tables, before, v[0]);
            for (size_t k = 1; k < UTF8_VECTORS; k++)
                faults = vec_or(faults, utf8_faults(&tables, v[k - 1], v[k]));
            before = v[UTF8_VECTORS - 1];
        }
        if (QUERN_UNLIKELY(vec_any(faults)))
            return utf8_locate(src, len, i);
    }

    /* The rest, with zeros behind it: a sequence that the end cuts is "too short" there. */
    vec faults = vec_zero();
    const size_t step = i;
    for (; len - i >= VEC_BYTES; i += VEC_BYTES) {
        vec v = vec_load(src + i);
        faults = vec_or(faults, utf8_faults(&tables, before, v));
        before = v;
    }
    faults = vec_or(faults, utf8_faults(&tables, before, vec_load_first(src + i, len - i)));
    if (QUERN_UNLIKELY(vec_any(faults)))
        return utf8_locate(src, len, step);
    return (quern_span){len, QUERN_STOP_END};
}
