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
#ifndef QUERN_KERNELS_UTF8_FAULTS_H
#define QUERN_KERNELS_UTF8_FAULTS_H

#include "common/utf8.h"
#include "kernels/block.h"

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

/* What the last three bytes of a block are at most, or its end cuts a sequence. */
static const uint8_t utf8_ends[64] = {
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xEF, 0xDF, 0xBF,
};
/* clang-format on */

typedef struct utf8_tables {
    vec first_high, first_low, second_high;
    vec nibble, lead_of_3, lead_of_4, high; /* constants */
} utf8_tables;

/* Not zero where v holds a fault; `first`, `second` and `third` are the bytes 1, 2 and 3 before each of v's. */
QUERN_INLINE vec utf8_faults(const utf8_tables *t, vec v, vec first, vec second, vec third)
{
    vec pairs = vec_and(vec_and(vec_lookup(t->first_high, vec_high_nibble(first, t->nibble)),
                                vec_lookup(t->first_low, vec_and(first, t->nibble))),
                        vec_lookup(t->second_high, vec_high_nibble(v, t->nibble)));
    /* Bit 7 where a lead of three stands two before, or a lead of four three before. */
    vec leads = vec_or(vec_subtract_saturated(second, t->lead_of_3), vec_subtract_saturated(third, t->lead_of_4));
    return vec_xor(vec_and(leads, t->high), pairs);
}

/* The same for v with the vector `before` in front of it. */
QUERN_INLINE vec utf8_faults_after(const utf8_tables *t, vec before, vec v)
{
    return utf8_faults(t, v, vec_before_1(before, v), vec_before_2(before, v), vec_before_3(before, v));
}

/* The same for v at p, where three bytes stand before it. Loads cost less here than moving bytes between registers. */
QUERN_INLINE vec utf8_faults_at(const utf8_tables *t, const char *p, vec v)
{
    return utf8_faults(t, v, vec_load(p - 1), vec_load(p - 2), vec_load(p - 3));
}

QUERN_INLINE utf8_tables utf8_load_tables(void)
{
    return (utf8_tables){
        .first_high = vec_table(utf8_first_high),
        .first_low = vec_table(utf8_first_low),
        .second_high = vec_table(utf8_second_high),
        .nibble = vec_splat(0x0F),
        .lead_of_3 = vec_splat(0xE0 - 0x80),
        .lead_of_4 = vec_splat(0xF0 - 0x80),
        .high = vec_splat(0x80),
    };
}

/* Not zero if the text of a block is at fault; a sequence that its end cuts is, but where the block is full. */
QUERN_INLINE vec utf8_block_faults(const utf8_tables *t, const block *b)
{
    vec faults = utf8_faults_after(t, vec_zero(), b->v[0]);
    for (size_t k = 1; k < BLOCK_VECTORS; k++)
        faults = vec_or(faults, utf8_faults_after(t, b->v[k - 1], b->v[k]));
    return faults;
}

/* Whether the end of [src, src + len), len >= 3, cuts a sequence of a text that is else in order. */
QUERN_INLINE bool utf8_is_cut(const char *src, size_t len)
{
    const unsigned char *end = (const unsigned char *)src + len;
    return (end[-1] >= 0xC0) | (end[-2] >= 0xE0) | (end[-3] >= 0xF0);
}

/*
 * Whether a text of at most a block is at fault; `b` is its block. The zeros behind a text end a sequence that it cuts;
 * whether a full block does is asked of the vector, since a test of the length would be mispredicted.
 */
QUERN_INLINE bool utf8_block_is_faulty(const block *b)
{
    const utf8_tables tables = utf8_load_tables();
    const vec ends = vec_load(utf8_ends + 64 - VEC_BYTES);
    return vec_any(vec_or(utf8_block_faults(&tables, b), vec_subtract_saturated(b->v[BLOCK_VECTORS - 1], ends)));
}

#endif
