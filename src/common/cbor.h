/* SPDX-License-Identifier: MIT */
/* Where the CBOR writer's kernels and the writer itself meet. */
#ifndef QUERN_COMMON_CBOR_H
#define QUERN_COMMON_CBOR_H

#include "common/load.h"

#include <stdbool.h>
#include <stddef.h>

enum { CBOR_DOUBLE = 0xFB, CBOR_DOUBLE_SIZE = 9 };

/*
 * Writes doubles as items of nine bytes each, up to the first one that a float may hold, or that is no number, unless
 * `all`; it may also leave out up to the last seven. Returns how many were written. Reads [src, src + count), writes
 * within 9 * count bytes at dst, also behind what it says is written.
 */
typedef size_t quern_cbor_doubles_function(uint8_t *dst, const double *src, size_t count, bool all);

/* Where a float may hold one of them, or one is not finite, the highest bit. A float has 29 bits less. */
static inline uint64_t cbor_narrows(uint64_t bits)
{
    /* (An exponent of all ones overflows into the sign.) */
    return ((bits & UINT64_C(0x1FFFFFFF)) - 1) | (bits ^ (bits + (UINT64_C(1) << 52)));
}

static inline uint8_t *cbor_put_double(uint8_t *out, uint64_t bits)
{
    out[0] = CBOR_DOUBLE;
    store64(out + 1, bits_swap_bytes(bits));
    return out + CBOR_DOUBLE_SIZE;
}

#endif
