/* SPDX-License-Identifier: MIT */
#include "texts.h"

#include <string.h>

const text_script text_scripts[TEXT_SCRIPTS] = {{"ascii", 0, 0, 1},
                                                {"latin", 0xC0, 0x40, 2},
                                                {"cyrillic", 0x410, 0x40, 2},
                                                {"cjk", 0x4E00, 0x5000, 3},
                                                {"emoji", 0x1F300, 0x300, 4}};

void text_fill_clean(char *text, size_t size)
{
    uint64_t state = 1;
    for (size_t i = 0; i < size; i++) {
        const char c = (char)(0x20 + bench_random(&state) % 95);
        text[i] = c == '"' || c == '\\' ? 'x' : c;
    }
}

static size_t put(char *to, uint32_t c, unsigned bytes)
{
    static const unsigned char leads[5] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (unsigned i = bytes; i-- > 1; c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3F));
    to[0] = (char)(leads[bytes] | c);
    return bytes;
}

void text_fill_script(char *text, size_t size, const text_script *script)
{
    if (script->bytes == 1) {
        text_fill_clean(text, size);
        return;
    }
    uint64_t state = script->first;
    size_t i = 0;
    while (i + 4 < size) {
        const uint64_t r = bench_random(&state);
        if (script->first == 0xC0 ? r % 8 != 0 : r % 7 == 0)
            text[i++] = script->first == 0xC0 ? (char)('a' + r % 23) : ' ';
        else
            i += put(text + i, script->first + (uint32_t)(r >> 32) % script->count, script->bytes);
    }
    memset(text + i, ' ', size - i);
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

bench_input text_random(const char *text, uint32_t *begin, size_t least, size_t most)
{
    uint64_t state = least * 1000 + most;
    size_t pieces = 0, at = 0;
    begin[0] = 0;
    while (at + most < TEXT_SIZE && pieces < TEXT_SIZE / 2 - 1) {
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

bool plain_is_json(const bench_input *input, const char *json, size_t length)
{
    if (length != input->total + 3 * input->pieces + 1)
        return false;
    bool same = json[0] == '[';
    const char *at = json + 1;
    for (size_t p = 0; p < input->pieces && same; p++) {
        const size_t len = input->begin[p + 1] - input->begin[p];
        same = at[0] == '"' && memcmp(at + 1, input->pool + input->begin[p], len) == 0 && at[len + 1] == '"' &&
               at[len + 2] == (p + 1 < input->pieces ? ',' : ']');
        at += len + 3;
    }
    return same;
}
