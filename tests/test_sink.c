/* SPDX-License-Identifier: MIT */
/*
 * Sinks. What is written is always the start of one fixed random text, so that whatever arrives somewhere is
 * right exactly if it is a prefix of that text: nothing lost, nothing twice, nothing in a wrong place.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* fopencookie, mremap, mincore */
#endif
#include "support/support.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { TEXT_SIZE = 1 << 20, MOST_STEPS = 4096, CANARY_BYTE = 0xc7, FRONT = 256 };

/* Whether blocks of more than 4 GiB can be had, of which hardly a page is touched. */
#if SIZE_MAX > UINT32_MAX && defined(MREMAP_MAYMOVE)
#    define HUGE_BLOCKS 1
#else
#    define HUGE_BLOCKS 0
#endif

static unsigned char text[TEXT_SIZE];
static uint64_t *fault_points; /* shared with forked tests */

static struct {
    support_variant variant;
    const char *what;
    size_t a;
    size_t b;
} now;

_Noreturn static void fail_check(int line, const char *condition)
{
    ck_abort_msg("line %d: %s (variant %s, %s %zu, %zu)", line, condition, now.variant.name, now.what, now.a, now.b);
}

/* Millions of these are made: Check's own assertions would tell its parent about each. */
#define CHECK(condition)                      \
    do {                                      \
        ++*now.variant.checks;                \
        if (!(condition))                     \
            fail_check(__LINE__, #condition); \
    } while (0)

static void at(const char *what, size_t a, size_t b)
{
    now.what = what;
    now.a = a;
    now.b = b;
    support_note(what, a, b);
}

/* Sinks take the variant that is in use when they are opened. */
static bool open_variant(int i)
{
    if (!support_variant_open(&now.variant, i))
        return false;
    at("start", 0, 0);
    CHECK(quern_variant_force(now.variant.name) == QUERN_OK);
    return true;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- an allocator that checks, counts and fails -------------------------------------------------- */

enum { BANK_HEAD = 16, BANK_CANARY = 64 };

typedef struct bank {
    quern_allocator allocator;
    size_t calls;   /* that asked for memory */
    size_t fail_at; /* this one fails; 0: none */
    bool fail_on;   /* and so do all after it */
    size_t refuse;  /* longer blocks are refused; 0: none */
    size_t largest; /* size that was asked for */
    size_t blocks;  /* alive */
} bank;

static void *bank_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    bank *b = context;
    unsigned char *old = block;
    CHECK((block == NULL) == (old_size == 0));
    if (old != NULL) {
        size_t known;
        memcpy(&known, old - BANK_HEAD, sizeof known);
        CHECK(known == old_size);
        for (size_t i = 0; i < BANK_CANARY; i++)
            CHECK(old[old_size + i] == CANARY_BYTE);
    }
    unsigned char *fresh = NULL;
    if (new_size != 0) {
        b->calls++;
        if (new_size > b->largest)
            b->largest = new_size;
        if (b->fail_at != 0 && (b->calls == b->fail_at || (b->fail_on && b->calls > b->fail_at)))
            return NULL;
        if (b->refuse != 0 && new_size > b->refuse)
            return NULL;
        /* Always another place, and dirty, so that a stale pointer or a hope for zeros shows. */
        unsigned char *raw = support_allocate(BANK_HEAD + new_size + BANK_CANARY);
        memcpy(raw, &new_size, sizeof new_size);
        fresh = raw + BANK_HEAD;
        memset(fresh, 0xa5, new_size);
        memset(fresh + new_size, CANARY_BYTE, BANK_CANARY);
        if (old != NULL)
            memcpy(fresh, old, least(old_size, new_size));
        b->blocks++;
    }
    if (old != NULL) {
        memset(old, 0xdd, old_size);
        free(old - BANK_HEAD);
        b->blocks--;
    }
    return fresh;
}

static void bank_init(bank *b)
{
    memset(b, 0, sizeof *b);
    b->allocator.resize = bank_resize;
    b->allocator.context = b;
}

static void bank_sink(bank *b, quern_memory_sink *memory, size_t hint, size_t limit)
{
    quern_memory_sink_options options = {sizeof options, &b->allocator, hint, limit};
    quern_memory_sink_init(memory, &options);
    memset(&options, 0xee, sizeof options); /* not needed any more */
}

/* ---- scripts of writes --------------------------------------------------------------------------- */

typedef struct step {
    size_t length;
    size_t asked; /* of quern_sink_reserve */
    bool direct;  /* through the window; else by quern_sink_write */
} step;

typedef struct script {
    step steps[MOST_STEPS];
    size_t count;
    size_t total;
} script;

/* Lengths near the slack, the longest reserve, and everything below 300. */
static size_t some_length(support_random *random)
{
    switch (support_random_below(random, 6)) {
    case 0: return support_random_below(random, 9);
    case 1: return support_random_below(random, 33);
    case 2: return support_random_below(random, 65);
    case 3: return 56 + support_random_below(random, 17);
    case 4: return 120 + support_random_below(random, 18);
    default: return support_random_below(random, 301);
    }
}

static void make_script(script *s, support_random *random, size_t total, bool big)
{
    s->count = 0;
    s->total = total;
    size_t left = total;
    bool direct_only = support_random_below(random, 8) == 0;
    bool write_only = !direct_only && support_random_below(random, 8) == 0;
    while (left > 0 || s->count == 0) {
        step *next = &s->steps[s->count++];
        bool last = s->count == MOST_STEPS;
        next->direct = !last && !write_only && (direct_only || support_random_below(random, 2) == 0);
        next->asked =
            support_random_below(random, 4) == 0 ? QUERN_RESERVE : support_random_below(random, QUERN_RESERVE + 1);
        if (next->direct)
            next->length =
                support_random_below(random, 2) == 0 ? next->asked : support_random_below(random, next->asked + 1);
        else if (last)
            next->length = left;
        else if (big && support_random_below(random, 8) == 0)
            next->length = support_random_below(random, 200 * 1024 + 1);
        else
            next->length = some_length(random);
        next->length = least(next->length, left);
        left -= next->length;
    }
}

/*
 * What a writer may do with its window at the worst: all of it is scribbled on, the slack included. A sink that has
 * failed need not give one, but then it has to say so.
 */
static void write_direct(quern_sink *sink, size_t asked, size_t position, size_t length)
{
    quern_status status = quern_sink_reserve(sink, asked);
    CHECK(status == QUERN_OK || status == quern_sink_status(sink));
    CHECK(sink->cursor <= sink->limit);
    bool given = (size_t)(sink->limit - sink->cursor) >= asked;
    CHECK(given || status != QUERN_OK);
    if (asked == 0 || !given)
        return;
    uint8_t *end = sink->limit + QUERN_SLACK;
    memcpy(sink->cursor, text + position, length);
    sink->cursor += length;
    memset(sink->cursor, 0xee, least((size_t)(end - sink->cursor), 2 * QUERN_SLACK));
    memset(sink->limit, 0xee, QUERN_SLACK);
}

static void take_step(quern_sink *sink, const step *s, size_t position)
{
    if (s->direct) {
        write_direct(sink, s->asked, position, s->length);
    } else {
        quern_status status = quern_sink_write(sink, text + position, s->length);
        CHECK(status == quern_sink_status(sink));
    }
    CHECK(sink->cursor <= sink->limit);
}

/* A whole script into a sink that has room for it. */
static void play(quern_sink *sink, const script *s)
{
    size_t position = 0;
    for (size_t i = 0; i < s->count; i++) {
        take_step(sink, &s->steps[i], position);
        position += s->steps[i].length;
        CHECK(quern_sink_total(sink) == position);
    }
    CHECK(quern_sink_status(sink) == QUERN_OK);
}

/* A failed sink: the same failure from everything, and nothing counted any more. */
static void check_latched(quern_sink *sink, quern_status failure)
{
    uint64_t total = quern_sink_total(sink);
    CHECK(quern_sink_status(sink) == failure);
    CHECK(quern_sink_write(sink, text, 1) == failure);
    CHECK(quern_sink_write(sink, text, 1000) == failure);
    write_direct(sink, 1, 0, 1);
    write_direct(sink, QUERN_RESERVE, 0, QUERN_RESERVE);
    write_direct(sink, QUERN_RESERVE, 0, QUERN_RESERVE);
    CHECK(quern_sink_flush(sink) == failure);
    CHECK(quern_sink_write(sink, text, 77) == failure);
    CHECK(quern_sink_finish(sink) == failure);
    CHECK(quern_sink_finish(sink) == failure);
    CHECK(quern_sink_status(sink) == failure);
    CHECK(quern_sink_total(sink) == total);
}

/* ---- targets: what a callback or a FILE writes to ------------------------------------------------ */

typedef enum manner { TAKE_ALL, TAKE_ONE, TAKE_HALF, TAKE_SOME, MANNERS } manner;

typedef enum fault { FAULT_ZERO, FAULT_MINUS_ONE, FAULT_LEAST, FAULT_ONE_MORE, FAULT_MOST, FAULTS } fault;

typedef struct target {
    size_t arrived;
    size_t calls;
    size_t uncopied; /* bytes that came straight from the text */
    size_t fail_at;  /* call that fails; 0: none */
    manner manner;
    fault fault;
    bool failed;
    bool forgives; /* may be called after a failure */
    bool blind;    /* only counts */
    support_random random;
} target;

static size_t target_take(target *t, size_t length)
{
    switch (t->manner) {
    case TAKE_ONE: return 1;
    case TAKE_HALF: return (length + 1) / 2;
    case TAKE_SOME: return 1 + support_random_below(&t->random, length);
    default: return length;
    }
}

static void target_accept(target *t, const void *data, size_t offered, size_t taken)
{
    if (!t->blind) {
        CHECK(offered <= TEXT_SIZE - t->arrived);
        CHECK(memcmp(data, text + t->arrived, offered) == 0);
        if (data == (const void *)(text + t->arrived))
            t->uncopied += taken;
    }
    t->arrived += taken;
}

static ptrdiff_t target_write(void *context, const void *data, size_t length)
{
    target *t = context;
    CHECK(length >= 1);
    CHECK(!t->failed);
    t->calls++;
    if (t->calls == t->fail_at) {
        target_accept(t, data, length, 0);
        t->failed = true;
        switch (t->fault) {
        case FAULT_MINUS_ONE: return -1;
        case FAULT_LEAST: return PTRDIFF_MIN;
        case FAULT_ONE_MORE: return (ptrdiff_t)length + 1;
        case FAULT_MOST: return PTRDIFF_MAX;
        default: return 0;
        }
    }
    size_t taken = target_take(t, length);
    target_accept(t, data, length, taken);
    return (ptrdiff_t)taken;
}

#ifdef __GLIBC__
#    define HAVE_COOKIES 1
static ssize_t target_cookie(void *context, const char *data, size_t length)
{
    target *t = context;
    CHECK(!t->failed || t->forgives);
    t->calls++;
    if (t->calls == t->fail_at) {
        target_accept(t, data, length, 0);
        t->failed = true;
        errno = EIO;
        return 0; /* how a cookie tells an error */
    }
    size_t taken = target_take(t, length);
    target_accept(t, data, length, taken);
    return (ssize_t)taken;
}

static FILE *target_file(target *t)
{
    cookie_io_functions_t functions = {NULL, target_cookie, NULL, NULL};
    FILE *file = fopencookie(t, "w", functions);
    ck_assert_ptr_nonnull(file);
    return file;
}
#endif

/* ---- the same writes to every sink --------------------------------------------------------------- */

static const size_t buffer_sizes[] = {0, 1, 2, 63, 64, 65, 127, 128, 129, 191, 192, 193, 300, 4096};

static void memory_case(const script *s, size_t hint)
{
    bank b;
    quern_memory_sink memory;
    bank_init(&b);
    bank_sink(&b, &memory, hint, 0);
    play(&memory.sink, s);
    CHECK(quern_sink_finish(&memory.sink) == QUERN_OK);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length == s->total);
    CHECK(s->total == 0 || memcmp(view.data, text, s->total) == 0);
    CHECK(quern_sink_total(&memory.sink) == s->total);
    quern_memory_sink_free(&memory);
    CHECK(b.blocks == 0);
}

