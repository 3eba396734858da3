/* SPDX-License-Identifier: MIT */
#include "texts.h"

#include <string.h>

const text_script text_scripts[TEXT_SCRIPTS] = {
    {"ascii", 0, 0, 1, 0},           {"latin", 0xC0, 0x40, 2, 7},   {"latin50", 0xC0, 0x40, 2, 4},
    {"cyrillic", 0x410, 0x40, 2, 0}, {"cjk", 0x4E00, 0x5000, 3, 0}, {"emoji", 0x1F300, 0x300, 4, 0},
};

static char clean_byte(uint64_t r)
{
    const char c = (char)(0x20 + r % 95);
    return c == '"' || c == '\\' ? 'x' : c;
}

void text_fill_clean(char *text, size_t size)
{
    uint64_t state = 1;
    for (size_t i = 0; i < size; i++)
        text[i] = clean_byte(bench_random(&state));
}

static size_t put(char *to, uint32_t c, unsigned bytes)
{
    static const unsigned char leads[5] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (unsigned i = bytes; i-- > 1; c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3F));
    to[0] = (char)(leads[bytes] | c);
    return bytes;
}

size_t text_put(char *to, size_t size, const text_script *script, uint64_t *state)
{
    size_t i = 0;
    while (i + script->bytes <= size) {
        const uint64_t r = bench_random(state);
        if (script->bytes == 1)
            to[i++] = clean_byte(r);
        else if (script->letters ? r % 8 >= 8 - script->letters : r % 7 == 0)
            to[i++] = script->letters ? (char)('a' + r % 23) : ' ';
        else
            i += put(to + i, script->first + (uint32_t)(r >> 32) % script->count, script->bytes);
    }
    return i;
}

void text_fill_script(char *text, size_t size, const text_script *script)
{
    uint64_t state = script->bytes == 1 ? 1 : script->first;
    const size_t i = text_put(text, size, script, &state);
    memset(text + i, ' ', size - i);
}

void text_fill_escapes(char *text, size_t size, unsigned quotes, unsigned controls)
{
    uint64_t state = 100 * quotes + controls;
    for (size_t i = 0; i < size; i++) {
        const uint64_t r = bench_random(&state), of = r >> 32;
        text[i] = r % 100 < controls ? (char)(1 + of % 31) : r % 100 < controls + quotes ? '"' : clean_byte(of);
    }
}

void text_fill_ovs(char *text, size_t size, unsigned quotes, unsigned controls)
{
    uint64_t state = size + 100 * quotes + controls;
    for (size_t i = 0; i + 1 < size; i++) {
        const uint64_t r = bench_random(&state), of = r >> 32;
        text[i] = (char)(r % 100 < controls ? 1 + of % 31 : r % 100 < controls + quotes ? '"' : 32 + of % 224);
    }
    text[size - 1] = 0;
}

void text_fill_lines(char *text, size_t size, size_t length)
{
    text_fill_clean(text, size);
    for (size_t i = length - 1; i < size; i += length)
        text[i] = '\n';
}

/* The start of the character at `at`. */
static size_t character(const char *text, size_t at)
{
    while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80)
        at--;
    return at;
}

bench_input text_whole(const char *text, size_t size)
{
    if (size < TEXT_SIZE)
        size = character(text, size);
    return (bench_input){.pool = text, .pieces = 1, .size = size, .total = size};
}

bench_input text_equal(const char *text, uint32_t *begin, size_t size, size_t count)
{
    for (size_t p = 0; p <= count; p++)
        begin[p] = (uint32_t)(p * size);
    return (bench_input){.pool = text, .begin = begin, .pieces = count, .size = size, .total = count * size};
}

bench_input text_random(const char *text, size_t size, uint32_t *begin, size_t least, size_t most)
{
    uint64_t state = least * 1000 + most;
    size_t pieces = 0, at = 0;
    begin[0] = 0;
    while (at + most < size && pieces < TEXT_SIZE / 2 - 1) {
        at = character(text, at + least + (size_t)(bench_random(&state) % (most - least + 1)));
        begin[++pieces] = (uint32_t)at;
    }
    return (bench_input){.pool = text, .begin = begin, .pieces = pieces, .size = at / pieces, .total = at};
}

size_t plain_escape_find(const char *src, size_t len)
{
    size_t i = 0;
    while (i < len && (unsigned char)src[i] >= 0x20 && src[i] != '"' && src[i] != '\\')
        i++;
    return i;
}

size_t plain_newlines(const char *src, size_t len)
{
    size_t count = 0;
    for (size_t i = 0; i < len; i++)
        count += src[i] == '\n';
    return count;
}

size_t plain_escape_write(char *dst, const char *src, size_t len)
{
    static const char letters[0x20] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
    char *to = dst;
    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)src[i];
        const char letter = c < 0x20 ? letters[c] : src[i];
        if (c < 0x20 || c == '"' || c == '\\')
            *to++ = '\\';
        if (letter) {
            *to++ = letter;
        } else {
            memcpy(to, "u00", 3);
            to[3] = (char)('0' + (c >> 4));
            to[4] = "0123456789abcdef"[c & 15];
            to += 5;
        }
    }
    return (size_t)(to - dst);
}
