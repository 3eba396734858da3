/* SPDX-License-Identifier: MIT */
/*
 * Every kernel in every variant that runs here, against the C library's memcpy or memchr on the same bytes.
 *
 *     bench_kernels [--tsv FILE]   all workloads; the table goes to FILE as well
 *     bench_kernels --demo FILE    a short table with bars, on the text of FILE
 *
 * Each contender's result is compared with a plain loop's before anything is timed. "list" workloads are strings of
 * random lengths, one after the other in 8 MiB that no branch predictor can learn.
 */
#include "bench.h"

#include <quern/quern.h>

#include <stdlib.h>
#include <string.h>

#if defined(__clang__)
#    define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#    define COMPILER "gcc " __VERSION__
#else
#    define COMPILER "unknown"
#endif

enum { POOL = 8 << 20, MOST_VARIANTS = 16, MOST_PIECES = POOL / 4 };

/* A workload: pieces of a pool, each handed to the kernel by itself. */
typedef struct work {
    const char *pool;
    const uint32_t *begin; /* pieces + 1 offsets; NULL: one piece of `size` bytes */
    size_t pieces, size, total;
    const quern_kernels *row;
    char *out;
    quern_memory_sink *sink; /* of the writer's workload */
    const char *variant;
    quern_json_invalid invalid;
} work;

static char *pool, *target;
static uint32_t *offsets;
static FILE *table;
static quern_variant variants[MOST_VARIANTS];
static size_t variant_count;

/* ---- what is timed: F is called with (src, len, at) of each piece ---- */

#define FOR_PIECES(w, repeat, call)                                                          \
    uint64_t sum = 0;                                                                        \
    for (size_t r_ = 0; r_ < (repeat); r_++) {                                               \
        if (!(w)->begin) {                                                                   \
            const char *src = (w)->pool;                                                     \
            const size_t len = (w)->size, at = 0;                                            \
            (void)at;                                                                        \
            call;                                                                            \
        } else {                                                                             \
            for (size_t p_ = 0; p_ < (w)->pieces; p_++) {                                    \
                const char *src = (w)->pool + (w)->begin[p_];                                \
                const size_t len = (w)->begin[p_ + 1] - (w)->begin[p_], at = (w)->begin[p_]; \
                (void)at;                                                                    \
                call;                                                                        \
            }                                                                                \
        }                                                                                    \
        __asm__ volatile("" ::: "memory");                                                   \
    }                                                                                        \
    return sum

static uint64_t run_find(void *context, size_t repeat)
{
    const work *w = context;
    FOR_PIECES(w, repeat, sum += w->row->escape_find(NULL, src, len));
}

static uint64_t run_memchr(void *context, size_t repeat)
{
    const work *w = context;
    FOR_PIECES(w, repeat, sum += (uintptr_t)memchr(src, 1, len));
}

static uint64_t run_escape_copy(void *context, size_t repeat)
{
    const work *w = context;
    FOR_PIECES(w, repeat, sum += w->row->escape_copy_slack(NULL, w->out + at, src, len));
}

static uint64_t run_utf8(void *context, size_t repeat)
{
    const work *w = context;
    FOR_PIECES(w, repeat, sum += w->row->utf8_prefix(src, len).length);
}

static uint64_t run_copy(void *context, size_t repeat)
{
    const work *w = context;
    FOR_PIECES(w, repeat, w->row->copy_slack(w->out + at, src, len));
}

static uint64_t run_memcpy(void *context, size_t repeat)
{
    const work *w = context;
    FOR_PIECES(w, repeat, memcpy(w->out + at, src, len));
}

static uint64_t run_line(void *context, size_t repeat)
{
    const work *w = context;
    FOR_PIECES(w, repeat, sum += w->row->line_locate(src, len).newlines);
}

static uint64_t run_memchr_lines(void *context, size_t repeat)
{
    const work *w = context;
    FOR_PIECES(w, repeat,
               for (const char *p = src, *end = src + len; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
                   sum++);
}

static uint64_t run_writer(void *context, size_t repeat)
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
        for (size_t p = 0; p < w->pieces; p++)
            quern_json_write_string(&writer, w->pool + w->begin[p], w->begin[p + 1] - w->begin[p]);
        quern_json_end(&writer);
        sum += quern_json_writer_finish(&writer) == QUERN_OK ? quern_sink_total(&w->sink->sink) : 0;
    }
    return sum;
}

/* ---- plain loops to compare with ---- */

