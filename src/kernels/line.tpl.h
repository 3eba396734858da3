/* SPDX-License-Identifier: MIT */
/*
 * The line of an offset: the last LF is searched from the end, where it is near; then those before it are counted,
 * in counters that are summed before they can overflow.
 */
#include "common/bits.h"

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
    vec_flags flags = vec_is_equal(vec_load_first(src, len), newline);
    return flags_any(flags) ? bits_highest(flags_mask(flags)) / VEC_MASK_STEP + 1 : 0;
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
    line.newlines += tally_sum(tally_add(tally_zero(), vec_is_equal(vec_load_first(src + i, line.start - i), newline)));
    return line;
}
