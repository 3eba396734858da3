/* SPDX-License-Identifier: MIT */
/*
 * The line of an offset: the last LF is searched from the end, where it is near; then those before it are counted,
 * in byte counters that are summed before they can overflow.
 */
#include "common/kernel.h"
#include "common/load.h"
#include "common/word.h"

/* The offset behind the last LF of [src, src + len), or 0. */
static size_t line_start(const char *src, size_t len)
{
    while (len >= 8) {
        uint64_t flags = word_newlines(load64(src + len - 8));
        if (flags)
            return len - 8 + bits_highest(flags) / 8 + 1;
        len -= 8;
    }
    while (len > 0 && src[len - 1] != '\n')
        len--;
    return len;
}

quern_line_locate_function QUERN_KERNEL(line_locate);
quern_line QUERN_KERNEL(line_locate)(const char *src, size_t offset)
{
    quern_line line = {0, line_start(src, offset)};
    size_t i = 0;
    while (line.start - i >= 8) {
        size_t words = (line.start - i) / 8;
        if (words > 255)
            words = 255;
        uint64_t counters = 0;
        for (size_t end = i + words * 8; i < end; i += 8)
            counters += word_newlines(load64(src + i)) >> 7;
        /* Eight sums of at most 255: added in pairs, then by a product whose top 16 bits are the total. */
        counters = (counters & UINT64_C(0x00ff00ff00ff00ff)) + (counters >> 8 & UINT64_C(0x00ff00ff00ff00ff));
        line.newlines += (size_t)(counters * UINT64_C(0x0001000100010001) >> 48);
    }
    for (; i < line.start; i++)
        line.newlines += src[i] == '\n';
    return line;
}