static size_t plain_find(const char *src, size_t len)
{
    size_t i = 0;
    while (i < len && (unsigned char)src[i] >= 0x20 && src[i] != '"' && src[i] != '\\')
        i++;
    return i;
}

static size_t plain_newlines(const char *src, size_t len)
{
    size_t count = 0;
    for (size_t i = 0; i < len; i++)
        count += src[i] == '\n';
    return count;
}

/* ---- running a workload ---- */

typedef struct plan {
    const char *name;
    bench_function *quern, *libc;
    const char *libc_name;
} plan;

static void compare(const plan *p, work w, uint64_t expected)
{
    bench_contender contenders[MOST_VARIANTS + 1];
    work works[MOST_VARIANTS + 1];
    size_t count = 0;
    works[count] = w;
    contenders[count] =
        (bench_contender){.who = p->libc_name, .variant = "-", .run = p->libc, .context = &works[count]};
    count++;
    for (size_t v = 0; v < variant_count; v++) {
        works[count] = w;
        works[count].row = variants[v].row;
        works[count].variant = variants[v].name;
        contenders[count] =
            (bench_contender){.who = "quern", .variant = variants[v].name, .run = p->quern, .context = &works[count]};
        if (p->quern == run_copy)
            memset(w.out, 0, w.total);
        if (p->quern(&works[count], 1) != expected || (p->quern == run_copy && memcmp(w.out, w.pool, w.total) != 0))
            bench_wrong(p->name, variants[v].name, w.total);
        count++;
    }
    bench_time(contenders, count, 21);
    const double items = w.begin ? (double)w.pieces : 1, bytes = (double)w.total;
    for (size_t c = 0; c < count; c++) {
        const double ratio = contenders[0].min_ns / contenders[c].min_ns;
        printf("%-26s %-7s %-8s %9zu %10.2f %10.2f %8.2f %8.2f\n", p->name, contenders[c].who, contenders[c].variant,
               w.begin ? w.total / w.pieces : w.size, contenders[c].min_ns / items, contenders[c].median_ns / items,
               bytes / contenders[c].min_ns, ratio);
        if (table)
            fprintf(table, "%s\t%s\t%s\t%s\t%zu\t%.3f\t%.3f\t%.3f\t%.3f\n", p->name, contenders[c].who,
                    contenders[c].variant, COMPILER, w.begin ? w.total / w.pieces : w.size,
                    contenders[c].min_ns / items, contenders[c].median_ns / items, bytes / contenders[c].min_ns, ratio);
    }
}

/* Cuts the pool into pieces of random lengths from `least` to `most`. */
static work random_pieces(size_t least, size_t most)
{
    uint64_t state = least * 1000 + most;
    size_t pieces = 0, at = 0;
    while (at + most < POOL && pieces < MOST_PIECES - 1) {
        offsets[pieces++] = (uint32_t)at;
        at += least + (size_t)(bench_random(&state) % (most - least + 1));
    }
    offsets[pieces] = (uint32_t)at;
    return (work){.pool = pool, .begin = offsets, .pieces = pieces, .total = at, .out = target};
}

static void fill_clean_ascii(void)
{
    uint64_t state = 1;
    for (size_t i = 0; i < POOL; i++) {
        char c = (char)(0x20 + bench_random(&state) % 95);
        pool[i] = c == '"' || c == '\\' ? 'x' : c;
    }
}

/* Code points of one script, with a blank after every few. */
static void fill_script(uint32_t first, uint32_t count, unsigned bytes)
{
    uint64_t state = first;
    size_t i = 0;
    while (i + 4 < POOL) {
        const uint64_t r = bench_random(&state);
        const uint32_t c = first + (uint32_t)(r >> 32) % count;
        if (r % 7 == 0) {
            pool[i++] = ' ';
        } else if (bytes == 2) {
            pool[i++] = (char)(0xC0 | c >> 6);
            pool[i++] = (char)(0x80 | (c & 63));
        } else if (bytes == 3) {
            pool[i++] = (char)(0xE0 | c >> 12);
            pool[i++] = (char)(0x80 | (c >> 6 & 63));
            pool[i++] = (char)(0x80 | (c & 63));
        } else {
            pool[i++] = (char)(0xF0 | c >> 18);
            pool[i++] = (char)(0x80 | (c >> 12 & 63));
            pool[i++] = (char)(0x80 | (c >> 6 & 63));
            pool[i++] = (char)(0x80 | (c & 63));
        }
    }
    memset(pool + i, ' ', POOL - i);
}

