/* SPDX-License-Identifier: MIT */
/* UTF-8 validation: runs of ASCII sixteen bytes at a time, the rest a sequence at a time. */
#include "common/load.h"
#include "common/utf8.h"
#include "common/word.h"

quern_utf8_prefix_function QUERN_KERNEL(utf8_prefix);
quern_span QUERN_KERNEL(utf8_prefix)(const char *src, size_t len)
{
    size_t i = 0;
    while (i < len) {
        while (len - i >= 16 && !((load64(src + i) | load64(src + i + 8)) & WORD_HIGH))
            i += 16;
        if (len - i >= 8) {
            uint64_t high = load64(src + i) & WORD_HIGH;
            if (!high) {
                i += 8;
                continue;
            }
            i += word_first(high);
        }
        /* Text that is not ASCII seldom stops being so after one character, or for one blank. */
        while (i < len) {
            quern_span sequence = utf8_sequence((const unsigned char *)src + i, len - i);
            if (sequence.why != QUERN_STOP_END)
                return (quern_span){i, sequence.why};
            i += sequence.length;
            if (sequence.length == 1 && len - i >= 8 && !(load64(src + i) & WORD_HIGH))
                break;
        }
    }
    return (quern_span){len, QUERN_STOP_END};
}
