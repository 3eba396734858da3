/* SPDX-License-Identifier: MIT */
/* Escape scanning, a byte at a time: the specification of what the other variants compute. */
#include "common/kernel.h"

static bool is_escaped(char c)
{
    unsigned char byte = (unsigned char)c;
    return byte < 0x20 || byte == '"' || byte == '\\';
}

quern_escape_find_function QUERN_KERNEL(escape_find);
size_t QUERN_KERNEL(escape_find)(const quern_style *style, const char *src, size_t len)
{
    (void)style;
    size_t i = 0;
    while (i < len && !is_escaped(src[i]))
        i++;
    return i;
}

quern_escape_copy_function QUERN_KERNEL(escape_copy), QUERN_KERNEL(escape_copy_slack);
size_t QUERN_KERNEL(escape_copy)(const quern_style *style, char *dst, const char *src, size_t len)
{
    (void)style;
    size_t i = 0;
    for (; i < len && !is_escaped(src[i]); i++)
        dst[i] = src[i];
    return i;
}

size_t QUERN_KERNEL(escape_copy_slack)(const quern_style *style, char *dst, const char *src, size_t len)
{
    return QUERN_KERNEL(escape_copy)(style, dst, src, len);
}
