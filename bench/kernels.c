/* SPDX-License-Identifier: MIT */
/*
 * Every kernel, the sink and the JSON writer in every variant that runs here, against the C library, other libraries
 * (peers.h) and algorithms written out (shapes.h) on the same bytes.
 *
 *     bench_kernels [--quick] [--tsv FILE] [--append]   all workloads; the table goes to FILE as well, or behind it
 *     bench_kernels --only PREFIX                       the workloads whose name begins so
 *     bench_kernels --about                             compiler, C library and peers, "name TAB value" lines
 *     bench_kernels --demo FILE                         a short table with bars, on the text of FILE
 *
 * Each contender's result is compared with a plain loop's before anything is timed. "random" workloads are strings of
 * random lengths, one after the other in 8 MiB that no branch predictor can learn; their times are per string.
 */
#include "demo.h"
#include "peers.h"
#include "shapes.h"
#include "texts.h"

#include <quern/quern.h>

#include <stdlib.h>
#include <string.h>

#if defined(__GLIBC__)
#    include <gnu/libc-version.h>
#endif

enum { MOST_CONTENDERS = 64, MOST_VARIANTS = 16, BEGINS = TEXT_SIZE / 2, TARGET_SIZE = TEXT_SIZE + 4096 };

static char *text, *target;
static uint32_t *begin;
static FILE *table;
static bool quick;
static const char *only = "";
static quern_variant variants[MOST_VARIANTS];
static size_t variant_count;
static const bench_peer *peers;
static size_t peer_count;

/* What quern's and the C library's contenders work on. */
typedef struct work {
    bench_input input;
    const quern_kernels *row;
    const char *variant;
    quern_memory_sink *sink;
    shape_buffer *buffer;
    quern_json_invalid invalid;
} work;

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
    BENCH_FOR_PIECES(&w->input, repeat, sum += w->row->escape_copy_slack(NULL, target + at, src, len));
    return sum;
}

static uint64_t run_copy_table(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, sum += shape_table_copy(target + at, src, len));
    return sum;
}

static uint64_t run_copy(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, (w->row->copy_slack(target + at, src, len), sum += len));
    return sum;
}

static uint64_t run_memcpy(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, (memcpy(target + at, src, len), sum += len));
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

static uint64_t run_json(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    const quern_json_writer_options options = {.size = sizeof options, .invalid = w->invalid};
    quern_variant_force(w->variant);
    for (size_t r = 0; r < repeat; r++) {
        quern_json_writer writer;
        quern_memory_sink_reset(w->sink);
        quern_json_writer_init(&writer, &w->sink->sink, &options);
        quern_json_begin_array(&writer);
        for (size_t p = 0; p < w->input.pieces; p++) {
            const uint32_t at = w->input.begin[p];
            quern_json_write_string(&writer, w->input.pool + at, w->input.begin[p + 1] - at);
        }
        quern_json_end(&writer);
        sum += quern_json_writer_finish(&writer) == QUERN_OK ? quern_sink_total(&w->sink->sink) : 0;
    }
    return sum;
}

/* ---- a workload: its contenders, the first of which is the C library's, are added, then timed and shown ---- */

static struct {
    const char *name;
    bench_input input;
    bench_contender contenders[MOST_CONTENDERS];
    work works[MOST_CONTENDERS];
    size_t count;
} workload;

static bool begin_workload(const char *name, bench_input input)
{
    if (strncmp(name, only, strlen(only)) != 0)
        return false;
    workload.name = name;
    workload.input = input;
    workload.count = 0;
    return true;
}

static void add(const char *who, const char *variant, bench_function *run, void *context)
{
    if (workload.count == MOST_CONTENDERS)
        abort();
    workload.contenders[workload.count++] =
        (bench_contender){.who = who, .variant = variant, .run = run, .context = context};
}

static void wrong_of_last(void)
{
    const bench_contender *last = &workload.contenders[workload.count - 1];
    bench_wrong(workload.name, last->who, last->variant, workload.input.size);
}

/* Adds a contender and checks what it returns. */
static void add_checked(const char *who, const char *variant, bench_function *run, void *context, uint64_t expected)
{
    add(who, variant, run, context);
    if (run(context, 1) != expected)
        wrong_of_last();
}