static void fixed_exact_case(const script *s, unsigned char *end)
{
    quern_fixed_sink fixed;
    unsigned char *data = end - s->total;
    memset(data, CANARY_BYTE, s->total);
    quern_fixed_sink_init(&fixed, data, s->total);
    play(&fixed.sink, s);
    CHECK(quern_sink_finish(&fixed.sink) == QUERN_OK);
    CHECK(quern_fixed_sink_needed(&fixed) == s->total);
    CHECK(quern_sink_total(&fixed.sink) == s->total);
    CHECK(memcmp(data, text, s->total) == 0);
}

static void callback_case(const script *s, unsigned char *end, size_t size, manner how)
{
    quern_callback_sink callback;
    target t = {.manner = how, .random = support_random_named("target")};
    memset(end - size - FRONT, CANARY_BYTE, FRONT);
    quern_callback_sink_init(&callback, target_write, &t, size == 0 ? NULL : end - size, size);
    play(&callback.sink, s);
    CHECK(quern_sink_finish(&callback.sink) == QUERN_OK);
    CHECK(t.arrived == s->total);
    CHECK(quern_sink_total(&callback.sink) == s->total);
    for (size_t i = 0; i < FRONT; i++)
        CHECK((end - size - FRONT)[i] == CANARY_BYTE);
}

#ifdef HAVE_COOKIES
static void file_case(const script *s, unsigned char *end, size_t size, bool unbuffered)
{
    quern_callback_sink sink;
    target t = {.manner = TAKE_ALL};
    FILE *file = target_file(&t);
    if (unbuffered)
        setvbuf(file, NULL, _IONBF, 0);
    quern_file_sink_init(&sink, file, size == 0 ? NULL : end - size, size);
    play(&sink.sink, s);
    CHECK(quern_sink_finish(&sink.sink) == QUERN_OK);
    CHECK(t.arrived == s->total); /* before fclose: finish has to fflush */
    CHECK(quern_sink_total(&sink.sink) == s->total);
    CHECK(fclose(file) == 0);
    CHECK(t.arrived == s->total);
}
#endif

static void tmpfile_case(const script *s, size_t size)
{
    static unsigned char back[TEXT_SIZE];
    unsigned char buffer[4096];
    quern_callback_sink sink;
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    quern_file_sink_init(&sink, file, size == 0 ? NULL : buffer, size);
    play(&sink.sink, s);
    CHECK(quern_sink_finish(&sink.sink) == QUERN_OK);
    rewind(file);
    CHECK(fread(back, 1, sizeof back, file) == s->total);
    CHECK(memcmp(back, text, s->total) == 0);
    CHECK(fclose(file) == 0);
}

START_TEST(test_all_sinks_agree)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("agree");
    support_guarded guarded = support_guarded_new(TEXT_SIZE + FRONT);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    for (size_t round = 0; round < 160; round++) {
        if (support_thinned())
            continue;
        bool big = round % 16 == 0;
        make_script(&s, &random, support_random_below(&random, big ? TEXT_SIZE : round % 2 == 0 ? 20000 : 700), big);
        at("agree: memory, round", round, s.total);
        memory_case(&s, round % 3 == 0 ? 0 : support_random_below(&random, 3000));
        at("agree: fixed, round", round, s.total);
        fixed_exact_case(&s, end);
        for (size_t i = 0; i < SUPPORT_COUNT(buffer_sizes); i++) {
            at("agree: callback, round, buffer", round, buffer_sizes[i]);
            callback_case(&s, end, buffer_sizes[i], TAKE_ALL);
            if (!big)
                callback_case(&s, end, buffer_sizes[i], (manner)(round % MANNERS));
#ifdef HAVE_COOKIES
            at("agree: FILE, round, buffer", round, buffer_sizes[i]);
            file_case(&s, end, buffer_sizes[i], round % 2 == 0);
#endif
        }
        at("agree: tmpfile, round", round, s.total);
        tmpfile_case(&s, round % 2 == 0 ? 4096 : round % 130);
    }
    support_guarded_free(&guarded);
}
END_TEST

/* ---- fixed --------------------------------------------------------------------------------------- */

static void fixed_case(const script *s, support_random *random, unsigned char *data, size_t size)
{
    quern_fixed_sink fixed;
    memset(data - FRONT, CANARY_BYTE, FRONT + size);
    quern_fixed_sink_init(&fixed, size == 0 && s->total % 2 == 0 ? NULL : data, size);
    CHECK(quern_fixed_sink_needed(&fixed) == 0);
    size_t position = 0;
    bool full = false;
    for (size_t i = 0; i < s->count; i++) {
        take_step(&fixed.sink, &s->steps[i], position);
        position += s->steps[i].length;
        CHECK(quern_fixed_sink_needed(&fixed) == position);
        if (support_random_below(random, 4) == 0) {
            quern_sink_reserve(&fixed.sink, QUERN_RESERVE);
            CHECK(fixed.sink.limit - fixed.sink.cursor >= QUERN_RESERVE); /* full or not */
            CHECK(quern_fixed_sink_needed(&fixed) == position);
        }
        quern_status status = quern_sink_status(&fixed.sink);
        if (support_random_below(random, 8) == 0) {
            status = quern_sink_flush(&fixed.sink);
            CHECK(status == (position <= size ? QUERN_OK : QUERN_ERROR_ROOM));
            CHECK(memcmp(data, text, least(position, size)) == 0);
            CHECK(quern_fixed_sink_needed(&fixed) == position);
        }
        /* The failure may wait for the bytes in the window to be put in their place, but not go away. */
        CHECK(status == QUERN_OK || (status == QUERN_ERROR_ROOM && position > size));
        CHECK(!full || status == QUERN_ERROR_ROOM);
        full = status != QUERN_OK;
    }
    quern_status status = quern_sink_finish(&fixed.sink);
    CHECK(status == (s->total <= size ? QUERN_OK : QUERN_ERROR_ROOM));
    CHECK(quern_sink_finish(&fixed.sink) == status);
    CHECK(quern_sink_status(&fixed.sink) == status);
    CHECK(quern_fixed_sink_needed(&fixed) == s->total);
    CHECK(quern_sink_total(&fixed.sink) == least(s->total, size));
    CHECK(quern_failed(quern_sink_write(&fixed.sink, text + s->total, 5))); /* the output has ended */
    CHECK(quern_failed(quern_sink_write(&fixed.sink, text + s->total, 500)));
    CHECK(quern_fixed_sink_needed(&fixed) == s->total);
    CHECK(memcmp(data, text, least(s->total, size)) == 0);
    for (size_t i = 0; i < FRONT; i++)
        CHECK((data - FRONT)[i] == CANARY_BYTE);
}

