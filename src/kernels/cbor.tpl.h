/* SPDX-License-Identifier: MIT */
/*
 * Doubles as CBOR items: DOUBLES_STEP of them are turned round and moved apart by shuffles, with their first bytes
 * between them, so that there are fewer stores than two for each. What a step needs is in the set's own doubles.h:
 * doubles_stay says whether none of a step may be narrower, doubles_step writes them. Both may read as far as
 * DOUBLES_READ of them, and doubles_step may write as far as those would take.
 */
#include "common/cbor.h"

quern_cbor_doubles_function QUERN_KERNEL(cbor_doubles);
size_t QUERN_KERNEL(cbor_doubles)(uint8_t *dst, const double *src, size_t count, bool all)
{
    size_t i = 0;
    for (; count - i >= DOUBLES_READ; i += DOUBLES_STEP) {
        const char *from = (const char *)(src + i);
        if (!all && QUERN_UNLIKELY(!doubles_stay(from)))
            break;
        doubles_step(dst + i * CBOR_DOUBLE_SIZE, from);
    }
    return i;
}
