/* SPDX-License-Identifier: MIT */
/* The escape kernels; the algorithm is in escape_scan.h. */
#include "kernels/escape_scan.h"

quern_escape_find_function QUERN_KERNEL(escape_find);
size_t QUERN_KERNEL(escape_find)(const quern_style *style, const char *src, size_t len)
{
    (void)style;
    return escape_scan(NULL, src, len, false);
}

quern_escape_copy_function QUERN_KERNEL(escape_copy), QUERN_KERNEL(escape_copy_slack);
size_t QUERN_KERNEL(escape_copy)(const quern_style *style, char *dst, const char *src, size_t len)
{
    (void)style;
    if (len == 0)
        return 0; /* dst may be NULL */
    return escape_scan(dst, src, len, false);
}

size_t QUERN_KERNEL(escape_copy_slack)(const quern_style *style, char *dst, const char *src, size_t len)
{
    (void)style;
    return escape_scan(dst, src, len, true);
}
