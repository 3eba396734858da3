/* SPDX-License-Identifier: MIT */
/*
 * Timing contenders against each other. All contenders of a workload are timed in turn, round after round, so that a
 * disturbance meets all of them; the minimum and the median of the rounds are kept. Compare within one run only.
 */
#ifndef QUERN_BENCH_H
#define QUERN_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_TEXT_(x) #x
#define BENCH_TEXT(x) BENCH_TEXT_(x)
#if defined(__clang__)
#    define BENCH_COMPILER \
        "clang " BENCH_TEXT(__clang_major__) "." BENCH_TEXT(__clang_minor__) "." BENCH_TEXT(__clang_patchlevel__)
#elif defined(__GNUC__)
#    define BENCH_COMPILER "gcc " __VERSION__
#else
#    define BENCH_COMPILER "unknown compiler"
#endif

/* What a call works on: pieces of a pool, each handed over by itself. */
typedef struct bench_input {
    const char *pool;
    const uint32_t *begin; /* pieces + 1 offsets; NULL: one piece of `size` bytes */
    size_t pieces;         /* 1 if `begin` is NULL */
    size_t size;           /* of a piece; the mean if they differ */
    size_t total;          /* bytes of all pieces */
} bench_input;

/* Does `call`, which may use src, len and at, for each piece, `repeat` times over. */
#define BENCH_FOR_PIECES(input, repeat, call)                                          \
    for (size_t r_ = 0; r_ < (repeat); r_++) {                                         \
        if (!(input)->begin) {                                                         \
            const char *src = (input)->pool;                                           \
            const size_t len = (input)->size, at = 0;                                  \
            (void)at;                                                                  \
            call;                                                                      \
        } else {                                                                       \
            for (size_t p_ = 0; p_ < (input)->pieces; p_++) {                          \
                const size_t at = (input)->begin[p_];                                  \
                const size_t len = (input)->begin[p_ + 1] - at;                        \
                const char *src = (input)->pool + at;                                  \
                call;                                                                  \
            }                                                                          \
        }                                                                              \
        __asm__ volatile("" ::: "memory"); /* or the compiler would do it just once */ \
    }

/* Does a workload `repeat` times, and returns something that depends on all of it. */
typedef uint64_t bench_function(void *context, size_t repeat);

typedef struct bench_contender {
    const char *who;     /* "quern", "libc", the name of a peer, "shape:NAME" */
    const char *variant; /* "-" if it has none */
    bench_function *run;
    void *context;
    double min_ns, median_ns; /* filled by bench_time: for the workload once */
    double faults;            /* filled by bench_time_fresh: page faults, for the workload once */
} bench_contender;

/* Keeps the process on one core. */
void bench_pin(void);

/* Has malloc keep what is freed: a peer that allocates anew each time would else measure page faults. */
void bench_keep_memory(void);

/* Seconds, from a clock that only goes forward. */
double bench_now(void);

/* Times the contenders, each for `seconds` at most, unless the least number of rounds takes longer; 0: a few short
 * rounds, to see that all of it works; the figures mean little. */
void bench_time(bench_contender *contenders, size_t count, double seconds);

/* What makes and drops the states of a turn of bench_time_fresh, outside of what is timed. */
typedef void bench_turn_function(void *context, size_t repeat);

/* Times the contenders on memory that the process does not have yet: `turns` times each, interleaved, `repeat` calls in
 * a turn, between `open` and `close` of its states. */
void bench_time_fresh(bench_contender *contenders, size_t count, size_t turns, size_t repeat, bench_turn_function *open,
                      bench_turn_function *close);

/* Has malloc give back what is freed, and take each large block from the system. */
void bench_fresh_memory(void);

/* A generator of reproducible numbers (splitmix64). */
uint64_t bench_random(uint64_t *state);

/* Ends the program: a contender's result differs from the reference. */
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void bench_wrong(const char *workload, const char *who, const char *variant, size_t size);

#ifdef __cplusplus
}
#endif
#endif
