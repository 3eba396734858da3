/* SPDX-License-Identifier: MIT */
/*
 * A peer that encodes CBOR into the caller's buffer. Who includes this has defined before
 *
 *     static bool can_encode(const cbor_source *source);
 *     static size_t encode(const cbor_source *source, const void *data, uint8_t *buffer, size_t room);
 *
 * The buffer is large enough from the start: such libraries have none that grows.
 */
#include <stdlib.h>

typedef struct state {
    bench_written written;
    const cbor_source *source;
    size_t slice;
    uint8_t *buffer;
    size_t room;
} state;

static void *cbor_open(const cbor_source *source)
{
    if (!can_encode(source))
        return NULL;
    state *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->source = source;
    s->room = cbor_room(source);
    return s;
}

static uint64_t cbor_write(void *context, size_t repeat)
{
    state *s = context;
    uint64_t sum = 0;
    if (!s->buffer && !(s->buffer = malloc(s->room)))
        abort();
    size_t length = 0;
    for (size_t r = 0; r < repeat; r++) {
        length = encode(s->source, cbor_slice(s->source, s->slice), s->buffer, s->room);
        s->slice = cbor_next(s->source, s->slice);
        sum += length;
    }
    s->written = (bench_written){(const char *)s->buffer, length};
    return sum;
}

static void cbor_drop(void *context)
{
    state *s = context;
    free(s->buffer);
    s->buffer = NULL;
}

static void cbor_close(void *context)
{
    cbor_drop(context);
    free(context);
}

static const bench_cbor cbor = {cbor_open, cbor_write, cbor_drop, cbor_close};
