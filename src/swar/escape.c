/* SPDX-License-Identifier: MIT */
/*
 * Escape scanning on words of eight bytes. Up to 32 bytes the words are windows that overlap (common/windows.h),
 * without a loop; above, the last two words overlap the ones before: what they show again was clean.
 */
#include "common/kernel.h"
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

extern quern_escape_find_function quern_escape_find_scalar;
extern quern_escape_copy_function quern_escape_copy_scalar;
quern_escape_find_function QUERN_KERNEL(escape_find);
size_t QUERN_KERNEL(escape_find)(const quern_style *style, const char *src, size_t len)
{
    if (style)
        return quern_escape_find_scalar(style, src, len);
    return scan(NULL, src, len);
}

quern_escape_copy_function QUERN_KERNEL(escape_copy), QUERN_KERNEL(escape_copy_slack);
size_t QUERN_KERNEL(escape_copy)(const quern_style *style, char *dst, const char *src, size_t len)
{
    if (style)
        return quern_escape_copy_scalar(style, dst, src, len);
    if (len == 0)
        return 0; /* dst may be NULL */
    return scan(dst, src, len);
}

size_t QUERN_KERNEL(escape_copy_slack)(const quern_style *style, char *dst, const char *src, size_t len)
{
    return QUERN_KERNEL(escape_copy)(style, dst, src, len);
}
