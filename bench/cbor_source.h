/* SPDX-License-Identifier: MIT */
/* What CBOR writers write, and a plain encoder whose bytes every contender's must be. */
#ifndef QUERN_BENCH_CBOR_SOURCE_H
#define QUERN_BENCH_CBOR_SOURCE_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cbor_kind {
    CBOR_BINARY,  /* {"data": count bytes, "type": "binary"}: BinaryToCbor of nlohmann/json's benchmarks */
    CBOR_UINTS,   /* an array of integers */
    CBOR_DOUBLES, /* an array of numbers, none of which a float holds */
    CBOR_TYPED    /* a typed array (RFC 8746) */
} cbor_kind;

/* Numbers lie in `slices` arrays of `count`, one behind the other; successive calls write them in turn, so that there
 * are more widths in a row than a branch predictor learns, however short the arrays are. */
typedef struct cbor_source {
    cbor_kind kind;
    const void *data; /* uint8_t, uint64_t or double; of a typed array by width */
    size_t count;
    size_t slices;
    size_t width; /* of a typed array's element: 2 and 4 are unsigned integers, 8 doubles */
    bool swapped; /* not in this machine's byte order */
} cbor_source;

/* Of a typed array in the order asked for. */
unsigned cbor_tag(const cbor_source *source);

/* More than a slice takes, encoded. */
size_t cbor_room(const cbor_source *source);

/* Encodes a slice, byte by byte; returns how many bytes. */
size_t plain_cbor(const cbor_source *source, size_t slice, uint8_t *to);

static inline const void *cbor_slice(const cbor_source *source, size_t slice)
{
    return (const uint8_t *)source->data + slice * source->count * 8;
}

/* Which slice comes next, given the last one. */
static inline size_t cbor_next(const cbor_source *source, size_t slice)
{
    return slice + 1 < source->slices ? slice + 1 : 0;
}

#ifdef __cplusplus
}
#endif
#endif