static work *new_work(void)
{
    work *w = &workload.works[workload.count];
    *w = (work){.input = workload.input};
    return w;
}

static void add_libc(bench_function *run, uint64_t expected)
{
    add_checked("libc", "-", run, new_work(), expected);
}

static void add_shape(const char *who, bench_function *run, uint64_t expected)
{
    add_checked(who, "-", run, new_work(), expected);
}

/* quern's rows; `copies`: the bytes must have arrived in the target too. */
static void add_variants(bench_function *run, uint64_t expected, bool copies)
{
    for (size_t v = 0; v < variant_count; v++) {
        work *w = new_work();
        w->row = variants[v].row;
        if (copies)
            memset(target, 0, workload.input.total);
        add_checked("quern", variants[v].name, run, w, expected);
        if (copies && memcmp(target, workload.input.pool, workload.input.total) != 0)
            wrong_of_last();
    }
}

static void end_workload(void)
{
    bench_time(workload.contenders, workload.count, quick);
    const double items = (double)workload.input.pieces, bytes = (double)workload.input.total;
    for (size_t c = 0; c < workload.count; c++) {
        const bench_contender *r = &workload.contenders[c];
        const double min_ns = r->min_ns / items, median_ns = r->median_ns / items, speed = bytes / r->min_ns;
        const double vs_libc = workload.contenders[0].min_ns / r->min_ns;
        printf("%-32s %-16s %-8s %8zu %10.2f %10.2f %8.2f %8.2f\n", workload.name, r->who, r->variant,
               workload.input.size, min_ns, median_ns, speed, vs_libc);
        if (table)
            fprintf(table, "%s\t%s\t%s\t%s\t%zu\t%.4g\t%.4g\t%.4g\t%.4g\n", workload.name, r->who, r->variant,
                    BENCH_COMPILER, workload.input.size, min_ns, median_ns, speed, vs_libc);
    }
    fflush(stdout);
}

/* ---- the workloads ---- */

static void escape_workloads(const char *const names[3], bench_input input)
{
    const uint64_t total = input.total;
    if (begin_workload(names[0], input)) {
        add_libc(run_memchr, total);
        add_variants(run_find, total, false);
        add_shape("shape:serde_swar", run_find_serde_swar, total);
        add_shape("shape:table", run_find_table, total);
        for (size_t p = 0; p < peer_count; p++) {
            if (peers[p].escape_find)
                add_checked(peers[p].who, peers[p].variant, peers[p].escape_find, &workload.input, total);
        }
        end_workload();
    }
    if (begin_workload(names[1], input)) {
        add_libc(run_memcpy, total);
        add_variants(run_escape_copy, total, true);
        add_shape("shape:table_memcpy", run_copy_table, total);
        end_workload();
    }
    if (begin_workload(names[2], input)) {
        add_libc(run_memcpy, total);
        add_variants(run_copy, total, true);
        end_workload();
    }
}

static void utf8_workload(const char *name, bench_input input)
{
    static bench_peer_text texts[MOST_CONTENDERS];
    if (!begin_workload(name, input))
        return;
    add_libc(run_memchr, input.total);
    add_variants(run_utf8, input.total, false);
    for (size_t p = 0; p < peer_count; p++) {
        if (!peers[p].utf8_prefix)
            continue;
        texts[p] = (bench_peer_text){&workload.input, &peers[p]};
        add_checked(peers[p].who, peers[p].variant, peers[p].utf8_prefix, &texts[p], input.total);
    }
    end_workload();
}

static void sink_workload(const char *name, bench_input input, quern_memory_sink *sink, shape_buffer *buffer)
{
    if (!begin_workload(name, input))
        return;
    add_libc(run_memcpy, input.total);
    for (size_t v = 0; v < variant_count; v++) {
        work *w = new_work();
        w->sink = sink;
        w->variant = variants[v].name;
        add_checked("quern", variants[v].name, run_sink, w, input.total);
        const quern_string written = quern_memory_sink_view(sink);
        if (written.length != input.total || memcmp(written.data, input.pool, input.total) != 0)
            wrong_of_last();
    }
    work *w = new_work();
    w->buffer = buffer;
    add_checked("shape:insert", "-", run_insert, w, input.total);
    end_workload();
}

