/* SPDX-License-Identifier: MIT */
/*
 * Escape scanning on words of eight bytes. Up to 32 bytes the words are windows that overlap (common/windows.h),
 * without a loop; above, the last two words overlap the ones before: what they show again was clean.
 *
 * To escape, a word is stored as it is; where it has something to escape, its bytes are written one by one, with a
 * store of eight bytes each, so that it does not matter which of them it was. Styles other than NULL's go by
 * characters.
 */
#include "common/style.h"
#include "common/tiny.h"
#include "common/windows.h"
#include "common/word.h"

/* The byte index of the first flag in two words of which one has a flag. */
static inline size_t first_of_two(uint64_t low, uint64_t high)
{
    return low ? word_first(low) : 8 + word_first(high);
}

/* Scans, and copies within [dst, dst + len) if `dst` is not NULL. */
static inline size_t scan(char *dst, const char *src, size_t len)
{
    if (len < 4) {
        bool high;
        if (dst)
            copy_below_16(dst, src, len);
        return tiny_escape(NULL, src, len, &high);
    }
    if (len < 16) {
        const size_t o = windows4_step(len), third = len - 4 - o;
        const uint64_t low = load32(src) | (uint64_t)load32(src + o) << 32;
        const uint64_t high = load32(src + third) | (uint64_t)load32(src + len - 4) << 32;
        if (dst)
            copy_below_16(dst, src, len);
        const uint64_t front = word_escaped(low), back = word_escaped(high);
        if (!(front | back))
            return len;
        const size_t first = first_of_two(front, back);
        return first < 8 ? first : first + len - 12 - o;
    }
    size_t i = 0;
    for (; len - i > 32; i += 16) {
        const uint64_t low = load64(src + i), high = load64(src + i + 8);
        if (dst) {
            store64(dst + i, low);
            store64(dst + i + 8, high);
        }
        const uint64_t first = word_escaped(low), second = word_escaped(high);
        if (first | second)
            return i + first_of_two(first, second);
    }
    /* 16 to 32 bytes: the first two words of what is left, and the last two. */
    const uint64_t a = load64(src + i), b = load64(src + i + 8);
    const uint64_t c = load64(src + len - 16), d = load64(src + len - 8);
    if (dst) {
        store64(dst + i, a);
        store64(dst + i + 8, b);
        store64(dst + len - 16, c);
        store64(dst + len - 8, d);
    }
    const uint64_t front = word_escaped(a) | word_escaped(b), back = word_escaped(c) | word_escaped(d);
    if (!(front | back))
        return len;
    return front ? i + first_of_two(word_escaped(a), word_escaped(b))
                 : len - 16 + first_of_two(word_escaped(c), word_escaped(d));
}

quern_escape_find_function QUERN_KERNEL(escape_find);
size_t QUERN_KERNEL(escape_find)(const quern_style *style, const char *src, size_t len)
{
    if (!style_scans_as_minimum(style))
        return style_find(style, src, len);
    return scan(NULL, src, len);
}

quern_escape_copy_function QUERN_KERNEL(escape_copy), QUERN_KERNEL(escape_copy_slack);
size_t QUERN_KERNEL(escape_copy)(const quern_style *style, char *dst, const char *src, size_t len)
{
    if (!style_scans_as_minimum(style))
        return style_copy(style, dst, src, len);
    if (len == 0)
        return 0; /* dst may be NULL */
    return scan(dst, src, len);
}

size_t QUERN_KERNEL(escape_copy_slack)(const quern_style *style, char *dst, const char *src, size_t len)
{
    return QUERN_KERNEL(escape_copy)(style, dst, src, len);
}

/* Room for a word's escapes, and for what the last store writes behind them. */
enum { WORD_ROOM = 8 * 6 + 8 };

quern_escape_write_function QUERN_KERNEL(escape_write), QUERN_KERNEL(escape_write_slack);
quern_span QUERN_KERNEL(escape_write)(const quern_style *style, char *dst, size_t room, const char *src, size_t len,
                                      size_t *used, unsigned flags)
{
    if (!style_writes_as_minimum(style))
        return style_write(style, dst, room, src, len, used, flags);
    if (len == 0) { /* src may be NULL */
        *used = 0;
        return (quern_span){0, QUERN_STOP_END};
    }
    size_t i = 0;
    char *out = dst;
    while (len - i >= 8 && room - (size_t)(out - dst) >= WORD_ROOM) {
        const uint64_t word = load64(src + i);
        if (!word_escaped(word)) {
            store64(out, word);
            out += 8;
        } else {
            out = units_write(out, src + i, 8);
        }
        i += 8;
    }
    const size_t written = (size_t)(out - dst);
    if (len - i < 8 && room - written >= WORD_ROOM) {
        out = units_write(out, src + i, len - i);
        *used = len;
        return (quern_span){(size_t)(out - dst), QUERN_STOP_END};
    }
    size_t more;
    const quern_span rest = units_fit(out, room - written, src + i, len - i, &more);
    *used = i + more;
    return (quern_span){written + rest.length, rest.why};
}

quern_span QUERN_KERNEL(escape_write_slack)(const quern_style *style, char *dst, size_t room, const char *src,
                                            size_t len, size_t *used, unsigned flags)
{
    return QUERN_KERNEL(escape_write)(style, dst, room, src, len, used, flags);
}

quern_escape_size_function QUERN_KERNEL(escape_size);
size_t QUERN_KERNEL(escape_size)(const quern_style *style, const char *src, size_t len, unsigned flags)
{
    if (!style_writes_as_minimum(style))
        return style_size(style, src, len, flags);
    uint64_t size = 0;
    size_t i = 0;
    while (len - i >= 8) {
        const size_t end = i + 8;
        if (!word_escaped(load64(src + i))) {
            size += 8;
            i = end;
        }
        for (; i < end; i++)
            size += quern_escape_units[(unsigned char)src[i]].length;
    }
    for (; i < len; i++)
        size += quern_escape_units[(unsigned char)src[i]].length;
    return style_size_of(size);
}
