/* SPDX-License-Identifier: MIT */
/*
 * Inputs of at most 64 bytes as one block: loaded with zeros behind, without a branch on the length and without reading
 * anything else (block_load_first of each shim). What is done with a block is the same for all lengths.
 */
#ifndef QUERN_KERNELS_BLOCK_H
#define QUERN_KERNELS_BLOCK_H

#include "common/bits.h"

#define BLOCK_BYTES 64
enum { BLOCK_VECTORS = BLOCK_BYTES / VEC_BYTES };

/* Whether a byte is not ASCII, in a block or in windows. */
QUERN_INLINE bool block_any_high(const vec v[BLOCK_VECTORS])
{
    vec all = v[0];
    for (size_t k = 1; k < BLOCK_VECTORS; k++)
        all = vec_or(all, v[k]);
    return flags_any(vec_is_high(all));
}

#endif
