/* SPDX-License-Identifier: MIT */
/*
 * Escaping a block of up to 64 bytes with a shuffle of 16 bytes: eight bytes become up to sixteen by one of 256
 * shuffles. A group of eight in which a byte becomes a \u00xx is written byte by byte, with a store of eight bytes
 * each.
 */
#ifndef QUERN_EXPAND_H
#define QUERN_EXPAND_H

#include "common/load.h"
#include "common/style.h"
#include "kernels/block.h"
#include "kernels/escape_flags.h"
#include "kernels/expand_found.h"

/* The letter of each control character's short escape, XORed with the character. */
static const uint8_t expand_letters[16] = {
    ['\b'] = '\b' ^ 'b', ['\t'] = '\t' ^ 't', ['\n'] = '\n' ^ 'n', ['\f'] = '\f' ^ 'f', ['\r'] = '\r' ^ 'r'};

/* What there is to know of a block: the bytes with their letters, and a bit for each that is escaped. */
typedef struct expand_plan {
    block letters;
    uint64_t escaped;
} expand_plan;

/* Returns flags of the bytes that become a \u00xx, those of all vectors ORed. */
QUERN_INLINE vec_flags expand_look(expand_plan *plan, const block *b)
{
    const vec letters = vec_table(expand_letters), bound = vec_splat(0x1F);
    vec_flags escaped[BLOCK_VECTORS];
    vec least = vec_splat(0xFF);
    for (size_t k = 0; k < BLOCK_VECTORS; k++) {
        escaped[k] = escape_flags(b->v[k]);
        plan->letters.v[k] = vec_xor(b->v[k], vec_lookup_low(letters, b->v[k]));
        least = vec_min(least, plan->letters.v[k]);
    }
    plan->escaped = block_mask(escaped);
    return vec_is_at_most(least, bound);
}

/* Group g of eight bytes, a constant. */
QUERN_INLINE char *expand_group(char *out, const expand_plan *plan, unsigned g)
{
    const unsigned mask = plan->escaped >> 8 * g & 0xFF;
    vec_expand_8(out, plan->letters.v[8 * g / VEC_BYTES], 8 * g % VEC_BYTES / 8, quern_escape_shuffles[mask]);
    return out + 8 + bits_count(mask);
}

/* Groups 0 to 6, written out: the vectors of a loop would be on the stack. */
QUERN_INLINE char *expand_seven(char *out, const expand_plan *plan)
{
    out = expand_group(out, plan, 0);
    out = expand_group(out, plan, 1);
    out = expand_group(out, plan, 2);
    out = expand_group(out, plan, 3);
    out = expand_group(out, plan, 4);
    out = expand_group(out, plan, 5);
    return expand_group(out, plan, 6);
}

/* A group in which a byte may become a \u00xx. */
QUERN_INLINE char *expand_any_group(char *out, const char *src, const expand_plan *plan, uint64_t longs, unsigned g)
{
    return longs >> 8 * g & 0xFF ? units_write(out, src + 8 * g, 8) : expand_group(out, plan, g);
}

QUERN_INLINE uint64_t expand_longs(const expand_plan *plan)
{
    vec_flags longs[BLOCK_VECTORS];
    for (size_t k = 0; k < BLOCK_VECTORS; k++)
        longs[k] = vec_is_at_most(plan->letters.v[k], vec_splat(0x1F));
    return block_mask(longs);
}

QUERN_INLINE size_t expand_full(char *dst, const char *src, unsigned *found)
{
    block b;
    for (size_t k = 0; k < BLOCK_VECTORS; k++)
        b.v[k] = vec_load(src + k * VEC_BYTES);
    expand_plan plan;
    const vec_flags long_flags = expand_look(&plan, &b);
    *found = (plan.escaped ? EXPAND_ESCAPES : 0) | (block_any_high(b.v) ? EXPAND_HIGH : 0);
    char *out = dst;
    if (QUERN_LIKELY(!flags_any(long_flags))) {
        out = expand_group(expand_seven(out, &plan), &plan, 7);
    } else {
        const uint64_t longs = expand_longs(&plan);
        out = expand_any_group(out, src, &plan, longs, 0);
        out = expand_any_group(out, src, &plan, longs, 1);
        out = expand_any_group(out, src, &plan, longs, 2);
        out = expand_any_group(out, src, &plan, longs, 3);
        out = expand_any_group(out, src, &plan, longs, 4);
        out = expand_any_group(out, src, &plan, longs, 5);
        out = expand_any_group(out, src, &plan, longs, 6);
        out = expand_any_group(out, src, &plan, longs, 7);
    }
    return (size_t)(out - dst);
}

/* Less than a block in which a byte becomes a \u00xx. */
static QUERN_NOINLINE size_t expand_part(char *dst, const char *src, size_t n)
{
    return (size_t)(units_write(dst, src, n) - dst);
}

/*
 * Writes the escaped form of [src, src + n), n <= 64, at dst, and returns its length; may write 64 bytes more. *found:
 * what the text has, of EXPAND_ESCAPES and EXPAND_HIGH.
 */
QUERN_INLINE size_t expand_block(char *dst, const char *src, size_t n, unsigned *found)
{
    if (n == BLOCK_BYTES)
        return expand_full(dst, src, found);
    block b = block_load_first(src, n);
    /* The zeros behind the input are none of it. */
    const uint64_t there = ((uint64_t)1 << n) - 1;
    expand_plan plan;
    expand_look(&plan, &b);
    plan.escaped &= there;
    *found = (plan.escaped ? EXPAND_ESCAPES : 0) | (block_any_high(b.v) ? EXPAND_HIGH : 0);
    if (QUERN_UNLIKELY((expand_longs(&plan) & there) != 0))
        return expand_part(dst, src, n);
    /* All groups, whatever n: lengths are random, and a loop would end in a mispredicted branch. */
    char *out = expand_seven(dst, &plan);
    if (n > 56) /* else this one might write more than 64 bytes behind the end */
        expand_group(out, &plan, 7);
    return n + bits_count(plan.escaped);
}

/* By how many bytes the escaped form of [src, src + n), n <= 64, is longer. */
QUERN_INLINE size_t expand_growth(const char *src, size_t n)
{
    block b;
    uint64_t there = ~UINT64_C(0);
    if (n == BLOCK_BYTES) {
        for (size_t k = 0; k < BLOCK_VECTORS; k++)
            b.v[k] = vec_load(src + k * VEC_BYTES);
    } else {
        b = block_load_first(src, n);
        there = ((uint64_t)1 << n) - 1;
    }
    expand_plan plan;
    expand_look(&plan, &b);
    return bits_count(plan.escaped & there) + 4 * bits_count(expand_longs(&plan) & there);
}

#endif
