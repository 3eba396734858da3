/* SPDX-License-Identifier: MIT */
/*
 * Which bytes the default style escapes: x ^ 2 <= 0x20 (that maps the quotation mark to 0x20 and the control characters
 * onto themselves) or x == 0x5C.
 */
#ifndef QUERN_KERNELS_ESCAPE_FLAGS_H
#define QUERN_KERNELS_ESCAPE_FLAGS_H

QUERN_INLINE vec_flags escape_flags(vec v)
{
    return flags_or(vec_is_at_most(vec_xor(v, vec_splat(2)), vec_splat(0x20)), vec_is_equal(v, vec_splat('\\')));
}

#endif
