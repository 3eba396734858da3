/* SPDX-License-Identifier: MIT */
/* Copy, escape scan and UTF-8 check at once, a character at a time (common/style.h). */
#include "common/style.h"

quern_text_copy_function QUERN_KERNEL(text_copy), QUERN_KERNEL(text_copy_slack);
quern_span QUERN_KERNEL(text_copy)(const quern_style *style, char *dst, const char *src, size_t len)
{
    return style_text_copy(style_or_minimum(style), dst, src, len);
}

quern_span QUERN_KERNEL(text_copy_slack)(const quern_style *style, char *dst, const char *src, size_t len)
{
    return QUERN_KERNEL(text_copy)(style, dst, src, len);
}
