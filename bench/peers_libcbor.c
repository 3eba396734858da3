/* SPDX-License-Identifier: MIT */
/* libcbor: its encoders, which write into the caller's buffer; a string's bytes are the caller's to copy. */
#include "peers.h"

#include <cbor.h>
#include <string.h>

static bool can_encode(const cbor_source *source)
{
    return !source->swapped;
}

typedef struct output {
    unsigned char *at, *end;
} output;

static void put_bytes(output *out, const void *data, size_t length)
{
    out->at += cbor_encode_bytestring_start(length, out->at, (size_t)(out->end - out->at));
    memcpy(out->at, data, length);
    out->at += length;
}

static void put_text(output *out, const char *text, size_t length)
{
    out->at += cbor_encode_string_start(length, out->at, (size_t)(out->end - out->at));
    memcpy(out->at, text, length);
    out->at += length;
}

static size_t encode(const cbor_source *source, const void *data, uint8_t *buffer, size_t room)
{
    output out = {buffer, buffer + room};
    switch (source->kind) {
    case CBOR_BINARY:
        out.at += cbor_encode_map_start(2, out.at, room);
        put_text(&out, "data", 4);
        put_bytes(&out, data, source->count);
        put_text(&out, "type", 4);
        put_text(&out, "binary", 6);
        break;
    case CBOR_TYPED:
        out.at += cbor_encode_tag(cbor_tag(source), out.at, room);
        put_bytes(&out, data, source->count * source->width);
        break;
    case CBOR_UINTS:
        out.at += cbor_encode_array_start(source->count, out.at, room);
        for (size_t i = 0; i < source->count; i++)
            out.at += cbor_encode_uint(((const uint64_t *)data)[i], out.at, (size_t)(out.end - out.at));
        break;
    case CBOR_DOUBLES:
        out.at += cbor_encode_array_start(source->count, out.at, room);
        for (size_t i = 0; i < source->count; i++)
            out.at += cbor_encode_double(((const double *)data)[i], out.at, (size_t)(out.end - out.at));
        break;
    }
    return (size_t)(out.at - buffer);
}

#include "peers_buffer.h"

void peers_libcbor(void);
void peers_libcbor(void)
{
    bench_peer_add(&(bench_peer){
        .who = "libcbor", .variant = "-", .version = CBOR_VERSION, .compiler = BENCH_PEER_COMPILER, .cbor = &cbor});
}