/* The page behind the array cannot be written. */
START_TEST(test_fixed_every_size)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("fixed");
    support_guarded guarded = support_guarded_new(FRONT + 512);
    for (size_t size = 0; size <= 400; size++) {
        for (size_t round = 0; round < 24; round++) {
            if (support_thinned())
                continue;
            size_t total = round < 8    ? size
                           : round < 13 ? size + 1
                           : round < 16 ? (size > 0 ? size - 1 : 0)
                           : round < 20 ? size + support_random_below(&random, 140)
                                        : support_random_below(&random, 2 * size + 600);
            make_script(&s, &random, total, false);
            at("fixed, size, total", size, total);
            fixed_case(&s, &random, support_guarded_tail(&guarded, size), size);
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

/* Amid canaries at every alignment, in one write and in one window. */
START_TEST(test_fixed_alignments)
{
    if (!open_variant(_i))
        return;
    for (size_t size = 0; size <= 200; size++) {
        for (size_t align = 0; align < 64; align += 1 + size % 3) {
            if (support_thinned())
                continue;
            at("fixed, size, alignment", size, align);
            for (size_t over = 0; over < 2; over++) {
                quern_fixed_sink fixed;
                unsigned char *data = support_target(size, align);
                quern_fixed_sink_init(&fixed, data, size);
                quern_sink_write(&fixed.sink, text, size + over);
                CHECK(quern_sink_finish(&fixed.sink) == (over == 0 ? QUERN_OK : QUERN_ERROR_ROOM));
                CHECK(memcmp(data, text, size) == 0);
                CHECK(support_target_fault(false) == NULL);

                data = support_target(size, align);
                quern_fixed_sink_init(&fixed, data, size);
                size_t length = least(size + over, QUERN_RESERVE);
                write_direct(&fixed.sink, QUERN_RESERVE, 0, length);
                CHECK(quern_fixed_sink_needed(&fixed) == length);
                CHECK(quern_sink_finish(&fixed.sink) == (length <= size ? QUERN_OK : QUERN_ERROR_ROOM));
                CHECK(memcmp(data, text, least(length, size)) == 0);
                CHECK(support_target_fault(false) == NULL);
            }
        }
    }
}
END_TEST

/* ---- latching, finishing ------------------------------------------------------------------------- */

START_TEST(test_failures_latch)
{
    if (!open_variant(_i))
        return;
    at("latch: callback", 0, 0);
    for (size_t size = 0; size <= 256; size += 32) {
        unsigned char buffer[256];
        target t = {.fail_at = 1, .fault = FAULT_MINUS_ONE};
        quern_callback_sink callback;
        quern_callback_sink_init(&callback, target_write, &t, buffer, size);
        CHECK(quern_sink_write(&callback.sink, text, 300) == QUERN_ERROR_IO);
        check_latched(&callback.sink, QUERN_ERROR_IO);
        CHECK(t.calls == 1 && t.arrived == 0 && quern_sink_total(&callback.sink) == 0);
    }
    at("latch: callback at flush", 0, 0);
    {
        unsigned char buffer[256];
        target t = {.fail_at = 1, .fault = FAULT_ZERO};
        quern_callback_sink callback;
        quern_callback_sink_init(&callback, target_write, &t, buffer, sizeof buffer);
        CHECK(quern_sink_write(&callback.sink, text, 10) == QUERN_OK);
        CHECK(quern_sink_flush(&callback.sink) == QUERN_ERROR_IO);
        check_latched(&callback.sink, QUERN_ERROR_IO);
        CHECK(t.calls == 1 && quern_sink_total(&callback.sink) == 0);
    }
    at("latch: memory", 0, 0);
    {
        bank b;
        quern_memory_sink memory;
        bank_init(&b);
        b.fail_at = 2;
        bank_sink(&b, &memory, 0, 0);
        CHECK(quern_sink_write(&memory.sink, text, 1) == QUERN_OK);
        CHECK(quern_sink_write(&memory.sink, text + 1, 100000) == QUERN_ERROR_MEMORY);
        size_t calls = b.calls;
        check_latched(&memory.sink, QUERN_ERROR_MEMORY);
        CHECK(b.calls == calls);
        /* Not even a worse failure takes the first one's place. */
        CHECK(quern_sink_write(&memory.sink, text, SIZE_MAX) == QUERN_ERROR_MEMORY);
        quern_string view = quern_memory_sink_view(&memory);
        CHECK(view.length >= 1 && memcmp(view.data, text, view.length) == 0);
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);
    }
    at("latch: memory, limit", 0, 0);
    {
        quern_memory_sink memory;
        quern_memory_sink_options options = {.size = sizeof options, .limit = 10};
        quern_memory_sink_init(&memory, &options);
        quern_sink_write(&memory.sink, text, 11);
        CHECK(quern_sink_flush(&memory.sink) == QUERN_ERROR_LIMIT);
        check_latched(&memory.sink, QUERN_ERROR_LIMIT);
        quern_memory_sink_free(&memory);
    }
    at("latch: fixed", 0, 0);
    {
        unsigned char array[10];
        quern_fixed_sink fixed;
        quern_fixed_sink_init(&fixed, array, sizeof array);
        quern_sink_write(&fixed.sink, text, 11);
        CHECK(quern_sink_flush(&fixed.sink) == QUERN_ERROR_ROOM);
        check_latched(&fixed.sink, QUERN_ERROR_ROOM);
        CHECK(memcmp(array, text, sizeof array) == 0);
    }
}
END_TEST

static void check_finished(quern_sink *sink, uint64_t total)
{
    CHECK(quern_sink_finish(sink) == QUERN_OK);
    CHECK(quern_sink_finish(sink) == QUERN_OK);
    CHECK(quern_sink_total(sink) == total);
    CHECK(quern_sink_write(sink, text, 1) == QUERN_ERROR_MISUSE);
    CHECK(quern_sink_status(sink) == QUERN_ERROR_MISUSE);
    write_direct(sink, QUERN_RESERVE, 0, QUERN_RESERVE);
    CHECK(quern_sink_write(sink, text, 1000) == QUERN_ERROR_MISUSE);
    CHECK(quern_sink_flush(sink) == QUERN_ERROR_MISUSE);
    CHECK(quern_sink_total(sink) == total);
}

START_TEST(test_finish)
{
    if (!open_variant(_i))
        return;
    static const size_t lengths[] = {0, 1, 64, 100, 500};
    for (size_t i = 0; i < SUPPORT_COUNT(lengths); i++) {
        size_t length = lengths[i];
        unsigned char buffer[1000];
        at("finish: memory", length, 0);
        quern_memory_sink memory;
        quern_memory_sink_init(&memory, NULL);
        quern_sink_write(&memory.sink, text, length);
        check_finished(&memory.sink, length);
        CHECK(quern_memory_sink_view(&memory).length == length);
        quern_memory_sink_reset(&memory);
        CHECK(quern_sink_write(&memory.sink, text, 9) == QUERN_OK);
        check_finished(&memory.sink, 9);
        quern_memory_sink_free(&memory);

        for (size_t size = 0; size <= 1000; size += 125) {
            at("finish: fixed", length, size);
            if (length <= size) {
                quern_fixed_sink fixed;
                memset(buffer, CANARY_BYTE, sizeof buffer);
                quern_fixed_sink_init(&fixed, buffer, size);
                quern_sink_write(&fixed.sink, text, length);
                check_finished(&fixed.sink, length);
                CHECK(memcmp(buffer, text, length) == 0);
            }
            at("finish: callback", length, size);
            quern_callback_sink callback;
            target t = {.manner = TAKE_ALL};
            quern_callback_sink_init(&callback, target_write, &t, buffer, size);
            quern_sink_write(&callback.sink, text, length);
            check_finished(&callback.sink, length);
            CHECK(t.arrived == length);
        }
    }
}
END_TEST

/* ---- reserve ------------------------------------------------------------------------------------- */

/* Long windows: had or refused, but a refusal does not latch, and what follows is right. */
START_TEST(test_reserve_long)
{
    if (!open_variant(_i))
        return;
    static unsigned char buffer[8192];
    for (size_t kind = 0; kind < 5; kind++) {
        for (size_t length = QUERN_RESERVE + 1; length < 6000; length += 1 + length / 3) {
            at("long reserve, kind, length", kind, length);
            quern_memory_sink memory;
            quern_fixed_sink fixed;
            quern_callback_sink callback;
            quern_memory_sink_options options = {.size = sizeof options, .limit = kind == 1 ? 3000 : 0};
            target t = {.manner = TAKE_ALL};
            quern_sink *sink = &memory.sink;
            quern_memory_sink_init(&memory, &options);
            if (kind == 2) {
                quern_fixed_sink_init(&fixed, buffer, sizeof buffer);
                sink = &fixed.sink;
            } else if (kind >= 3) {
                quern_callback_sink_init(&callback, target_write, &t, buffer, kind == 3 ? sizeof buffer : 64);
                sink = &callback.sink;
            }
            size_t written = 0;
            for (size_t round = 0; round < 4; round++) {
                CHECK(quern_sink_write(sink, text + written, 7) == QUERN_OK);
                written += 7;
                quern_status status = quern_sink_reserve(sink, length);
                CHECK(status == QUERN_OK || status == QUERN_ERROR_LIMIT);
                CHECK(kind != 0 || status == QUERN_OK);
                CHECK(quern_sink_status(sink) == QUERN_OK);
                CHECK(status != QUERN_OK || (size_t)(sink->limit - sink->cursor) >= length);
                CHECK(quern_sink_total(sink) == written);
                if (status == QUERN_OK && written + length <= 2900) {
                    memcpy(sink->cursor, text + written, length);
                    sink->cursor += length;
                    memset(sink->limit, 0xee, QUERN_SLACK);
                    written += length;
                }
            }
            CHECK(quern_sink_finish(sink) == QUERN_OK);
            CHECK(quern_sink_total(sink) == written);
            quern_string view = quern_memory_sink_view(&memory);
            CHECK(kind >= 2 || (view.length == written && memcmp(view.data, text, written) == 0));
            CHECK(kind != 2 || memcmp(buffer, text, written) == 0);
            CHECK(kind < 3 || t.arrived == written);
            quern_memory_sink_free(&memory);
        }
    }
}
END_TEST

/* ---- memory -------------------------------------------------------------------------------------- */

START_TEST(test_memory_view)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("view");
    for (size_t round = 0; round < 200; round++) {
        if (support_thinned())
            continue;
        bank b;
        quern_memory_sink memory;
        make_script(&s, &random, support_random_below(&random, 3000), false);
        at("view, round", round, s.total);
        bank_init(&b);
        bank_sink(&b, &memory, support_random_below(&random, 2) * 500, round % 3 == 0 ? s.total : 0);
        quern_string view = quern_memory_sink_view(&memory);
        CHECK(view.length == 0);
        CHECK(b.calls == 0);
        size_t position = 0;
        for (size_t i = 0; i < s.count; i++) {
            take_step(&memory.sink, &s.steps[i], position);
            position += s.steps[i].length;
            if (support_random_below(&random, 2) == 0) {
                view = quern_memory_sink_view(&memory);
                CHECK(view.length == position);
                CHECK(position == 0 || memcmp(view.data, text, position) == 0);
            }
        }
        CHECK(quern_sink_status(&memory.sink) == QUERN_OK);
        view = quern_memory_sink_view(&memory);
        CHECK(view.length == s.total);
        CHECK(s.total == 0 || memcmp(view.data, text, s.total) == 0);
        CHECK(round % 3 != 0 || s.total == 0 || b.largest <= s.total);
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);
    }
}
END_TEST

START_TEST(test_memory_take)
{
    if (!open_variant(_i))
        return;
    bank b;
    quern_memory_sink memory;
    bank_init(&b);
    bank_sink(&b, &memory, 0, 0);
    quern_memory_block block = {&b, 1, 1};
    at("take: empty", 0, 0);
    CHECK(quern_memory_sink_take(&memory, &block) == QUERN_OK);
    CHECK(block.data == NULL && block.length == 0 && block.size == 0);
    CHECK(b.calls == 0);
    for (size_t length = 0; length < 2000; length += 1 + length / 8) {
        at("take", length, 0);
        quern_sink_write(&memory.sink, text, length / 3);
        quern_sink_write(&memory.sink, text + length / 3, length - length / 3);
        if (length % 2 == 0)
            CHECK(quern_sink_finish(&memory.sink) == QUERN_OK);
        CHECK(quern_memory_sink_take(&memory, &block) == QUERN_OK);
        CHECK(block.length == length && block.size == length);
        CHECK((block.data == NULL) == (length == 0));
        CHECK(length == 0 || memcmp(block.data, text, length) == 0);
        CHECK(quern_sink_total(&memory.sink) == 0);
        CHECK(quern_memory_sink_view(&memory).length == 0);
        if (length > 0)
            bank_resize(&b, block.data, block.size, 0);
        CHECK(b.blocks == 0);
    }
    at("take: window only", 0, 0);
    write_direct(&memory.sink, QUERN_RESERVE, 0, 99);
    CHECK(quern_memory_sink_take(&memory, &block) == QUERN_OK);
    CHECK(block.length == 99 && block.size == 99 && memcmp(block.data, text, 99) == 0);
    bank_resize(&b, block.data, block.size, 0);
    at("take: reserved, but nothing written", 0, 0);
    write_direct(&memory.sink, QUERN_RESERVE, 0, 0);
    CHECK(quern_memory_sink_take(&memory, &block) == QUERN_OK);
    CHECK(block.data == NULL && block.length == 0 && block.size == 0);
    at("take: failed", 0, 0);
    quern_sink_write(&memory.sink, text, 30);
    CHECK(quern_sink_write(&memory.sink, text, SIZE_MAX) == QUERN_ERROR_LIMIT);
    CHECK(quern_memory_sink_take(&memory, &block) == QUERN_ERROR_LIMIT);
    CHECK(block.length == 30 && block.size == 30 && memcmp(block.data, text, 30) == 0);
    bank_resize(&b, block.data, block.size, 0);
    CHECK(quern_sink_status(&memory.sink) == QUERN_OK);
    CHECK(quern_sink_write(&memory.sink, text, 30) == QUERN_OK);
    quern_memory_sink_free(&memory);
    quern_memory_sink_free(&memory);
    CHECK(b.blocks == 0);

    at("take: malloc", 0, 0);
    quern_memory_sink_init(&memory, NULL);
    quern_sink_write(&memory.sink, text, 5000);
    CHECK(quern_memory_sink_take(&memory, &block) == QUERN_OK);
    CHECK(block.length == 5000 && memcmp(block.data, text, 5000) == 0);
    free(block.data);
    quern_memory_sink_free(&memory);
}
END_TEST

START_TEST(test_memory_reuse)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("reuse");
    bank b;
    quern_memory_sink memory;
    make_script(&s, &random, 30000, false);
    at("reuse", 0, 0);
    bank_init(&b);
    bank_sink(&b, &memory, 0, 0);
    CHECK(b.calls == 0);
    play(&memory.sink, &s);
    size_t calls = b.calls;
    CHECK(calls > 0);
    for (size_t round = 0; round < 5; round++) {
        at("reuse, round", round, 0);
        if (round % 2 == 0)
            quern_sink_finish(&memory.sink);
        if (round == 3)
            quern_sink_write(&memory.sink, text, SIZE_MAX); /* a failure to be cleared */
        quern_memory_sink_reset(&memory);
        CHECK(quern_sink_status(&memory.sink) == QUERN_OK);
        CHECK(quern_sink_total(&memory.sink) == 0);
        CHECK(quern_memory_sink_view(&memory).length == 0);
        play(&memory.sink, &s);
        CHECK(quern_memory_sink_view(&memory).length == s.total);
        CHECK(memcmp(quern_memory_sink_view(&memory).data, text, s.total) == 0);
        CHECK(b.calls == calls && b.blocks == 1);
    }
    quern_memory_sink_free(&memory);
    CHECK(b.blocks == 0);
    quern_memory_sink_free(&memory);
    at("reuse after free", 0, 0);
    play(&memory.sink, &s);
    CHECK(quern_memory_sink_view(&memory).length == s.total);
    quern_memory_sink_free(&memory);
    quern_memory_sink_reset(&memory);
    quern_memory_sink_free(&memory);
    CHECK(b.blocks == 0);
}
END_TEST