static void json_workload(const char *name, bench_input input, quern_memory_sink *sink, bool checked)
{
    void *states[MOST_CONTENDERS] = {NULL};
    if (!begin_workload(name, input))
        return;
    add_libc(run_memcpy, input.total);
    for (size_t v = 0; v < variant_count; v++) {
        work *w = new_work();
        w->sink = sink;
        w->variant = variants[v].name;
        w->invalid = checked ? QUERN_JSON_INVALID_STOP : QUERN_JSON_INVALID_KEEP;
        add_checked("quern", variants[v].name, run_json, w, input.total + 3 * input.pieces + 1);
        const quern_string written = quern_memory_sink_view(sink);
        if (!plain_is_json(&input, written.data, written.length))
            wrong_of_last();
    }
    for (size_t p = 0; p < peer_count; p++) {
        const bench_json *json = checked ? peers[p].json_checked : peers[p].json;
        if (!json)
            continue;
        states[p] = json->open(&workload.input);
        add(peers[p].who, peers[p].variant, json->write, states[p]);
        json->write(states[p], 1);
        size_t length;
        const char *written = json->view(states[p], &length);
        if (!plain_is_json(&input, written, length))
            wrong_of_last();
    }
    end_workload();
    for (size_t p = 0; p < peer_count; p++) {
        if (states[p])
            (checked ? peers[p].json_checked : peers[p].json)->close(states[p]);
    }
}

typedef struct range {
    size_t least, most;
} range;

/* "json_strings, random 0-15"; lives as long as the program. */
static const char *random_name(const char *of, range r)
{
    static char names[64][80];
    static size_t used;
    char *name = names[used++ % 64];
    snprintf(name, sizeof names[0], "%.32s, random %zu-%zu", of, r.least, r.most);
    return name;
}

/* Pieces of one length: few enough that text and output stay in the second cache. */
static bench_input equal_pieces(size_t size)
{
    const size_t most = ((size_t)256 << 10) / size;
    return text_equal(text, begin, size, most < 4096 ? most : 4096);
}

