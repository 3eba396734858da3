/* SPDX-License-Identifier: MIT */
#include "number/integer.h"

#include "number/number.h"

size_t quern_number_from_uint64(char *dst, uint64_t value)
{
    return integer_write(dst, value);
}

size_t quern_number_from_int64(char *dst, int64_t value)
{
    return integer_write_signed(dst, value);
}
