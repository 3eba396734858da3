/* SPDX-License-Identifier: MIT */
/*
 * Every sink: runs of bytes of one length and of random lengths; and JSON of long strings that stay where they are,
 * collected by reference or copied, and sent through a socket pair.
 *
 *     bench_sinks [--quick] [--tsv FILE] [--append]   all workloads; the table goes to FILE as well, or behind it
 *     bench_sinks --only PREFIX                       the workloads whose name begins so
 *     bench_sinks --about                             compiler, C library and peers, "name TAB value" lines
 *
 * What arrives is compared before anything is timed.
 */
#include "sinks.h"
#include "workload.h"

#include <stdlib.h>
#include <string.h>

#if defined(QUERN_POSIX_H)
#    include <fcntl.h>
#    include <unistd.h>
#endif

enum { BUFFER = 65536, TARGET_SIZE = (64 << 20) + (1 << 20) };

typedef enum target {
    TO_MEMORY,
    TO_FRESH,
    TO_FIXED,
    TO_CALLBACK, /* which takes all and does nothing */
    TO_FILE,     /* /dev/null */
    TO_FD,       /* likewise */
    TO_IOVEC,    /* by copy */
    TO_IOVEC_REF,
    TARGETS
} target;

static const char *const names[TARGETS] = {[TO_MEMORY] = "memory reused",
                                           [TO_FRESH] = "memory fresh",
                                           [TO_FIXED] = "fixed",
                                           [TO_CALLBACK] = "callback",
                                           [TO_FILE] = "FILE",
                                           [TO_FD] = "fd",
                                           [TO_IOVEC] = "iovec",
                                           [TO_IOVEC_REF] = "iovec by reference"};

/* A contender: `variant`, or the C library's. */
typedef struct writing {
    bench_input input;
    target to;
    const char *variant;
    quern_memory_sink memory;
#if defined(QUERN_POSIX_H)
    quern_iovec_sink iovec;
#endif
} writing;

static FILE *null_file;
static int null = -1;

static ptrdiff_t take_all(void *context, const void *data, size_t length)
{
    (void)context;
    (void)data;
    return (ptrdiff_t)length;
}

/* ---- one pass ---- */

static uint64_t pieces_to(const writing *w, quern_sink *sink)
{
    if (w->to == TO_IOVEC_REF) {
        BENCH_FOR_PIECES(&w->input, 1, quern_sink_write_ref(sink, src, len));
    } else {
        BENCH_FOR_PIECES(&w->input, 1, quern_sink_write(sink, src, len));
    }
    const quern_status status =
        w->to == TO_CALLBACK || w->to == TO_FILE || w->to == TO_FD ? quern_sink_finish(sink) : quern_sink_flush(sink);
    return status == QUERN_OK ? quern_sink_total(sink) : 0;
}

static uint64_t write_once(writing *w)
{
    static char buffer[BUFFER];
    quern_callback_sink callback;
    quern_fixed_sink fixed;
    uint64_t total;
    switch (w->to) {
    case TO_FIXED: quern_fixed_sink_init(&fixed, bench.target, w->input.total); return pieces_to(w, &fixed.sink);
    case TO_CALLBACK:
        quern_callback_sink_init(&callback, take_all, NULL, buffer, sizeof buffer);
        return pieces_to(w, &callback.sink);
    case TO_FILE:
        quern_file_sink_init(&callback, null_file, buffer, sizeof buffer);
        return pieces_to(w, &callback.sink);
    case TO_FRESH:
        quern_memory_sink_init(&w->memory, NULL);
        total = pieces_to(w, &w->memory.sink);
        quern_memory_sink_free(&w->memory);
        return total;
#if defined(QUERN_POSIX_H)
    case TO_FD: {
        quern_fd_sink fd;
        quern_fd_sink_init(&fd, null,
                           &(quern_fd_sink_options){
                               .size = sizeof(quern_fd_sink_options), .buffer = buffer, .buffer_size = sizeof buffer});
        return pieces_to(w, &fd.sink);
    }
    case TO_IOVEC:
    case TO_IOVEC_REF: quern_iovec_sink_reset(&w->iovec); return pieces_to(w, &w->iovec.sink);
#endif
    default: quern_memory_sink_reset(&w->memory); return pieces_to(w, &w->memory.sink);
    }
}

static uint64_t run_quern(void *context, size_t repeat)
{
    writing *w = context;
    uint64_t sum = 0;
    quern_variant_force(w->variant);
    for (size_t r = 0; r < repeat; r++)
        sum += write_once(w);
    return sum;
}

