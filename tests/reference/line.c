/* SPDX-License-Identifier: MIT */
#include "reference/reference.h"

quern_line reference_line_locate(const char *src, size_t offset)
{
    quern_line line = {0, 0};
    for (size_t i = 0; i < offset; i++) {
        if ((unsigned char)src[i] == 0x0A) {
            line.newlines++;
            line.start = i + 1;
        }
    }
    return line;
}
