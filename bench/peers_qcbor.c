/* SPDX-License-Identifier: MIT */
/* QCBOR, into a buffer. Its arrays have at most 65534 elements. Doubles are written as they are. */
#include "peers.h"

#include <qcbor/qcbor_encode.h>

static bool can_encode(const cbor_source *source)
{
    return !source->swapped && (source->kind == CBOR_BINARY || source->kind == CBOR_TYPED || source->count < 65535);
}

static size_t encode(const cbor_source *source, const void *data, uint8_t *buffer, size_t room)
{
    QCBOREncodeContext context;
    QCBOREncode_Init(&context, (UsefulBuf){buffer, room});
    switch (source->kind) {
    case CBOR_BINARY:
        QCBOREncode_OpenMap(&context);
        QCBOREncode_AddBytesToMap(&context, "data", (UsefulBufC){data, source->count});
        QCBOREncode_AddTextToMap(&context, "type", (UsefulBufC){"binary", 6});
        QCBOREncode_CloseMap(&context);
        break;
    case CBOR_TYPED:
        QCBOREncode_AddTag(&context, cbor_tag(source));
        QCBOREncode_AddBytes(&context, (UsefulBufC){data, source->count * source->width});
        break;
    case CBOR_UINTS:
    case CBOR_DOUBLES:
        QCBOREncode_OpenArray(&context);
        for (size_t i = 0; i < source->count; i++) {
            if (source->kind == CBOR_UINTS)
                QCBOREncode_AddUInt64(&context, ((const uint64_t *)data)[i]);
            else
                QCBOREncode_AddDoubleNoPreferred(&context, ((const double *)data)[i]);
        }
        QCBOREncode_CloseArray(&context);
        break;
    }
    UsefulBufC encoded = {NULL, 0};
    return QCBOREncode_Finish(&context, &encoded) == QCBOR_SUCCESS ? encoded.len : 0;
}

#include "peers_buffer.h"

void peers_qcbor(void);
void peers_qcbor(void)
{
    bench_peer_add(&(bench_peer){
        .who = "qcbor", .variant = "-", .version = BENCH_PEER_VERSION, .compiler = BENCH_PEER_COMPILER, .cbor = &cbor});
}
