/* SPDX-License-Identifier: MIT */
/* Escape scanning on words of eight bytes; the last word overlaps the one before it. */
#include "common/kernel.h"
#include "common/load.h"
#include "swar/word.h"

quern_escape_find_function QUERN_KERNEL(escape_find);
size_t QUERN_KERNEL(escape_find)(const quern_style *style, const char *src, size_t len)
{
    (void)style;
    if (len < 8) {
        /* The zeros behind the input count as escaped: the first of them is at len. */
        return word_first(word_escaped(load_first_of_8(src, len)));
    }
    size_t i = 0;
    for (; len - i >= 16; i += 16) {
        uint64_t first = word_escaped(load64(src + i)), second = word_escaped(load64(src + i + 8));
        if (first | second)
            return first ? i + word_first(first) : i + 8 + word_first(second);
    }
    if (len - i >= 8) {
        uint64_t flags = word_escaped(load64(src + i));
        if (flags)
            return i + word_first(flags);
    }
    uint64_t flags = word_escaped(load64(src + len - 8));
    return flags ? len - 8 + word_first(flags) : len;
}

quern_escape_copy_function QUERN_KERNEL(escape_copy), QUERN_KERNEL(escape_copy_slack);
size_t QUERN_KERNEL(escape_copy)(const quern_style *style, char *dst, const char *src, size_t len)
{
    (void)style;
    if (len < 8) {
        uint64_t word = load_first_of_8(src, len);
        copy_below_16(dst, src, len);
        return word_first(word_escaped(word));
    }
    size_t i = 0;
    for (; len - i >= 16; i += 16) {
        uint64_t low = load64(src + i), high = load64(src + i + 8);
        store64(dst + i, low);
        store64(dst + i + 8, high);
        uint64_t first = word_escaped(low), second = word_escaped(high);
        if (first | second)
            return first ? i + word_first(first) : i + 8 + word_first(second);
    }
    if (len - i >= 8) {
        uint64_t word = load64(src + i);
        store64(dst + i, word);
        uint64_t flags = word_escaped(word);
        if (flags)
            return i + word_first(flags);
    }
    uint64_t word = load64(src + len - 8), flags = word_escaped(word);
    store64(dst + len - 8, word);
    return flags ? len - 8 + word_first(flags) : len;
}

size_t QUERN_KERNEL(escape_copy_slack)(const quern_style *style, char *dst, const char *src, size_t len)
{
    if (len < 8) {
        uint64_t word = load_first_of_8(src, len);
        store64(dst, word);
        return word_first(word_escaped(word));
    }
    return QUERN_KERNEL(escape_copy)(style, dst, src, len);
}
