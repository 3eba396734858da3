/* SPDX-License-Identifier: MIT */
/*
 * An array of strings of 64 KiB that need no escape and stay where they are, 64 MiB in all: referenced by an iovec sink
 * or sent uncopied by an fd sink, against a copy in a memory sink; without the sending, and through a socket pair
 * whose other end a thread drains.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#    define _GNU_SOURCE
#endif
#include "sinks.h"
#include "workload.h"

#include <stdlib.h>
#include <string.h>

#if !defined(QUERN_POSIX_H)
void sinks_documents(void)
{
}
#else
#    include <pthread.h>
#    include <sched.h>
#    include <semaphore.h>
#    include <sys/socket.h>
#    include <unistd.h>

enum { PIECE = 65536, PIECES = 1024, QUICK_PIECES = 16 };

static struct {
    const char *text;
    size_t pieces;
    char *expected;
    size_t length;
    int ends[2]; /* of the socket pair; the thread has the second */
    sem_t whole; /* posted for each document that has arrived */
    bool look;   /* at the bytes too; set while nothing is under way */
    bool wrong;
    quern_memory_sink memory;
    quern_iovec_sink iovec;
} doc;

bool sinks_segments_are(quern_iovec_sink *sink, const char *expected, size_t length)
{
    size_t at = 0;
    for (;;) {
        struct iovec *segments;
        size_t count, sum = 0;
        quern_iovec_sink_view(sink, &segments, &count);
        if (count == 0)
            return at == length;
        for (size_t i = 0; i < count; i++) {
            const size_t part = segments[i].iov_len;
            if (part > length - at - sum || memcmp(expected + at + sum, segments[i].iov_base, part) != 0)
                return false;
            sum += part;
        }
        quern_iovec_sink_consume(sink, sum);
        at += sum;
    }
}

/* ---- the other end ---- */

static void *drain(void *context)
{
    static char buffer[256 << 10];
    size_t at = 0;
    (void)context;
#    if defined(__linux__)
    cpu_set_t set; /* any but the writer's */
    const size_t last = (size_t)sysconf(_SC_NPROCESSORS_ONLN) - 1;
    CPU_ZERO(&set);
    for (size_t i = 0; i < last; i++)
        CPU_SET(i, &set);
    if (last > 0)
        (void)sched_setaffinity(0, sizeof set, &set);
#    endif
    for (;;) {
        const size_t most = doc.length - at < sizeof buffer ? doc.length - at : sizeof buffer;
        const ssize_t got = read(doc.ends[1], buffer, most);
        if (got <= 0)
            return NULL;
        if (doc.look && memcmp(buffer, doc.expected + at, (size_t)got) != 0)
            doc.wrong = true;
        at += (size_t)got;
        if (at == doc.length) {
            at = 0;
            sem_post(&doc.whole);
        }
    }
}

static void await(void)
{
    while (sem_wait(&doc.whole) != 0)
        ;
}

static void send_all(const char *data, size_t length)
{
    while (length > 0) {
        const ssize_t sent = write(doc.ends[0], data, length);
        if (sent <= 0)
            abort();
        data += sent;
        length -= (size_t)sent;
    }
}

/* ---- contenders ---- */

static uint64_t write_document(quern_sink *sink, bool stable)
{
    quern_json_writer writer;
    quern_json_writer_init(&writer, sink, NULL);
    quern_json_begin_array(&writer);
    for (size_t i = 0; i < doc.pieces; i++) {
        if (stable)
            quern_json_write_string_ref(&writer, doc.text + i * PIECE, PIECE);
        else
            quern_json_write_string(&writer, doc.text + i * PIECE, PIECE);
    }
    quern_json_end(&writer);
    return quern_json_writer_finish(&writer) == QUERN_OK ? quern_sink_total(sink) : 0;
}

static uint64_t to_memory(void)
{
    quern_memory_sink_reset(&doc.memory);
    return write_document(&doc.memory.sink, false);
}

static uint64_t to_iovec(void)
{
    quern_iovec_sink_reset(&doc.iovec);
    return write_document(&doc.iovec.sink, true);
}

static uint64_t memcpy_sent(void)
{
    memcpy(bench.target, doc.expected, doc.length);
    send_all(bench.target, doc.length);
    await();
    return doc.length;
}

static uint64_t memory_sent(void)
{
    const uint64_t length = to_memory();
    const quern_string text = quern_memory_sink_view(&doc.memory);
    send_all(text.data, text.length);
    await();
    return length;
}

