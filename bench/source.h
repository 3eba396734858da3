/* SPDX-License-Identifier: MIT */
/* What writers write: an array of strings or numbers, or a whole document; and the check of what they wrote. */
#ifndef QUERN_BENCH_SOURCE_H
#define QUERN_BENCH_SOURCE_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bench_kind { BENCH_STRINGS, BENCH_INTS, BENCH_UINTS, BENCH_DOUBLES, BENCH_STATUSES } bench_kind;

typedef struct bench_source {
    bench_kind kind;
    bench_input strings; /* of BENCH_STRINGS, always with `begin` */
    const int64_t *ints;
    const uint64_t *uints;
    const double *doubles;
    const struct bench_status *statuses; /* document.h */
    size_t count;                        /* numbers or statuses */
    size_t room;                         /* more than any library's compact output takes */
} bench_source;

/* The pieces as an array of strings. */
bench_source source_strings(bench_input input);

/* Numbers. */
bench_source source_ints(const int64_t *ints, size_t count);
bench_source source_uints(const uint64_t *uints, size_t count);
bench_source source_doubles(const double *doubles, size_t count);

/* Whether `json` is the source as compact JSON, its members in their order. Strings are compared unescaped: libraries
 * differ in which short escapes and which hexadecimal digits they use. Integers must be exact, doubles must read back
 * as the same bits. Only for bytes below 0x80 in escapes. */
bool source_is_json(const bench_source *source, const char *json, size_t length);

#ifdef __cplusplus
}
#endif
#endif
