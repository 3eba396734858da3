/* SPDX-License-Identifier: MIT */
#include "shapes.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define ROW(x) x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x
/* clang-format on */
static const bool escaped[256] = {ROW(1), ROW(1), ['"'] = 1, ['\\'] = 1};

size_t shape_table_find(const char *src, size_t len)
{
    size_t i = 0;
    while (i < len && !escaped[(unsigned char)src[i]])
        i++;
    return i;
}

size_t shape_serde_swar_find(const char *src, size_t len)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;
    if (len == 0 || escaped[(unsigned char)src[0]])
        return 0;
    size_t i = 0;
    for (; len - i >= 8; i += 8) {
        uint64_t word;
        memcpy(&word, src + i, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        const uint64_t control = (word - ones * 0x20) & ~word;
        const uint64_t quote = ((word ^ ones * '"') - ones) & ~(word ^ ones * '"');
        const uint64_t solidus = ((word ^ ones * '\\') - ones) & ~(word ^ ones * '\\');
        const uint64_t found = (control | quote | solidus) & highs;
        /* Borrows only run upwards, so the lowest flag is right. */
        if (found)
            return i + (size_t)__builtin_ctzll(found) / 8;
    }
    return i + shape_table_find(src + i, len - i);
}

size_t shape_table_copy(char *dst, const char *src, size_t len)
{
    const size_t clean = shape_table_find(src, len);
    memcpy(dst, src, clean);
    return clean;
}

void shape_insert(shape_buffer *buffer, const char *src, size_t len)
{
    if (len > buffer->capacity - buffer->length) {
        buffer->capacity = buffer->capacity + (len > buffer->capacity ? len : buffer->capacity);
        buffer->data = realloc(buffer->data, buffer->capacity);
        if (!buffer->data)
            abort();
    }
    memcpy(buffer->data + buffer->length, src, len);
    buffer->length += len;
}

/* ---- Open vSwitch: buffer->capacity is without the NUL, as `allocated` is there ---- */

static char *ovs_put_uninit(shape_buffer *buffer, size_t len)
{
    const size_t wanted = buffer->length + len;
    if (wanted > buffer->capacity || !buffer->data) {
        buffer->capacity += wanted > buffer->capacity ? wanted : buffer->capacity;
        if (buffer->capacity < 8)
            buffer->capacity = 8;
        buffer->data = realloc(buffer->data, buffer->capacity + 1);
        if (!buffer->data)
            abort();
    }
    buffer->length = wanted;
    buffer->data[wanted] = 0;
    return buffer->data + wanted - len;
}

static void ovs_put_char(shape_buffer *buffer, char c)
{
    if (buffer->length < buffer->capacity) {
        buffer->data[buffer->length++] = c;
        buffer->data[buffer->length] = 0;
    } else {
        *ovs_put_uninit(buffer, 1) = c;
    }
}

static char ovs_texts[256][8];

static void ovs_make_texts(void)
{
    static const char letters[256] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r', ['"'] = '"', ['\\'] = '\\'};
    for (int c = 0; c < 256; c++) {
        if (letters[c])
            snprintf(ovs_texts[c], sizeof ovs_texts[c], "\\%c", letters[c]);
        else
            snprintf(ovs_texts[c], sizeof ovs_texts[c], c < 0x20 ? "\\u%04x" : "%c", (unsigned)c);
    }
}

static void ovs_put_text(shape_buffer *buffer, unsigned char c)
{
    for (const char *text = ovs_texts[c]; *text; text++)
        ovs_put_char(buffer, *text);
}

void shape_ovs_before(shape_buffer *buffer, const char *string)
{
    if (!ovs_texts['a'][0])
        ovs_make_texts();
    ovs_put_char(buffer, '"');
    for (; *string; string++)
        ovs_put_text(buffer, (unsigned char)*string);
    ovs_put_char(buffer, '"');
}

static void ovs_put_run(shape_buffer *buffer, const char *src, size_t len)
{
    if (len > 0)
        memcpy(ovs_put_uninit(buffer, len), src, len);
}

void shape_ovs_after(shape_buffer *buffer, const char *string)
{
    if (!ovs_texts['a'][0])
        ovs_make_texts();
    ovs_put_char(buffer, '"');
    size_t run = 0;
    for (; *string; string++) {
        const unsigned char c = (unsigned char)*string;
        if (!escaped[c]) {
            run++;
        } else {
            ovs_put_run(buffer, string - run, run);
            run = 0;
            ovs_put_text(buffer, c);
        }
    }
    ovs_put_run(buffer, string - run, run);
    ovs_put_char(buffer, '"');
}
