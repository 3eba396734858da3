/* SPDX-License-Identifier: MIT */
/* Arrays of numbers written one by one, and a whole document. */
#include "document.h"
#include "workload.h"
#include "writers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many that their text has 8 MiB and more where writers branch on the digits; fewer where all have the same number
 * of digits, and there is nothing to learn. */
enum { MANY = 512 << 10, SOME = 64 << 10, DIGITS = 20, STATUSES = 4608 };

static size_t how_many(size_t most)
{
    return bench.quick ? most / 16 : most;
}

/* The C library's way: snprintf, and for doubles as many digits as always suffice. */
static uint64_t run_snprintf(void *context, size_t repeat)
{
    const work *w = context;
    const bench_source *source = w->source;
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        char *to = bench.target;
        for (size_t i = 0; i < source->count; i++) {
            if (source->kind == BENCH_DOUBLES)
                to += snprintf(to, 32, "%.17g,", source->doubles[i]);
            else if (source->kind == BENCH_INTS)
                to += snprintf(to, 32, "%lld,", (long long)source->ints[i]);
            else
                to += snprintf(to, 32, "%llu,", (unsigned long long)source->uints[i]);
        }
        sum += (uint64_t)(to - bench.target);
    }
    return sum;
}

static void number_workload(const char *name, bench_source source)
{
    json_workload(name, &source,
                  &(json_options){.best_variant_only = true,
                                  .libc = run_snprintf,
                                  .size = sizeof(double),
                                  .bytes = source.count * sizeof(double)});
}

/* A number of so many digits, at random. */
static uint64_t of_digits(unsigned digits, uint64_t *state)
{
    uint64_t least = 1;
    for (unsigned d = 1; d < digits; d++)
        least *= 10;
    const uint64_t span = digits == DIGITS ? UINT64_MAX - least : 9 * least;
    const uint64_t r = bench_random(state) % span;
    return digits == 1 ? r + 1 : least + r;
}

/* Coordinates as in canada.json: six decimals, but for most a few units in the last place off. */
static double coordinate(uint64_t *state)
{
    const uint64_t r = bench_random(state);
    double x = (double)(41675551 + (int64_t)(r % 99327440)) / 1e6;
    for (unsigned up = (unsigned)(r >> 40) % 12; up > 2; up--)
        x = nextafter(x, 1e3);
    if ((r >> 60) % 8 == 0)
        x = nextafter(x, 0);
    return (r >> 50) % 2 ? -x : x;
}

static double of_random_bits(uint64_t *state)
{
    for (;;) {
        const uint64_t bits = bench_random(state);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x))
            return x;
    }
}

/* Up to six digits, one to four of them decimals. */
static double short_decimal(uint64_t *state)
{
    static const double scales[] = {10, 100, 1000, 10000};
    const uint64_t r = bench_random(state);
    const double x = (double)((r >> 8) % 1000000) / scales[r % 4];
    return (r >> 60) % 2 ? -x : x;
}

typedef double make_double(uint64_t *state);

void numbers(void)
{
    double *doubles = malloc(MANY * sizeof *doubles);
    int64_t *ints = malloc(MANY * sizeof *ints);
    uint64_t *uints = malloc(SOME * sizeof *uints);
    if (!doubles || !ints || !uints)
        abort();
    typedef struct entry {
        const char *name;
        make_double *make;
    } entry;
    FOR_EACH(entry, list, {"doubles, canada", coordinate}, {"doubles, random bits", of_random_bits},
             {"doubles, short decimals", short_decimal})
    {
        uint64_t state = 7;
        const size_t count = how_many(MANY);
        for (size_t i = 0; i < count; i++)
            doubles[i] = EACH(list).make(&state);
        number_workload(EACH(list).name, source_doubles(doubles, count));
    }
    for (unsigned digits = 1; digits <= DIGITS; digits++) {
        char name[32];
        uint64_t state = digits;
        const size_t count = how_many(SOME);
        for (size_t i = 0; i < count; i++)
            uints[i] = of_digits(digits, &state);
        snprintf(name, sizeof name, "ints, %u digits", digits);
        number_workload(name, source_uints(uints, count));
    }
    uint64_t state = 9;
    const size_t count = how_many(MANY);
    for (size_t i = 0; i < count; i++) {
        const int64_t x = (int64_t)of_digits(1 + (unsigned)(bench_random(&state) % 18), &state);
        ints[i] = bench_random(&state) % 2 ? -x : x;
    }
    number_workload("ints, random widths", source_ints(ints, count));
    free(doubles);
    free(ints);
    free(uints);
}

void documents(void)
{
    const bench_source source = document_make(how_many(STATUSES));
    /* Written once before, to be copied by the C library. */
    work w = {.source = &source, .sink = &bench.sink, .variant = bench.variants[0].name};
    const size_t length = (size_t)run_json(&w, 1);
    char *text = malloc(length);
    if (!text)
        abort();
    memcpy(text, quern_memory_sink_view(&bench.sink).data, length);
    json_options options = {
        .text = {.pool = text, .pieces = 1, .size = length, .total = length}, .size = length, .bytes = length};
    json_workload("document, unchecked", &source, &options);
    options.checked = true;
    json_workload("document, checked", &source, &options);
    free(text);
}
