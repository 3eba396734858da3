/* SPDX-License-Identifier: MIT */
/*
 * The CBOR writer to every sink, against other libraries and against what a memcpy takes: the document of
 * nlohmann/json's BinaryToCbor, arrays of integers and doubles, typed arrays.
 *
 *     bench_cbor [--quick] [--tsv FILE] [--append]   all workloads; the table goes to FILE as well, or behind it
 *     bench_cbor --only PREFIX                       the workloads whose name begins so
 *     bench_cbor --about                             compiler, C library and peers, "name TAB value" lines
 *
 * The bytes of each contender are compared with those of a plain encoder before anything is timed.
 */
#include "cbor_shapes.h"
#include "cbor_write.h"

#include <stdlib.h>
#include <string.h>

#if defined(QUERN_POSIX_H)
#    include <fcntl.h>
#    include <unistd.h>
#endif

enum { MOST = 10000000, UNLEARNT = 1 << 20, DOCUMENT_MOST = 32768, MOST_ENTRIES = 64, TARGET_SIZE = 9 * MOST + 64 };

/* A contender: one of `writing`, `shape`, `swap`, `peer`; of the C library none, unless a shape does what memcpy does.
 */
typedef struct entry {
    const cbor_source *source;
    cbor_writing *writing;
    cbor_shape *shape;
    swap_loop *swap;
    const bench_cbor *peer;
    void *state; /* of the peer */
    cbor_buffer buffer;
    size_t slice;
} entry;

/* The workload that is put together. */
static struct {
    const cbor_source *source;
    cbor_target target;
    uint8_t *expected[2]; /* the first slice and the last one */
    size_t length[2];
    entry entries[MOST_ENTRIES];
    size_t count;
    int null; /* a descriptor, or -1 */
} now;

/* ---- what is timed ---- */

static uint64_t run_shape(void *context, size_t repeat)
{
    entry *e = context;
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        e->buffer.length = 0;
        e->shape(&e->buffer, e->source, cbor_slice(e->source, e->slice));
        e->slice = cbor_next(e->source, e->slice);
        sum += e->buffer.length;
        if (now.target == TO_FRESH) {
            free(e->buffer.data);
            e->buffer = (cbor_buffer){NULL, 0, 0, 0};
        }
        __asm__ volatile("" ::: "memory");
    }
    return sum;
}

/* The bytes as they are in the end, put where they belong by one call. */
static uint64_t run_libc(void *context, size_t repeat)
{
    (void)context;
    const uint8_t *from = now.expected[0];
    const size_t length = now.length[0];
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        if (now.target == TO_FRESH) {
            char *block = malloc(length);
            if (!block)
                abort();
            memcpy(block, from, length);
            __asm__ volatile("" ::"r"(block) : "memory");
            free(block);
            sum += length;
#if defined(QUERN_POSIX_H)
        } else if (now.target == TO_FD || now.target == TO_WRITEV) {
            sum += (uint64_t)write(now.null, from, length);
#endif
        } else {
            memcpy(bench.target, from, length);
            sum += length;
        }
        __asm__ volatile("" ::: "memory");
    }
    return sum;
}

static uint64_t run_swap(void *context, size_t repeat)
{
    const entry *e = context;
    for (size_t r = 0; r < repeat; r++) {
        e->swap(bench.target, e->source->data, e->source->count, e->source->width);
        __asm__ volatile("" ::: "memory");
    }
    return repeat;
}

static uint64_t run_peer(void *context, size_t repeat)
{
    const entry *e = context;
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        sum += e->peer->write(e->state, 1);
        e->peer->drop(e->state);
    }
    return sum;
}

/* ---- contenders ---- */

static bool is_expected(const void *data, size_t length, size_t which)
{
    return length == now.length[which] && memcmp(data, now.expected[which], length) == 0;
}

static entry *new_entry(void)
{
    if (now.count == MOST_ENTRIES)
        abort();
    entry *e = &now.entries[now.count++];
    *e = (entry){.source = now.source};
    return e;
}

