/* SPDX-License-Identifier: MIT */
/*
 * The JSON writer in every variant, and the kernels under it where there is something to escape, against other
 * libraries on the same values: strings with more and more to escape, of every length, in six scripts; Open vSwitch's
 * benchmark; numbers; a whole document.
 *
 *     bench_writers [--quick] [--tsv FILE] [--append]   all workloads; the table goes to FILE as well, or behind it
 *     bench_writers --only PREFIX                       the workloads whose name begins so
 *     bench_writers --about                             compiler, C library and peers, "name TAB value" lines
 *
 * What each contender writes is read and compared before anything is timed. Texts have 8 MiB, or more.
 */
#include "writers.h"
#include "workload.h"

#include <stdlib.h>
#include <string.h>

/* All of the text escaped, each byte as \u00xx, and what a kernel may scribble on. */
enum { TARGET_SIZE = 6 * TEXT_SIZE + 4096 };

/* ---- kernels ---- */

static uint64_t run_escape_write(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    size_t used;
    BENCH_FOR_PIECES(
        &w->input, repeat,
        sum += w->row->escape_write_slack(w->style, bench.target, 6 * len, src, len, &used, QUERN_ESCAPE_FINAL).length);
    return sum;
}

static uint64_t run_text_copy(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, sum += w->row->text_copy_slack(w->style, bench.target, src, len).length);
    return sum;
}

/* The same in three passes of the same row. */
static uint64_t run_three_passes(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, {
        const size_t valid = w->row->utf8_prefix(src, len).length;
        const size_t clean = w->row->escape_find(w->style, src, valid);
        w->row->copy_slack(bench.target, src, clean);
        sum += clean;
    });
    return sum;
}

static void escape_write_workload(const char *name, bench_input input)
{
    if (!workload_begin(name, input))
        return;
    char *expected = malloc(6 * input.total);
    if (!expected)
        abort();
    const size_t length = plain_escape_write(expected, input.pool, input.total);
    workload_add_libc(run_memcpy, input.total);
    for (size_t v = 0; v < bench.variant_count; v++) {
        work *w = workload_work();
        w->row = bench.variants[v].row;
        workload_add_checked("quern", bench.variants[v].name, run_escape_write, w, length);
        if (memcmp(bench.target, expected, length) != 0)
            workload_wrong();
    }
    workload_end();
    free(expected);
}

static void text_copy_workload(const char *name, bench_input input)
{
    if (!workload_begin(name, input))
        return;
    workload_add_libc(run_memcpy, input.total);
    workload_add_variants(run_text_copy, input.total, true);
    for (size_t v = 0; v < bench.variant_count; v++) {
        work *w = workload_work();
        w->row = bench.variants[v].row;
        workload_add_checked("shape:three_passes", bench.variants[v].name, run_three_passes, w, input.total);
    }
    workload_end();
}

/* ---- strings ---- */

/* As many strings of `size` bytes as the text has, shorter by up to three bytes where that would cut a character. */
static bench_input all_pieces(size_t size)
{
    bench_input input = random_pieces((range){size, size});
    input.size = size;
    return input;
}

static void strings_workload(const char *name, bench_input input, json_options options)
{
    const bench_source source = source_strings(input);
    json_workload(name, &source, &options);
}

/* Unchecked, then checked: against the libraries only if `peers`, since most of those that check always do, and so are
 * in the first table. */
static void both(const char *what, range r, bool peers)
{
    char names[2][96];
    for (int checked = 0; checked < 2; checked++) {
        snprintf(names[checked], sizeof names[0], "json_strings%s%s", checked ? "_checked" : "", what);
        strings_workload(r.least == r.most ? names[checked] : random_name(names[checked], r),
                         r.least == r.most ? all_pieces(r.most) : random_pieces(r),
                         (json_options){.checked = checked, .no_peers = checked && !peers});
    }
}

