/* SPDX-License-Identifier: MIT */
/* Copy, escape scan and UTF-8 check: of clean ASCII at once, a word at a time; else a piece is checked, then copied. */
#include "common/style.h"
#include "common/word.h"

/* Short enough to be in the cache when it is read again. */
enum { TEXT_PIECE = 1024 };

/* These of this variant, in their own files. */
quern_utf8_prefix_function QUERN_KERNEL(utf8_prefix);
quern_escape_copy_function QUERN_KERNEL(escape_copy);

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
        const size_t rest = len - i, part = rest < TEXT_PIECE ? rest : TEXT_PIECE;
        const quern_span valid = QUERN_KERNEL(utf8_prefix)(src + i, part);
        const size_t clean = QUERN_KERNEL(escape_copy)(NULL, dst + i, src + i, valid.length);
        i += clean;
        if (clean < valid.length)
            return (quern_span){i, QUERN_STOP_ESCAPE};
        /* The end of a piece may cut a sequence. */
        if (valid.why != QUERN_STOP_END && (part == rest || valid.why != QUERN_STOP_TRUNCATED))
            return (quern_span){i, valid.why};
    }
    return (quern_span){len, QUERN_STOP_END};
}

quern_span QUERN_KERNEL(text_copy_slack)(const quern_style *style, char *dst, const char *src, size_t len)
{
    return QUERN_KERNEL(text_copy)(style, dst, src, len);
}
