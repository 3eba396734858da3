/* SPDX-License-Identifier: MIT */
/*
 * The benchmark of Open vSwitch's json_serialize_string, with its bytes: one string of 10^5, 10^7 or 10^8 bytes,
 * uniform in 32 to 255, so that 0.9 % need an escape, with so many per cent more of quotation marks and control bytes.
 * It is no UTF-8, so only writers take part that do not look.
 *
 * Reused: output goes to where the round before has put it. Fresh, as there: each call starts with no memory and grows,
 * and the results of several calls are kept alive, so that none gets what another has freed.
 */
#include "workload.h"
#include "writers.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_KEPT = 128, OVS_CONTENDERS = 64 };

typedef struct mix {
    unsigned quotes, controls;
} mix;

static const mix mixes[] = {{0, 0}, {2, 1}, {10, 1}};
enum { MIXES = sizeof mixes / sizeof mixes[0] };

typedef void ovs_shape(shape_buffer *buffer, const char *string);

/* A contender: exactly one of `row`, `shape` and `json` is there; none for the C library. */
typedef struct entry {
    const bench_source *source;
    const quern_variant *variant;
    ovs_shape *shape;
    const bench_json *json;
    void *states[MOST_KEPT];
    quern_memory_sink sinks[MOST_KEPT];
    shape_buffer buffers[MOST_KEPT];
} entry;

static entry *entries; /* OVS_CONTENDERS */

/* ---- one call ---- */

/* escape_write into a memory sink, as a writer of one's own would do it. */
static uint64_t write_quern(const quern_kernels *row, quern_memory_sink *memory, const char *src, size_t len)
{
    quern_sink *sink = &memory->sink;
    quern_sink_write(sink, "\"", 1);
    for (;;) {
        size_t used;
        if (quern_sink_reserve(sink, QUERN_RESERVE) != QUERN_OK)
            return 0;
        const quern_span span = row->escape_write_slack(
            NULL, (char *)sink->cursor, (size_t)(sink->limit - sink->cursor), src, len, &used, QUERN_ESCAPE_FINAL);
        sink->cursor += span.length;
        src += used;
        len -= used;
        if (span.why == QUERN_STOP_END)
            break;
    }
    quern_sink_write(sink, "\"", 1);
    return quern_sink_status(sink) == QUERN_OK ? quern_sink_total(sink) : 0;
}

static uint64_t write_one(entry *e, size_t at)
{
    const bench_input *input = &e->source->strings;
    if (e->variant)
        return write_quern(e->variant->row, &e->sinks[at], input->pool, input->total);
    if (e->json)
        return e->json->write(e->states[at], 1);
    if (e->shape)
        e->shape(&e->buffers[at], input->pool);
    else
        shape_insert(&e->buffers[at], input->pool, input->total);
    return e->buffers[at].length;
}

static void open_states(void *context, size_t count)
{
    entry *e = context;
    if (e->variant)
        quern_variant_force(e->variant->name); /* the sink's copies */
    for (size_t i = 0; i < count; i++) {
        if (e->variant)
            quern_memory_sink_init(&e->sinks[i], NULL);
        else if (e->json)
            e->states[i] = e->json->open(e->source);
        else
            e->buffers[i] = (shape_buffer){NULL, 0, 0};
    }
}

static void close_states(void *context, size_t count)
{
    entry *e = context;
    for (size_t i = 0; i < count; i++) {
        if (e->variant)
            quern_memory_sink_free(&e->sinks[i]);
        else if (e->json)
            e->json->close(e->states[i]);
        else
            free(e->buffers[i].data);
    }
}

static uint64_t run_fresh(void *context, size_t repeat)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < repeat; i++)
        sum += write_one(context, i);
    return sum;
}

static uint64_t run_reused(void *context, size_t repeat)
{
    entry *e = context;
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        if (e->variant)
            quern_memory_sink_reset(&e->sinks[0]);
        e->buffers[0].length = 0;
        sum += write_one(e, 0);
    }
    return sum;
}