START_TEST(test_memory_hint)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("hint");
    for (size_t hint = 1; hint < 40000; hint += 1 + hint / 4) {
        bank b;
        quern_memory_sink memory;
        make_script(&s, &random, hint, false);
        at("hint", hint, 0);
        bank_init(&b);
        bank_sink(&b, &memory, hint, 0);
        for (size_t i = 0, position = 0; i < s.count; position += s.steps[i++].length)
            quern_sink_write(&memory.sink, text + position, s.steps[i].length);
        CHECK(quern_memory_sink_view(&memory).length == hint);
        CHECK(b.calls == 1);
        CHECK(b.largest >= hint);
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);

        /* A window that would go past the hint may cost a second one. */
        bank_init(&b);
        bank_sink(&b, &memory, hint, 0);
        play(&memory.sink, &s);
        CHECK(quern_memory_sink_view(&memory).length == hint);
        CHECK(b.calls <= 2);
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);
    }
}
END_TEST

START_TEST(test_memory_limit)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("limit");
    for (size_t limit = 1; limit < 20000; limit += limit < 400 ? 1 : limit / 7) {
        for (size_t round = 0; round < 12; round++) {
            if (support_thinned())
                continue;
            size_t total = round < 5   ? limit
                           : round < 9 ? limit + 1
                                       : limit + 1 + support_random_below(&random, 2 * limit + 300);
            bank b;
            quern_memory_sink memory;
            make_script(&s, &random, total, false);
            at("limit, total", limit, total);
            bank_init(&b);
            bank_sink(&b, &memory, round % 2 == 0 ? 0 : support_random_below(&random, 2 * limit), limit);
            if (total <= limit) {
                play(&memory.sink, &s);
                CHECK(quern_sink_finish(&memory.sink) == QUERN_OK);
                CHECK(quern_memory_sink_view(&memory).length == total);
                CHECK(memcmp(quern_memory_sink_view(&memory).data, text, total) == 0);
            } else {
                size_t position = 0, good = 0;
                for (size_t i = 0; i < s.count; i++) {
                    take_step(&memory.sink, &s.steps[i], position);
                    position += s.steps[i].length;
                    if (position <= limit) {
                        CHECK(quern_sink_status(&memory.sink) == QUERN_OK);
                        good = position;
                    }
                }
                CHECK(quern_sink_finish(&memory.sink) == QUERN_ERROR_LIMIT);
                quern_string view = quern_memory_sink_view(&memory);
                CHECK(view.length >= good && view.length <= limit);
                CHECK(view.length == 0 || memcmp(view.data, text, view.length) == 0);
                CHECK(quern_sink_total(&memory.sink) == view.length);
            }
            CHECK(b.largest <= limit);
            quern_memory_sink_free(&memory);
            CHECK(b.blocks == 0);
        }
    }
}
END_TEST

START_TEST(test_memory_growth)
{
    if (!open_variant(_i))
        return;
    static const size_t pieces[] = {1, 7, 64, 128, 1000, 65536};
    for (size_t i = 0; i < SUPPORT_COUNT(pieces); i++) {
        bank b;
        quern_memory_sink memory;
        at("growth, pieces of", pieces[i], 0);
        bank_init(&b);
        bank_sink(&b, &memory, 0, 0);
        for (size_t position = 0; position < TEXT_SIZE; position += least(pieces[i], TEXT_SIZE - position))
            quern_sink_write(&memory.sink, text + position, least(pieces[i], TEXT_SIZE - position));
        CHECK(quern_sink_finish(&memory.sink) == QUERN_OK);
        CHECK(quern_memory_sink_view(&memory).length == TEXT_SIZE);
        CHECK(memcmp(quern_memory_sink_view(&memory).data, text, TEXT_SIZE) == 0);
        CHECK(b.calls <= 24);             /* doubling from 1 byte would take 21 */
        CHECK(b.largest < 4 * TEXT_SIZE); /* and not by more */
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);
    }
}
END_TEST

/* ---- memory: pages ------------------------------------------------------------------------------- */

/* Blocks of pages that nobody has touched; growing moves them. */
static void *pages_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    size_t *largest = context;
    if (new_size == 0) {
        if (block != NULL)
            munmap(block, old_size);
        return NULL;
    }
    if (new_size > *largest)
        *largest = new_size;
    void *fresh;
#ifdef MREMAP_MAYMOVE
    if (block != NULL) {
        fresh = mremap(block, old_size, new_size, MREMAP_MAYMOVE);
        return fresh == MAP_FAILED ? NULL : fresh;
    }
#endif
    fresh = mmap(NULL, new_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fresh == MAP_FAILED)
        return NULL;
#ifdef MADV_NOHUGEPAGE
    madvise(fresh, new_size, MADV_NOHUGEPAGE);
#endif
    if (block != NULL) {
        memcpy(fresh, block, least(old_size, new_size));
        munmap(block, old_size);
    }
    return fresh;
}

/* How many pages of the range are in memory. */
static size_t resident(unsigned char *start, unsigned char *end)
{
    static unsigned char map[65536];
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t skip = (page - (uintptr_t)start % page) % page, count = 0;
    if ((size_t)(end - start) <= skip)
        return 0;
    size_t pages = least(((size_t)(end - start) - skip) / page, sizeof map);
    if (pages == 0 || mincore(start + skip, pages * page, (void *)map) != 0)
        return 0;
    for (size_t i = 0; i < pages; i++)
        count += map[i] & 1;
    return count;
}

START_TEST(test_memory_touches_little)
{
    if (!open_variant(_i))
        return;
    enum { AHEAD = 65536, WHOLE = 32 << 20 };
    size_t largest = 0;
    unsigned char *probe = pages_resize(&largest, NULL, 0, WHOLE);
    ck_assert_ptr_nonnull(probe);
    bool works = resident(probe, probe + WHOLE) == 0;
    probe[WHOLE / 2] = 1;
    works = works && resident(probe, probe + WHOLE) == 1;
    pages_resize(&largest, probe, WHOLE, 0);
    if (!works) {
        printf("skipped: touched pages: mincore does not tell here\n");
        return;
    }
    for (size_t round = 0; round < 4; round++) {
        quern_allocator allocator = {pages_resize, &largest};
        quern_memory_sink memory;
        quern_memory_sink_options options = {.size = sizeof options, .allocator = &allocator};
        options.hint = round % 2 == 0 ? WHOLE : 0;
        largest = 0;
        quern_memory_sink_init(&memory, &options);
        size_t length = 0;
        for (size_t i = 0; i < 600; i++) {
            at("touched pages, round, written", round, length);
            size_t piece = round < 2 ? 100 : 5000;
            quern_sink_write(&memory.sink, text, piece);
            length += piece;
            CHECK(quern_sink_reserve(&memory.sink, QUERN_RESERVE) == QUERN_OK);
            if (i % 8 == 0) {
                quern_string view = quern_memory_sink_view(&memory);
                CHECK(view.length == length);
                unsigned char *start = (unsigned char *)(uintptr_t)view.data; /* only asked about */
                if (largest > length + AHEAD)
                    CHECK(resident(start + length + AHEAD, start + largest) == 0);
            }
        }
        CHECK(round % 2 != 0 || largest >= WHOLE);
        quern_memory_sink_free(&memory);
    }
}
END_TEST

#if HUGE_BLOCKS
/* Counts `length` bytes as written, without touching what is more than a window in the sink. */
static void claim(quern_sink *sink, uint64_t length)
{
    while (length > 0 && quern_sink_reserve(sink, 1) == QUERN_OK) {
        size_t room = (size_t)(sink->limit - sink->cursor);
        if (room > length)
            room = (size_t)length;
        if (room <= QUERN_RESERVE)
            memset(sink->cursor, 'x', room);
        sink->cursor += room;
        length -= room;
    }
}
#endif

/* Past every power of two where an int or a 32-bit length ends. */
START_TEST(test_memory_huge)
{
    if (!open_variant(_i))
        return;
#if HUGE_BLOCKS
    static const uint64_t totals[] = {UINT64_C(0x7fffffff), UINT64_C(0x80000000),  UINT64_C(0x80000001),
                                      UINT64_C(0xffffffff), UINT64_C(0x100000000), UINT64_C(0x100000010)};
    for (size_t i = 0; i < SUPPORT_COUNT(totals); i++) {
        for (size_t over = 0; over < 2; over++) {
            size_t largest = 0;
            quern_allocator allocator = {pages_resize, &largest};
            quern_memory_sink memory;
            quern_memory_sink_options options = {.size = sizeof options, .allocator = &allocator};
            options.limit = totals[i] + 20;
            at("huge, total", totals[i], over);
            quern_memory_sink_init(&memory, &options);
            claim(&memory.sink, totals[i]);
            if (quern_sink_status(&memory.sink) == QUERN_ERROR_MEMORY) {
                printf("skipped: %" PRIu64 " bytes: no such address space\n", totals[i]);
                quern_memory_sink_free(&memory);
                continue;
            }
            CHECK(quern_sink_total(&memory.sink) == totals[i]);
            CHECK(quern_sink_write(&memory.sink, text, 10) == QUERN_OK);
            quern_sink_write(&memory.sink, text + 10, 10 + over);
            CHECK(quern_sink_finish(&memory.sink) == (over == 0 ? QUERN_OK : QUERN_ERROR_LIMIT));
            quern_string view = quern_memory_sink_view(&memory);
            CHECK(view.length >= totals[i] + 10 && view.length <= totals[i] + 20);
            CHECK(over != 0 || view.length == totals[i] + 20);
            CHECK(memcmp(view.data + totals[i], text, view.length - totals[i]) == 0);
            CHECK(largest <= totals[i] + 20);
            quern_memory_sink_free(&memory);
        }
    }
#else
    printf("skipped: huge blocks: the address space is small\n");
#endif
}
END_TEST

/* ---- memory: allocations that fail --------------------------------------------------------------- */

/* Plays into a sink whose allocation number `n` fails; returns whether that number was reached. */
static bool failing_memory_case(const script *s, size_t hint, size_t n, bool fail_on, bool takes)
{
    bank b;
    quern_memory_sink memory;
    bank_init(&b);
    b.fail_at = n;
    b.fail_on = fail_on;
    bank_sink(&b, &memory, hint, 0);
    size_t position = 0, good = 0, calls = 0;
    for (size_t i = 0; i < s->count; i++) {
        take_step(&memory.sink, &s->steps[i], position);
        position += s->steps[i].length;
        if (quern_sink_status(&memory.sink) == QUERN_OK)
            good = position;
        else if (calls == 0)
            calls = b.calls;
    }
    quern_status status = quern_sink_finish(&memory.sink);
    bool reached = b.calls >= n;
    CHECK(status == (reached ? QUERN_ERROR_MEMORY : QUERN_OK));
    CHECK(!reached || calls == 0 || b.calls == calls); /* nothing is tried again */
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length >= good && (reached || view.length == s->total));
    CHECK(view.length == 0 || memcmp(view.data, text, view.length) == 0);
    CHECK(quern_sink_total(&memory.sink) == view.length);
    if (reached)
        check_latched(&memory.sink, QUERN_ERROR_MEMORY);
    if (takes) {
        size_t length = view.length;
        quern_memory_block block;
        /* Here the allocation that fails may also be the one that trims: then the block stays as it is. */
        CHECK(quern_memory_sink_take(&memory, &block) == status);
        CHECK(block.length == length && block.size >= length);
        CHECK((block.data == NULL) == (length == 0));
        CHECK(length == 0 || memcmp(block.data, text, length) == 0);
        if (block.data != NULL)
            bank_resize(&b, block.data, block.size, 0);
        reached = b.calls >= n;
    } else if (reached) {
        /* It works again once there is memory. */
        b.fail_at = 0;
        quern_memory_sink_reset(&memory);
        CHECK(quern_memory_sink_view(&memory).length == 0);
        play(&memory.sink, s);
        CHECK(quern_memory_sink_view(&memory).length == s->total);
        CHECK(memcmp(quern_memory_sink_view(&memory).data, text, s->total) == 0);
    }
    quern_memory_sink_free(&memory);
    CHECK(b.blocks == 0);
    return reached;
}

