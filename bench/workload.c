/* SPDX-License-Identifier: MIT */
#include "workload.h"

#include <stdlib.h>
#include <string.h>

#if defined(__GLIBC__)
#    include <gnu/libc-version.h>
#endif

enum { MOST_CONTENDERS = 64, BEGINS = TEXT_SIZE / 2, QUICK_TEXT_SIZE = 512 << 10 };

bench_run bench;

static FILE *table;
static const char *only = "";
static const bench_program *program;

static struct {
    const char *name;
    bench_input input; /* of a source: its size, total and pieces at least */
    bench_contender contenders[MOST_CONTENDERS];
    work works[MOST_CONTENDERS];
    size_t count;
} workload;

bool workload_begin(const char *name, bench_input input)
{
    if (strncmp(name, only, strlen(only)) != 0)
        return false;
    workload.name = name;
    workload.input = input;
    workload.count = 0;
    return true;
}

bool workload_begin_source(const char *name, const bench_source *source, size_t size, size_t bytes)
{
    bench_input input = source->strings;
    if (source->kind != BENCH_STRINGS)
        input = (bench_input){.pieces = source->kind == BENCH_STATUSES ? 1 : source->count};
    input.size = size;
    input.total = bytes;
    return workload_begin(name, input);
}

work *workload_work(void)
{
    work *w = &workload.works[workload.count];
    *w = (work){.input = workload.input};
    return w;
}

void workload_add(const char *who, const char *variant, bench_function *run, void *context)
{
    if (workload.count == MOST_CONTENDERS)
        abort();
    workload.contenders[workload.count++] =
        (bench_contender){.who = who, .variant = variant, .run = run, .context = context};
}

void workload_wrong(void)
{
    const bench_contender *last = &workload.contenders[workload.count - 1];
    bench_wrong(workload.name, last->who, last->variant, workload.input.size);
}

void workload_add_checked(const char *who, const char *variant, bench_function *run, void *context, uint64_t expected)
{
    workload_add(who, variant, run, context);
    if (run(context, 1) != expected)
        workload_wrong();
}

void workload_add_libc(bench_function *run, uint64_t expected)
{
    workload_add_checked("libc", "-", run, workload_work(), expected);
}

void workload_add_shape(const char *who, bench_function *run, uint64_t expected)
{
    workload_add_checked(who, "-", run, workload_work(), expected);
}

void workload_add_variants(bench_function *run, uint64_t expected, bool copies)
{
    for (size_t v = 0; v < bench.variant_count; v++) {
        work *w = workload_work();
        w->row = bench.variants[v].row;
        if (copies)
            memset(bench.target, 0, workload.input.total);
        workload_add_checked("quern", bench.variants[v].name, run, w, expected);
        if (copies && memcmp(bench.target, workload.input.pool, workload.input.total) != 0)
            workload_wrong();
    }
}

static void show(bool fresh)
{
    const double items = (double)workload.input.pieces, bytes = (double)workload.input.total;
    for (size_t c = 0; c < workload.count; c++) {
        const bench_contender *r = &workload.contenders[c];
        const double min_ns = r->min_ns / items, median_ns = r->median_ns / items, speed = bytes / r->min_ns;
        const double vs_libc = workload.contenders[0].min_ns / r->min_ns;
        printf("%-32s %-18s %-8s %9zu %10.2f %10.2f %8.2f %8.2f\n", workload.name, r->who, r->variant,
               workload.input.size, min_ns, median_ns, speed, vs_libc);
        if (table)
            fprintf(table, "%s\t%s\t%s\t%s\t%zu\t%.4g\t%.4g\t%.4g\t%.4g", workload.name, r->who, r->variant,
                    BENCH_COMPILER, workload.input.size, min_ns, median_ns, speed, vs_libc);
        if (table && fresh)
            fprintf(table, "\t%.4g", r->faults);
        if (table)
            fputs(program->faults && !fresh ? "\t\n" : "\n", table);
    }
    fflush(stdout);
}

void workload_end(void)
{
    bench_time(workload.contenders, workload.count, bench.quick ? 0 : program->seconds);
    show(false);
}

void workload_end_fresh(size_t turns, size_t repeat, bench_turn_function *open, bench_turn_function *close)
{
    bench_time_fresh(workload.contenders, workload.count, turns, repeat, open, close);
    show(true);
}

uint64_t run_memcpy(void *context, size_t repeat)
{
    const work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(&w->input, repeat, (memcpy(bench.target + at, src, len), sum += len));
    return sum;
}

