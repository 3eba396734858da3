/* SPDX-License-Identifier: MIT */
/* Two doubles as CBOR items with vectors of 16 bytes: two stores that overlap, of bytes 0 to 15 and 2 to 17. */
#ifndef QUERN_KERNELS_DOUBLES16_H
#define QUERN_KERNELS_DOUBLES16_H

#include "common/cbor.h"

enum { DOUBLES_STEP = 2, DOUBLES_READ = 2 };

/* Byte k of a double's item, k from 1 on: where it is in memory. An index of 0xFF gives 0 in every set. */
#define DOUBLES_BYTE(i, k) (8 * (i) + (QUERN_BIG_ENDIAN ? (k)-1 : 8 - (k)))
#define DOUBLES_TAIL(i) \
    DOUBLES_BYTE(i, 2), DOUBLES_BYTE(i, 3), DOUBLES_BYTE(i, 4), DOUBLES_BYTE(i, 5), DOUBLES_BYTE(i, 6)
static const uint8_t doubles_low[16] = {
    0xFF, DOUBLES_BYTE(0, 1), DOUBLES_TAIL(0), DOUBLES_BYTE(0, 7), DOUBLES_BYTE(0, 8),
    0xFF, DOUBLES_BYTE(1, 1), DOUBLES_TAIL(1)};
static const uint8_t doubles_high[16] = {
    DOUBLES_TAIL(0),    DOUBLES_BYTE(0, 7), DOUBLES_BYTE(0, 8), 0xFF,
    DOUBLES_BYTE(1, 1), DOUBLES_TAIL(1),    DOUBLES_BYTE(1, 7), DOUBLES_BYTE(1, 8)};
static const uint8_t doubles_low_heads[16] = {[0] = CBOR_DOUBLE, [9] = CBOR_DOUBLE};
static const uint8_t doubles_high_heads[16] = {[7] = CBOR_DOUBLE};

QUERN_INLINE void doubles_step(uint8_t *dst, const char *src)
{
    const vec v = vec_load(src);
    vec_store(dst, vec_or(vec_lookup(v, vec_load(doubles_low)), vec_load(doubles_low_heads)));
    vec_store(dst + 2, vec_or(vec_lookup(v, vec_load(doubles_high)), vec_load(doubles_high_heads)));
}

#endif
