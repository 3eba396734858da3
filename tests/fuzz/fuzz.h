/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What the fuzz targets share: the input as a reader of small numbers, blocks of exact size for the memory checkers,
 * and a way to say what went wrong. A target is one function, LLVMFuzzerTestOneInput, which libFuzzer calls; replay.c
 * calls it on files in builds without libFuzzer.
 */
#ifndef QUERN_TESTS_FUZZ_H
#define QUERN_TESTS_FUZZ_H

#include "reference/reference.h"

#include <quern/quern.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(condition, ...)        \
    do {                                  \
        if (!(condition)) {               \
            fprintf(stderr, __VA_ARGS__); \
            fprintf(stderr, "\n");        \
            abort();                      \
        }                                 \
    } while (0)

typedef struct fuzz_input {
    const uint8_t *data;
    size_t size;
} fuzz_input;

/* The next byte, 0 at the end. */
static inline uint8_t fuzz_byte(fuzz_input *input)
{
    if (input->size == 0)
        return 0;
    input->size--;
    return *input->data++;
}

/* Uninitialised memory that no other block touches. */
static inline void *fuzz_block(size_t size)
{
    void *block = malloc(size ? size : 1);
    FUZZ_CHECK(block != NULL, "no memory");
    return block;
}

/* A copy of the rest of the input, `align` bytes into a block that ends with it; to be freed by *block. */
static inline const char *fuzz_text(const fuzz_input *input, size_t align, char **block)
{
    *block = fuzz_block(align + input->size);
    if (input->size)
        memcpy(*block + align, input->data, input->size);
    return *block + align;
}

/* The next variant that runs here, from `*i` on. */
static inline bool fuzz_variant(size_t *i, quern_variant *variant)
{
    while (quern_variant_get((*i)++, variant)) {
        if (variant->supported)
            return true;
    }
    return false;
}

#endif