const char *random_name(const char *of, range r)
{
    static char names[64][96];
    static size_t used;
    char *name = names[used++ % 64];
    snprintf(name, sizeof names[0], "%.64s, random %zu-%zu", of, r.least, r.most);
    return name;
}

bench_input equal_pieces(size_t size)
{
    const size_t most = ((size_t)256 << 10) / (size ? size : 1);
    return text_equal(bench.text, bench.begin, size, most < 4096 ? most : 4096);
}

bench_input random_pieces(range r)
{
    return text_random(bench.text, bench.text_size, bench.begin, r.least, r.most);
}

/* ---- the program ---- */

static void about(void)
{
    printf("compiler\t%s\n", BENCH_COMPILER);
#if defined(__GLIBC__)
    printf("C library\tglibc %s\n", gnu_get_libc_version());
    printf("malloc\tkeeps what is freed: no mmap, no trim\n");
#endif
    printf("quern\t%s:", quern_version());
    for (size_t v = 0; v < bench.variant_count; v++)
        printf(" %s", bench.variants[v].name);
    putchar('\n');
    for (size_t p = 0; p < bench.peer_count; p++) {
        const bench_peer *peer = &bench.peers[p];
        printf("peer %s %s\t%s, by %s\n", peer->who, peer->variant, peer->version, peer->compiler);
    }
}

static void prepare(void)
{
    bench.text = malloc(TEXT_SIZE + 64);
    bench.target = malloc(program->target_size);
    bench.begin = malloc(BEGINS * sizeof *bench.begin);
    if (!bench.text || !bench.target || !bench.begin)
        abort();
    bench.text_size = bench.quick ? QUICK_TEXT_SIZE : TEXT_SIZE;
    memset(bench.target, 1, program->target_size); /* no page fault while the clock runs */
    quern_memory_sink_init(&bench.sink, &(quern_memory_sink_options){.size = sizeof(quern_memory_sink_options),
                                                                     .hint = 3 * (size_t)TEXT_SIZE});
    quern_variant variant;
    for (size_t i = 0; quern_variant_get(i, &variant) && bench.variant_count < MOST_VARIANTS; i++) {
        if (variant.supported && !variant.emulated) /* an emulation's speed says nothing */
            bench.variants[bench.variant_count++] = variant;
    }
    bench.peers = bench_peers(&bench.peer_count);
}

static bool open_table(const char *path, bool append)
{
    table = fopen(path, append ? "a" : "w");
    if (table && !append)
        fprintf(table, "workload\twho\tvariant\tcompiler\tsize\tmin_ns\tmedian_ns\tGBps\tvs_libc%s\n",
                program->faults ? "\tfaults" : "");
    return table != NULL;
}

static void run_all(void)
{
    bench_pin();
    printf("%-32s %-18s %-8s %9s %10s %10s %8s %8s\n", "workload", "who", "variant", "size", "min ns", "median ns",
           "GB/s", "vs libc");
    if (program->fresh)
        program->fresh();
    bench_keep_memory();
    program->all();
}

int bench_main(int argc, char **argv, const bench_program *what)
{
    const char *tsv = NULL, *demo_text = NULL;
    bool append = false, tell = false, understood = true;
    program = what;
    for (int i = 1; i < argc; i++) {
        const bool has_value = i + 1 < argc;
        if (strcmp(argv[i], "--quick") == 0)
            bench.quick = true;
        else if (strcmp(argv[i], "--append") == 0)
            append = true;
        else if (strcmp(argv[i], "--about") == 0)
            tell = true;
        else if (strcmp(argv[i], "--tsv") == 0 && has_value)
            tsv = argv[++i];
        else if (strcmp(argv[i], "--only") == 0 && has_value)
            only = argv[++i];
        else if (strcmp(argv[i], "--demo") == 0 && has_value && what->demo)
            demo_text = argv[++i];
        else
            understood = false;
    }
    if (!understood) {
        fprintf(stderr, "usage: %s [--quick] [--only PREFIX] [--tsv FILE [--append]] | --about%s\n", argv[0],
                what->demo ? " | --demo FILE" : "");
        return 2;
    }
    prepare();
    int code = 0;
    if (tell) {
        about();
    } else if (demo_text) {
        bench_pin();
        bench_keep_memory();
        code = what->demo(demo_text, bench.variants, bench.variant_count);
    } else if (tsv && !open_table(tsv, append)) {
        perror(tsv);
        code = 1;
    } else {
        run_all();
        if (table && fclose(table) != 0) {
            perror(tsv);
            code = 1;
        }
    }
    quern_memory_sink_free(&bench.sink);
    free(bench.buffer.data);
    free(bench.text);
    free(bench.target);
    free(bench.begin);
    return code;
}
