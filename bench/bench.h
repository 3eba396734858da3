/* SPDX-License-Identifier: MIT */
/*
 * Timing contenders against each other. All contenders of a workload are timed in turn, round after round, so that a
 * disturbance meets all of them; the minimum and the median of the rounds are kept. Compare within one run only.
 */
#ifndef QUERN_BENCH_H
#define QUERN_BENCH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Does a workload `repeat` times, and returns something that depends on all of it. */
typedef uint64_t bench_function(void *context, size_t repeat);

typedef struct bench_contender {
    const char *who;     /* "quern", "libc", "shape:NAME" */
    const char *variant; /* "-" if it has none */
    bench_function *run;
    void *context;
    double min_ns, median_ns; /* filled by bench_time: for the workload once */
} bench_contender;

/* Keeps the process on one core. */
void bench_pin(void);

/* Seconds, from a clock that only goes forward. */
double bench_now(void);

/* Times the contenders. */
void bench_time(bench_contender *contenders, size_t count, int rounds);

/* A generator of reproducible numbers (splitmix64). */
uint64_t bench_random(uint64_t *state);

/* Ends the program: a contender's result differs from the reference. */
_Noreturn void bench_wrong(const char *workload, const char *variant, size_t size);

#endif
