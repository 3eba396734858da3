/* SPDX-License-Identifier: MIT */
/*
 * The CBOR writer against an independent encoder: random items, plain and deterministic, on every sink, with
 * allocations and writes that fail; and the vectors of the IETF's working group.
 */
#include "reference/cbor.h"
#include "support/checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 4000, MOST_BYTES = 1 << 17 };

static cbor_item items[MOST_ITEMS];
static size_t used;
static unsigned char model[MOST_BYTES];
static size_t model_length;
static unsigned char pool[1024];

static const quern_cbor_writer_options plain = {.size = sizeof plain, .nan = QUERN_CBOR_NAN_KEEP};
static const quern_cbor_writer_options deterministic = {.size = sizeof plain, .deterministic = true};

/* ---- trees to calls -------------------------------------------------------------------------------- */

static void write_float(quern_cbor_writer *w, const cbor_item *item)
{
    double wide;
    float single;
    const uint32_t bits = (uint32_t)item->number;
    memcpy(&wide, &item->number, sizeof wide);
    memcpy(&single, &bits, sizeof single);
    if (item->width == 16)
        quern_cbor_write_half(w, (uint16_t)item->number);
    else if (item->width == 32)
        quern_cbor_write_float(w, single);
    else
        quern_cbor_write_double(w, wide);
}

static void write_item(quern_cbor_writer *w, const cbor_item *item)
{
    const uint64_t count = item->unknown ? QUERN_UNKNOWN : item->length;
    switch (item->major) {
    case 0: quern_cbor_write_uint(w, item->number); return;
    case 1: quern_cbor_write_negative(w, item->number); return;
    case 2:
    case 3:
        if (!item->unknown) {
            if (item->major == 2)
                quern_cbor_write_bytes(w, item->data, item->length);
            else
                quern_cbor_write_string(w, (const char *)item->data, item->length);
            return;
        }
        (item->major == 2 ? quern_cbor_begin_bytes : quern_cbor_begin_string)(w, QUERN_UNKNOWN);
        for (const cbor_item *i = item->first; i; i = i->next)
            quern_cbor_write_part(w, i->data, i->length);
        quern_cbor_end_string(w);
        return;
    case 6: quern_cbor_write_tag(w, item->number); break;
    case 7:
        if (item->width)
            write_float(w, item);
        else
            quern_cbor_write_simple(w, (unsigned)item->number);
        return;
    default: (item->major == 4 ? quern_cbor_begin_array : quern_cbor_begin_map)(w, count);
    }
    for (const cbor_item *i = item->first; i; i = i->next)
        write_item(w, i);
    if (item->major != 6)
        quern_cbor_end(w);
}

static quern_status write_root(quern_sink *sink, const quern_cbor_writer_options *options)
{
    quern_cbor_writer w;
    quern_cbor_writer_init(&w, sink, options);
    write_item(&w, &items[0]);
    return quern_cbor_writer_finish(&w);
}

/* ---- random items ---------------------------------------------------------------------------------- */

static void random_float(support_random *random, cbor_item *item)
{
    double value;
    uint64_t bits = support_random_next(random);
    switch (support_random_below(random, 3)) {
    case 0: bits &= ~UINT64_C(0) << 42; break;
    case 1: bits &= ~UINT64_C(0) << 29; break;
    default: break;
    }
    if (support_random_below(random, 2)) /* near the formats' limits */
        bits = (bits & ~(UINT64_C(0x7FF) << 52)) | (1023 - 30 + support_random_below(random, 60)) << 52;
    memcpy(&value, &bits, sizeof value);
    if (value != value)
        value = 1.5;
    reference_cbor_shortest(item, value);
}