START_TEST(test_memory_allocation_fails)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("allocation");
    for (size_t round = 0; round < 120; round++) {
        if (support_thinned())
            continue;
        bool big = round % 20 == 0;
        make_script(&s, &random, 1 + support_random_below(&random, big ? TEXT_SIZE : 8000), big);
        size_t hint = round % 4 == 0 ? support_random_below(&random, 500) : 0;
        for (size_t how = 0; how < 4; how++) {
            bool reached = true;
            for (size_t n = 1; reached; n++) {
                at("allocation fails, round, number", round * 4 + how, n);
                reached = failing_memory_case(&s, hint, n, how % 2 == 1, how >= 2);
                *fault_points += reached;
            }
        }
    }
}
END_TEST

/* ---- sizes --------------------------------------------------------------------------------------- */

static const uint64_t sizes[] = {SIZE_MAX,
                                 SIZE_MAX - 1,
                                 SIZE_MAX - 8,
                                 SIZE_MAX - 63,
                                 SIZE_MAX - 64,
                                 SIZE_MAX - QUERN_RESERVE - QUERN_SLACK,
                                 SIZE_MAX / 2 + 2,
                                 SIZE_MAX / 2 + 1,
                                 PTRDIFF_MAX,
                                 PTRDIFF_MAX - 1,
                                 PTRDIFF_MAX - 63,
                                 PTRDIFF_MAX - 64,
                                 UINT64_C(0x7fffffff),
                                 UINT64_C(0x80000000),
                                 UINT64_C(0x80000001),
                                 UINT64_C(0xffffffff),
                                 UINT64_C(0x100000000),
                                 UINT64_C(0x100000001),
                                 UINT64_C(0x100000010)};

/* Whether it is a size_t here, and the last one of its kind that can be the size of an object. */
static bool size_fits(uint64_t size)
{
    return size <= SIZE_MAX;
}

/*
 * Nothing can be read at `end`. A length beyond PTRDIFF_MAX must not be looked at at all; one that merely finds no
 * memory may have its first bytes stored, so there the first page can be read.
 */
static void memory_size_case(size_t size, size_t before, unsigned char *end)
{
    bank b;
    quern_memory_sink memory;
    bank_init(&b);
    b.refuse = 1 << 20;
    bank_sink(&b, &memory, 0, 0);
    quern_sink_write(&memory.sink, text, before);
    size_t calls = b.calls;
    bool object = size <= PTRDIFF_MAX;
    unsigned char *source = object && before > 0 ? end - 4096 : end;
    memcpy(source, text + before, (size_t)(end - source));
    quern_status status = quern_sink_write(&memory.sink, source, size);
    CHECK(status == QUERN_ERROR_LIMIT || (object && status == QUERN_ERROR_MEMORY));
    CHECK(object || b.calls == calls);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length >= before && (object || view.length == before));
    CHECK(view.length == 0 || memcmp(view.data, text, view.length) == 0);
    CHECK(quern_sink_total(&memory.sink) == view.length);
    check_latched(&memory.sink, status);
    quern_memory_sink_reset(&memory);

    /* A window of that size. */
    quern_sink_write(&memory.sink, text, before);
    calls = b.calls;
    status = quern_sink_reserve(&memory.sink, size);
    CHECK(status == QUERN_ERROR_LIMIT || (object && status == QUERN_ERROR_MEMORY));
    CHECK(object || b.calls == calls);
    CHECK(quern_sink_status(&memory.sink) == (status == QUERN_ERROR_LIMIT ? QUERN_OK : status));
    CHECK(quern_memory_sink_view(&memory).length == before);
    CHECK(before == 0 || memcmp(quern_memory_sink_view(&memory).data, text, before) == 0);
    quern_memory_sink_reset(&memory);
    quern_memory_sink_free(&memory);

    /* A hint and a limit of that size. */
    for (size_t i = 0; i < 2; i++) {
        bank_sink(&b, &memory, i == 0 ? size : 0, size);
        status = quern_sink_write(&memory.sink, text, 100);
        CHECK(status == QUERN_OK || (i == 0 && (status == QUERN_ERROR_MEMORY || status == QUERN_ERROR_LIMIT)));
        CHECK(quern_memory_sink_view(&memory).length == (status == QUERN_OK ? 100 : 0));
        quern_memory_sink_free(&memory);
    }
    bank_sink(&b, &memory, size, 0);
    status = quern_sink_write(&memory.sink, text, 100);
    CHECK(status == QUERN_OK || status == QUERN_ERROR_MEMORY || status == QUERN_ERROR_LIMIT);
    quern_memory_sink_free(&memory);
    bank_sink(&b, &memory, size, 1000);
    CHECK(quern_sink_write(&memory.sink, text, 1000) == QUERN_OK);
    quern_memory_sink_free(&memory);
    CHECK(b.blocks == 0);
}

/* Only the bytes that have room are read. */
static void fixed_size_case(size_t size, size_t room, size_t before, unsigned char *end)
{
    unsigned char array[256];
    quern_fixed_sink fixed;
    bool object = size <= PTRDIFF_MAX;
    memset(array, CANARY_BYTE, sizeof array);
    quern_fixed_sink_init(&fixed, room == 0 ? NULL : array, room);
    quern_sink_write(&fixed.sink, text, before);
    size_t readable = object ? room - before : 0;
    memcpy(end - readable, text + before, readable);
    quern_sink_write(&fixed.sink, end - readable, size);
    CHECK(quern_sink_flush(&fixed.sink) == (object ? QUERN_ERROR_ROOM : QUERN_ERROR_LIMIT));
    size_t kept = object ? room : before;
    CHECK(memcmp(array, text, kept) == 0);
    CHECK(array[kept] == CANARY_BYTE || kept < room);
    CHECK(quern_sink_total(&fixed.sink) == kept);
    if (object) {
        CHECK(quern_fixed_sink_needed(&fixed) == (uint64_t)before + size);
        quern_sink_write(&fixed.sink, end, size);
        write_direct(&fixed.sink, 10, 0, 10);
        CHECK(quern_fixed_sink_needed(&fixed) == (uint64_t)before + 2 * (uint64_t)size + 10);
    }
    CHECK(quern_sink_finish(&fixed.sink) == (object ? QUERN_ERROR_ROOM : QUERN_ERROR_LIMIT));

    quern_fixed_sink_init(&fixed, room == 0 ? NULL : array, room);
    CHECK(quern_sink_reserve(&fixed.sink, size) == QUERN_ERROR_LIMIT);
    CHECK(quern_sink_finish(&fixed.sink) == QUERN_OK);
}

static void callback_size_case(size_t size, size_t room, size_t before, const unsigned char *end)
{
    unsigned char buffer[256];
    quern_callback_sink callback;
    target t = {.manner = TAKE_ALL, .blind = true};
    bool object = size <= PTRDIFF_MAX;
    quern_callback_sink_init(&callback, target_write, &t, room == 0 ? NULL : buffer, room);
    quern_sink_write(&callback.sink, text, before);
    /* A buffer may be filled up before the rest goes out uncopied. */
    quern_status status = quern_sink_write(&callback.sink, object ? end - 4096 : end, size);
    CHECK(status == (object ? QUERN_OK : QUERN_ERROR_LIMIT));
    CHECK(quern_sink_finish(&callback.sink) == status);
    CHECK(quern_sink_total(&callback.sink) == t.arrived);
    CHECK(!object || t.arrived == before + size);
    CHECK(object || t.arrived <= before);

    quern_callback_sink_init(&callback, target_write, &t, room == 0 ? NULL : buffer, room);
    CHECK(quern_sink_reserve(&callback.sink, size) == QUERN_ERROR_LIMIT);
    CHECK(quern_sink_finish(&callback.sink) == QUERN_OK);
}

