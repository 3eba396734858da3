/* SPDX-License-Identifier: MIT */
/*
 * Every kernel, the sink and the JSON writer in every variant that runs here, against the C library, other libraries
 * (bench.peers.h) and algorithms written out (shapes.h) on the same bytes.
 *
 *     bench_kernels [--quick] [--tsv FILE] [--append]   all workloads; the table goes to FILE as well, or behind it
 *     bench_kernels --only PREFIX                       the workloads whose name begins so
 *     bench_kernels --about                             compiler, C library and bench.peers, "name TAB value" lines
 *     bench_kernels --demo FILE                         a short table with bars, on the text of FILE
 *
 * Each contender's result is compared with a plain loop's before anything is timed. "random" workloads are strings of
 * random lengths, one after the other in 8 MiB that no branch predictor can learn; their times are per string.
 */
#include "demo.h"
#include "workload.h"

#include <string.h>

/* ---- what is timed ---- */

static uint64_t run_find(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, sum += w->row->escape_find(NULL, src, len));
    return sum;
}

static uint64_t run_memchr(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, sum += memchr(src, 1, len) ? 0 : len);
    return sum;
}

static uint64_t run_find_serde_swar(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, sum += shape_serde_swar_find(src, len));
    return sum;
}

static uint64_t run_find_table(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, sum += shape_table_find(src, len));
    return sum;
}

static uint64_t run_escape_copy(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, sum += w->row->escape_copy_slack(NULL, bench.target + at, src, len));
    return sum;
}

static uint64_t run_copy_table(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, sum += shape_table_copy(bench.target + at, src, len));
    return sum;
}

static uint64_t run_copy(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, (w->row->copy_slack(bench.target + at, src, len), sum += len));
    return sum;
}

static uint64_t run_utf8(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, sum += w->row->utf8_prefix(src, len).length);
    return sum;
}

static uint64_t run_line(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, sum += w->row->line_locate(src, len).newlines);
    return sum;
}

static uint64_t run_swap16(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, (w->row->swap_copy16(bench.target + at, src, len / 2), sum += len));
    return sum;
}

static uint64_t run_swap32(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, (w->row->swap_copy32(bench.target + at, src, len / 4), sum += len));
    return sum;
}

static uint64_t run_swap64(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, (w->row->swap_copy64(bench.target + at, src, len / 8), sum += len));
    return sum;
}

static uint64_t run_memchr_lines(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat,
                     for (const char *p = src, *end = src + len; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
                         sum++);
    return sum;
}

static uint64_t run_sink(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    quern_variant_force(w->variant);
    for (size_t r = 0; r < repeat; r++) {
        quern_memory_sink_reset(w->sink); /* takes the variant in use */
        quern_sink *sink = &w->sink->sink;
        for (size_t p = 0; p < w->input.pieces; p++) {
            const uint32_t at = w->input.begin[p];
            quern_sink_write(sink, w->input.pool + at, w->input.begin[p + 1] - at);
        }
        sum += quern_sink_status(sink) == QUERN_OK ? quern_sink_total(sink) : 0;
    }
    return sum;
}

static uint64_t run_insert(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        w->buffer->length = 0;
        for (size_t p = 0; p < w->input.pieces; p++) {
            const uint32_t at = w->input.begin[p];
            shape_insert(w->buffer, w->input.pool + at, w->input.begin[p + 1] - at);
        }
        sum += w->buffer->length;
    }
    return sum;
}

/* ---- the workloads ---- */

static void escape_workloads(const char *const names[3], bench_input input)
{
    const uint64_t total = input.total;
    if (workload_begin(names[0], input)) {
        workload_add_libc(run_memchr, total);
        workload_add_variants(run_find, total, false);
        workload_add_shape("shape:serde_swar", run_find_serde_swar, total);
        workload_add_shape("shape:table", run_find_table, total);
        for (size_t p = 0; p < bench.peer_count; p++) {
            const bench_peer *peer = &bench.peers[p];
            if (peer->escape_find)
                workload_add_checked(peer->who, peer->variant, peer->escape_find, &input, total);
        }
        workload_end();
    }
    if (workload_begin(names[1], input)) {
        workload_add_libc(run_memcpy, total);
        workload_add_variants(run_escape_copy, total, true);
        workload_add_shape("shape:table_memcpy", run_copy_table, total);
        workload_end();
    }
    if (workload_begin(names[2], input)) {
        workload_add_libc(run_memcpy, total);
        workload_add_variants(run_copy, total, true);
        workload_end();
    }
}

/* The target, every element of it turned round again, has to be the input. */
static bool is_swapped(const char *input, size_t total, size_t width)
{
    for (size_t i = 0; i < total; i++)
        if (bench.target[i - i % width + width - 1 - i % width] != input[i])
            return false;
    return true;
}

static void swap_workload(const char *name, bench_function *run, bench_input input, size_t width)
{
    if (!workload_begin(name, input))
        return;
    workload_add_libc(run_memcpy, input.total);
    for (size_t v = 0; v < bench.variant_count; v++) {
        work *w = workload_work();
        w->row = bench.variants[v].row;
        memset(bench.target, 0, input.total);
        workload_add_checked("quern", bench.variants[v].name, run, w, input.total);
        if (!is_swapped(input.pool, input.total, width))
            workload_wrong();
    }
    workload_end();
}