static cbor_item *random_item(support_random *random, size_t depth, bool chunks)
{
    cbor_item *item = &items[used++];
    *item = (cbor_item){.major = (unsigned)support_random_below(random, 8)};
    if ((depth == 0 || used > MOST_ITEMS - 700) && item->major >= 4 && item->major <= 6)
        item->major -= 4;
    item->number = support_random_next(random) >> support_random_below(random, 64);
    size_t children = 0;
    switch (item->major) {
    case 2:
    case 3:
        item->unknown = chunks && support_random_below(random, 4) == 0;
        item->length = support_random_below(random, support_random_below(random, 8) ? 20 : 300);
        item->data = pool + support_random_below(random, 128);
        if (item->unknown) {
            cbor_item **link = &item->first;
            for (size_t n = support_random_below(random, 4); n > 0; n--) {
                cbor_item *chunk = &items[used++];
                *chunk = (cbor_item){.major = item->major, .data = pool, .length = support_random_below(random, 30)};
                *link = chunk;
                link = &chunk->next;
            }
        }
        return item;
    case 4:
    case 5:
        item->unknown = support_random_below(random, 3) == 0;
        children = support_random_below(random, support_random_below(random, 6) ? 5 : 40);
        item->length = children;
        if (item->major == 5)
            children *= 2;
        break;
    case 6: children = 1; break;
    case 7:
        if (support_random_below(random, 2)) {
            random_float(random, item);
        } else {
            item->number %= 256;
            if (item->number >= 24 && item->number < 32)
                item->number = 20;
        }
        break;
    default: break;
    }
    cbor_item **link = &item->first;
    for (; children > 0; children--) {
        cbor_item *child = random_item(random, depth - 1, chunks);
        *link = child;
        link = &child->next;
    }
    return item;
}

static void random_root(support_random *random, bool sorted)
{
    do {
        used = 0;
        random_item(random, 1 + support_random_below(random, 6), !sorted);
        model_length = reference_cbor_encode(model, &items[0], sorted);
    } while (model_length > 20000);
}

static void fill_pool(void)
{
    for (size_t i = 0; i < sizeof pool; i++)
        pool[i] = (unsigned char)(' ' + i * 7 % 90);
}

/* ---- tests ----------------------------------------------------------------------------------------- */

/* An allocator whose `fail_at`th request fails, and all after it. */
typedef struct bank {
    size_t calls, fail_at, blocks;
} bank;

static void *bank_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    bank *b = context;
    (void)old_size;
    if (new_size == 0) {
        b->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    if (b->fail_at && ++b->calls >= b->fail_at)
        return NULL;
    b->blocks += block == NULL;
    return realloc(block, new_size);
}

START_TEST(random_items)
{
    if (!open_variant(_i))
        return;
    fill_pool();
    support_random random = support_random_named("cbor random items");
    size_t duplicates = 0;
    for (size_t round = 0; round < 20000; round++) {
        if (support_thinned())
            continue;
        const bool sorted = round % 2;
        at("random item", round, 0);
        random_root(&random, sorted);
        quern_memory_sink memory;
        quern_memory_sink_init(&memory, NULL);
        const quern_status status = write_root(&memory.sink, sorted ? &deterministic : &plain);
        const quern_string view = quern_memory_sink_view(&memory);
        duplicates += model_length == 0;
        CHECK(status == (model_length ? QUERN_OK : QUERN_ERROR_DUPLICATE));
        CHECK(model_length == 0 || (view.length == model_length && memcmp(view.data, model, model_length) == 0));
        quern_memory_sink_free(&memory);
    }
    CHECK(duplicates > 0);
}
END_TEST

static unsigned char arrived[MOST_BYTES];
static size_t arrived_length, writes, fail_write;

static ptrdiff_t collect(void *context, const void *data, size_t length)
{
    (void)context;
    if (fail_write && ++writes >= fail_write)
        return -1;
    memcpy(arrived + arrived_length, data, length);
    arrived_length += length;
    return (ptrdiff_t)length;
}