START_TEST(test_sizes)
{
    if (!open_variant(_i))
        return;
    support_guarded guarded = support_guarded_new(8192);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    for (size_t i = 0; i < SUPPORT_COUNT(sizes); i++) {
        if (!size_fits(sizes[i]))
            continue;
        size_t size = (size_t)sizes[i];
        for (size_t before = 0; before <= 200; before += 50) {
            at("size, memory, behind", size, before);
            memory_size_case(size, before, end);
            for (size_t room = before; room < 256; room += 85) {
                at("size, fixed, behind", size, before);
                fixed_size_case(size, room, before, end);
                at("size, callback, behind", size, before);
                callback_size_case(size, room, before, end);
            }
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

/* ---- callbacks ----------------------------------------------------------------------------------- */

static bool failing_callback_case(const script *s, unsigned char *end, size_t size, manner how, fault what, size_t n)
{
    quern_callback_sink callback;
    target t = {.manner = how, .fault = what, .fail_at = n, .random = support_random_named("failing")};
    quern_callback_sink_init(&callback, target_write, &t, size == 0 ? NULL : end - size, size);
    size_t position = 0;
    for (size_t i = 0; i < s->count; i++) {
        take_step(&callback.sink, &s->steps[i], position);
        position += s->steps[i].length;
        CHECK(quern_sink_status(&callback.sink) == (t.failed ? QUERN_ERROR_IO : QUERN_OK));
        CHECK(quern_sink_total(&callback.sink) == (t.failed ? t.arrived : position));
    }
    quern_status status = quern_sink_finish(&callback.sink);
    CHECK(status == (t.failed ? QUERN_ERROR_IO : QUERN_OK));
    CHECK(quern_sink_total(&callback.sink) == t.arrived);
    CHECK(t.failed || t.arrived == s->total);
    if (t.failed)
        check_latched(&callback.sink, QUERN_ERROR_IO);
    CHECK(!t.failed || t.calls == n);
    return t.failed;
}

/* The target itself checks that it is not called again and that the bytes are a prefix of the text. */
START_TEST(test_callback_fails)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("callback");
    support_guarded guarded = support_guarded_new(8192);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    for (size_t i = 0; i < SUPPORT_COUNT(buffer_sizes); i++) {
        for (size_t round = 0; round < (size_t)MANNERS * FAULTS; round++) {
            if (support_thinned())
                continue;
            manner how = (manner)(round % MANNERS);
            size_t most = how == TAKE_ONE ? 250 : 1500;
            make_script(&s, &random, 1 + support_random_below(&random, most), false);
            bool reached = true;
            for (size_t n = 1; reached; n++) {
                at("callback fails, buffer, call", buffer_sizes[i], n);
                reached = failing_callback_case(&s, end, buffer_sizes[i], how, (fault)(round / MANNERS), n);
                *fault_points += reached;
            }
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

START_TEST(test_callback_uncopied)
{
    if (!open_variant(_i))
        return;
    for (size_t i = 0; i < SUPPORT_COUNT(buffer_sizes); i++) {
        unsigned char buffer[4096];
        quern_callback_sink callback;
        target t = {.manner = TAKE_ALL};
        at("uncopied, buffer", buffer_sizes[i], 0);
        quern_callback_sink_init(&callback, target_write, &t, buffer, buffer_sizes[i]);
        CHECK(quern_sink_write(&callback.sink, text, 50) == QUERN_OK);
        CHECK(quern_sink_write(&callback.sink, text + 50, 200000) == QUERN_OK);
        CHECK(quern_sink_write(&callback.sink, text + 200050, 50) == QUERN_OK);
        CHECK(quern_sink_finish(&callback.sink) == QUERN_OK);
        CHECK(t.arrived == 200100);
        CHECK(t.uncopied >= 200000 - 2 * buffer_sizes[i] - QUERN_RESERVE);
        CHECK(t.calls <= 8);
    }
}
END_TEST

/* ---- FILE ---------------------------------------------------------------------------------------- */

#ifdef HAVE_COOKIES
/*
 * The C library drops its buffer when the stream refuses it, and may then take bytes again: whoever goes on after
 * a short fwrite leaves a gap.
 */
static bool failing_file_case(const script *s, size_t size, size_t stdio, manner how, size_t n)
{
    unsigned char buffer[4096];
    static char stdio_buffer[4096];
    quern_callback_sink sink;
    target t = {.manner = how, .fail_at = n, .forgives = true, .random = support_random_named("file")};
    FILE *file = target_file(&t);
    setvbuf(file, stdio == 0 ? NULL : stdio_buffer, stdio == 0 ? _IONBF : _IOFBF, stdio);
    quern_file_sink_init(&sink, file, buffer, size);
    size_t position = 0;
    for (size_t i = 0; i < s->count; i++) {
        take_step(&sink.sink, &s->steps[i], position);
        position += s->steps[i].length;
    }
    errno = 0;
    quern_status before = quern_sink_status(&sink.sink);
    quern_status status = quern_sink_finish(&sink.sink);
    CHECK(status == QUERN_OK || status == QUERN_ERROR_IO);
    CHECK(!t.failed || status == QUERN_ERROR_IO);
    CHECK(!t.failed || before != QUERN_OK || errno == EIO); /* as the target left it */
    CHECK(status != QUERN_OK || t.arrived == s->total);
    CHECK(how != TAKE_ALL || t.failed || status == QUERN_OK);
    CHECK(quern_sink_finish(&sink.sink) == status);
    bool reached = t.failed;
    t.blind = true; /* what fclose still does is not the sink's doing */
    t.fail_at = 0;
    fclose(file);
    return reached;
}
#endif

START_TEST(test_file_fails)
{
    if (!open_variant(_i))
        return;
#ifdef HAVE_COOKIES
    static const size_t stdio_sizes[] = {0, 16, 100, 1024, 4096};
    static script s;
    support_random random = support_random_named("file fails");
    for (size_t i = 0; i < SUPPORT_COUNT(buffer_sizes) * SUPPORT_COUNT(stdio_sizes); i++) {
        for (size_t how = 0; how < MANNERS; how++) {
            if (support_thinned())
                continue;
            size_t size = buffer_sizes[i / SUPPORT_COUNT(stdio_sizes)];
            size_t stdio = stdio_sizes[i % SUPPORT_COUNT(stdio_sizes)];
            make_script(&s, &random, 1 + support_random_below(&random, how == TAKE_ONE ? 200 : 2500), false);
            bool reached = true;
            for (size_t n = 1; reached; n++) {
                at("FILE fails, buffer, call", size, n);
                reached = failing_file_case(&s, size, stdio, (manner)how, n);
                *fault_points += reached;
            }
        }
    }
#else
    printf("skipped: FILE faults: no fopencookie\n");
#endif
}
END_TEST

START_TEST(test_file_size_limit)
{
    if (!open_variant(_i))
        return;
    enum { MOST = 65536 };
    for (size_t size = 0; size <= 4096; size += 1024) {
        static unsigned char back[2 * MOST];
        unsigned char buffer[4096];
        struct rlimit old, limit;
        at("RLIMIT_FSIZE, buffer", size, 0);
        FILE *file = tmpfile();
        ck_assert_ptr_nonnull(file);
        fflush(stdout);
        void (*old_handler)(int) = signal(SIGXFSZ, SIG_IGN);
        ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
        limit = old;
        limit.rlim_cur = MOST;
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);

        quern_callback_sink sink;
        quern_file_sink_init(&sink, file, buffer, size);
        quern_status status = QUERN_OK;
        int error = 0;
        for (size_t position = 0; position < 1 << 18 && status == QUERN_OK; position += 1000) {
            errno = 0;
            status = quern_sink_write(&sink.sink, text + position, 1000);
            error = errno;
        }
        if (status == QUERN_OK) {
            errno = 0;
            status = quern_sink_finish(&sink.sink);
            error = errno;
        }
        quern_status last = quern_sink_finish(&sink.sink);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
        signal(SIGXFSZ, old_handler);

        CHECK(status == QUERN_ERROR_IO && last == QUERN_ERROR_IO);
        CHECK(error == EFBIG);
        ck_assert_int_eq(fseek(file, 0, SEEK_SET), 0);
        size_t length = fread(back, 1, sizeof back, file);
        CHECK(length <= MOST && memcmp(back, text, length) == 0);
        fclose(file);
        *fault_points += 1;
    }
}
END_TEST

/* ---- a sink of one's own ------------------------------------------------------------------------- */

enum { AREA = 1024 };

typedef struct chain {
    unsigned char areas[2][AREA];
    size_t which;
    unsigned char *block; /* the one given last */
    size_t room;
    size_t taken;
    size_t most; /* bytes that it has room for in all */
    size_t calls;
    size_t fail_at;
    size_t flushes;
    bool writes;  /* has a write function */
    bool clamped; /* has said that there is no more room */
    bool failed;
    quern_status full;
    support_random random;
} chain;

/* Nothing but the block may have been written; then the next one cannot be told from the rest. */
static void chain_check(chain *c, size_t used)
{
    CHECK(used <= c->room);
    CHECK(used <= TEXT_SIZE - c->taken);
    if (used > 0)
        CHECK(memcmp(c->block, text + c->taken, used) == 0);
    for (size_t a = 0; a < 2; a++) {
        for (size_t i = 0; i < AREA; i++) {
            unsigned char *byte = &c->areas[a][i];
            if (*byte != CANARY_BYTE)
                CHECK(c->block != NULL && byte >= c->block && byte < c->block + c->room);
        }
    }
    memset(c->areas, CANARY_BYTE, sizeof c->areas);
}

static quern_status chain_next(void *context, size_t *used, size_t wanted, uint8_t **block, size_t *room)
{
    chain *c = context;
    CHECK(!c->failed);
    chain_check(c, *used);
    c->calls++;
    if (c->calls == c->fail_at) {
        c->failed = true;
        *used = support_random_below(&c->random, *used + 1);
        c->taken += *used;
        c->block = NULL;
        c->room = 0;
        *block = NULL;
        *room = 0;
        return QUERN_ERROR_IO;
    }
    c->taken += *used;
    size_t rest = c->room - *used;
    if (rest > 0 && support_random_below(&c->random, 2) == 0) {
        c->block += *used; /* where the first one ended */
        c->room = rest;
    } else if (wanted == 0 && support_random_below(&c->random, 2) == 0) {
        c->block = NULL;
        c->room = 0;
    } else {
        size_t longest = support_random_below(&c->random, 2) == 0 ? 20 : 400;
        c->room = (c->writes ? 0 : 1) + support_random_below(&c->random, longest);
        c->which = support_random_below(&c->random, 2);
        c->block = c->areas[c->which] + support_random_below(&c->random, AREA - c->room + 1);
    }
    bool last = c->room >= c->most - c->taken;
    if (last)
        c->room = c->most - c->taken;
    *block = c->block;
    *room = c->room;
    return last && c->room < wanted ? c->full : QUERN_OK;
}

static quern_status chain_write(void *context, const void *data, size_t *length)
{
    chain *c = context;
    CHECK(!c->failed);
    CHECK(*length > c->room);
    CHECK(*length <= TEXT_SIZE - c->taken);
    CHECK(memcmp(data, text + c->taken, *length) == 0);
    chain_check(c, 0);
    c->calls++;
    if (c->calls == c->fail_at) {
        c->failed = true;
        *length = support_random_below(&c->random, *length + 1);
        c->taken += *length;
        return QUERN_ERROR_IO;
    }
    bool last = *length > c->most - c->taken;
    if (last)
        *length = c->most - c->taken;
    c->taken += *length;
    /* The block may have to be the shorter for it. */
    c->room = least(c->room, c->most - c->taken);
    return last ? c->full : QUERN_OK;
}

static quern_status chain_flush(void *context)
{
    chain *c = context;
    CHECK(!c->failed);
    c->calls++;
    c->flushes++;
    if (c->calls == c->fail_at) {
        c->failed = true;
        return QUERN_ERROR_IO;
    }
    return QUERN_OK;
}

static void chain_init(chain *c, const char *name, size_t round)
{
    memset(c, 0, sizeof *c);
    memset(c->areas, CANARY_BYTE, sizeof c->areas);
    c->most = SIZE_MAX / 2;
    c->full = QUERN_ERROR_ROOM;
    c->random = support_random_named(name);
    c->random.state += round;
}

static quern_sink_ops chain_ops(bool writes, bool flushes)
{
    quern_sink_ops ops = {sizeof ops, chain_next, writes ? chain_write : NULL, flushes ? chain_flush : NULL};
    return ops;
}

START_TEST(test_own_sink)
{
    if (!open_variant(_i))
        return;
    static script s;
    static chain c;
    support_random random = support_random_named("own");
    for (size_t round = 0; round < 600; round++) {
        if (support_thinned())
            continue;
        bool big = round % 50 == 0;
        make_script(&s, &random, support_random_below(&random, big ? 100000 : 3000), big);
        at("own sink, round", round, s.total);
        quern_sink_ops ops = chain_ops(round % 2 == 0, round % 3 != 0);
        quern_sink sink;
        chain_init(&c, "chain", round);
        c.writes = ops.write != NULL;
        quern_sink_init(&sink, &ops, &c);
        CHECK(c.calls == 0 || c.taken == 0);
        size_t position = 0, flushes = 0;
        for (size_t i = 0; i < s.count; i++) {
            take_step(&sink, &s.steps[i], position);
            position += s.steps[i].length;
            CHECK(quern_sink_total(&sink) == position);
            if (support_random_below(&random, 16) == 0) {
                CHECK(quern_sink_flush(&sink) == QUERN_OK);
                CHECK(c.taken == position);
                flushes++;
                CHECK(ops.flush == NULL || c.flushes == flushes);
            }
        }
        CHECK(quern_sink_finish(&sink) == QUERN_OK);
        CHECK(c.taken == s.total && quern_sink_total(&sink) == s.total);
        CHECK(ops.flush == NULL || c.flushes == flushes + 1);
        size_t calls = c.calls;
        CHECK(quern_sink_finish(&sink) == QUERN_OK);
        CHECK(c.calls == calls && quern_sink_total(&sink) == s.total);
    }
}
END_TEST

START_TEST(test_own_sink_fails)
{
    if (!open_variant(_i))
        return;
    static script s;
    static chain c;
    support_random random = support_random_named("own fails");
    for (size_t round = 0; round < 60; round++) {
        if (support_thinned())
            continue;
        make_script(&s, &random, 1 + support_random_below(&random, 1500), false);
        quern_sink_ops ops = chain_ops(round % 2 == 0, true);
        bool reached = true;
        for (size_t n = 1; reached; n++) {
            at("own sink fails, round, call", round, n);
            quern_sink sink;
            chain_init(&c, "chain fails", round);
            c.writes = ops.write != NULL;
            c.fail_at = n;
            quern_sink_init(&sink, &ops, &c);
            size_t position = 0;
            for (size_t i = 0; i < s.count; i++) {
                take_step(&sink, &s.steps[i], position);
                position += s.steps[i].length;
                CHECK(quern_sink_status(&sink) == (c.failed ? QUERN_ERROR_IO : QUERN_OK));
            }
            quern_status status = quern_sink_finish(&sink);
            reached = c.failed;
            CHECK(status == (reached ? QUERN_ERROR_IO : QUERN_OK));
            CHECK(quern_sink_total(&sink) == c.taken);
            CHECK(reached || c.taken == s.total);
            if (reached)
                check_latched(&sink, QUERN_ERROR_IO);
            *fault_points += reached;
        }
    }
}
END_TEST

/* A back end that ends somewhere: exactly so many bytes succeed, and no failure counts before one byte more. */
START_TEST(test_own_sink_full)
{
    if (!open_variant(_i))
        return;
    static script s;
    static chain c;
    support_random random = support_random_named("own full");
    for (size_t round = 0; round < 3000; round++) {
        if (support_thinned())
            continue;
        size_t most = support_random_below(&random, 700);
        size_t total = round % 3 == 0 ? most : round % 3 == 1 ? most + 1 : most + support_random_below(&random, 400);
        make_script(&s, &random, total, false);
        at("own sink is full, room, total", most, total);
        quern_sink_ops ops = chain_ops(round % 2 == 0, round % 4 < 2);
        quern_sink sink;
        chain_init(&c, "chain full", round);
        c.writes = ops.write != NULL;
        c.most = most;
        c.full = round % 5 == 0 ? QUERN_ERROR_LIMIT : QUERN_ERROR_ROOM;
        quern_sink_init(&sink, &ops, &c);
        size_t position = 0, good = 0;
        for (size_t i = 0; i < s.count; i++) {
            take_step(&sink, &s.steps[i], position);
            position += s.steps[i].length;
            CHECK(position > most || quern_sink_status(&sink) == QUERN_OK);
            if (position <= most)
                good = position;
        }
        CHECK(quern_sink_finish(&sink) == (total <= most ? QUERN_OK : c.full));
        CHECK(c.taken >= good && c.taken <= most);
        CHECK(quern_sink_total(&sink) == c.taken);
        if (total > most) {
            check_latched(&sink, c.full);
            *fault_points += 1;
        }
    }
}
END_TEST

/* ---- faults that other projects had -------------------------------------------------------------- */

/* valkey-io/valkey PR #1785: six times the string's length was reserved up front. */
START_TEST(test_B039_plain_text_needs_no_sixfold_room)
{
    if (!open_variant(_i))
        return;
    enum { LENGTH = 64 << 20 };
    char *plain = support_allocate(LENGTH);
    memset(plain, 'a', LENGTH);
    at("64 MiB", LENGTH, 0);
    quern_memory_sink memory;
    quern_memory_sink_options options = {.size = sizeof options, .limit = 100 << 20};
    quern_memory_sink_init(&memory, &options);
    quern_json_writer writer;
    quern_json_writer_init(&writer, &memory.sink, NULL);
    quern_json_write_string(&writer, plain, LENGTH);
    CHECK(quern_json_writer_finish(&writer) == QUERN_OK);
    CHECK(quern_sink_finish(&memory.sink) == QUERN_OK);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length == (size_t)LENGTH + 2);
    CHECK(view.data[0] == '"' && view.data[LENGTH + 1] == '"' && memcmp(view.data + 1, plain, LENGTH) == 0);
    quern_memory_sink_free(&memory);
    free(plain);
}
END_TEST

static quern_status refused_write(size_t before, size_t length)
{
    bank b;
    quern_memory_sink memory;
    support_guarded guarded = support_guarded_new(4096);
    bank_init(&b);
    b.refuse = 1 << 20;
    bank_sink(&b, &memory, 0, 0);
    quern_sink_write(&memory.sink, text, before);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    unsigned char *source = before == 0 || length > PTRDIFF_MAX ? end : guarded.start;
    memcpy(source, text + before, (size_t)(end - source));
    quern_status status = quern_sink_write(&memory.sink, source, length);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length >= before);
    CHECK(view.length == 0 || memcmp(view.data, text, view.length) == 0);
    CHECK(quern_sink_finish(&memory.sink) == status);
    quern_memory_sink_free(&memory);
    CHECK(b.blocks == 0);
    support_guarded_free(&guarded);
    return status;
}

static void check_too_large(quern_status status)
{
    CHECK(status == QUERN_ERROR_LIMIT || status == QUERN_ERROR_MEMORY);
}

/* openresty/lua-cjson PR #94 (CVE-2022-24834): sizes in an int. */
START_TEST(test_B040_six_times_a_length)
{
    if (!open_variant(_i))
        return;
    const uint64_t product = UINT64_C(0x2AAAAAAB) * 6;
    at("B040", 0, 0);
    check_too_large(refused_write(0, 0x2AAAAAAB));
    if (size_fits(product)) {
        check_too_large(refused_write(0, (size_t)product));
        check_too_large(refused_write(100, (size_t)product));
    }
    check_too_large(refused_write(100, (size_t)(product & UINT32_MAX) + (1 << 20)));
}
END_TEST

/* simdjson/simdjson PR #1312: length + padding wrapped. */
START_TEST(test_B086_reserve_near_the_largest_size)
{
    if (!open_variant(_i))
        return;
    bank b;
    quern_memory_sink memory;
    bank_init(&b);
    bank_sink(&b, &memory, 0, 0);
    for (size_t less = 0; less <= 256; less++) {
        at("B086", less, 0);
        CHECK(quern_sink_reserve(&memory.sink, SIZE_MAX - less) == QUERN_ERROR_LIMIT);
        CHECK(quern_sink_status(&memory.sink) == QUERN_OK);
    }
    CHECK(b.calls == 0);
    CHECK(quern_sink_write(&memory.sink, text, 100) == QUERN_OK);
    CHECK(quern_sink_reserve(&memory.sink, SIZE_MAX - 8) == QUERN_ERROR_LIMIT);
    CHECK(quern_sink_write(&memory.sink, text + 100, 100) == QUERN_OK);
    CHECK(memcmp(quern_memory_sink_view(&memory).data, text, 200) == 0);
    quern_memory_sink_free(&memory);
    CHECK(b.blocks == 0);
}
END_TEST

/* brianmario/yajl-ruby issue #205: 0 << 1 for ever. */
START_TEST(test_B089_first_allocation_fails)
{
    if (!open_variant(_i))
        return;
    bank b;
    quern_memory_sink memory;
    at("B089", 0, 0);
    bank_init(&b);
    b.fail_at = 1;
    bank_sink(&b, &memory, 0, 0);
    CHECK(quern_sink_write(&memory.sink, text, 100) == QUERN_ERROR_MEMORY);
    CHECK(quern_sink_write(&memory.sink, text, 1) == QUERN_ERROR_MEMORY);
    CHECK(b.calls == 1);
    check_latched(&memory.sink, QUERN_ERROR_MEMORY);
    CHECK(quern_memory_sink_view(&memory).length == 0);
    quern_memory_sink_free(&memory);
}
END_TEST

/* jqlang/jq CVE-2026-32316: (length + added) * 2 wrapped an int. */
START_TEST(test_B110_length_and_added_twice)
{
    if (!open_variant(_i))
        return;
    at("B110", 0, 0);
    check_too_large(refused_write(0, 0x60000000));
    check_too_large(refused_write(1000, 0x20000000));
#if HUGE_BLOCKS
    size_t largest = 0;
    quern_allocator allocator = {pages_resize, &largest};
    quern_memory_sink_options options = {.size = sizeof options, .allocator = &allocator, .limit = 0x80000000};
    quern_memory_sink memory;
    quern_memory_sink_init(&memory, &options);
    claim(&memory.sink, 0x60000000);
    CHECK(quern_sink_total(&memory.sink) == 0x60000000);
    claim(&memory.sink, 0x20000000);
    CHECK(quern_sink_total(&memory.sink) == 0x80000000);
    CHECK(quern_sink_flush(&memory.sink) == QUERN_OK);
    quern_sink_write(&memory.sink, text, 1);
    CHECK(quern_sink_finish(&memory.sink) == QUERN_ERROR_LIMIT);
    CHECK(quern_memory_sink_view(&memory).length == 0x80000000);
    CHECK(largest <= 0x80000000);
    quern_memory_sink_free(&memory);
#endif
}
END_TEST

/* json-c/json-c CVE-2013-6370: 0x100000010 put in an int is 16. */
START_TEST(test_B111_length_past_32_bits)
{
    if (!open_variant(_i))
        return;
#if SIZE_MAX > UINT32_MAX
    const size_t length = 0x100000010;
    support_guarded guarded = support_guarded_new(8192);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    at("B111", length, 0);
    check_too_large(refused_write(0, length));
    check_too_large(refused_write(64, length));
    memory_size_case(length, 10, end);
    fixed_size_case(length, 0, 0, end);
    fixed_size_case(length, 100, 10, end);
    callback_size_case(length, 0, 0, end);
    callback_size_case(length, 64, 10, end);
    support_guarded_free(&guarded);
#else
    printf("skipped: B111: lengths are of 32 bits\n");
#endif
}
END_TEST

/* json-c/json-c CVE-2020-12762 (PR #592): position + size + 1 near 2 GiB. */
START_TEST(test_B116_total_near_2_GiB)
{
    if (!open_variant(_i))
        return;
#if HUGE_BLOCKS
    size_t largest = 0;
    quern_allocator allocator = {pages_resize, &largest};
    quern_memory_sink_options options = {.size = sizeof options, .allocator = &allocator, .limit = 0x7fffffff};
    quern_memory_sink memory;
    at("B116", 0, 0);
    quern_memory_sink_init(&memory, &options);
    claim(&memory.sink, 0x7fffffff - 10);
    CHECK(quern_sink_write(&memory.sink, text, 10) == QUERN_OK);
    CHECK(quern_sink_flush(&memory.sink) == QUERN_OK);
    quern_sink_write(&memory.sink, text, 10);
    CHECK(quern_sink_finish(&memory.sink) == QUERN_ERROR_LIMIT);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length == 0x7fffffff && memcmp(view.data + view.length - 10, text, 10) == 0);
    CHECK(largest <= 0x7fffffff);
    quern_memory_sink_free(&memory);
#else
    printf("skipped: B116: the address space is small\n");
#endif
}
END_TEST

#if HUGE_BLOCKS
/* Gives pages until a block would be longer than 2 GiB. */
static void *stingy_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    return new_size > 0x80000000 ? NULL : pages_resize(context, block, old_size, new_size);
}
#endif

