/* SPDX-License-Identifier: MIT */
/*
 * Other libraries, as far as they were found when this was configured. Each is hidden behind functions of C that do a
 * whole workload: the loop over the pieces is inside, so that what a header inlines stays inlined.
 */
#ifndef QUERN_BENCH_PEERS_H
#define QUERN_BENCH_PEERS_H

#include "cbor_source.h"
#include "source.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a source (source.h). What the library needs before it can write (a DOM) is made in `open`, outside of what is
 * timed; memory is kept from one round to the next as far as the library can. */
typedef struct bench_json {
    void *(*open)(const bench_source *source);     /* NULL: the library has no such values, or not so large ones */
    uint64_t (*write)(void *state, size_t repeat); /* the sum of the lengths written; a bench_function */
    void (*close)(void *state);
} bench_json;

/* The first member of each state, of either: what the last round of `write` wrote. */
typedef struct bench_written {
    const char *text;
    size_t length;
} bench_written;

/* Writes a source as CBOR. Output memory is taken by the first `write`, and by the first one after `drop`. */
typedef struct bench_cbor {
    void *(*open)(const cbor_source *source); /* NULL: the library has no such values, or not so many */
    uint64_t (*write)(void *state, size_t repeat);
    void (*drop)(void *state); /* frees the output's memory */
    void (*close)(void *state);
} bench_cbor;

typedef struct bench_peer {
    const char *who;
    /* The instruction set: of the implementation forced ("haswell"), or of the flags that headers were compiled with
     * ("v3", "native"); "-" for a library that was compiled by someone else. */
    const char *variant;
    const char *version;
    const char *compiler;           /* what the library, not the bench, was compiled with */
    bench_function *escape_find;    /* on a bench_input; the sum of the offsets found. Any may be NULL */
    bench_function *utf8_prefix;    /* on a bench_peer_text; the sum of the lengths of the pieces that are valid */
    const bench_json *json;         /* text not checked to be UTF-8, if the library has the choice */
    const bench_json *json_checked; /* checked to be UTF-8 */
    const bench_cbor *cbor;
    const void *implementation; /* the peer's own */
} bench_peer;

/* The context of utf8_prefix. */
typedef struct bench_peer_text {
    const bench_input *input;
    const bench_peer *peer;
} bench_peer_text;

enum { MOST_PEERS = 48 };

/* All peers that run on this machine, `*count` of them. */
const bench_peer *bench_peers(size_t *count);

/* Of the files peers_*: adds to the list. */
void bench_peer_add(const bench_peer *peer);

#ifdef __cplusplus
}
#endif
#endif
