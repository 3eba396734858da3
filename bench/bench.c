/* SPDX-License-Identifier: MIT */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#    define _GNU_SOURCE
#endif
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__linux__)
#    include <sched.h>
#    include <unistd.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#    include <sys/resource.h>
#endif
#if defined(__GLIBC__)
#    include <malloc.h>
#endif

enum { ROUNDS = 21, QUICK_ROUNDS = 3, LEAST_ROUNDS = 5, BEATEN_ROUNDS = 1 };

/* Who takes so many times as long as the fastest (but for libc) is timed in BEATEN_ROUNDS only, and when it was first
 * run, if that took long. */
static const double beaten = 6;

/* A contender's turn should be long against the clock's grain, and short against the time to the next disturbance. */
static const double turn_seconds = 1e-3, quick_turn_seconds = 5e-5;

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

void bench_fresh_memory(void)
{
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 128 << 10); /* said, it does not adapt */
    mallopt(M_TRIM_THRESHOLD, 128 << 10);
#endif
}

static void give_back(void)
{
#if defined(__GLIBC__)
    malloc_trim(0);
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
    double one;    /* seconds of a call, about */
    int stride;    /* takes part in each stride-th round */
    int count;
    double times[ROUNDS + 1];
} timing;

static void calibrate(bench_contender *contender, timing *t, double turn)
{
    size_t repeat = 1;
    double elapsed;
    for (;;) {
        const double start = bench_now();
        result_sink += contender->run(contender->context, repeat);
        elapsed = bench_now() - start;
        if (elapsed > turn / 5 || repeat >= (size_t)1 << 30)
            break;
        repeat *= 4;
    }
    t->one = elapsed / (double)repeat;
    t->repeat = t->one >= turn ? 1 : (size_t)(turn / t->one) + 1;
    if (t->repeat == 1 && repeat == 1)
        t->times[t->count++] = t->one;
}

static void conclude(bench_contender *contender, timing *t)
{
    qsort(t->times, (size_t)t->count, sizeof(double), compare_doubles);
    contender->min_ns = t->times[0] * 1e9;
    contender->median_ns = t->times[t->count / 2] * 1e9;
}

static timing *new_timings(size_t count)
{
    timing *timings = calloc(count, sizeof *timings);
    if (!timings)
        abort();
    return timings;
}

void bench_time(bench_contender *contenders, size_t count, double seconds)
{
    const int rounds = seconds > 0 ? ROUNDS : QUICK_ROUNDS;
    const double turn = seconds > 0 ? turn_seconds : quick_turn_seconds;
    timing *timings = new_timings(count);
    double fastest = 0;
    for (size_t c = 0; c < count; c++) {
        calibrate(&contenders[c], &timings[c], turn);
        if (strcmp(contenders[c].who, "libc") != 0 && (fastest == 0 || timings[c].one < fastest))
            fastest = timings[c].one;
    }
    for (size_t c = 0; c < count; c++) {
        timing *t = &timings[c];
        const int least = t->one > beaten * fastest ? BEATEN_ROUNDS : LEAST_ROUNDS;
        const int affordable = (int)(seconds / (t->one * (double)t->repeat));
        t->stride = seconds > 0 ? rounds / (affordable < least ? least : affordable) : 1;
        if (t->stride < 1)
            t->stride = 1;
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
    for (size_t c = 0; c < count; c++)
        conclude(&contenders[c], &timings[c]);
    free(timings);
}

static double page_faults(void)
{
#if defined(__unix__) || defined(__APPLE__)
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        return (double)usage.ru_minflt + (double)usage.ru_majflt;
#endif
    return 0;
}

void bench_time_fresh(bench_contender *contenders, size_t count, size_t turns, size_t repeat, bench_turn_function *open,
                      bench_turn_function *close)
{
    timing *timings = new_timings(count);
    for (size_t r = 0; r < turns && r < ROUNDS; r++) {
        for (size_t c = 0; c < count; c++) {
            timing *t = &timings[c];
            open(contenders[c].context, repeat);
            const double faults = page_faults(), start = bench_now();
            result_sink += contenders[c].run(contenders[c].context, repeat);
            const double elapsed = bench_now() - start;
            contenders[c].faults = (page_faults() - faults) / (double)repeat;
            t->times[t->count++] = elapsed / (double)repeat;
            close(contenders[c].context, repeat);
            give_back();
        }
    }
    for (size_t c = 0; c < count; c++)
        conclude(&contenders[c], &timings[c]);
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
