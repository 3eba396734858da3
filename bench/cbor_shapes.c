/* SPDX-License-Identifier: MIT */
#include "cbor_shapes.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#    define HAS_AVX2_LOOPS 1
#    define AVX2_LOOP __attribute__((target("avx2"), noinline))
#else
#    define HAS_AVX2_LOOPS 0
#endif

enum { LEAST = 64, WINDOW = 65536 };

/* ---- heads ---- */

static inline uint8_t *store_big_endian(uint8_t *to, uint64_t value, unsigned bytes)
{
    for (unsigned b = 0; b < bytes; b++)
        to[b] = (uint8_t)(value >> 8 * (bytes - 1 - b));
    return to + bytes;
}

/* By comparisons, as one writes it by hand. */
static inline uint8_t *put_head(uint8_t *to, unsigned major, uint64_t value)
{
    const unsigned first = major << 5;
    if (value < 24) {
        *to = (uint8_t)(first | value);
        return to + 1;
    }
    if (value <= 0xFF) {
        *to = (uint8_t)(first | 24);
        return store_big_endian(to + 1, value, 1);
    }
    if (value <= 0xFFFF) {
        *to = (uint8_t)(first | 25);
        return store_big_endian(to + 1, value, 2);
    }
    if (value <= 0xFFFFFFFF) {
        *to = (uint8_t)(first | 26);
        return store_big_endian(to + 1, value, 4);
    }
    *to = (uint8_t)(first | 27);
    return store_big_endian(to + 1, value, 8);
}

/* ---- growth ---- */

static uint8_t *take(size_t size)
{
    uint8_t *block = malloc(size);
    if (!block)
        abort();
    return block;
}

/* A new block, with what was written. */
static void move(cbor_buffer *buffer, size_t capacity)
{
    uint8_t *block = take(capacity);
    if (buffer->data)
        memcpy(block, buffer->data, buffer->length);
    free(buffer->data);
    buffer->data = block;
    buffer->capacity = capacity;
}

static size_t doubled(const cbor_buffer *buffer, size_t wanted)
{
    const size_t most = wanted > 2 * buffer->capacity ? wanted : 2 * buffer->capacity;
    return most < LEAST ? (size_t)LEAST : most;
}

static void zero_to(cbor_buffer *buffer, size_t end)
{
    if (end > buffer->capacity)
        end = buffer->capacity;
    memset(buffer->data + buffer->length, 0, end - buffer->length);
    buffer->writable = end;
}

typedef void grow_function(cbor_buffer *buffer, size_t wanted);

static void grow_zero_all(cbor_buffer *buffer, size_t wanted)
{
    move(buffer, doubled(buffer, wanted));
    zero_to(buffer, buffer->capacity);
}

static void grow_zero_window(cbor_buffer *buffer, size_t wanted)
{
    if (wanted > buffer->capacity)
        move(buffer, doubled(buffer, wanted));
    zero_to(buffer, wanted > buffer->length + WINDOW ? wanted : buffer->length + WINDOW);
}

static void grow_malloc_copy(cbor_buffer *buffer, size_t wanted)
{
    move(buffer, doubled(buffer, wanted));
    buffer->writable = buffer->capacity;
}

static void grow_realloc(cbor_buffer *buffer, size_t wanted)
{
    const size_t capacity = doubled(buffer, wanted);
    uint8_t *block = realloc(buffer->data, capacity);
    if (!block)
        abort();
    buffer->data = block;
    buffer->capacity = buffer->writable = capacity;
}

/* ---- numbers ---- */

static inline uint8_t *room(cbor_buffer *buffer, uint8_t *to, grow_function *grow)
{
    if (buffer->data)
        buffer->length = (size_t)(to - buffer->data);
    if (buffer->writable - buffer->length < 9)
        grow(buffer, buffer->length + 9);
    return buffer->data + buffer->length;
}

static inline void numbers(cbor_buffer *buffer, const cbor_source *source, const void *data, grow_function *grow)
{
    uint8_t *to = put_head(room(buffer, buffer->data, grow), 4, source->count);
    const uint8_t *end = buffer->data + buffer->writable;
    const char *from = data;
    for (size_t i = 0; i < source->count; i++) {
        uint64_t bits;
        memcpy(&bits, from + 8 * i, 8);
        if ((size_t)(end - to) < 9) {
            to = room(buffer, to, grow);
            end = buffer->data + buffer->writable;
        }
        if (source->kind == CBOR_UINTS) {
            to = put_head(to, 0, bits);
        } else {
            *to = 0xFB;
            to = store_big_endian(to + 1, bits, 8);
        }
    }
    buffer->length = (size_t)(to - buffer->data);
}

