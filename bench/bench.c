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
#if defined(__GLIBC__)
#    include <malloc.h>
#endif

enum { ROUNDS = 21, QUICK_ROUNDS = 3, LEAST_ROUNDS = 5 };

/* A contender's turn should be long against the clock's grain, and short against the time to the next disturbance. */
static const double turn_seconds = 1e-3, quick_turn_seconds = 5e-5;

/* What one contender of one workload may take in all, unless it is so slow that LEAST_ROUNDS take more. */
static const double most_seconds = 0.25;

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

void bench_keep_memory(void)
{
#if defined(__GLIBC__)
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT32_MAX);
    mallopt(M_TOP_PAD, 64 << 20);
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

typedef struct timing {
    size_t repeat; /* calls in a turn */
    int stride;    /* takes part in each stride-th round */
    int count;
    double times[ROUNDS];
} timing;

void bench_time(bench_contender *contenders, size_t count, bool quick)
{
    const int rounds = quick ? QUICK_ROUNDS : ROUNDS;
    const double turn = quick ? quick_turn_seconds : turn_seconds;
    timing *timings = calloc(count, sizeof *timings);
    if (!timings)
        abort();
    for (size_t c = 0; c < count; c++) {
        size_t repeat = 1;
        double elapsed;
        for (;;) {
            const double start = bench_now();
            result_sink += contenders[c].run(contenders[c].context, repeat);
            elapsed = bench_now() - start;
            if (elapsed > turn / 5 || repeat >= (size_t)1 << 30)
                break;
            repeat *= 4;
        }
        const double one = elapsed / (double)repeat;
        timings[c].repeat = one >= turn ? 1 : (size_t)(turn / one) + 1;
        const int affordable = (int)(most_seconds / (one * (double)timings[c].repeat));
        timings[c].stride = rounds / (affordable < LEAST_ROUNDS ? LEAST_ROUNDS : affordable);
        if (timings[c].stride < 1)
            timings[c].stride = 1;
    }
    for (int r = 0; r < rounds; r++) {
        for (size_t c = 0; c < count; c++) {
            timing *t = &timings[c];
            if (r % t->stride != 0)
                continue;
            const double start = bench_now();
            result_sink += contenders[c].run(contenders[c].context, t->repeat);
            t->times[t->count++] = (bench_now() - start) / (double)t->repeat;
        }
    }
    for (size_t c = 0; c < count; c++) {
        timing *t = &timings[c];
        qsort(t->times, (size_t)t->count, sizeof(double), compare_doubles);
        contenders[c].min_ns = t->times[0] * 1e9;
        contenders[c].median_ns = t->times[t->count / 2] * 1e9;
    }
    free(timings);
}

uint64_t bench_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void bench_wrong(const char *workload, const char *who, const char *variant, size_t size)
{
    fprintf(stderr, "%s, %s %s, size %zu: a wrong result; nothing more is timed\n", workload, who, variant, size);
    exit(1);
}
