/* SPDX-License-Identifier: MIT */
/* The CBOR writer as a contender: a source to any sink. */
#ifndef QUERN_BENCH_CBOR_WRITE_H
#define QUERN_BENCH_CBOR_WRITE_H

#include "workload.h"

typedef enum cbor_target {
    TO_MEMORY, /* reused */
    TO_FRESH,  /* memory, none at first, freed afterwards */
    TO_FIXED,
    TO_FD,     /* /dev/null, all by way of the buffer */
    TO_WRITEV, /* the same, runs of 512 bytes and more without it */
    TO_IOVEC,  /* strings referenced from 512 bytes on */
    CBOR_TARGETS
} cbor_target;

extern const char *const cbor_target_names[CBOR_TARGETS];

/* How the values are handed over. */
typedef enum cbor_way {
    ALL_AT_ONCE,
    ONE_BY_ONE,
    SIZE_HINTED /* all at once, and the memory sink is told the room */
} cbor_way;

typedef struct cbor_writing cbor_writing;

/* NULL if there is no such sink here. The variant is forced in each run. */
cbor_writing *cbor_writing_open(const cbor_source *source, cbor_target target, cbor_way way, const char *variant);
uint64_t cbor_writing_run(void *writing, size_t repeat);

/* Writes a slice, which is not the next one's turn, and compares. Of a descriptor: what comes through a file. */
bool cbor_writing_is_right(cbor_writing *writing, size_t slice, const uint8_t *expected, size_t length);

void cbor_writing_close(cbor_writing *writing);

#endif