static void add_quern(const char *who, cbor_way way, const char *variant)
{
    cbor_writing *writing = cbor_writing_open(now.source, now.target, way, variant);
    if (!writing)
        return;
    new_entry()->writing = writing;
    workload_add(who, variant, cbor_writing_run, writing);
    for (size_t which = 0; which < 2; which++) {
        const size_t slice = which ? now.source->slices - 1 : 0;
        if (!cbor_writing_is_right(writing, slice, now.expected[which], now.length[which]))
            workload_wrong();
    }
}

static void add_shape(const char *who, cbor_shape *shape)
{
    entry *e = new_entry();
    e->shape = shape;
    workload_add(who, "-", run_shape, e);
    e->shape(&e->buffer, e->source, e->source->data);
    if (!is_expected(e->buffer.data, e->buffer.length, 0))
        workload_wrong();
    if (now.target == TO_FRESH) {
        free(e->buffer.data);
        e->buffer = (cbor_buffer){NULL, 0, 0, 0};
    }
}

static void add_swap(const char *variant, swap_loop *swap)
{
    if (!swap)
        return;
    entry *e = new_entry();
    const size_t width = now.source->width, bytes = now.source->count * width;
    e->swap = swap;
    workload_add("shape:swap_loop", variant, run_swap, e);
    run_swap(e, 1);
    const char *from = now.source->data;
    for (size_t i = 0; i < bytes; i++) {
        if (bench.target[i] != from[i / width * width + width - 1 - i % width])
            workload_wrong();
    }
}

static void add_peers(void)
{
    for (size_t p = 0; p < bench.peer_count; p++) {
        const bench_peer *peer = &bench.peers[p];
        void *state = peer->cbor ? peer->cbor->open(now.source) : NULL;
        if (!state)
            continue;
        entry *e = new_entry();
        e->peer = peer->cbor;
        e->state = state;
        const bool fresh = now.target == TO_FRESH;
        workload_add(peer->who, peer->variant, fresh ? run_peer : peer->cbor->write, fresh ? (void *)e : state);
        const bench_written *written = state;
        peer->cbor->write(state, 1);
        if (!is_expected(written->text, written->length, 0))
            workload_wrong();
        if (now.source->slices > 1)
            peer->cbor->write(state, now.source->slices - 1);
        if (!is_expected(written->text, written->length, 1))
            workload_wrong();
        if (fresh)
            peer->cbor->drop(state);
    }
}

/* ---- workloads ---- */

/* `input` says what a time is of. False: it is not wanted. */
static bool begin(const char *name, const cbor_source *source, cbor_target target, bench_input input)
{
    if (!workload_begin(name, input))
        return false;
    now.source = source;
    now.target = target;
    now.count = 0;
    for (size_t which = 0; which < 2; which++) {
        now.expected[which] = malloc(cbor_room(source));
        if (!now.expected[which])
            abort();
        now.length[which] = plain_cbor(source, which ? source->slices - 1 : 0, now.expected[which]);
    }
    return true;
}

static void keep_state(void *context, size_t repeat)
{
    (void)context;
    (void)repeat;
}

/* Turns on fresh memory where there is so much that malloc asks the system for it. */
static void end(void)
{
    if (now.target != TO_FRESH || now.length[0] < 65536)
        workload_end();
    else if (bench.quick)
        workload_end_fresh(1, 1, keep_state, keep_state);
    else
        workload_end_fresh(now.length[0] < 2000000    ? 9
                           : now.length[0] < 20000000 ? 5
                                                      : 2,
                           now.length[0] < 20000000 ? 4 : 1, keep_state, keep_state);
    for (size_t c = 0; c < now.count; c++) {
        entry *e = &now.entries[c];
        if (e->writing)
            cbor_writing_close(e->writing);
        if (e->state)
            e->peer->close(e->state);
        free(e->buffer.data);
    }
    free(now.expected[0]);
    free(now.expected[1]);
}

static bool has_peers(void)
{
    return now.target == TO_MEMORY || now.target == TO_FRESH || now.target == TO_FIXED;
}

