/* SPDX-License-Identifier: MIT */
#include "shapes.h"

#include <stdbool.h>
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