/* Whether the first state of `e` holds the string, written. */
static bool is_right(entry *e, const char *expected, size_t length)
{
    const bench_input *input = &e->source->strings;
    if (e->json) { /* as an array */
        const bench_written *written = e->states[0];
        return source_is_json(e->source, written->text, written->length);
    }
    quern_string got = {e->buffers[0].data, e->buffers[0].length};
    if (e->variant)
        got = quern_memory_sink_view(&e->sinks[0]);
    else if (!e->shape)
        return got.length == input->total && memcmp(got.data, input->pool, input->total) == 0;
    return got.length == length && memcmp(got.data, expected, length) == 0;
}

/* ---- workloads ---- */

static bool takes_any_bytes(const bench_peer *peer)
{
    return peer->json && (strcmp(peer->who, "sonic-cpp") == 0 || strcmp(peer->who, "simdjson") == 0 ||
                          strcmp(peer->who, "rapidjson") == 0);
}

/* Adds all contenders, `entries` in this order, and returns how many; of libraries in several variants only the
 * `native` one if `few`. */
static size_t add_all(const bench_source *source, bench_function *run, bool few)
{
    entry *e = entries;
    *e = (entry){.source = source};
    workload_add("libc", "-", run, e++);
    for (size_t v = 0; v < bench.variant_count; v++) {
        *e = (entry){.source = source, .variant = &bench.variants[v]};
        workload_add("quern", bench.variants[v].name, run, e++);
    }
    *e = (entry){.source = source, .shape = shape_ovs_before};
    workload_add("shape:ovs_before", "-", run, e++);
    *e = (entry){.source = source, .shape = shape_ovs_after};
    workload_add("shape:ovs_after", "-", run, e++);
    for (size_t p = 0; p < bench.peer_count; p++) {
        const bench_peer *peer = &bench.peers[p];
        if (!takes_any_bytes(peer) || (few && strcmp(peer->variant, "native") != 0))
            continue;
        *e = (entry){.source = source, .json = peer->json};
        workload_add(peer->who, peer->variant, run, e++);
    }
    return (size_t)(e - entries);
}

static void ovs_workload(size_t size, mix m, bool fresh)
{
    char name[64];
    snprintf(name, sizeof name, "ovs, Q%u S%u, %s", m.quotes, m.controls, fresh ? "fresh" : "reused");
    if (!workload_begin(name, (bench_input){.pieces = 1, .size = size, .total = size}))
        return;
    char *text = malloc(size), *expected = malloc(6 * size + 2);
    entries = calloc(OVS_CONTENDERS, sizeof *entries);
    if (!text || !expected || !entries)
        abort();
    text_fill_ovs(text, size, m.quotes, m.controls);
    uint32_t begin[2] = {0, (uint32_t)(size - 1)};
    const bench_source source =
        source_strings((bench_input){.pool = text, .begin = begin, .pieces = 1, .size = size - 1, .total = size - 1});
    expected[0] = '"';
    size_t length = 1 + plain_escape_write(expected + 1, text, size - 1);
    expected[length++] = '"';

    const size_t count = add_all(&source, fresh ? run_fresh : run_reused, fresh || size > 10000000);
    for (size_t c = 0; c < count; c++) {
        if (fresh && size > 100000)
            break; /* the shorter string has shown it, and reused memory shows it again */
        open_states(&entries[c], 1);
        write_one(&entries[c], 0);
        if (!is_right(&entries[c], expected, length))
            bench_wrong(name, "contender", "number", c);
        if (fresh)
            close_states(&entries[c], 1);
    }
    free(expected);
    if (fresh) {
        const size_t kept = size <= 100000 ? 100 : size <= 10000000 ? 2 : 1;
        const size_t turns = size <= 100000 ? 5 : size <= 10000000 ? 3 : 2;
        workload_end_fresh(bench.quick ? 1 : turns, bench.quick ? 1 : kept, open_states, close_states);
    } else {
        workload_end();
        for (size_t c = 0; c < count; c++)
            close_states(&entries[c], 1);
    }
    free(entries);
    free(text);
}

static void all_sizes(bool fresh)
{
    static const size_t sizes[] = {100000, 10000000, 100000000};
    for (size_t s = 0; s < (bench.quick ? 2 : 3); s++) {
        for (size_t m = 0; m < MIXES; m++)
            ovs_workload(sizes[s], mixes[m], fresh);
    }
}

void ovs_reused(void)
{
    all_sizes(false);
}

void ovs_fresh(void)
{
    bench_fresh_memory();
    all_sizes(true);
}