static void utf8_workload(const char *name, bench_input input)
{
    static bench_peer_text texts[MOST_PEERS];
    if (!workload_begin(name, input))
        return;
    workload_add_libc(run_memchr, input.total);
    workload_add_variants(run_utf8, input.total, false);
    for (size_t p = 0; p < bench.peer_count; p++) {
        const bench_peer *peer = &bench.peers[p];
        if (!peer->utf8_prefix)
            continue;
        texts[p] = (bench_peer_text){&input, peer};
        workload_add_checked(peer->who, peer->variant, peer->utf8_prefix, &texts[p], input.total);
    }
    workload_end();
}

static void sink_workload(const char *name, bench_input input)
{
    if (!workload_begin(name, input))
        return;
    workload_add_libc(run_memcpy, input.total);
    for (size_t v = 0; v < bench.variant_count; v++) {
        work *w = workload_work();
        w->sink = &bench.sink;
        w->variant = bench.variants[v].name;
        workload_add_checked("quern", bench.variants[v].name, run_sink, w, input.total);
        const quern_string written = quern_memory_sink_view(&bench.sink);
        if (written.length != input.total || memcmp(written.data, input.pool, input.total) != 0)
            workload_wrong();
    }
    work *w = workload_work();
    w->buffer = &bench.buffer;
    workload_add_checked("shape:insert", "-", run_insert, w, input.total);
    workload_end();
}

static void strings_workload(const char *name, bench_input input, bool checked)
{
    const bench_source source = source_strings(input);
    json_workload(name, &source, &(json_options){.checked = checked});
}

static void all_workloads(void)
{
    text_fill_clean(bench.text, TEXT_SIZE);
    FOR_EACH(size_t, sizes, 8, 16, 64, 256, 4096, 65536, 1 << 20)
    {
        static const char *const names[3] = {"escape_find", "escape_copy", "copy"};
        escape_workloads(names, text_whole(bench.text, EACH(sizes)));
    }
    FOR_EACH(range, lists, {0, 15}, {0, 31}, {3, 12}, {16, 63}, {0, 255})
    {
        const range r = EACH(lists);
        const char *const names[3] = {random_name("escape_find", r), random_name("escape_copy", r),
                                      random_name("copy", r)};
        escape_workloads(names, random_pieces(r));
    }

    FOR_EACH(size_t, swap_sizes, 64, 4096, 65536, 1 << 20)
    {
        swap_workload("swap_copy16", run_swap16, text_whole(bench.text, EACH(swap_sizes)), 2);
        swap_workload("swap_copy32", run_swap32, text_whole(bench.text, EACH(swap_sizes)), 4);
        swap_workload("swap_copy64", run_swap64, text_whole(bench.text, EACH(swap_sizes)), 8);
    }

    FOR_EACH(size_t, sink_sizes, 8, 31, 64)
    sink_workload("sink_write", equal_pieces(EACH(sink_sizes)));
    FOR_EACH(range, sink_lists, {0, 15}, {0, 31}, {3, 12}, {16, 63})
    sink_workload(random_name("sink_write", EACH(sink_lists)), random_pieces(EACH(sink_lists)));

    for (int checked = 0; checked < 2; checked++) {
        const char *name = checked ? "json_strings_checked" : "json_strings";
        FOR_EACH(size_t, json_sizes, 8, 16, 64, 256, 4096)
        strings_workload(name, equal_pieces(EACH(json_sizes)), checked);
        FOR_EACH(range, json_lists, {0, 15}, {0, 31}, {0, 63})
        strings_workload(random_name(name, EACH(json_lists)), random_pieces(EACH(json_lists)), checked);
    }

    for (size_t s = 0; s < TEXT_SCRIPTS; s++) {
        static char names[TEXT_SCRIPTS][32];
        const range list = {0, 63};
        snprintf(names[s], sizeof names[s], "utf8_prefix, %s", text_scripts[s].name);
        text_fill_script(bench.text, TEXT_SIZE, &text_scripts[s]);
        FOR_EACH(size_t, text_sizes, 16, 64, 1024, 65536, 1 << 20, 4 << 20)
        utf8_workload(names[s], text_whole(bench.text, EACH(text_sizes)));
        utf8_workload(random_name(names[s], list), random_pieces(list));
    }

    text_fill_lines(bench.text, TEXT_SIZE, 37);
    FOR_EACH(size_t, line_sizes, 4096, 65536, 1 << 20)
    {
        const bench_input lines = text_whole(bench.text, EACH(line_sizes));
        if (workload_begin("line_locate", lines)) {
            const size_t newlines = plain_newlines(lines.pool, lines.total);
            workload_add_libc(run_memchr_lines, newlines);
            workload_add_variants(run_line, newlines, false);
            workload_end();
        }
    }
}

int main(int argc, char **argv)
{
    static const bench_program kernels = {
        .target_size = TEXT_SIZE + 4096, .seconds = 0.25, .all = all_workloads, .demo = demo};
    return bench_main(argc, argv, &kernels);
}
