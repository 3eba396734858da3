/* SPDX-License-Identifier: MIT */
/* The escape kernels; the algorithm is in escape_scan.h. */
#include "kernels/escape_scan.h"

extern quern_escape_find_function quern_escape_find_scalar;
extern quern_escape_copy_function quern_escape_copy_scalar;
quern_escape_find_function QUERN_KERNEL(escape_find);
size_t QUERN_KERNEL(escape_find)(const quern_style *style, const char *src, size_t len)
{
    if (style)
        return quern_escape_find_scalar(style, src, len);
    return escape_scan(NULL, src, len, false);
}

quern_escape_copy_function QUERN_KERNEL(escape_copy), QUERN_KERNEL(escape_copy_slack);
size_t QUERN_KERNEL(escape_copy)(const quern_style *style, char *dst, const char *src, size_t len)
{
    if (style)
        return quern_escape_copy_scalar(style, dst, src, len);
    if (len == 0)
        return 0; /* dst may be NULL */
    return escape_scan(dst, src, len, false);
}

size_t QUERN_KERNEL(escape_copy_slack)(const quern_style *style, char *dst, const char *src, size_t len)
{
    if (style)
        return quern_escape_copy_scalar(style, dst, src, len);
    return escape_scan(dst, src, len, true);
}
