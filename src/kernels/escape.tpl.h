/* SPDX-License-Identifier: MIT */
/* escape_find and escape_copy; the algorithms are in escape_scan.h and style_scan.h. */
#include "kernels/escape_scan.h"
#include "kernels/style_scan.h"

/* escape_find, or escape_copy if dst is not NULL. */
static QUERN_NOINLINE size_t styled_scan(const quern_style *style, char *dst, const char *src, size_t len)
{
    size_t i = 0;
    while (i < len) {
        const style_piece piece = style_next_piece(style, src + i, len - i);
        const style_set set = style_load_for(style, piece.checked);
        const size_t end = i + piece.length;
        do {
            i += style_candidate(&set, dst ? dst + i : NULL, src + i, end - i, piece.checked);
            if (i == end && piece.length > 0)
                break;
            if (style_ends_piece(style, piece, src[i]))
                break;
            size_t used;
            if (!style_passes(style, (const unsigned char *)src + i, len - i, &used))
                return i;
            for (const size_t next = i + used; i < next; i++) {
                if (dst)
                    dst[i] = src[i];
            }
        } while (i < end);
    }
    return len;
}

quern_escape_find_function QUERN_KERNEL(escape_find);
size_t QUERN_KERNEL(escape_find)(const quern_style *style, const char *src, size_t len)
{
    if (style_scans_as_minimum(style))
        return escape_scan(NULL, src, len, false);
    return styled_scan(style, NULL, src, len);
}

quern_escape_copy_function QUERN_KERNEL(escape_copy), QUERN_KERNEL(escape_copy_slack);
size_t QUERN_KERNEL(escape_copy)(const quern_style *style, char *dst, const char *src, size_t len)
{
    if (len == 0)
        return 0; /* dst may be NULL */
    if (style_scans_as_minimum(style))
        return escape_scan(dst, src, len, false);
    return styled_scan(style, dst, src, len);
}

size_t QUERN_KERNEL(escape_copy_slack)(const quern_style *style, char *dst, const char *src, size_t len)
{
    if (style_scans_as_minimum(style))
        return escape_scan(dst, src, len, true);
    return styled_scan(style, dst, src, len);
}