START_TEST(every_sink)
{
    if (!open_variant(_i))
        return;
    fill_pool();
    support_random random = support_random_named("cbor sinks");
    static unsigned char buffer[30000];
    for (size_t round = 0; round < 300; round++) {
        if (support_thinned())
            continue;
        const bool sorted = round % 2;
        const quern_cbor_writer_options *options = sorted ? &deterministic : &plain;
        do
            random_root(&random, sorted);
        while (model_length == 0 || model_length > 3000);
        for (size_t size = 0; size <= model_length + 1; size += size < 200 ? 1 : 17) {
            at("fixed sink", round, size);
            quern_fixed_sink fixed;
            memset(buffer, 0x5c, size + 64);
            quern_fixed_sink_init(&fixed, size ? buffer : NULL, size);
            CHECK(write_root(&fixed.sink, options) == (size >= model_length ? QUERN_OK : QUERN_ERROR_ROOM));
            CHECK(quern_fixed_sink_needed(&fixed) == model_length);
            CHECK(sorted && size < model_length ? true : memcmp(buffer, model, least(size, model_length)) == 0);
            CHECK(buffer[size] == 0x5c && buffer[size + 63] == 0x5c);
        }
        for (size_t size = 0; size < 200; size += 37) {
            bool failed = true;
            for (fail_write = 0; failed; fail_write++) {
                at("callback sink", size, fail_write);
                quern_callback_sink callback;
                arrived_length = writes = 0;
                quern_callback_sink_init(&callback, collect, NULL, buffer, size);
                const quern_status status = write_root(&callback.sink, options);
                failed = status == QUERN_ERROR_IO || fail_write == 0;
                CHECK(status == QUERN_OK || status == QUERN_ERROR_IO);
                CHECK(fail_write || status == QUERN_OK);
                CHECK(memcmp(arrived, model, arrived_length) == 0 &&
                      (status != QUERN_OK || arrived_length == model_length));
                CHECK(quern_sink_finish(&callback.sink) == status);
                *fault_points += status == QUERN_ERROR_IO;
            }
        }
    }
}
END_TEST

START_TEST(allocations)
{
    if (!open_variant(_i))
        return;
    fill_pool();
    support_random random = support_random_named("cbor allocations");
    for (size_t round = 0; round < 300; round++) {
        if (support_thinned())
            continue;
        do
            random_root(&random, true);
        while (model_length == 0);
        bool failed = true;
        for (size_t n = 0; failed; n++) {
            at("allocation", round, n);
            bank b = {.fail_at = n};
            const quern_allocator allocator = {bank_resize, &b};
            quern_cbor_writer_options options = deterministic;
            options.allocator = &allocator;
            quern_memory_sink memory;
            quern_memory_sink_options memory_options = {.size = sizeof memory_options, .allocator = &allocator};
            quern_memory_sink_init(&memory, &memory_options);
            const quern_status status = write_root(&memory.sink, &options);
            failed = status == QUERN_ERROR_MEMORY || n == 0;
            CHECK(status == QUERN_OK || status == QUERN_ERROR_MEMORY);
            CHECK(n || status == QUERN_OK);
            const quern_string view = quern_memory_sink_view(&memory);
            CHECK(status != QUERN_OK || (view.length == model_length && memcmp(view.data, model, model_length) == 0));
            CHECK(view.length == 0 || memcmp(view.data, model, view.length) == 0);
            quern_memory_sink_free(&memory);
            CHECK(b.blocks == 0);
            *fault_points += status == QUERN_ERROR_MEMORY;
        }
    }
}
END_TEST

