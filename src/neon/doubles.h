/* SPDX-License-Identifier: MIT */
/* Two doubles as CBOR items; whether they stay doubles is asked of words, since ARMv7 compares no 64 bits. */
#ifndef QUERN_NEON_DOUBLES_H
#define QUERN_NEON_DOUBLES_H

#include "neon/vec.h"

#include "kernels/doubles16.h"

QUERN_INLINE bool doubles_stay(const char *src)
{
    uint64_t bits[2];
    memcpy(bits, src, sizeof bits);
    return (cbor_narrows(bits[0]) | cbor_narrows(bits[1])) >> 63 == 0;
}

#endif
