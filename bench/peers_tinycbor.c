/* SPDX-License-Identifier: MIT */
/* TinyCBOR, into a buffer. */
#include "peers.h"

#include <cbor.h>

static bool can_encode(const cbor_source *source)
{
    return !source->swapped;
}

static size_t encode(const cbor_source *source, const void *data, uint8_t *buffer, size_t room)
{
    CborEncoder root, inner;
    cbor_encoder_init(&root, buffer, room, 0);
    switch (source->kind) {
    case CBOR_BINARY:
        cbor_encoder_create_map(&root, &inner, 2);
        cbor_encode_text_string(&inner, "data", 4);
        cbor_encode_byte_string(&inner, data, source->count);
        cbor_encode_text_string(&inner, "type", 4);
        cbor_encode_text_string(&inner, "binary", 6);
        cbor_encoder_close_container(&root, &inner);
        break;
    case CBOR_TYPED:
        cbor_encode_tag(&root, cbor_tag(source));
        cbor_encode_byte_string(&root, data, source->count * source->width);
        break;
    case CBOR_UINTS:
    case CBOR_DOUBLES:
        cbor_encoder_create_array(&root, &inner, source->count);
        for (size_t i = 0; i < source->count; i++) {
            if (source->kind == CBOR_UINTS)
                cbor_encode_uint(&inner, ((const uint64_t *)data)[i]);
            else
                cbor_encode_double(&inner, ((const double *)data)[i]);
        }
        cbor_encoder_close_container(&root, &inner);
        break;
    }
    return cbor_encoder_get_buffer_size(&root, buffer);
}

#include "peers_buffer.h"

#define VERSION \
    BENCH_TEXT(TINYCBOR_VERSION_MAJOR) "." BENCH_TEXT(TINYCBOR_VERSION_MINOR) "." BENCH_TEXT(TINYCBOR_VERSION_PATCH)

void peers_tinycbor(void);
void peers_tinycbor(void)
{
    bench_peer_add(&(bench_peer){
        .who = "tinycbor", .variant = "-", .version = VERSION, .compiler = BENCH_PEER_COMPILER, .cbor = &cbor});
}
