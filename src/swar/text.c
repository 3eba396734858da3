/* SPDX-License-Identifier: MIT */
/* Copy, escape scan and UTF-8 check at once: clean ASCII a word at a time, the rest a character at a time. */
#include "common/style.h"
#include "common/word.h"

/* Whether a word is ASCII without anything to escape. */
static inline bool is_clean(uint64_t word)
{
    return !((word & WORD_HIGH) | word_escaped(word));
}

quern_text_copy_function QUERN_KERNEL(text_copy), QUERN_KERNEL(text_copy_slack);
quern_span QUERN_KERNEL(text_copy)(const quern_style *style, char *dst, const char *src, size_t len)
{
    if (!style_escapes_as_minimum(style))
        return style_text_copy(style, dst, src, len);
    size_t i = 0;
    while (i < len) {
        for (; len - i >= 8; i += 8) {
            const uint64_t word = load64(src + i);
            if (!is_clean(word))
                break;
            store64(dst + i, word);
        }
        /* Text that is not ASCII seldom stops being so after one character, or for one blank. */
        while (i < len) {
            const unsigned char *p = (const unsigned char *)src + i;
            const quern_span sequence = utf8_sequence(p, len - i);
            if (sequence.why != QUERN_STOP_END)
                return (quern_span){i, sequence.why};
            if (style_replaces(&quern_style_minimum, *p))
                return (quern_span){i, QUERN_STOP_ESCAPE};
            for (const size_t end = i + sequence.length; i < end; i++)
                dst[i] = src[i];
            if (sequence.length == 1 && len - i >= 8 && is_clean(load64(src + i)))
                break;
        }
    }
    return (quern_span){len, QUERN_STOP_END};
}

quern_span QUERN_KERNEL(text_copy_slack)(const quern_style *style, char *dst, const char *src, size_t len)
{
    return QUERN_KERNEL(text_copy)(style, dst, src, len);
}