/* brianmario/yajl-ruby CVE-2022-24795 (PR #211): twice 0x80000000 is 0. */
START_TEST(test_B117_doubling_past_2_GiB)
{
    if (!open_variant(_i))
        return;
#if HUGE_BLOCKS
    size_t largest = 0;
    quern_allocator allocator = {stingy_resize, &largest};
    quern_memory_sink_options options = {.size = sizeof options, .allocator = &allocator, .hint = 0x80000000};
    quern_memory_sink memory;
    at("B117", 0, 0);
    quern_memory_sink_init(&memory, &options);
    while (quern_sink_status(&memory.sink) == QUERN_OK)
        claim(&memory.sink, 1 << 20);
    CHECK(quern_sink_finish(&memory.sink) == QUERN_ERROR_MEMORY);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length > 0x7ff00000 && view.length <= 0x80000000);
    CHECK(view.data[view.length - 1] == 0 || view.data[view.length - 1] == 'x'); /* the block is still there */
    quern_memory_sink_free(&memory);
#else
    printf("skipped: B117: the address space is small\n");
#endif
}
END_TEST

/* CESNET/libyang PR #1348: grown by one step, not until it fits. */
START_TEST(test_B118_write_much_longer_than_the_block)
{
    if (!open_variant(_i))
        return;
    for (size_t before = 0; before <= 16; before += 8) {
        bank b;
        quern_memory_sink memory;
        at("B118", before, 0);
        bank_init(&b);
        bank_sink(&b, &memory, 16, 0);
        quern_sink_write(&memory.sink, text, before);
        CHECK(quern_sink_write(&memory.sink, text + before, 4096) == QUERN_OK);
        CHECK(quern_memory_sink_view(&memory).length == before + 4096);
        CHECK(memcmp(quern_memory_sink_view(&memory).data, text, before + 4096) == 0);
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);
    }
}
END_TEST

/* DaveGamble/cJSON issues #189 (NULL + offset written after a failed realloc) and #267 (the old block lost). */
START_TEST(test_B119_B120_growth_fails)
{
    if (!open_variant(_i))
        return;
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        bank b;
        quern_memory_sink memory;
        size_t position = 0;
        at("B119, growth", n, 0);
        bank_init(&b);
        b.fail_at = n;
        bank_sink(&b, &memory, 0, 0);
        while (position < 100000 && quern_sink_write(&memory.sink, text + position, 100) == QUERN_OK)
            position += 100;
        failed = position < 100000;
        CHECK(quern_sink_finish(&memory.sink) == (failed ? QUERN_ERROR_MEMORY : QUERN_OK));
        quern_string view = quern_memory_sink_view(&memory);
        CHECK(view.length >= position && view.length <= position + 100);
        CHECK(view.length == 0 || memcmp(view.data, text, view.length) == 0);
        CHECK(b.blocks == (view.length > 0 ? 1 : 0) || (n == 1 && b.blocks == 0));
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);
        *fault_points += failed;
    }
}
END_TEST

