/* SPDX-License-Identifier: MIT */
/*
 * What the benchmark programs share: a workload is begun, its contenders are added, the first of which is the C
 * library's, and checked as they are added; then it is ended: timed, shown, and written to the table.
 */
#ifndef QUERN_BENCH_WORKLOAD_H
#define QUERN_BENCH_WORKLOAD_H

#include "peers.h"
#include "shapes.h"
#include "texts.h"

#include <quern/quern.h>

/* What quern's, the C library's and the shapes' contenders work on. */
typedef struct work {
    bench_input input;
    const bench_source *source;
    const quern_kernels *row;
    const char *variant;
    quern_memory_sink *sink;
    shape_buffer *buffer;
    const quern_style *style;
    quern_json_invalid invalid;
    void *states; /* of a workload on fresh memory */
} work;

enum { MOST_VARIANTS = 16 };

/* Filled by bench_main before the workloads run. */
typedef struct bench_run {
    bool quick;
    quern_variant variants[MOST_VARIANTS]; /* that run here natively */
    size_t variant_count;
    const bench_peer *peers;
    size_t peer_count;
    char *text;       /* TEXT_SIZE bytes */
    size_t text_size; /* how many to work on where that takes long: fewer if quick */
    char *target;     /* what the program asked for, each page touched */
    uint32_t *begin;
    quern_memory_sink sink; /* reused by all that write to one */
    shape_buffer buffer;    /* likewise */
} bench_run;

extern bench_run bench;

typedef struct bench_program {
    size_t target_size;
    double seconds;      /* for a contender of a workload, about; see bench_time */
    bool faults;         /* the table has a column of page faults */
    void (*all)(void);   /* the workloads */
    void (*fresh)(void); /* may be NULL: those that must run before malloc is told to keep memory */
    int (*demo)(const char *text, const quern_variant *variants, size_t count); /* may be NULL */
} bench_program;

int bench_main(int argc, char **argv, const bench_program *program);

/* ---- a workload ---- */

/* False if it is not wanted. `input` gives what a time is of: one of its pieces. */
bool workload_begin(const char *name, bench_input input);

/* The same for a source, whose items are its elements; of statuses, the one document. `size` is for the table, as is
 * the number of bytes: those of the strings, 8 of each number, or what the document has. */
bool workload_begin_source(const char *name, const bench_source *source, size_t size, size_t bytes);

/* The work of the contender that is added next. */
work *workload_work(void);

/* Adds a contender; `add_checked` also checks what it returns. */
void workload_add(const char *who, const char *variant, bench_function *run, void *context);
void workload_add_checked(const char *who, const char *variant, bench_function *run, void *context, uint64_t expected);

/* Ends the program: the contender added last gave a wrong result. */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void workload_wrong(void);

void workload_end(void);
void workload_end_fresh(size_t turns, size_t repeat, bench_turn_function *open, bench_turn_function *close);

/* ---- contenders that several workloads have ---- */

void workload_add_libc(bench_function *run, uint64_t expected);
void workload_add_shape(const char *who, bench_function *run, uint64_t expected);

/* quern's rows; `copies`: the bytes must have arrived in the target too. */
void workload_add_variants(bench_function *run, uint64_t expected, bool copies);

/* On the input: memcpy of each piece to its place in the target. */
uint64_t run_memcpy(void *context, size_t repeat);

/* On the source: the JSON writer, to the sink. */
uint64_t run_json(void *context, size_t repeat);

/* A whole workload of a source: memcpy or `libc`, each variant of quern, with this style, and each library that can. */
typedef struct json_options {
    bool checked;           /* to be UTF-8 */
    bool best_variant_only; /* where the variants are no different */
    bool no_peers;
    const quern_style *style;
    bench_function *libc; /* of a work; NULL: memcpy of each piece, or of `text` */
    bench_input text;     /* the whole, written, if it has no pieces */
    size_t size, bytes;   /* see workload_begin_source; 0: of the pieces */
} json_options;

void json_workload(const char *name, const bench_source *source, const json_options *options);

typedef struct range {
    size_t least, most;
} range;

/* "json_strings, random 0-15"; lives for the next 63 calls. */
const char *random_name(const char *of, range r);

/* Pieces of one length: few enough that text and output stay in the second cache. */
bench_input equal_pieces(size_t size);

/* As many as the text has, of random lengths. */
bench_input random_pieces(range r);

#define FOR_EACH(type, name, ...)             \
    static const type name[] = {__VA_ARGS__}; \
    for (size_t i_##name = 0; i_##name < sizeof name / sizeof name[0]; i_##name++)
#define EACH(name) (name[i_##name])

#endif
