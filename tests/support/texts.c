/* SPDX-License-Identifier: MIT */
#include "support/texts.h"

#include <string.h>

const texts_bytes texts_ill_formed[] = {
    {SUPPORT_BYTES("\x80")},
    {SUPPORT_BYTES("\xBF")},
    {SUPPORT_BYTES("\xC0\x80")},
    {SUPPORT_BYTES("\xC0")},
    {SUPPORT_BYTES("\xC1\xBF")},
    {SUPPORT_BYTES("\xC2 ")},
    {SUPPORT_BYTES("\xDF\xC3")},
    {SUPPORT_BYTES("\xE0\x80\x80")},
    {SUPPORT_BYTES("\xE0\x9F\xBF")},
    {SUPPORT_BYTES("\xE0\xA0 ")},
    {SUPPORT_BYTES("\xE2\x82 ")},
    {SUPPORT_BYTES("\xE2 ")},
    {SUPPORT_BYTES("\xE2\x82\xE2")},
    {SUPPORT_BYTES("\xED\xA0\x80")},
    {SUPPORT_BYTES("\xED\xBF\xBF")},
    {SUPPORT_BYTES("\xEF\xBF\xC0")},
    {SUPPORT_BYTES("\xF0\x80\x80\x80")},
    {SUPPORT_BYTES("\xF0\x8F\xBF\xBF")},
    {SUPPORT_BYTES("\xF0\x90\x80 ")},
    {SUPPORT_BYTES("\xF0\x9F ")},
    {SUPPORT_BYTES("\xF1 ")},
    {SUPPORT_BYTES("\xF3\xBF\xBF\xF3")},
    {SUPPORT_BYTES("\xF4\x90\x80\x80")},
    {SUPPORT_BYTES("\xF5\x80\x80\x80")},
    {SUPPORT_BYTES("\xF8\x88\x80\x80")},
    {SUPPORT_BYTES("\xFC\x84\x80\x80")},
    {SUPPORT_BYTES("\xFE")},
    {SUPPORT_BYTES("\xFF")},
};
const size_t texts_ill_formed_count = SUPPORT_COUNT(texts_ill_formed);

const uint32_t texts_edges[] = {0x00,    0x41,    0x7F,    0x80,    0xFF,    0x7FF,    0x800,   0xFFF,  0x1000,
                                0x20AC,  0xCFFF,  0xD000,  0xD7FF,  0xE000,  0xFEFF,   0xFFFD,  0xFFFF, 0x10000,
                                0x1F600, 0x3FFFF, 0x40000, 0xABCDE, 0xFFFFF, 0x100000, 0x10FFFF};
const size_t texts_edge_count = SUPPORT_COUNT(texts_edges);

const char *texts_load_name(texts_load load)
{
    static const char *const names[TEXTS_LOADS] = {"quotes", "pairs", "\\u00xx", "controls", "mixed", "special"};
    return names[load];
}

static unsigned char loaded_byte(support_random *random, texts_load load)
{
    static const char pairs[] = "\"\\\b\f\n\r\t";
    static const char special[] = "<>&/\x7F\"\\\n\x1F'=;?.0~!#[]^\b\t";
    unsigned char byte;
    switch (load) {
    case TEXTS_QUOTES: return (unsigned char)pairs[support_random_below(random, 2)];
    case TEXTS_PAIRS: return (unsigned char)pairs[support_random_below(random, 7)];
    case TEXTS_HEX:
        do
            byte = (unsigned char)support_random_below(random, 32);
        while (byte != 0 && strchr(pairs, byte) != NULL);
        return byte;
    case TEXTS_CONTROLS: return (unsigned char)support_random_below(random, 32);
    case TEXTS_MIXED: return loaded_byte(random, (texts_load)support_random_below(random, TEXTS_MIXED));
    default: return (unsigned char)special[support_random_below(random, sizeof special - 1)];
    }
}

void texts_sprinkle(support_random *random, texts_load load, size_t per_cent, unsigned char *dst, size_t len)
{
    for (size_t i = 0; i < len && per_cent > 0; i++) {
        if (support_random_below(random, 100) < per_cent)
            dst[i] = loaded_byte(random, load);
    }
}

void texts_fill(support_random *random, support_script script, texts_load load, size_t per_cent, size_t damage,
                unsigned char *dst, size_t len)
{
    static const uint32_t special[] = {0x2028, 0x2029, 0x2027, 0x202A, 0x2068, 0x2128, 0x20A8, 0x80,
                                       0xA8,   0xE280, 0xFFFD, 0x3028, 0x2228, 0x7FF,  0x10000};
    for (size_t i = 0; i < len;) {
        unsigned char piece[8];
        size_t size = 1;
        const size_t kind = support_random_below(random, 100);
        if (kind < damage) {
            const texts_bytes *bytes = &texts_ill_formed[support_random_below(random, texts_ill_formed_count)];
            size = 1 + support_random_below(random, bytes->length);
            memcpy(piece, bytes->data, size);
        } else if (kind >= 100 - per_cent) {
            if (load == TEXTS_SPECIAL && support_random_below(random, 2) == 0) {
                const uint32_t c = special[support_random_below(random, SUPPORT_COUNT(special))];
                size = support_encoded_size(c);
                support_encode(piece, c, size);
            } else {
                piece[0] = loaded_byte(random, load);
            }
        } else {
            support_text(random, script, piece, 4);
            size = (piece[0] & 0x80) == 0 ? 1 : piece[0] < 0xE0 ? 2 : piece[0] < 0xF0 ? 3 : 4;
        }
        if (size > len - i) {
            if (damage == 0)
                memset(piece, 'x', sizeof piece);
            size = len - i;
        }
        memcpy(dst + i, piece, size);
        i += size;
    }
}

void texts_damage(support_random *random, unsigned char *text, size_t len)
{
    const size_t at = support_random_below(random, len);
    switch (support_random_below(random, 4)) {
    case 0: text[at] = (unsigned char)support_random_next(random); break;
    case 1: text[at] = (unsigned char)(text[at] ^ 1u << support_random_below(random, 8)); break;
    case 2: memmove(text + at, text + at + 1, len - at - 1); break;
    default:
        memmove(text + at + 1, text + at, len - at - 1);
        text[at] = (unsigned char)(0x80 + support_random_below(random, 0x80));
    }
}

void texts_noise(support_random *random, unsigned char *dst, size_t len)
{
    for (size_t i = 0; i < len; i++)
        dst[i] = (unsigned char)(support_random_next(random) >> 32);
}

void texts_open_vswitch(support_random *random, size_t controls, size_t quotes, unsigned char *dst, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        const size_t r = support_random_below(random, 100);
        dst[i] = (unsigned char)(r < controls            ? 1 + support_random_below(random, 31)
                                 : r < controls + quotes ? '"'
                                                         : 32 + support_random_below(random, 224));
    }
}