/* The longest size at most `size` that ends at a character. */
static size_t whole_characters(size_t size)
{
    while (size < POOL && ((unsigned char)pool[size] & 0xC0) == 0x80)
        size--;
    return size;
}

static work one_piece(size_t size)
{
    return (work){.pool = pool, .size = size, .total = size, .out = target};
}

static uint64_t sum_find(const work *w)
{
    uint64_t sum = 0;
    for (size_t p = 0; p < w->pieces; p++)
        sum += plain_find(w->pool + w->begin[p], w->begin[p + 1] - w->begin[p]);
    return sum;
}

static void all_workloads(void)
{
    static const size_t sizes[] = {8, 16, 64, 256, 4096, 65536, 1 << 20};
    static const struct {
        size_t least, most;
    } lists[] = {{0, 15}, {0, 31}, {3, 12}, {16, 63}, {0, 255}};
    enum { SIZES = sizeof sizes / sizeof sizes[0], LISTS = sizeof lists / sizeof lists[0] };
    static char names[LISTS][3][48];

    printf("%-26s %-7s %-8s %9s %10s %10s %8s %8s\n", "workload", "who", "variant", "size", "min ns", "median ns",
           "GB/s", "vs libc");
    fill_clean_ascii();
    for (size_t i = 0; i < SIZES; i++) {
        const work w = one_piece(sizes[i]);
        compare(&(plan){"escape_find", run_find, run_memchr, "memchr"}, w, sizes[i]);
        compare(&(plan){"escape_copy", run_escape_copy, run_memcpy, "memcpy"}, w, sizes[i]);
        compare(&(plan){"copy", run_copy, run_memcpy, "memcpy"}, w, 0);
    }
    for (size_t i = 0; i < LISTS; i++) {
        const work w = random_pieces(lists[i].least, lists[i].most);
        static const char *const kernels[3] = {"escape_find", "escape_copy", "copy"};
        for (size_t k = 0; k < 3; k++)
            snprintf(names[i][k], sizeof names[i][k], "%s, list %zu-%zu", kernels[k], lists[i].least, lists[i].most);
        compare(&(plan){names[i][0], run_find, run_memchr, "memchr"}, w, sum_find(&w));
        compare(&(plan){names[i][1], run_escape_copy, run_memcpy, "memcpy"}, w, sum_find(&w));
        compare(&(plan){names[i][2], run_copy, run_memcpy, "memcpy"}, w, 0);
    }

    quern_memory_sink sink;
    quern_memory_sink_init(
        &sink, &(quern_memory_sink_options){.size = sizeof(quern_memory_sink_options), .hint = 3 * (size_t)POOL});
    for (size_t i = 0; i < LISTS; i++) {
        work w = random_pieces(lists[i].least, lists[i].most);
        w.sink = &sink;
        snprintf(names[i][0], sizeof names[i][0], "json_string, list %zu-%zu", lists[i].least, lists[i].most);
        compare(&(plan){names[i][0], run_writer, run_memcpy, "memcpy"}, w, w.total + 3 * w.pieces + 1);
    }
    quern_memory_sink_free(&sink);

    static const struct {
        const char *name;
        uint32_t first, count;
        unsigned bytes;
    } scripts[] = {{"latin", 0xC0, 0x40, 2},
                   {"cyrillic", 0x410, 0x40, 2},
                   {"cjk", 0x4E00, 0x5000, 3},
                   {"emoji", 0x1F300, 0x300, 4}};
    static const size_t text_sizes[] = {16, 64, 1024, 65536, 4 << 20};
    for (size_t s = 0; s <= 4; s++) {
        char name[48];
        snprintf(name, sizeof name, "utf8_prefix, %s", s == 0 ? "ascii" : scripts[s - 1].name);
        if (s > 0)
            fill_script(scripts[s - 1].first, scripts[s - 1].count, scripts[s - 1].bytes);
        for (size_t i = 0; i < sizeof text_sizes / sizeof text_sizes[0]; i++) {
            const size_t size = whole_characters(text_sizes[i]);
            compare(&(plan){name, run_utf8, run_memchr, "memchr"}, one_piece(size), size);
        }
    }

    fill_clean_ascii();
    for (size_t i = 36; i < POOL; i += 37)
        pool[i] = '\n';
    for (size_t i = 4; i < SIZES; i++)
        compare(&(plan){"line_locate", run_line, run_memchr_lines, "memchr"}, one_piece(sizes[i]),
                plain_newlines(pool, sizes[i]));
}

