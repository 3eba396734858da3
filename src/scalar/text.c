/* SPDX-License-Identifier: MIT */
/* Copy, escape scan and UTF-8 check at once, a character at a time. */
#include "common/style.h"

quern_text_copy_function QUERN_KERNEL(text_copy), QUERN_KERNEL(text_copy_slack);
quern_span QUERN_KERNEL(text_copy)(const quern_style *style, char *dst, const char *src, size_t len)
{
    style = style_or_minimum(style);
    size_t i = 0;
    while (i < len) {
        const unsigned char *p = (const unsigned char *)src + i;
        const quern_span sequence = utf8_sequence(p, len - i);
        if (sequence.why != QUERN_STOP_END)
            return (quern_span){i, sequence.why};
        if (*p < 0x80 ? style_replaces(style, *p) : style_escapes_point(style, p))
            return (quern_span){i, QUERN_STOP_ESCAPE};
        for (size_t end = i + sequence.length; i < end; i++)
            dst[i] = src[i];
    }
    return (quern_span){len, QUERN_STOP_END};
}

quern_span QUERN_KERNEL(text_copy_slack)(const quern_style *style, char *dst, const char *src, size_t len)
{
    return QUERN_KERNEL(text_copy)(style, dst, src, len);
}