static void documents(cbor_target target)
{
    static uint8_t data[DOCUMENT_MOST];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)i;
    char name[64];
    snprintf(name, sizeof name, "binary_to_cbor, %s", cbor_target_names[target]);
    for (size_t size = 8; size <= DOCUMENT_MOST; size *= 2) {
        const cbor_source source = {.kind = CBOR_BINARY, .data = data, .count = size, .slices = 1};
        if (!begin(name, &source, target, (bench_input){.pieces = 1, .size = size, .total = size}))
            continue;
        if (has_peers())
            add_shape("libc", shape_sized);
        else
            workload_add("libc", "-", run_libc, NULL);
        for (size_t v = 0; v < (target == TO_MEMORY ? bench.variant_count : 1); v++)
            add_quern("quern", ALL_AT_ONCE, bench.variants[v].name);
        if (target == TO_FRESH)
            add_quern("quern:hint", SIZE_HINTED, bench.variants[0].name);
        if (has_peers() && target != TO_FIXED) {
            add_shape("shape:push_back", shape_push_back);
            add_shape("shape:insert", shape_inserted);
        }
        if (has_peers())
            add_peers();
        end();
    }
}

static const char *power_name(size_t count)
{
    static char name[16];
    unsigned power = 0;
    for (; count >= 10; count /= 10)
        power++;
    snprintf(name, sizeof name, "10^%u", power);
    return name;
}

static void numbers_workload(const char *what, cbor_source source, cbor_target target, const char *more)
{
    char name[96];
    snprintf(name, sizeof name, "%s, %s, %s%s", what, power_name(source.count), cbor_target_names[target], more);
    source.width = 8;
    if (!begin(name, &source, target, (bench_input){.pieces = source.count, .size = 8, .total = source.count * 8}))
        return;
    workload_add("libc", "-", run_libc, NULL);
    add_quern("quern", ALL_AT_ONCE, bench.variants[0].name);
    add_quern("quern:calls", ONE_BY_ONE, bench.variants[0].name);
    if (target == TO_FRESH)
        add_quern("quern:hint", SIZE_HINTED, bench.variants[0].name);
    if (target == TO_FRESH) {
        add_shape("shape:zero_all", shape_zero_all);
        add_shape("shape:zero_window", shape_zero_window);
        add_shape("shape:malloc_copy", shape_malloc_copy);
    }
    if (target == TO_MEMORY || target == TO_FRESH)
        add_shape("shape:realloc", shape_realloc);
    if (target == TO_MEMORY && source.kind == CBOR_DOUBLES) {
        add_swap("-", swap_loop_of(false));
        add_swap("avx2", swap_loop_of(true));
    }
    if (has_peers())
        add_peers();
    end();
}

/* ---- numbers ---- */

typedef uint64_t make_value(uint64_t *state);

static uint64_t small(uint64_t *state)
{
    return bench_random(state) % 24;
}

static uint64_t of_32_bits(uint64_t *state)
{
    return bench_random(state) >> 32;
}

/* Of one of the five widths, each as likely. */
static uint64_t of_mixed_widths(uint64_t *state)
{
    static const uint64_t least[] = {0, 24, 0x100, 0x10000, 0x100000000};
    static const uint64_t count[] = {24, 0x100 - 24, 0x10000 - 0x100, 0xFFFF0000, UINT64_MAX - 0xFFFFFFFF};
    const uint64_t width = (bench_random(state) >> 32) * 5 >> 32;
    return least[width] + bench_random(state) % count[width];
}

static uint64_t of_64_bits(uint64_t *state)
{
    return bench_random(state) | (uint64_t)1 << 63;
}

/* From 1 to 2, with more digits than a float has. */
static uint64_t double_bits(uint64_t *state)
{
    return (uint64_t)0x3FF << 52 | bench_random(state) >> 12 | 1;
}

typedef struct kind {
    const char *name;
    make_value *make;
    bool doubles;
} kind;

static const kind kinds[] = {{"ints, small", small, false},
                             {"ints, 32-bit", of_32_bits, false},
                             {"ints, mixed widths", of_mixed_widths, false},
                             {"ints, 64-bit", of_64_bits, false},
                             {"doubles", double_bits, true}};
