/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* fopencookie, mremap */
#endif
#include "support/sinks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

unsigned char text[TEXT_SIZE];

/* ---- the allocators ------------------------------------------------------------------------------ */

enum { BANK_HEAD = 16, BANK_CANARY = 64 };

void *bank_resize(void *context, void *block, size_t old_size, size_t new_size)
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

void bank_init(bank *b)
{
    memset(b, 0, sizeof *b);
    b->allocator.resize = bank_resize;
    b->allocator.context = b;
}

void bank_sink(bank *b, quern_memory_sink *memory, size_t hint, size_t limit)
{
    quern_memory_sink_options options = {sizeof options, &b->allocator, hint, limit};
    quern_memory_sink_init(memory, &options);
    memset(&options, 0xee, sizeof options); /* not needed any more */
}

void *pages_resize(void *context, void *block, size_t old_size, size_t new_size)
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

/* ---- scripts of writes --------------------------------------------------------------------------- */

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

void make_script(script *s, support_random *random, size_t total, bool big)
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

void write_direct(quern_sink *sink, size_t asked, size_t position, size_t length)
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

void take_step(quern_sink *sink, const step *s, size_t position)
{
    if (s->direct) {
        write_direct(sink, s->asked, position, s->length);
    } else {
        quern_status status = quern_sink_write(sink, text + position, s->length);
        CHECK(status == quern_sink_status(sink));
    }
    CHECK(sink->cursor <= sink->limit);
}

void play(quern_sink *sink, const script *s)
{
    size_t position = 0;
    for (size_t i = 0; i < s->count; i++) {
        take_step(sink, &s->steps[i], position);
        position += s->steps[i].length;
        CHECK(quern_sink_total(sink) == position);
    }
    CHECK(quern_sink_status(sink) == QUERN_OK);
}

void check_latched(quern_sink *sink, quern_status failure)
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

/* ---- targets ------------------------------------------------------------------------------------- */

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

ptrdiff_t target_write(void *context, const void *data, size_t length)
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

#ifdef HAVE_COOKIES
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

FILE *target_file(target *t)
{
    cookie_io_functions_t functions = {NULL, target_cookie, NULL, NULL};
    FILE *file = fopencookie(t, "w", functions);
    ck_assert_ptr_nonnull(file);
    return file;
}
#endif

/* ---- the suite ----------------------------------------------------------------------------------- */

int run_sink_suite(Suite *suite)
{
    support_random random = support_random_named("text");
    for (size_t i = 0; i < TEXT_SIZE; i++)
        text[i] = (unsigned char)support_random_next(&random);
    return run_suite(suite);
}
