/* SPDX-License-Identifier: MIT */
/* How other programs write CBOR into memory that grows, written out from their description. */
#ifndef QUERN_BENCH_CBOR_SHAPES_H
#define QUERN_BENCH_CBOR_SHAPES_H

#include "cbor_source.h"

typedef struct cbor_buffer {
    uint8_t *data;
    size_t length;   /* written */
    size_t writable; /* that may be written to: what is zeroed, where that is done */
    size_t capacity;
} cbor_buffer;

/* Appends a slice of the source. */
typedef void cbor_shape(cbor_buffer *buffer, const cbor_source *source, const void *data);

/*
 * The binary document.
 *
 * push_back: a byte at a time, as nlohmann/json did before its change #3569.
 * insert: since then; a range at once. Both in a vector, which grows to the larger of its double and what is wanted, by
 * a new block and a copy.
 * sized: room for all of it is made once. Heads are stored by their known width, keys by constants.
 */
cbor_shape shape_push_back, shape_inserted, shape_sized;

/*
 * Numbers, with the same encoder, and room for each that is tested against the writable part. Memory at least doubles:
 *
 * zero_all: by a new block, a copy, and zeros in all the rest, as a vector that is resized.
 * zero_window: zeros in the next 64 KiB alone, as nlohmann/json's vector sink does since its change.
 * malloc_copy: no zeros. realloc: no zeros, by realloc.
 */
cbor_shape shape_zero_all, shape_zero_window, shape_malloc_copy, shape_realloc;

/* A memcpy that reverses the bytes of each element: a loop, which the compiler may make vectors of. For the instruction
 * set of the program, or for AVX2, or NULL if this machine has none. */
typedef void swap_loop(void *restrict to, const void *restrict from, size_t count, size_t width);
swap_loop *swap_loop_of(bool avx2);

#endif