/* ibireme/yyjson PR #268: SIZE_MAX + 1 is 0. */
START_TEST(test_B124_write_of_the_largest_size)
{
    if (!open_variant(_i))
        return;
    at("B124", 0, 0);
    CHECK(refused_write(0, SIZE_MAX) == QUERN_ERROR_LIMIT);
    CHECK(refused_write(64, SIZE_MAX) == QUERN_ERROR_LIMIT);
    CHECK(refused_write(0, SIZE_MAX - 1) == QUERN_ERROR_LIMIT);
}
END_TEST

/* json-c/json-c 0.16: a failed append inside a formatted write was told as success. A sink has no seek. */
START_TEST(test_B126_failed_append_is_told)
{
    if (!open_variant(_i))
        return;
    static char controls[5000];
    memset(controls, 1, sizeof controls);
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        bank b;
        quern_memory_sink memory;
        quern_json_writer writer;
        at("B126, allocation", n, 0);
        bank_init(&b);
        b.fail_at = n;
        bank_sink(&b, &memory, 0, 0);
        quern_json_writer_init(&writer, &memory.sink, NULL);
        quern_json_write_string(&writer, controls, sizeof controls);
        failed = b.calls >= n;
        CHECK(quern_json_writer_finish(&writer) == (failed ? QUERN_ERROR_MEMORY : QUERN_OK));
        CHECK(quern_sink_finish(&memory.sink) == (failed ? QUERN_ERROR_MEMORY : QUERN_OK));
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);
        *fault_points += failed;
    }
}
END_TEST

/* DaveGamble/cJSON issue #132, PR #494: five bytes more than the text were needed. */
START_TEST(test_B129_array_of_the_right_size)
{
    if (!open_variant(_i))
        return;
    static const char expected[] = "[\"abc\"]";
    support_guarded guarded = support_guarded_new(64);
    for (size_t size = 0; size <= 10; size++) {
        unsigned char *data = support_guarded_tail(&guarded, size);
        quern_fixed_sink fixed;
        quern_json_writer writer;
        at("B129, size", size, 0);
        quern_fixed_sink_init(&fixed, data, size);
        quern_json_writer_init(&writer, &fixed.sink, NULL);
        quern_json_begin_array(&writer);
        quern_json_write_string(&writer, "abc", 3);
        quern_json_end(&writer);
        CHECK(quern_json_writer_finish(&writer) == (size >= 7 ? QUERN_OK : QUERN_ERROR_ROOM));
        CHECK(quern_sink_finish(&fixed.sink) == (size >= 7 ? QUERN_OK : QUERN_ERROR_ROOM));
        CHECK(quern_fixed_sink_needed(&fixed) == 7);
        CHECK(memcmp(data, expected, least(size, 7)) == 0);
    }
    support_guarded_free(&guarded);
}
END_TEST

/* DaveGamble/cJSON issue #230: one byte past an array that is exactly full. */
START_TEST(test_B130_every_kind_into_every_size)
{
    if (!open_variant(_i))
        return;
    static const char *const expected[] = {"null",       "true",        "false", "\"\"",
                                           "\"a\\\"b\"", "\"\\u0001\"", "[]",    "[null]"};
    for (size_t kind = 0; kind < SUPPORT_COUNT(expected); kind++) {
        size_t needed = strlen(expected[kind]);
        for (size_t size = 0; size <= needed + 1; size++) {
            for (size_t align = 0; align < 64; align++) {
                unsigned char *data = support_target(size, align);
                quern_fixed_sink fixed;
                quern_json_writer writer;
                at("B130, kind, size", kind, size);
                quern_fixed_sink_init(&fixed, data, size);
                quern_json_writer_init(&writer, &fixed.sink, NULL);
                switch (kind) {
                case 0: quern_json_write_null(&writer); break;
                case 1: quern_json_write_bool(&writer, true); break;
                case 2: quern_json_write_bool(&writer, false); break;
                case 3: quern_json_write_string(&writer, NULL, 0); break;
                case 4: quern_json_write_string(&writer, "a\"b", 3); break;
                case 5: quern_json_write_string(&writer, "\1", 1); break;
                default:
                    quern_json_begin_array(&writer);
                    if (kind == 7)
                        quern_json_write_null(&writer);
                    quern_json_end(&writer);
                }
                quern_status status = quern_json_writer_finish(&writer);
                CHECK(status == (size >= needed ? QUERN_OK : QUERN_ERROR_ROOM));
                CHECK(quern_fixed_sink_needed(&fixed) == needed);
                CHECK(quern_sink_finish(&fixed.sink) == status);
                CHECK(memcmp(data, expected[kind], least(size, needed)) == 0);
                CHECK(support_target_fault(false) == NULL);
            }
        }
    }
}
END_TEST

/* akheron/jansson PR #359: success although the disk was full. */
START_TEST(test_B132_full_device)
{
    if (!open_variant(_i))
        return;
    static const size_t totals[] = {1, 100, 5000, TEXT_SIZE};
    for (size_t i = 0; i < SUPPORT_COUNT(totals); i++) {
        for (size_t size = 0; size <= 65536; size = size == 0 ? 64 : size * 32) {
            static unsigned char buffer[65536];
            at("B132, total, buffer", totals[i], size);
            FILE *file = fopen("/dev/full", "wb");
            if (file == NULL) {
                printf("skipped: B132: no /dev/full\n");
                return;
            }
            quern_callback_sink sink;
            quern_file_sink_init(&sink, file, buffer, size);
            quern_status status = QUERN_OK;
            int error = 0;
            for (size_t position = 0; position < totals[i] && status == QUERN_OK; position += 4096) {
                errno = 0;
                status = quern_sink_write(&sink.sink, text + position, least(4096, totals[i] - position));
                error = errno;
            }
            if (status == QUERN_OK) {
                errno = 0;
                status = i % 2 == 0 ? quern_sink_finish(&sink.sink) : quern_sink_flush(&sink.sink);
                error = errno;
            }
            CHECK(status == QUERN_ERROR_IO);
            CHECK(error == ENOSPC);
            CHECK(quern_sink_finish(&sink.sink) == QUERN_ERROR_IO);
            fclose(file);
            *fault_points += 1;
        }
    }
}
END_TEST

/* icing/mod_md PR #7: the text was cut, and nobody could tell. */
START_TEST(test_B140_callback_fails_in_the_middle)
{
    if (!open_variant(_i))
        return;
    unsigned char buffer[256];
    quern_callback_sink callback;
    target t = {.fail_at = 3, .fault = FAULT_MINUS_ONE};
    at("B140", 0, 0);
    quern_callback_sink_init(&callback, target_write, &t, buffer, sizeof buffer);
    for (size_t position = 0; position < 2000; position += 50)
        quern_sink_write(&callback.sink, text + position, 50);
    CHECK(quern_sink_finish(&callback.sink) == QUERN_ERROR_IO);
    CHECK(t.calls == 3 && t.arrived > 0);
    CHECK(quern_sink_total(&callback.sink) == t.arrived);
    *fault_points += 1;
}
END_TEST

static ptrdiff_t answer; /* of the next call; -2: what is there */

static ptrdiff_t answering_write(void *context, const void *data, size_t length)
{
    (void)data;
    size_t *calls = context;
    ++*calls;
    ptrdiff_t given = answer;
    answer = -2;
    return given == -2 ? (ptrdiff_t)length : given;
}

/* circonus-labs/libmtev PR #626: a callback that could not tell an error. Fewer bytes: go on; else: a failure. */
START_TEST(test_B141_what_a_callback_returns)
{
    if (!open_variant(_i))
        return;
    static const struct {
        ptrdiff_t answer;
        quern_status status;
        uint64_t total;
        size_t calls;
    } cases[] = {
        {1, QUERN_OK, 10, 2},       {9, QUERN_OK, 10, 2},
        {10, QUERN_OK, 10, 1},      {0, QUERN_ERROR_IO, 0, 1},
        {-1, QUERN_ERROR_IO, 0, 1}, {PTRDIFF_MIN, QUERN_ERROR_IO, 0, 1},
        {11, QUERN_ERROR_IO, 0, 1}, {PTRDIFF_MAX, QUERN_ERROR_IO, 0, 1},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(cases); i++) {
        unsigned char buffer[256];
        quern_callback_sink callback;
        size_t calls = 0;
        at("B141", i, 0);
        answer = cases[i].answer;
        quern_callback_sink_init(&callback, answering_write, &calls, buffer, sizeof buffer);
        quern_sink_write(&callback.sink, text, 10);
        CHECK(quern_sink_finish(&callback.sink) == cases[i].status);
        CHECK(quern_sink_total(&callback.sink) == cases[i].total);
        CHECK(calls == cases[i].calls);
    }
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------- */

#define ADD(test) tcase_add_loop_test(tcase, test, 0, support_variants() - 1) /* without the public functions */

int main(void)
{
    Suite *suite = suite_create("sink");
    TCase *tcase = tcase_create("all sinks");
    tcase_set_timeout(tcase, 120);
    ADD(test_all_sinks_agree);
    ADD(test_failures_latch);
    ADD(test_finish);
    ADD(test_reserve_long);
    ADD(test_sizes);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("fixed");
    tcase_set_timeout(tcase, 120);
    ADD(test_fixed_every_size);
    ADD(test_fixed_alignments);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("memory");
    tcase_set_timeout(tcase, 120);
    ADD(test_memory_view);
    ADD(test_memory_take);
    ADD(test_memory_reuse);
    ADD(test_memory_hint);
    ADD(test_memory_limit);
    ADD(test_memory_growth);
    ADD(test_memory_touches_little);
    ADD(test_memory_huge);
    ADD(test_memory_allocation_fails);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("callback and FILE");
    tcase_set_timeout(tcase, 120);
    ADD(test_callback_fails);
    ADD(test_callback_uncopied);
    ADD(test_file_fails);
    ADD(test_file_size_limit);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("own");
    tcase_set_timeout(tcase, 120);
    ADD(test_own_sink);
    ADD(test_own_sink_fails);
    ADD(test_own_sink_full);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("bug reports");
    tcase_set_timeout(tcase, 120);
    ADD(test_B039_plain_text_needs_no_sixfold_room);
    ADD(test_B040_six_times_a_length);
    ADD(test_B086_reserve_near_the_largest_size);
    ADD(test_B089_first_allocation_fails);
    ADD(test_B110_length_and_added_twice);
    ADD(test_B111_length_past_32_bits);
    ADD(test_B116_total_near_2_GiB);
    ADD(test_B117_doubling_past_2_GiB);
    ADD(test_B118_write_much_longer_than_the_block);
    ADD(test_B119_B120_growth_fails);
    ADD(test_B124_write_of_the_largest_size);
    ADD(test_B126_failed_append_is_told);
    ADD(test_B129_array_of_the_right_size);
    ADD(test_B130_every_kind_into_every_size);
    ADD(test_B132_full_device);
    ADD(test_B140_callback_fails_in_the_middle);
    ADD(test_B141_what_a_callback_returns);
    suite_add_tcase(suite, tcase);

    support_random random = support_random_named("text");
    for (size_t i = 0; i < TEXT_SIZE; i++)
        text[i] = (unsigned char)support_random_next(&random);
    void *map = mmap(NULL, sizeof *fault_points, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return EXIT_FAILURE;
    fault_points = map;
    int result = support_main(suite);
    printf("fault points: %" PRIu64 "\n", *fault_points);
    return result;
}