static uint64_t iovec_sent(void)
{
    const uint64_t length = to_iovec();
    for (;;) {
        struct iovec *segments;
        size_t count;
        quern_iovec_sink_view(&doc.iovec, &segments, &count);
        if (count == 0)
            break;
        const ssize_t sent = writev(doc.ends[0], segments, (int)count);
        if (sent <= 0)
            abort();
        quern_iovec_sink_consume(&doc.iovec, (size_t)sent);
    }
    await();
    return length;
}

static uint64_t fd_sent(void)
{
    static char buffer[65536];
    quern_fd_sink sink;
    quern_fd_sink_init(&sink, doc.ends[0],
                       &(quern_fd_sink_options){
                           .size = sizeof(quern_fd_sink_options), .buffer = buffer, .buffer_size = sizeof buffer});
    uint64_t length = write_document(&sink.sink, true);
    if (quern_sink_finish(&sink.sink) != QUERN_OK)
        length = 0;
    await();
    return length;
}

static uint64_t copy_document(void)
{
    memcpy(bench.target, doc.expected, doc.length);
    return doc.length;
}

typedef struct way {
    uint64_t (*once)(void);
    const char *variant; /* NULL: it is not quern's */
} way;

static uint64_t run(void *context, size_t repeat)
{
    const way *w = context;
    uint64_t sum = 0;
    if (w->variant)
        quern_variant_force(w->variant);
    for (size_t r = 0; r < repeat; r++) {
        sum += w->once();
        __asm__ volatile("" ::: "memory");
    }
    return sum;
}

static way ways[3 * MOST_VARIANTS + 1];
static size_t way_count;

static void add(const char *who, uint64_t (*once)(void), const quern_variant *variant)
{
    way *w = &ways[way_count++];
    *w = (way){once, variant ? variant->name : NULL};
    workload_add_checked(who, variant ? variant->name : "-", run, w, doc.length);
    if (doc.wrong || (once == to_iovec && !sinks_segments_are(&doc.iovec, doc.expected, doc.length)))
        workload_wrong();
    if (once == to_memory && memcmp(quern_memory_sink_view(&doc.memory).data, doc.expected, doc.length) != 0)
        workload_wrong();
}

/* ---- workloads ---- */

static void make_document(void)
{
    doc.pieces = bench.quick ? QUICK_PIECES : PIECES;
    const size_t size = doc.pieces * PIECE;
    char *text = malloc(size);
    doc.expected = malloc(size + 3 * doc.pieces + 2);
    if (!text || !doc.expected)
        abort();
    text_fill_clean(text, size);
    char *to = doc.expected;
    *to++ = '[';
    for (size_t i = 0; i < doc.pieces; i++) {
        if (i > 0)
            *to++ = ',';
        *to++ = '"';
        memcpy(to, text + i * PIECE, PIECE);
        to += PIECE;
        *to++ = '"';
    }
    *to++ = ']';
    doc.text = text;
    doc.length = (size_t)(to - doc.expected);
    quern_memory_sink_init(&doc.memory, NULL);
    quern_iovec_sink_init(&doc.iovec, NULL);
}

void sinks_documents(void)
{
    make_document();
    const bench_input input = {.pieces = 1, .size = doc.length, .total = doc.length};
    if (workload_begin("json, strings of 64 KiB", input)) {
        way_count = 0;
        add("libc", copy_document, NULL);
        for (size_t v = 0; v < bench.variant_count; v++) {
            add("quern", to_iovec, &bench.variants[v]);
            add("quern:memory", to_memory, &bench.variants[v]);
        }
        workload_end();
    }
    if (workload_begin("json, strings of 64 KiB, socket pair", input)) {
        pthread_t reader;
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, doc.ends) != 0 || sem_init(&doc.whole, 0, 0) != 0 ||
            pthread_create(&reader, NULL, drain, NULL) != 0)
            abort();
        way_count = 0;
        doc.look = true;
        add("libc", memcpy_sent, NULL);
        for (size_t v = 0; v < bench.variant_count; v++) {
            add("quern", iovec_sent, &bench.variants[v]);
            add("quern:fd", fd_sent, &bench.variants[v]);
            add("quern:memory", memory_sent, &bench.variants[v]);
        }
        doc.look = false;
        workload_end();
        close(doc.ends[0]);
        pthread_join(reader, NULL);
        close(doc.ends[1]);
        sem_destroy(&doc.whole);
    }
    quern_memory_sink_free(&doc.memory);
    quern_iovec_sink_free(&doc.iovec);
    free((char *)(uintptr_t)doc.text);
    free(doc.expected);
}
#endif
