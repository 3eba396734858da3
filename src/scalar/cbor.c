/* SPDX-License-Identifier: MIT */
/* Doubles as CBOR items, one by one. */
#include "common/cbor.h"
#include "common/kernel.h"

quern_cbor_doubles_function QUERN_KERNEL(cbor_doubles);
size_t QUERN_KERNEL(cbor_doubles)(uint8_t *dst, const double *src, size_t count, bool all)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        QUERN_MEMCPY(&bits, src + i, sizeof bits);
        if (!all && cbor_narrows(bits) >> 63)
            return i;
        dst = cbor_put_double(dst, bits);
    }
    return count;
}
