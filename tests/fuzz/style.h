/* SPDX-License-Identifier: MIT */
/* A style, made of the first bytes of a fuzz target's input. */
#ifndef QUERN_TESTS_FUZZ_STYLE_H
#define QUERN_TESTS_FUZZ_STYLE_H

#include "fuzz/fuzz.h"
#include "reference/style.h"

typedef struct fuzz_styled {
    quern_style style;
    quern_style_options options;
    quern_replacement table[256];
    char letters[6];
    const quern_style *made;                  /* NULL, or the style */
    const quern_style_options *options_of_it; /* what to ask the oracle for */
} fuzz_styled;

/* Three bytes: flags; policy, whether there is a table, or letters, which; how many entries, or none at all: NULL. */
static inline void fuzz_read_style(fuzz_input *input, fuzz_styled *s)
{
    memset(s, 0, sizeof *s);
    const uint8_t flags = fuzz_byte(input), kind = fuzz_byte(input), more = fuzz_byte(input);
    if ((flags | kind | more) == 0)
        return;
    s->options.size = sizeof s->options;
    s->options.flags = flags;
    s->options.ill_formed = (quern_ill_formed)(kind % 8 % (QUERN_ILL_FORMED_KEEP + 1));
    if (kind & 0x80) {
        s->options.flags &= ~(unsigned)(QUERN_STYLE_SOLIDUS | QUERN_STYLE_DELETE | QUERN_STYLE_HTML);
        s->options.table = s->table;
        for (unsigned c = 0; c < 0x80; c++) {
            const unsigned hash = (c * 167 + more * 59u) >> 2;
            if (hash % 32 <= more % 32) {
                s->table[c].length = (unsigned char)(1 + hash % 7);
                memcpy(s->table[c].text, "\\qA0~b}", 7);
            }
        }
    } else if (kind & 0x40) {
        for (size_t i = 0, n = 0; i < 5; i++) {
            if (more >> i & 1)
                s->letters[n++] = "bfnrt"[i];
        }
        s->options.letters = s->letters;
    }
    FUZZ_CHECK(quern_style_init(&s->style, &s->options) == QUERN_OK, "a style is refused");
    s->made = &s->style;
    s->options_of_it = &s->options;
}

#endif
