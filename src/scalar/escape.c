/* SPDX-License-Identifier: MIT */
/* Escaping, a byte or a character at a time (common/style.h): the specification of what the other variants compute. */
#include "common/style.h"

quern_escape_find_function QUERN_KERNEL(escape_find);
size_t QUERN_KERNEL(escape_find)(const quern_style *style, const char *src, size_t len)
{
    return style_find(style_or_minimum(style), src, len);
}

quern_escape_copy_function QUERN_KERNEL(escape_copy), QUERN_KERNEL(escape_copy_slack);
size_t QUERN_KERNEL(escape_copy)(const quern_style *style, char *dst, const char *src, size_t len)
{
    return style_copy(style_or_minimum(style), dst, src, len);
}

size_t QUERN_KERNEL(escape_copy_slack)(const quern_style *style, char *dst, const char *src, size_t len)
{
    return QUERN_KERNEL(escape_copy)(style, dst, src, len);
}

quern_escape_write_function QUERN_KERNEL(escape_write), QUERN_KERNEL(escape_write_slack);
quern_span QUERN_KERNEL(escape_write)(const quern_style *style, char *dst, size_t room, const char *src, size_t len,
                                      size_t *used, unsigned flags)
{
    return style_write(style_or_minimum(style), dst, room, src, len, used, flags);
}

quern_span QUERN_KERNEL(escape_write_slack)(const quern_style *style, char *dst, size_t room, const char *src,
                                            size_t len, size_t *used, unsigned flags)
{
    return QUERN_KERNEL(escape_write)(style, dst, room, src, len, used, flags);
}

quern_escape_size_function QUERN_KERNEL(escape_size);
size_t QUERN_KERNEL(escape_size)(const quern_style *style, const char *src, size_t len, unsigned flags)
{
    return style_size(style_or_minimum(style), src, len, flags);
}