enum { KINDS = sizeof kinds / sizeof kinds[0], MIXED = 2 };

static uint64_t *values; /* MOST, or fewer if quick */

static size_t most(void)
{
    return bench.quick ? 10000 : MOST;
}

static cbor_source fill(const kind *k, size_t count)
{
    uint64_t state = 11;
    const size_t slices = k->make == of_mixed_widths && count < UNLEARNT && !bench.quick ? UNLEARNT / count : 1;
    for (size_t i = 0; i < slices * count; i++)
        values[i] = k->make(&state);
    return (cbor_source){
        .kind = k->doubles ? CBOR_DOUBLES : CBOR_UINTS, .data = values, .count = count, .slices = slices};
}

static bool has_typical_count(size_t count)
{
    return count == 1000000 || bench.quick;
}

static void numbers(cbor_target target, const char *more)
{
    for (size_t k = 0; k < KINDS; k++) {
        for (size_t count = 1000; count <= most(); count *= 10) {
            const bool all = target == TO_MEMORY || (target == TO_FRESH && kinds[k].make == of_64_bits);
            if (all || has_typical_count(count))
                numbers_workload(kinds[k].name, fill(&kinds[k], count), target, more);
        }
    }
}

static void typed_arrays(cbor_target target)
{
    for (size_t swapped = 0; swapped < 2; swapped++) {
        for (size_t width = 2; width <= 8; width *= 2) {
            for (size_t count = 1000; count <= most(); count *= 10) {
                if (target != TO_MEMORY && !(has_typical_count(count) && width == 8))
                    continue;
                char name[96];
                snprintf(name, sizeof name, "typed_array, %zu-bit, %s, %s, %s", 8 * width,
                         swapped ? "swapped" : "native", power_name(count), cbor_target_names[target]);
                cbor_source source = fill(&kinds[KINDS - 1], count);
                source.kind = CBOR_TYPED;
                source.width = width;
                source.swapped = swapped;
                if (!begin(name, &source, target,
                           (bench_input){.pieces = 1, .size = count * width, .total = count * width}))
                    continue;
                workload_add("libc", "-", run_libc, NULL);
                for (size_t v = 0; v < (target == TO_MEMORY ? bench.variant_count : 1); v++)
                    add_quern("quern", ALL_AT_ONCE, bench.variants[v].name);
                if (swapped && target == TO_MEMORY) {
                    add_swap("-", swap_loop_of(false));
                    add_swap("avx2", swap_loop_of(true));
                }
                if (has_peers())
                    add_peers();
                end();
            }
        }
    }
}

/* ---- the program ---- */

static void make_values(void)
{
    values = malloc((most() > UNLEARNT ? most() : (size_t)UNLEARNT) * sizeof *values);
    if (!values)
        abort();
}

/* With malloc as it comes, and with one that takes every large block from the system. */
static void fresh_workloads(void)
{
    make_values();
    documents(TO_FRESH);
    numbers(TO_FRESH, "");
    typed_arrays(TO_FRESH);
    bench_fresh_memory();
    numbers(TO_FRESH, ", mmap");
}

static void all_workloads(void)
{
#if defined(QUERN_POSIX_H)
    now.null = open("/dev/null", O_WRONLY);
    if (now.null < 0)
        abort();
#endif
    for (cbor_target target = TO_MEMORY; target < CBOR_TARGETS; target++) {
        if (target == TO_FRESH)
            continue;
#if !defined(QUERN_POSIX_H)
        if (target > TO_FIXED)
            continue;
#endif
        documents(target);
        numbers(target, "");
        typed_arrays(target);
    }
#if defined(QUERN_POSIX_H)
    close(now.null);
#endif
    free(values);
}

int main(int argc, char **argv)
{
    static const bench_program cbor = {
        .target_size = TARGET_SIZE, .seconds = 0.03, .faults = true, .all = all_workloads, .fresh = fresh_workloads};
    return bench_main(argc, argv, &cbor);
}
