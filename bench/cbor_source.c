/* SPDX-License-Identifier: MIT */
#include "cbor_source.h"

#include <string.h>

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

unsigned cbor_tag(const cbor_source *source)
{
    const unsigned big = source->width == 2 ? 65 : source->width == 4 ? 66 : 82;
    return is_little_endian() != source->swapped ? big + 4 : big;
}

size_t cbor_room(const cbor_source *source)
{
    return 64 + source->count * (source->kind == CBOR_BINARY ? 1 : source->kind == CBOR_TYPED ? source->width : 9);
}

static uint8_t *plain_big_endian(uint8_t *to, uint64_t value, unsigned bytes)
{
    for (unsigned b = bytes; b-- > 0;)
        *to++ = (uint8_t)(value >> 8 * b);
    return to;
}

static uint8_t *plain_head(uint8_t *to, unsigned major, uint64_t value)
{
    const unsigned first = major << 5;
    if (value < 24) {
        *to++ = (uint8_t)(first | value);
        return to;
    }
    unsigned code = 24, bytes = 1;
    while (bytes < 8 && value >> 8 * bytes) {
        code++;
        bytes *= 2;
    }
    *to++ = (uint8_t)(first | code);
    return plain_big_endian(to, value, bytes);
}

static uint8_t *plain_text(uint8_t *to, const char *text)
{
    to = plain_head(to, 3, strlen(text));
    while (*text)
        *to++ = (uint8_t)*text++;
    return to;
}

size_t plain_cbor(const cbor_source *source, size_t slice, uint8_t *to)
{
    const uint8_t *const start = to;
    const uint8_t *data = cbor_slice(source, slice);
    switch (source->kind) {
    case CBOR_BINARY:
        to = plain_text(plain_head(to, 5, 2), "data");
        to = plain_head(to, 2, source->count);
        for (size_t i = 0; i < source->count; i++)
            *to++ = data[i];
        to = plain_text(plain_text(to, "type"), "binary");
        break;
    case CBOR_UINTS:
    case CBOR_DOUBLES:
        to = plain_head(to, 4, source->count);
        for (size_t i = 0; i < source->count; i++) {
            uint64_t bits;
            memcpy(&bits, data + 8 * i, 8);
            if (source->kind == CBOR_UINTS) {
                to = plain_head(to, 0, bits);
            } else {
                *to++ = 0xFB;
                to = plain_big_endian(to, bits, 8);
            }
        }
        break;
    case CBOR_TYPED:
        to = plain_head(to, 6, cbor_tag(source));
        to = plain_head(to, 2, source->count * source->width);
        for (size_t i = 0; i < source->count * source->width; i++)
            *to++ =
                data[source->swapped ? i / source->width * source->width + (source->width - 1 - i % source->width) : i];
        break;
    }
    return (size_t)(to - start);
}
