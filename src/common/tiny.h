/* SPDX-License-Identifier: MIT */
/* Inputs of less than four bytes, in a register. */
#ifndef QUERN_COMMON_TINY_H
#define QUERN_COMMON_TINY_H

#include "common/load.h"
#include "common/word.h"

/*
 * The offset of the first byte that the default style escapes, or n; n < 4. *high: whether a byte is not ASCII. Copies
 * the input to `dst` if that is not NULL; may write 4 bytes there.
 */
static inline size_t tiny_escape(char *dst, const char *src, size_t n, bool *high)
{
    const uint32_t word = load_first_of_4(src, n);
    if (dst)
        store32(dst, word);
    *high = (word & (uint32_t)WORD_HIGH) != 0;
    /* The zeros behind the input count as escaped: the first of them is at n. */
    return word_first(word_escaped(word));
}

#endif