#define NUMBERS(name)                                                                                       \
    void shape_##name(cbor_buffer *buffer, const cbor_source *source, const void *data)                     \
    {                                                                                                       \
        if (source->kind == CBOR_UINTS)                                                                     \
            numbers(buffer, &(cbor_source){.kind = CBOR_UINTS, .count = source->count}, data, grow_##name); \
        else                                                                                                \
            numbers(buffer, source, data, grow_##name);                                                     \
    }
NUMBERS(zero_all)
NUMBERS(zero_window)
NUMBERS(malloc_copy)
NUMBERS(realloc)

/* ---- the binary document ---- */

/* Out of line, as the virtual calls of an output adapter are. */
typedef void put_function(cbor_buffer *buffer, const void *data, size_t length);

static void push_back(cbor_buffer *buffer, const void *data, size_t length)
{
    const uint8_t *from = data;
    for (size_t i = 0; i < length; i++) {
        if (buffer->length == buffer->capacity)
            move(buffer, buffer->capacity ? 2 * buffer->capacity : 1);
        buffer->data[buffer->length++] = from[i];
        __asm__ volatile("" ::: "memory"); /* the vector's members may be seen by others */
    }
}

static void insert(cbor_buffer *buffer, const void *data, size_t length)
{
    if (length > buffer->capacity - buffer->length)
        move(buffer, length > buffer->length ? buffer->length + length : 2 * buffer->length);
    memcpy(buffer->data + buffer->length, data, length);
    buffer->length += length;
}

static void document(cbor_buffer *buffer, const cbor_source *source, const void *data, put_function *volatile put)
{
    uint8_t head[9];
    put(buffer, head, (size_t)(put_head(head, 5, 2) - head));
    put(buffer, head, (size_t)(put_head(head, 3, 4) - head));
    put(buffer, "data", 4);
    const size_t length = (size_t)(put_head(head, 2, source->count) - head);
    put(buffer, head, 1); /* the first byte alone, as there */
    if (length > 1)
        put(buffer, head + 1, length - 1);
    put(buffer, data, source->count);
    put(buffer, head, (size_t)(put_head(head, 3, 4) - head));
    put(buffer, "type", 4);
    put(buffer, head, (size_t)(put_head(head, 3, 6) - head));
    put(buffer, "binary", 6);
}

void shape_push_back(cbor_buffer *buffer, const cbor_source *source, const void *data)
{
    document(buffer, source, data, push_back);
}

void shape_inserted(cbor_buffer *buffer, const cbor_source *source, const void *data)
{
    document(buffer, source, data, insert);
}

void shape_sized(cbor_buffer *buffer, const cbor_source *source, const void *data)
{
    static const char before[] = "\xA2\x64"
                                 "data",
                      after[] = "\x64"
                                "type\x66"
                                "binary";
    const size_t size = source->count + sizeof before + sizeof after + 9;
    if (size > buffer->capacity)
        grow_malloc_copy(buffer, size);
    uint8_t *to = buffer->data;
    memcpy(to, before, sizeof before - 1);
    to = put_head(to + sizeof before - 1, 2, source->count);
    memcpy(to, data, source->count);
    memcpy(to + source->count, after, sizeof after - 1);
    buffer->length = (size_t)(to - buffer->data) + source->count + sizeof after - 1;
}

/* ---- loops that swap ---- */

#define SWAP_LOOP(type, swap)              \
    {                                      \
        type *restrict t = to;             \
        const type *restrict f = from;     \
        for (size_t i = 0; i < count; i++) \
            t[i] = swap(f[i]);             \
    }
#define SWAP_BODY                       \
    {                                   \
        if (width == 2)                 \
            SWAP_LOOP(uint16_t, swap16) \
        else if (width == 4)            \
            SWAP_LOOP(uint32_t, swap32) \
        else                            \
            SWAP_LOOP(uint64_t, swap64) \
    }

/* As one writes them in C; compilers know them. */
#define swap16(x) ((uint16_t)((x) << 8 | (x) >> 8))
#define swap32(x) ((x) << 24 | ((x)&0xFF00) << 8 | ((x) >> 8 & 0xFF00) | (x) >> 24)
#define swap64(x) ((uint64_t)swap32((uint32_t)(x)) << 32 | swap32((uint32_t)((x) >> 32)))

static void swap_plain(void *restrict to, const void *restrict from, size_t count, size_t width){SWAP_BODY}

#if HAS_AVX2_LOOPS
AVX2_LOOP static void swap_avx2(void *restrict to, const void *restrict from, size_t count, size_t width){SWAP_BODY}
#endif

swap_loop *swap_loop_of(bool avx2)
{
    if (!avx2)
        return swap_plain;
#if HAS_AVX2_LOOPS
    if (__builtin_cpu_supports("avx2"))
        return swap_avx2;
#endif
    return NULL;
}