START_TEST(keys_in_order)
{
    if (!open_variant(_i))
        return;
    at("RFC 8949 4.2.1", 0, 0);
    /* The section's own example: 10, 100, -1, "z", "aa", [100], [-1], false. */
    static const unsigned char wanted[] = "\xa8\x0a\0\x18\x64\0\x20\0\x61z\0\x62"
                                          "aa\0\x81\x18\x64\0\x81\x20\0\xf4";
    static const unsigned orders[][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {7, 6, 5, 4, 3, 2, 1, 0}, {3, 7, 1, 5, 0, 2, 6, 4}};
    for (size_t o = 0; o < SUPPORT_COUNT(orders); o++) {
        quern_memory_sink memory;
        quern_cbor_writer w;
        quern_memory_sink_init(&memory, NULL);
        quern_cbor_writer_init(&w, &memory.sink, &deterministic);
        quern_cbor_begin_map(&w, o ? 8 : QUERN_UNKNOWN);
        for (size_t i = 0; i < 8; i++) {
            switch (orders[o][i]) {
            case 0: quern_cbor_write_uint(&w, 10); break;
            case 1: quern_cbor_write_uint(&w, 100); break;
            case 2: quern_cbor_write_int(&w, -1); break;
            case 3: quern_cbor_write_key(&w, "z", 1); break;
            case 4: quern_cbor_write_key(&w, "aa", 2); break;
            case 5:
                quern_cbor_begin_array(&w, 1);
                quern_cbor_write_uint(&w, 100);
                quern_cbor_end(&w);
                break;
            case 6:
                quern_cbor_begin_array(&w, QUERN_UNKNOWN);
                quern_cbor_write_int(&w, -1);
                quern_cbor_end(&w);
                break;
            default: quern_cbor_write_bool(&w, false); break;
            }
            quern_cbor_write_uint(&w, 0);
        }
        quern_cbor_end(&w);
        CHECK(quern_cbor_writer_finish(&w) == QUERN_OK);
        const quern_string view = quern_memory_sink_view(&memory);
        CHECK(view.length == sizeof wanted && memcmp(view.data, wanted, sizeof wanted - 1) == 0);
        CHECK(view.data[view.length - 1] == 0);
        quern_memory_sink_free(&memory);
    }
}
END_TEST

START_TEST(working_group_vectors)
{
    if (!open_variant(_i))
        return;
    size_t length, rows = 0;
    char *file = (char *)support_data("cbor_wg/vectors.tsv", &length);
    if (file == NULL)
        return;
    char *line = file;
    for (size_t number = 1; *line; number++) {
        char *fields[6] = {line, "", "", "", "", ""}, *end = line + strcspn(line, "\n");
        for (size_t i = 1; i < 6; i++) {
            char *tab = fields[i - 1] + strcspn(fields[i - 1], "\t\n");
            if (*tab != '\t')
                break;
            fields[i] = tab + 1;
        }
        line = *end ? end + 1 : end;
        /* (Those that are "de-streamed" come out of a writer that is told so with the same bytes too.) */
        if (strncmp(fields[3], "accept\t", 7) != 0 ||
            (strncmp(fields[4], "true\t", 5) != 0 && strncmp(fields[4], "false, # decoded version is de-", 31) != 0))
            continue;
        at("vector, line", number, 0);
        static unsigned char bytes[4096];
        const size_t digits = strcspn(fields[2], "\t");
        const size_t size = support_hex(bytes, sizeof bytes, fields[2], digits);
        bool end_mark;
        used = 0;
        CHECK(reference_cbor_decode(bytes, items, &used, MOST_ITEMS, &end_mark) == bytes + size);
        quern_memory_sink memory;
        quern_memory_sink_init(&memory, NULL);
        CHECK(write_root(&memory.sink, &plain) == QUERN_OK);
        const quern_string view = quern_memory_sink_view(&memory);
        CHECK(view.length == size && memcmp(view.data, bytes, view.length) == 0);
        quern_memory_sink_free(&memory);
        rows++;
    }
    free(file);
    printf("vectors of the working group: %zu\n", rows);
    CHECK(rows == 704);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cbor_model");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 600);
    ADD(random_items);
    ADD(every_sink);
    ADD(allocations);
    ADD(keys_in_order);
    ADD(working_group_vectors);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