#define FOR_EACH(type, name, ...)             \
    static const type name[] = {__VA_ARGS__}; \
    for (size_t i_##name = 0; i_##name < sizeof name / sizeof name[0]; i_##name++)
#define EACH(name) (name[i_##name])

static void all_workloads(void)
{
    quern_memory_sink sink;
    shape_buffer buffer = {NULL, 0, 0};
    quern_memory_sink_init(
        &sink, &(quern_memory_sink_options){.size = sizeof(quern_memory_sink_options), .hint = 3 * (size_t)TEXT_SIZE});

    printf("%-32s %-16s %-8s %8s %10s %10s %8s %8s\n", "workload", "who", "variant", "size", "min ns", "median ns",
           "GB/s", "vs libc");
    text_fill_clean(text, TEXT_SIZE);
    FOR_EACH(size_t, sizes, 8, 16, 64, 256, 4096, 65536, 1 << 20)
    {
        static const char *const names[3] = {"escape_find", "escape_copy", "copy"};
        escape_workloads(names, text_whole(text, EACH(sizes)));
    }
    FOR_EACH(range, lists, {0, 15}, {0, 31}, {3, 12}, {16, 63}, {0, 255})
    {
        const range r = EACH(lists);
        const char *const names[3] = {random_name("escape_find", r), random_name("escape_copy", r),
                                      random_name("copy", r)};
        escape_workloads(names, text_random(text, begin, r.least, r.most));
    }

    FOR_EACH(size_t, sink_sizes, 8, 31, 64)
    sink_workload("sink_write", equal_pieces(EACH(sink_sizes)), &sink, &buffer);
    FOR_EACH(range, sink_lists, {0, 15}, {0, 31}, {3, 12}, {16, 63})
    {
        const range r = EACH(sink_lists);
        sink_workload(random_name("sink_write", r), text_random(text, begin, r.least, r.most), &sink, &buffer);
    }

    for (int checked = 0; checked < 2; checked++) {
        const char *name = checked ? "json_strings_checked" : "json_strings";
        FOR_EACH(size_t, json_sizes, 8, 16, 64, 256, 4096)
        json_workload(name, equal_pieces(EACH(json_sizes)), &sink, checked);
        FOR_EACH(range, json_lists, {0, 15}, {0, 31}, {0, 63})
        {
            const range r = EACH(json_lists);
            json_workload(random_name(name, r), text_random(text, begin, r.least, r.most), &sink, checked);
        }
    }

    for (size_t s = 0; s < TEXT_SCRIPTS; s++) {
        static char names[TEXT_SCRIPTS][32];
        const range list = {0, 63};
        snprintf(names[s], sizeof names[s], "utf8_prefix, %s", text_scripts[s].name);
        text_fill_script(text, TEXT_SIZE, &text_scripts[s]);
        FOR_EACH(size_t, text_sizes, 16, 64, 1024, 65536, 1 << 20, 4 << 20)
        utf8_workload(names[s], text_whole(text, EACH(text_sizes)));
        utf8_workload(random_name(names[s], list), text_random(text, begin, list.least, list.most));
    }

    text_fill_lines(text, TEXT_SIZE, 37);
    FOR_EACH(size_t, line_sizes, 4096, 65536, 1 << 20)
    {
        if (begin_workload("line_locate", text_whole(text, EACH(line_sizes)))) {
            const size_t newlines = plain_newlines(text, EACH(line_sizes));
            add_libc(run_memchr_lines, newlines);
            add_variants(run_line, newlines, false);
            end_workload();
        }
    }
    quern_memory_sink_free(&sink);
    free(buffer.data);
}

static void about(void)
{
    printf("compiler\t%s\n", BENCH_COMPILER);
#if defined(__GLIBC__)
    printf("C library\tglibc %s\n", gnu_get_libc_version());
    printf("malloc\tkeeps what is freed: no mmap, no trim\n");
#endif
    printf("quern\t%s:", quern_version());
    for (size_t v = 0; v < variant_count; v++)
        printf(" %s", variants[v].name);
    putchar('\n');
    for (size_t p = 0; p < peer_count; p++)
        printf("peer %s %s\t%s, by %s\n", peers[p].who, peers[p].variant, peers[p].version, peers[p].compiler);
}

int main(int argc, char **argv)
{
    const char *tsv = NULL, *demo_text = NULL;
    bool append = false, tell = false, understood = true;
    for (int i = 1; i < argc; i++) {
        const bool has_value = i + 1 < argc;
        if (strcmp(argv[i], "--quick") == 0)
            quick = true;
        else if (strcmp(argv[i], "--append") == 0)
            append = true;
        else if (strcmp(argv[i], "--about") == 0)
            tell = true;
        else if (strcmp(argv[i], "--tsv") == 0 && has_value)
            tsv = argv[++i];
        else if (strcmp(argv[i], "--only") == 0 && has_value)
            only = argv[++i];
        else if (strcmp(argv[i], "--demo") == 0 && has_value)
            demo_text = argv[++i];
        else
            understood = false;
    }
    if (!understood) {
        fprintf(stderr, "usage: %s [--quick] [--only PREFIX] [--tsv FILE [--append]] | --about | --demo FILE\n",
                argv[0]);
        return 2;
    }

    bench_keep_memory();
    text = malloc(TEXT_SIZE + 64);
    target = malloc(TARGET_SIZE);
    begin = malloc(BEGINS * sizeof *begin);
    if (!text || !target || !begin)
        return 1;
    memset(target, 1, TARGET_SIZE); /* no page fault while the clock runs */
    quern_variant variant;
    for (size_t i = 0; quern_variant_get(i, &variant) && variant_count < MOST_VARIANTS; i++) {
        if (variant.supported && !variant.emulated) /* an emulation's speed says nothing */
            variants[variant_count++] = variant;
    }
    peers = bench_peers(&peer_count);
    if (tell) {
        about();
        return 0;
    }
    bench_pin();
    if (demo_text)
        return demo(demo_text, variants, variant_count);
    if (tsv) {
        table = fopen(tsv, append ? "a" : "w");
        if (!table) {
            perror(tsv);
            return 1;
        }
        if (!append)
            fprintf(table, "workload\twho\tvariant\tcompiler\tsize\tmin_ns\tmedian_ns\tGBps\tvs_libc\n");
    }
    all_workloads();
    if (table && fclose(table) != 0) {
        perror(tsv);
        return 1;
    }
    free(text);
    free(target);
    free(begin);
    return 0;
}
