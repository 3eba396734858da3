/* SPDX-License-Identifier: MIT */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#    define _GNU_SOURCE
#endif
#include "bench.h"

#include <stdlib.h>
#include <time.h>

#if defined(__linux__)
#    include <sched.h>
#    include <unistd.h>
#endif

enum { MOST_ROUNDS = 64 };

void bench_pin(void)
{
#if defined(__linux__)
    /* The last core: the first one takes most interrupts. */
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)sysconf(_SC_NPROCESSORS_ONLN) - 1, &set);
    (void)sched_setaffinity(0, sizeof set, &set);
#endif
}

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static volatile uint64_t result_sink; /* the compiler must not drop what is timed */

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_time(bench_contender *contenders, size_t count, int rounds)
{
    if (rounds > MOST_ROUNDS)
        rounds = MOST_ROUNDS;
    double(*times)[MOST_ROUNDS] = calloc(count, sizeof *times);
    size_t *repeats = calloc(count, sizeof *repeats);
    if (!times || !repeats)
        abort();
    /* About a millisecond each: long against the clock's grain, short against the next disturbance. */
    for (size_t c = 0; c < count; c++) {
        size_t repeat = 1;
        double elapsed;
        for (;;) {
            const double start = bench_now();
            result_sink += contenders[c].run(contenders[c].context, repeat);
            elapsed = bench_now() - start;
            if (elapsed > 2e-4 || repeat >= (size_t)1 << 30)
                break;
            repeat *= 4;
        }
        const double one = elapsed / (double)repeat;
        repeats[c] = one >= 1e-3 ? 1 : (size_t)(1e-3 / one) + 1;
    }
    for (int r = 0; r < rounds; r++) {
        for (size_t c = 0; c < count; c++) {
            const double start = bench_now();
            result_sink += contenders[c].run(contenders[c].context, repeats[c]);
            times[c][r] = (bench_now() - start) / (double)repeats[c];
        }
    }
    for (size_t c = 0; c < count; c++) {
        qsort(times[c], (size_t)rounds, sizeof(double), compare_doubles);
        contenders[c].min_ns = times[c][0] * 1e9;
        contenders[c].median_ns = times[c][rounds / 2] * 1e9;
    }
    free(times);
    free(repeats);
}

uint64_t bench_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void bench_wrong(const char *workload, const char *variant, size_t size)
{
    fprintf(stderr, "%s, %s, size %zu: a wrong result; nothing is timed\n", workload, variant, size);
    exit(1);
}