/* memcpy behind a test of the room, where the sink is memory; fwrite for all others. */
static uint64_t run_libc(void *context, size_t repeat)
{
    const writing *w = context;
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        if (w->to == TO_CALLBACK || w->to == TO_FILE || w->to == TO_FD) {
            BENCH_FOR_PIECES(&w->input, 1, sum += fwrite(src, 1, len, null_file));
            fflush(null_file);
        } else if (w->to == TO_FRESH) {
            shape_buffer buffer = {NULL, 0, 0};
            BENCH_FOR_PIECES(&w->input, 1, shape_insert(&buffer, src, len));
            sum += buffer.length;
            free(buffer.data);
        } else {
            char *to = bench.target;
            BENCH_FOR_PIECES(&w->input, 1, (memcpy(to, src, len), to += len));
            sum += (uint64_t)(to - bench.target);
        }
    }
    return sum;
}

/* ---- workloads ---- */

static bool arrived(writing *w)
{
    const bench_input *input = &w->input;
    const char *expected = input->pool + (input->begin ? input->begin[0] : 0);
    if (w->to == TO_FIXED)
        return memcmp(bench.target, expected, input->total) == 0;
#if defined(QUERN_POSIX_H)
    if (w->to == TO_IOVEC || w->to == TO_IOVEC_REF)
        return sinks_segments_are(&w->iovec, expected, input->total);
#endif
    if (w->to != TO_MEMORY)
        return true; /* it is gone; the count is right */
    const quern_string got = quern_memory_sink_view(&w->memory);
    return got.length == input->total && memcmp(got.data, expected, input->total) == 0;
}

static void open_nothing(void *context, size_t repeat)
{
    (void)context;
    (void)repeat;
}

static void workload(target to, bench_input input, const char *more)
{
    static writing writings[MOST_VARIANTS + 1];
    char name[96];
    snprintf(name, sizeof name, "write, %s%s", names[to], more);
    if (!workload_begin(name, input))
        return;
    writings[0] = (writing){.input = input, .to = to};
    workload_add_checked("libc", "-", run_libc, &writings[0], input.total);
    for (size_t v = 0; v < bench.variant_count; v++) {
        writing *w = &writings[v + 1];
        *w = (writing){.input = input, .to = to, .variant = bench.variants[v].name};
        quern_memory_sink_init(&w->memory, NULL);
#if defined(QUERN_POSIX_H)
        quern_iovec_sink_init(&w->iovec,
                              &(quern_iovec_sink_options){.size = sizeof(quern_iovec_sink_options), .threshold = 512});
#endif
        memset(bench.target, 0, input.total);
        workload_add_checked("quern", w->variant, run_quern, w, input.total);
        if (!arrived(w))
            workload_wrong();
    }
    if (to == TO_FRESH)
        workload_end_fresh(bench.quick ? 1 : 5, bench.quick ? 1 : 3, open_nothing, open_nothing);
    else
        workload_end();
    for (size_t v = 0; v < bench.variant_count; v++) {
        quern_memory_sink_free(&writings[v + 1].memory);
#if defined(QUERN_POSIX_H)
        quern_iovec_sink_free(&writings[v + 1].iovec);
#endif
    }
}

static bench_input pieces_of(size_t size)
{
    return text_equal(bench.text, bench.begin, size, bench.text_size / size);
}

static void all_sizes(target to)
{
    text_fill_clean(bench.text, bench.text_size);
    FOR_EACH(size_t, sizes, 16, 64, 256, 4096, 65536)
    workload(to, pieces_of(EACH(sizes)), "");
    workload(to, random_pieces((range){0, 31}), ", random 0-31");
}

static void open_null(void)
{
    null_file = fopen("/dev/null", "wb");
    if (!null_file)
        abort();
#if defined(QUERN_POSIX_H)
    null = fileno(null_file);
#endif
}

static void fresh_workloads(void)
{
    all_sizes(TO_FRESH);
}

static void all_workloads(void)
{
    open_null();
    for (target to = TO_MEMORY; to < TARGETS; to++) {
#if !defined(QUERN_POSIX_H)
        if (to >= TO_FD)
            continue;
#endif
        if (to != TO_FRESH)
            all_sizes(to);
    }
    sinks_documents();
    fclose(null_file);
}

int main(int argc, char **argv)
{
    static const bench_program sinks = {
        .target_size = TARGET_SIZE, .seconds = 0.05, .faults = true, .all = all_workloads, .fresh = fresh_workloads};
    return bench_main(argc, argv, &sinks);
}