static void densities(void)
{
    typedef struct density {
        unsigned quotes, controls;
    } density;
    FOR_EACH(density, list, {0, 0}, {1, 0}, {2, 0}, {5, 0}, {10, 0}, {20, 0}, {50, 0}, {80, 0}, {100, 0}, {0, 1},
             {0, 2}, {0, 5}, {0, 10}, {0, 20}, {0, 50}, {0, 80}, {0, 100}, {2, 1}, {10, 1})
    {
        const density d = EACH(list);
        char what[64], name[96];
        const bool mixed = d.quotes && d.controls;
        if (mixed)
            snprintf(what, sizeof what, ", %u %% quotes + %u %% controls", d.quotes, d.controls);
        else
            snprintf(what, sizeof what, ", %u %% %s", d.quotes + d.controls, d.controls ? "controls" : "quotes");
        text_fill_escapes(bench.text, bench.text_size, d.quotes, d.controls);
        snprintf(name, sizeof name, "escape_write%s", what);
        escape_write_workload(name, text_whole(bench.text, bench.text_size));
        both(what, (range){4096, 4096}, mixed);
        both(what, (range){0, 63}, mixed);
    }
}

static void lengths(void)
{
    text_fill_clean(bench.text, TEXT_SIZE);
    FOR_EACH(size_t, sizes, 0, 1, 2, 3, 5, 8, 12, 16, 24, 31, 64, 256, 4096)
    strings_workload("json_strings", equal_pieces(EACH(sizes)), (json_options){.checked = false});
    FOR_EACH(range, lists, {0, 15}, {0, 31}, {0, 63})
    strings_workload(random_name("json_strings", EACH(lists)), random_pieces(EACH(lists)),
                     (json_options){.checked = false});
}

static void scripts(void)
{
    for (size_t s = 0; s < TEXT_SCRIPTS; s++) {
        char what[32], name[64];
        snprintf(what, sizeof what, ", %s", text_scripts[s].name);
        snprintf(name, sizeof name, "text_copy%s", what);
        text_fill_script(bench.text, TEXT_SIZE, &text_scripts[s]);
        FOR_EACH(size_t, sizes, 16, 64, 256, 4096)
        {
            if (EACH(sizes) != 256 || s == TEXT_ASCII)
                both(what, (range){EACH(sizes), EACH(sizes)}, true);
        }
        FOR_EACH(size_t, kernel_sizes, 16, 64, 256, 4096, 65536)
        text_copy_workload(name, text_whole(bench.text, EACH(kernel_sizes)));
    }
}

/* The minimum's style, and two that look at code points, on text where none of the three has anything to do. */
static void styles(void)
{
    text_fill_clean(bench.text, bench.text_size);
    for (size_t i = 0; i < bench.text_size; i++) {
        if (strchr("<>&", bench.text[i]))
            bench.text[i] = 'x';
    }
    typedef struct entry {
        const char *name;
        unsigned flags;
    } entry;
    FOR_EACH(entry, list, {"json_strings, default style", 0}, {"json_strings, HTML-safe style", QUERN_STYLE_HTML},
             {"json_strings, ASCII-only style", QUERN_STYLE_ASCII})
    {
        quern_style style;
        quern_style_init(&style,
                         &(quern_style_options){.size = sizeof(quern_style_options), .flags = EACH(list).flags});
        strings_workload(EACH(list).name, all_pieces(4096),
                         (json_options){.no_peers = true, .style = EACH(list).flags ? &style : NULL});
    }
}

static void all_workloads(void)
{
    densities();
    lengths();
    scripts();
    styles();
    numbers();
    documents();
    ovs_reused();
}

int main(int argc, char **argv)
{
    static const bench_program writers = {
        .target_size = TARGET_SIZE, .seconds = 0.05, .faults = true, .all = all_workloads, .fresh = ovs_fresh};
    return bench_main(argc, argv, &writers);
}
