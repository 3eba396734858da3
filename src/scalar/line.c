/* SPDX-License-Identifier: MIT */
/* The line of an offset, a byte at a time. */
#include "common/kernel.h"

quern_line_locate_function QUERN_KERNEL(line_locate);
quern_line QUERN_KERNEL(line_locate)(const char *src, size_t offset)
{
    quern_line line = {0, 0};
    for (size_t i = 0; i < offset; i++) {
        if (src[i] == '\n') {
            line.newlines++;
            line.start = i + 1;
        }
    }
    return line;
}
