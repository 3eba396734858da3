/* SPDX-License-Identifier: MIT */
/** @file The oracle of CBOR: items as trees, an encoder of the obvious kind, and a decoder for the public vectors. */
#ifndef QUERN_TESTS_REFERENCE_CBOR_H
#define QUERN_TESTS_REFERENCE_CBOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cbor_item {
    unsigned major;            /* 0 to 7 */
    bool unknown;              /* count or length */
    unsigned width;            /* major 7: of a float, 16, 32 or 64; 0: a simple value */
    uint64_t number;           /* value, tag, simple value, or a float's bits */
    const unsigned char *data; /* of a string, */
    size_t length;             /* or the number of elements or pairs */
    struct cbor_item *first;   /* elements, keys and values in turn, chunks, the item with the tag */
    struct cbor_item *next;
} cbor_item;

/**
 * Encodes an item in `dst`, which has room for it, with the shortest heads; floats as they are.
 * @return the number of bytes; 0 if `deterministic` and a map has a key twice.
 */
size_t reference_cbor_encode(unsigned char *dst, const cbor_item *item, bool deterministic);

/** The shortest float of the same value: sets the item's width and bits. */
void reference_cbor_shortest(cbor_item *item, double value);

/**
 * Decodes one item that is known to be well-formed, into `items` from *used on.
 * @return where it ends, or NULL: more than `room` items.
 */
const unsigned char *reference_cbor_decode(const unsigned char *p, cbor_item *items, size_t *used, size_t room,
                                           bool *is_break);

#endif
