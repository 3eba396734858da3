/* SPDX-License-Identifier: MIT */
/*
 * The line of an offset: the last LF is searched from the end, where it is near; then those before it are counted,
 * in counters that are summed before they can overflow.
 */
#include "kernels/block.h"

/* A bit for each LF of [src, src + len), len <= BLOCK_BYTES. */
QUERN_INLINE uint64_t line_newlines_of_block(const char *src, size_t len)
{
    const block b = block_load_first(src, len);
    vec_flags flags[BLOCK_VECTORS];
    for (size_t k = 0; k < BLOCK_VECTORS; k++)
        flags[k] = vec_is_equal(b.v[k], vec_splat('\n'));
    return block_mask(flags);
}

/* The offset behind the last LF of [src, src + len), or 0. */
QUERN_INLINE size_t line_start(const char *src, size_t len)
{
    const vec newline = vec_splat('\n');
    while (len >= VEC_BYTES) {
        vec_flags flags = vec_is_equal(vec_load(src + len - VEC_BYTES), newline);
        if (flags_any(flags))
            return len - VEC_BYTES + bits_highest(flags_mask(flags)) / VEC_MASK_STEP + 1;
        len -= VEC_BYTES;
    }
    const uint64_t mask = line_newlines_of_block(src, len);
    return mask ? bits_highest(mask) + 1 : 0;
}

quern_line_locate_function QUERN_KERNEL(line_locate);
quern_line QUERN_KERNEL(line_locate)(const char *src, size_t offset)
{
    const vec newline = vec_splat('\n');
    quern_line line = {0, line_start(src, offset)};
    if (line.start == 0)
        return line; /* src may be NULL */
    size_t i = 0;
    while (line.start - i >= VEC_BYTES) {
        size_t rounds = (line.start - i) / VEC_BYTES;
        if (rounds > VEC_TALLY_ROUNDS)
            rounds = VEC_TALLY_ROUNDS;
        vec_tally tally = tally_zero();
        for (size_t end = i + rounds * VEC_BYTES; i < end; i += VEC_BYTES)
            tally = tally_add(tally, vec_is_equal(vec_load(src + i), newline));
        line.newlines += tally_sum(tally);
    }
    line.newlines += bits_count(line_newlines_of_block(src + i, line.start - i));
    return line;
}