/* ---- the demonstration ---- */

static void demo(const char *name)
{
    FILE *file = fopen(name, "rb");
    if (!file) {
        perror(name);
        exit(1);
    }
    size_t length = fread(pool, 1, POOL / 2, file);
    fclose(file);
    if (length == 0 || quern_utf8_prefix(pool, length).length != length) {
        fprintf(stderr, "%s: not UTF-8 text\n", name);
        exit(1);
    }
    size_t pieces = 0;
    offsets[0] = 0;
    for (size_t i = 0; i < length && pieces < MOST_PIECES - 1; i++) {
        if (pool[i] == '\n')
            offsets[++pieces] = (uint32_t)i + 1;
    }
    if (offsets[pieces] < length)
        offsets[++pieces] = (uint32_t)length;

    quern_memory_sink sink;
    quern_memory_sink_init(&sink, NULL);
    work works[3][MOST_VARIANTS];
    bench_contender contenders[3][MOST_VARIANTS];
    bench_function *const functions[3] = {run_utf8, run_find, run_writer};
    static const char *const titles[3] = {"UTF-8 check", "escape scan", "JSON strings"};
    uint64_t expected = 0;
    for (size_t k = 0; k < 3; k++) {
        for (size_t v = 0; v < variant_count; v++) {
            works[k][v] = (work){.pool = pool,
                                 .size = length,
                                 .total = length,
                                 .row = variants[v].row,
                                 .sink = &sink,
                                 .variant = variants[v].name};
            if (k > 0) {
                works[k][v].begin = offsets;
                works[k][v].pieces = pieces;
            }
            contenders[k][v] = (bench_contender){
                .who = "quern", .variant = variants[v].name, .run = functions[k], .context = &works[k][v]};
            const uint64_t result = functions[k](&works[k][v], 1);
            if (v == 0)
                expected = result;
            if (result != expected || result == 0)
                bench_wrong(titles[k], variants[v].name, length);
        }
        bench_time(contenders[k], variant_count, 31);
    }
    double best = 0;
    for (size_t v = 0; v < variant_count; v++) {
        const double speed = (double)length / contenders[2][v].min_ns;
        best = speed > best ? speed : best;
    }
    printf("%-9s %12s %12s %13s   (GB/s of text)\n", "variant", titles[0], titles[1], titles[2]);
    for (size_t v = 0; v < variant_count; v++) {
        const double speed = (double)length / contenders[2][v].min_ns;
        printf("%-9s %12.2f %12.2f %13.2f   ", variants[v].name, (double)length / contenders[0][v].min_ns,
               (double)length / contenders[1][v].min_ns, speed);
        /* Eighths of a block: U+2588 and down. */
        int eighths = (int)(speed / best * 40 * 8 + 0.5);
        for (; eighths >= 8; eighths -= 8)
            fputs("\xE2\x96\x88", stdout);
        if (eighths > 0)
            printf("\xE2\x96%c", 0x90 - eighths);
        putchar('\n');
    }
    quern_memory_sink_free(&sink);
}

int main(int argc, char **argv)
{
    pool = malloc(POOL + 64);
    target = malloc(POOL + 4096);
    offsets = malloc(MOST_PIECES * sizeof *offsets);
    if (!pool || !target || !offsets)
        return 1;
    memset(target, 1, POOL + 4096); /* no page fault while the clock runs */
    quern_variant variant;
    for (size_t i = 0; quern_variant_get(i, &variant) && variant_count < MOST_VARIANTS; i++) {
        if (variant.supported)
            variants[variant_count++] = variant;
    }
    bench_pin();

    if (argc == 3 && strcmp(argv[1], "--demo") == 0) {
        demo(argv[2]);
    } else if (argc == 1 || (argc == 3 && strcmp(argv[1], "--tsv") == 0)) {
        if (argc == 3) {
            table = fopen(argv[2], "w");
            if (!table) {
                perror(argv[2]);
                return 1;
            }
            fputs("workload\twho\tvariant\tcompiler\tsize\tmin_ns\tmedian_ns\tGBps\tvs_libc\n", table);
        }
        all_workloads();
        if (table && fclose(table) != 0) {
            perror(argv[2]);
            return 1;
        }
    } else {
        fputs("usage: bench_kernels [--tsv FILE] | --demo FILE\n", stderr);
        return 2;
    }
    free(pool);
    free(target);
    free(offsets);
    return 0;
}
