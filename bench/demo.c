/* SPDX-License-Identifier: MIT */
#include "demo.h"
#include "bench.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4 << 20, MOST = 16, TASKS = 3 };

typedef struct task_work {
    const bench_input *input;
    const quern_variant *variant;
    quern_memory_sink *sink;
} task_work;

static uint64_t check_utf8(void *context, size_t repeat)
{
    const task_work *w = context;
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++)
        sum += w->variant->row->utf8_prefix(w->input->pool, w->input->total).length;
    return sum;
}

static uint64_t find_escapes(void *context, size_t repeat)
{
    const task_work *w = context;
    uint64_t sum = 0;
    BENCH_FOR_PIECES(w->input, repeat, sum += w->variant->row->escape_find(NULL, src, len));
    return sum;
}

static uint64_t write_json(void *context, size_t repeat)
{
    const task_work *w = context;
    uint64_t sum = 0;
    quern_variant_force(w->variant->name);
    for (size_t r = 0; r < repeat; r++) {
        quern_json_writer writer;
        quern_memory_sink_reset(w->sink);
        quern_json_writer_init(&writer, &w->sink->sink, NULL);
        quern_json_begin_array(&writer);
        for (size_t p = 0; p < w->input->pieces; p++) {
            const uint32_t at = w->input->begin[p];
            quern_json_write_string(&writer, w->input->pool + at, w->input->begin[p + 1] - at);
        }
        quern_json_end(&writer);
        sum += quern_json_writer_finish(&writer) == QUERN_OK ? quern_sink_total(&w->sink->sink) : 0;
    }
    return sum;
}

static void show(const char *name, const double speeds[TASKS], double best)
{
    printf("%-9s %12.2f %12.2f %13.2f   ", name, speeds[0], speeds[1], speeds[2]);
    /* Eighths of a block: U+2588 and down. */
    int eighths = (int)(speeds[2] / best * 40 * 8 + 0.5);
    for (; eighths >= 8; eighths -= 8)
        fputs("\xE2\x96\x88", stdout);
    if (eighths > 0)
        printf("\xE2\x96%c", 0x90 - eighths);
    putchar('\n');
}

int demo(const char *file, const quern_variant *variants, size_t variant_count)
{
    static const char *const titles[TASKS] = {"UTF-8 check", "escape scan", "JSON strings"};
    static bench_function *const functions[TASKS] = {check_utf8, find_escapes, write_json};
    char *text = malloc(LONGEST);
    uint32_t *begin = malloc(((size_t)LONGEST + 1) * sizeof *begin);
    FILE *in = fopen(file, "rb");
    if (!in || !text || !begin) {
        perror(file);
        free(text);
        free(begin);
        return 1;
    }
    bench_input input = {.pool = text, .begin = begin, .total = fread(text, 1, LONGEST, in)};
    fclose(in);
    if (input.total == 0 || quern_utf8_prefix(text, input.total).length != input.total) {
        fprintf(stderr, "%s: not UTF-8 text\n", file);
        free(text);
        free(begin);
        return 1;
    }
    begin[0] = 0;
    for (size_t i = 0; i < input.total; i++) {
        if (text[i] == '\n' || i + 1 == input.total)
            begin[++input.pieces] = (uint32_t)i + 1;
    }

    quern_memory_sink sink;
    quern_memory_sink_init(&sink, NULL);
    double speeds[MOST][TASKS], best = 0;
    if (variant_count > MOST)
        variant_count = MOST;
    for (size_t t = 0; t < TASKS; t++) {
        task_work works[MOST];
        bench_contender contenders[MOST];
        uint64_t expected = 0;
        for (size_t v = 0; v < variant_count; v++) {
            works[v] = (task_work){&input, &variants[v], &sink};
            contenders[v] = (bench_contender){
                .who = "quern", .variant = variants[v].name, .run = functions[t], .context = &works[v]};
            const uint64_t result = functions[t](&works[v], 1);
            if (v == 0)
                expected = result;
            if (result != expected || result == 0)
                bench_wrong(titles[t], "quern", variants[v].name, input.total);
        }
        bench_time(contenders, variant_count, 0.25);
        for (size_t v = 0; v < variant_count; v++) {
            speeds[v][t] = (double)input.total / contenders[v].min_ns;
            if (t == TASKS - 1 && speeds[v][t] > best)
                best = speeds[v][t];
        }
    }
    printf("%-9s %12s %12s %13s   (GB/s of text)\n", "variant", titles[0], titles[1], titles[2]);
    for (size_t v = 0; v < variant_count; v++)
        show(variants[v].name, speeds[v], best);
    quern_memory_sink_free(&sink);
    free(text);
    free(begin);
    return 0;
}
