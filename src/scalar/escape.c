/* SPDX-License-Identifier: MIT */
/* Escaping, a byte or a character at a time: the specification of what the other variants compute. */
#include "common/style.h"

static bool passes(const quern_style *style, const unsigned char *p, size_t len, size_t *used)
{
    if (*p < 0x80) {
        *used = 1;
        return !style_replaces(style, *p);
    }
    char text[QUERN_ESCAPE_MAX];
    const style_unit unit = style_next(style, p, len, 0, text);
    *used = unit.used;
    return unit.why == QUERN_STOP_END && unit.same;
}

quern_escape_find_function QUERN_KERNEL(escape_find);
size_t QUERN_KERNEL(escape_find)(const quern_style *style, const char *src, size_t len)
{
    style = style_or_minimum(style);
    size_t i = 0, used;
    while (i < len && passes(style, (const unsigned char *)src + i, len - i, &used))
        i += used;
    return i;
}

quern_escape_copy_function QUERN_KERNEL(escape_copy), QUERN_KERNEL(escape_copy_slack);
size_t QUERN_KERNEL(escape_copy)(const quern_style *style, char *dst, const char *src, size_t len)
{
    style = style_or_minimum(style);
    size_t i = 0, used;
    while (i < len && passes(style, (const unsigned char *)src + i, len - i, &used)) {
        for (size_t end = i + used; i < end; i++)
            dst[i] = src[i];
    }
    return i;
}

size_t QUERN_KERNEL(escape_copy_slack)(const quern_style *style, char *dst, const char *src, size_t len)
{
    return QUERN_KERNEL(escape_copy)(style, dst, src, len);
}

quern_escape_write_function QUERN_KERNEL(escape_write), QUERN_KERNEL(escape_write_slack);
quern_span QUERN_KERNEL(escape_write)(const quern_style *style, char *dst, size_t room, const char *src, size_t len,
                                      size_t *used, unsigned flags)
{
    style = style_or_minimum(style);
    quern_span span = {0, QUERN_STOP_END};
    size_t i = 0;
    while (i < len) {
        char text[QUERN_ESCAPE_MAX];
        const style_unit unit = style_next(style, (const unsigned char *)src + i, len - i, flags, text);
        span.why = unit.why;
        if (unit.why == QUERN_STOP_END && unit.length > room - span.length)
            span.why = QUERN_STOP_ROOM;
        if (span.why != QUERN_STOP_END)
            break;
        const char *from = unit.same ? src + i : text;
        for (size_t k = 0; k < unit.length; k++)
            dst[span.length++] = from[k];
        i += unit.used;
    }
    *used = i;
    return span;
}

quern_span QUERN_KERNEL(escape_write_slack)(const quern_style *style, char *dst, size_t room, const char *src,
                                            size_t len, size_t *used, unsigned flags)
{
    return QUERN_KERNEL(escape_write)(style, dst, room, src, len, used, flags);
}

quern_escape_size_function QUERN_KERNEL(escape_size);
size_t QUERN_KERNEL(escape_size)(const quern_style *style, const char *src, size_t len, unsigned flags)
{
    style = style_or_minimum(style);
    uint64_t size = 0;
    for (size_t i = 0; i < len;) {
        char text[QUERN_ESCAPE_MAX];
        const style_unit unit = style_next(style, (const unsigned char *)src + i, len - i, flags, text);
        if (unit.why != QUERN_STOP_END)
            break;
        size += unit.length;
        i += unit.used;
    }
    return style_size(size);
}
