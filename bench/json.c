/* SPDX-License-Identifier: MIT */
/* Workloads of the JSON writer against other libraries on the same source. */
#include "workload.h"

#include <stdlib.h>
#include <string.h>

typedef quern_json_writer walker;

static void put_map(walker *w)
{
    quern_json_begin_map(w);
}

static void put_map_end(walker *w)
{
    quern_json_end(w);
}

static void put_array(walker *w)
{
    quern_json_begin_array(w);
}

static void put_array_end(walker *w)
{
    quern_json_end(w);
}

static void put_key(walker *w, const char *data, size_t length)
{
    quern_json_write_key(w, data, length);
}

static void put_string(walker *w, const char *data, size_t length)
{
    quern_json_write_string(w, data, length);
}

static void put_int(walker *w, int64_t value)
{
    quern_json_write_int(w, value);
}

static void put_uint(walker *w, uint64_t value)
{
    quern_json_write_uint(w, value);
}

static void put_double(walker *w, double value)
{
    quern_json_write_double(w, value);
}

static void put_bool(walker *w, bool value)
{
    quern_json_write_bool(w, value);
}

static void put_null(walker *w)
{
    quern_json_write_null(w);
}

#include "walk.h"

uint64_t run_json(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    const quern_json_writer_options options = {.size = sizeof options, .style = w->style, .invalid = w->invalid};
    quern_variant_force(w->variant);
    for (size_t r = 0; r < repeat; r++) {
        quern_json_writer writer;
        quern_memory_sink_reset(w->sink); /* takes the variant in use */
        quern_json_writer_init(&writer, &w->sink->sink, &options);
        walk(&writer, w->source);
        sum += quern_json_writer_finish(&writer) == QUERN_OK ? quern_sink_total(&w->sink->sink) : 0;
    }
    return sum;
}

/* The same for an array of numbers, in one call. */
static uint64_t run_many(void *context, size_t repeat)
{
    const work *w = context;
    const bench_source *source = w->source;
    uint64_t sum = 0;
    const quern_json_writer_options options = {.size = sizeof options};
    quern_variant_force(w->variant);
    for (size_t r = 0; r < repeat; r++) {
        quern_json_writer writer;
        quern_memory_sink_reset(w->sink);
        quern_json_writer_init(&writer, &w->sink->sink, &options);
        quern_json_begin_array(&writer);
        if (source->kind == BENCH_DOUBLES)
            quern_json_write_doubles(&writer, source->doubles, source->count);
        else if (source->kind == BENCH_INTS)
            quern_json_write_ints(&writer, source->ints, source->count);
        else
            quern_json_write_uints(&writer, source->uints, source->count);
        quern_json_end(&writer);
        sum += quern_json_writer_finish(&writer) == QUERN_OK ? quern_sink_total(&w->sink->sink) : 0;
    }
    return sum;
}

/* Whether `got` is the source as JSON. `same` is what has been found to be so, or NULL; most of the others' is equal.
 */
static bool is_right(const bench_source *source, quern_string got, quern_string *same)
{
    if (same->data && same->length == got.length && memcmp(same->data, got.data, got.length) == 0)
        return true;
    if (!source_is_json(source, got.data, got.length))
        return false;
    if (!same->data) {
        char *copy = malloc(got.length);
        if (!copy)
            abort();
        memcpy(copy, got.data, got.length);
        *same = (quern_string){copy, got.length};
    }
    return true;
}

static void add_run(const char *who, bench_function *run, const char *variant, const bench_source *source,
                    const json_options *options, quern_string *same)
{
    work *w = workload_work();
    w->source = source;
    w->sink = &bench.sink;
    w->variant = variant;
    w->style = options->style;
    w->invalid = options->checked ? QUERN_JSON_INVALID_STOP : QUERN_JSON_INVALID_KEEP;
    workload_add(who, variant, run, w);
    run(w, 1);
    if (!is_right(source, quern_memory_sink_view(&bench.sink), same))
        workload_wrong();
}

static void add_quern(const bench_source *source, const json_options *options, quern_string *same)
{
    const bool numbers = source->kind == BENCH_DOUBLES || source->kind == BENCH_INTS || source->kind == BENCH_UINTS;
    for (size_t v = 0; v < (options->best_variant_only ? 1 : bench.variant_count); v++) {
        if (numbers)
            add_run("quern", run_many, bench.variants[v].name, source, options, same);
        add_run(numbers ? "quern:calls" : "quern", run_json, bench.variants[v].name, source, options, same);
    }
}

void json_workload(const char *name, const bench_source *source, const json_options *options)
{
    const bench_json *open[MOST_PEERS] = {NULL};
    void *states[MOST_PEERS] = {NULL};
    quern_string same = {NULL, 0};
    const size_t size = options->size ? options->size : source->strings.size;
    const size_t bytes = options->bytes ? options->bytes : source->strings.total;
    if (!workload_begin_source(name, source, size, bytes))
        return;
    work *libc = workload_work();
    libc->source = source;
    libc->input = source->kind == BENCH_STRINGS ? source->strings : options->text;
    workload_add("libc", "-", options->libc ? options->libc : run_memcpy, libc);
    add_quern(source, options, &same);
    for (size_t p = 0; p < (options->no_peers ? 0 : bench.peer_count); p++) {
        const bench_peer *peer = &bench.peers[p];
        const bench_json *json = options->checked ? peer->json_checked : peer->json;
        void *state = json ? json->open(source) : NULL;
        if (!state)
            continue;
        states[p] = state;
        open[p] = json;
        workload_add(peer->who, peer->variant, json->write, state);
        json->write(state, 1);
        const bench_written *written = state;
        if (!is_right(source, (quern_string){written->text, written->length}, &same))
            workload_wrong();
    }
    workload_end();
    free((char *)(uintptr_t)same.data);
    for (size_t p = 0; p < bench.peer_count; p++) {
        if (states[p])
            open[p]->close(states[p]);
    }
}
