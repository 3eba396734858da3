/* SPDX-License-Identifier: MIT */
/* The iovec sink, and what is referenced: by it, by the JSON writer, by a back end of one's own. */
#include "support/sinks.h"

#include <quern/cbor.h>
#include <quern/json.h>
#include <quern/posix.h>

#include <string.h>

static unsigned char back[TEXT_SIZE];

/* Takes out the next segments, all or some of them. Returns the bytes that have arrived by then. */
static size_t take_out(quern_iovec_sink *v, size_t arrived, support_random *random)
{
    struct iovec *segments;
    size_t count;
    quern_iovec_sink_view(v, &segments, &count);
    CHECK(count <= 1024);
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        CHECK(segments[i].iov_len > 0 && segments[i].iov_len <= sizeof back - arrived - length);
        memcpy(back + arrived + length, segments[i].iov_base, segments[i].iov_len);
        length += segments[i].iov_len;
    }
    if (random != NULL && length > 0)
        length = 1 + support_random_below(random, length);
    quern_iovec_sink_consume(v, length);
    return arrived + length;
}

static size_t take_out_all(quern_iovec_sink *v, size_t arrived)
{
    for (size_t before = arrived + 1; before != arrived;) {
        before = arrived;
        arrived = take_out(v, arrived, NULL);
    }
    return arrived;
}

START_TEST(test_iovec)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("iovec");
    for (size_t round = 0; round < 300; round++) {
        if (support_thinned())
            continue;
        bank b;
        bank_init(&b);
        quern_iovec_sink v;
        quern_iovec_sink_options options = {.size = sizeof options, .allocator = &b.allocator};
        options.threshold = round % 4 == 0 ? 0 : 1 + support_random_below(&random, 300);
        options.block_size = round % 3 == 0 ? 0 : 1 + support_random_below(&random, 500);
        quern_iovec_sink_init(&v, &options);
        for (size_t use = 0; use < 3; use++) {
            const bool big = round % 16 == 0, at_once = round % 2 == 0;
            size_t calls = b.calls;
            if (use < 2) /* the last one is the same again */
                make_script(&s, &random, support_random_below(&random, big ? TEXT_SIZE : 20000), big);
            at("iovec, round, total", round, s.total);
            support_random same = support_random_named("use");
            size_t position = 0, arrived = 0;
            for (size_t i = 0; i < s.count; i++) {
                if (i % 3 == 0)
                    CHECK(quern_sink_write_ref(&v.sink, text + position, s.steps[i].length) == QUERN_OK);
                else
                    take_step(&v.sink, &s.steps[i], position);
                position += s.steps[i].length;
                CHECK(quern_sink_total(&v.sink) == position);
                if (!at_once && support_random_below(&same, 16) == 0) {
                    arrived = take_out(&v, arrived, &same);
                    CHECK(memcmp(back, text, arrived) == 0);
                }
            }
            CHECK(quern_sink_finish(&v.sink) == QUERN_OK);
            CHECK(take_out_all(&v, arrived) == s.total);
            CHECK(memcmp(back, text, s.total) == 0);
            CHECK(quern_sink_total(&v.sink) == s.total && quern_sink_pending(&v.sink) == 0);
            CHECK(use < 2 || b.calls == calls); /* all memory is there already */
            quern_iovec_sink_reset(&v);
        }
        quern_iovec_sink_free(&v);
        quern_iovec_sink_free(&v);
        CHECK(b.blocks == 0);
    }
}
END_TEST

/* From the threshold on it is the caller's own bytes, unless a mark is open; in pieces that one call takes. */
START_TEST(test_referenced)
{
    if (!open_variant(_i))
        return;
    struct iovec *segments;
    size_t count;
    for (size_t length = QUERN_UNCOPIED - 1; length <= QUERN_UNCOPIED + 1; length++) {
        quern_iovec_sink v;
        quern_mark mark;
        at("referenced, length", length, 0);
        quern_iovec_sink_init(&v, NULL);
        quern_sink_write(&v.sink, text, 10);
        quern_sink_write_ref(&v.sink, text + 10, length);
        CHECK(quern_iovec_sink_view(&v, &segments, &count) == QUERN_OK && count >= 1);
        const bool refers = count >= 2 && segments[1].iov_base == text + 10;
        CHECK(refers == (length >= QUERN_UNCOPIED));
        quern_iovec_sink_reset(&v);
        quern_sink_mark(&v.sink, &mark);
        quern_sink_write_ref(&v.sink, text, length);
        quern_sink_release(&v.sink, &mark);
        quern_sink_write(&v.sink, text + length, 5);
        CHECK(quern_iovec_sink_view(&v, &segments, &count) == QUERN_OK && count >= 1);
        CHECK(segments[0].iov_base != text);
        CHECK(take_out_all(&v, 0) == length + 5 && memcmp(back, text, length + 5) == 0);
        /* Freed and reset while a mark holds something. */
        quern_sink_mark(&v.sink, &mark);
        quern_sink_write(&v.sink, text, 10000);
        quern_iovec_sink_reset(&v);
        CHECK(quern_sink_total(&v.sink) == 0 && take_out_all(&v, 0) == 0);
        CHECK(quern_sink_rollback(&v.sink, &mark) == QUERN_ERROR_MISUSE);
        quern_iovec_sink_free(&v);
    }
    bank b;
    bank_init(&b);
    quern_iovec_sink v;
    quern_iovec_sink_options options = {.size = sizeof options, .threshold = 1};
    at("long windows", 0, 0);
    quern_iovec_sink_init(&v, NULL);
    for (size_t use = 1; use < 5; use++) {
        quern_sink_write(&v.sink, text, 3000);
        CHECK(quern_sink_reserve(&v.sink, use * 10000) == QUERN_OK);
        quern_iovec_sink_reset(&v);
    }
    quern_iovec_sink_free(&v);
    at("reset while a mark holds", 0, 0);
    quern_iovec_sink_init(&v, NULL);
    quern_sink_set_hold(&v.sink, &b.allocator, 0);
    quern_mark mark;
    quern_sink_mark(&v.sink, &mark);
    quern_sink_write(&v.sink, text, 10000);
    CHECK(b.blocks == 1);
    quern_iovec_sink_reset(&v);
    CHECK(b.blocks == 0);
    quern_iovec_sink_free(&v);
    at("pieces", 0, 0);
    quern_iovec_sink_init(&v, &options);
    for (size_t i = 0; i < 5000; i++) {
        quern_sink_write_ref(&v.sink, text + i * 10, 5);
        quern_sink_write(&v.sink, text + i * 10 + 5, 5);
    }
    CHECK(quern_iovec_sink_view(&v, &segments, &count) == QUERN_OK && count > 1 && count <= 1024);
    CHECK(segments[2].iov_base == text + 10);
    CHECK(take_out_all(&v, 0) == 50000 && memcmp(back, text, 50000) == 0);
    quern_iovec_sink_free(&v);
}
END_TEST

static size_t alive; /* bytes */

static void *counting_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    void *fresh = bank_resize(context, block, old_size, new_size);
    if (fresh != NULL || new_size == 0)
        alive += new_size - old_size;
    return fresh;
}

START_TEST(test_iovec_fails)
{
    if (!open_variant(_i))
        return;
    static script s;
    support_random random = support_random_named("iovec fails");
    for (size_t round = 0; round < 120; round++) {
        if (support_thinned())
            continue;
        make_script(&s, &random, 1 + support_random_below(&random, 30000), false);
        const bool limited = round % 2 == 0;
        const size_t size = support_random_below(&random, 300), first = limited ? 1 + round * 90 : 1;
        bool failed = true;
        for (size_t n = first; failed && (!limited || n < first + 2000); n += limited ? 97 : 1) {
            bank b;
            at("iovec fails, round, number", round, n);
            bank_init(&b);
            b.fail_at = limited ? 0 : n;
            b.fail_on = round % 4 == 1;
            quern_iovec_sink v;
            quern_iovec_sink_options options = {.size = sizeof options, .allocator = &b.allocator, .block_size = size};
            options.threshold = 200;
            b.allocator.resize = counting_resize;
            alive = 0;
            options.limit = limited ? n : 0;
            quern_iovec_sink_init(&v, &options);
            size_t position = 0;
            for (size_t i = 0; i < s.count; i++) {
                if (i % 3 == 0)
                    quern_sink_write_ref(&v.sink, text + position, s.steps[i].length);
                else
                    take_step(&v.sink, &s.steps[i], position);
                position += s.steps[i].length;
                CHECK(!limited || alive <= n);
            }
            const quern_status status = quern_sink_finish(&v.sink);
            failed = status != QUERN_OK;
            CHECK(!failed || status == (limited ? QUERN_ERROR_LIMIT : QUERN_ERROR_MEMORY));
            CHECK(limited || failed == (b.calls >= n));
            if (failed) {
                check_latched(&v.sink, status);
                ++*fault_points;
            }
            const size_t arrived = take_out_all(&v, 0);
            CHECK(arrived == quern_sink_total(&v.sink) && memcmp(back, text, arrived) == 0);
            CHECK(failed || arrived == s.total);
            quern_iovec_sink_free(&v);
            CHECK(b.blocks == 0);
        }
    }
}
END_TEST

/* ---- use after use ------------------------------------------------------------------------------- */

START_TEST(test_reuse)
{
    if (!open_variant(_i))
        return;
    bank b;
    quern_iovec_sink v;
    quern_iovec_sink_options options = {.size = sizeof options, .allocator = &b.allocator};
    at("outputs that grow", 0, 0);
    bank_init(&b);
    quern_iovec_sink_init(&v, &options);
    for (size_t length = 5000; length < 5100; length++) {
        CHECK(quern_sink_write(&v.sink, text, length) == QUERN_OK);
        quern_iovec_sink_reset(&v);
        CHECK(b.blocks <= 2); /* one for the segments */
    }
    at("a small output after a long one", 0, 0);
    CHECK(quern_sink_write(&v.sink, text, TEXT_SIZE) == QUERN_OK && b.largest == TEXT_SIZE + 2 * sizeof(void *));
    b.largest = 0;
    CHECK(quern_sink_write(&v.sink, text, 1) == QUERN_OK && quern_sink_finish(&v.sink) == QUERN_OK);
    CHECK(b.largest > 0 && b.largest < TEXT_SIZE / 2);
    quern_iovec_sink_free(&v);
    CHECK(b.blocks == 0);

    at("a limit that suffices", 0, 0);
    options.limit = 120000;
    quern_iovec_sink_init(&v, &options);
    CHECK(quern_sink_write(&v.sink, text, 10) == QUERN_OK && quern_sink_write(&v.sink, text, 100000) == QUERN_OK);
    quern_iovec_sink_reset(&v);
    CHECK(quern_sink_write(&v.sink, text, 100000) == QUERN_OK && quern_sink_finish(&v.sink) == QUERN_OK);
    CHECK(take_out_all(&v, 0) == 100000 && memcmp(back, text, 100000) == 0);
    quern_iovec_sink_free(&v);

    at("where marks hold", 0, 0);
    quern_mark mark;
    options.limit = 0;
    bank holds;
    bank_init(&holds);
    quern_iovec_sink_init(&v, &options);
    quern_sink_set_hold(&v.sink, &holds.allocator, 10000);
    for (size_t use = 0; use < 3; use++) {
        quern_sink_mark(&v.sink, &mark);
        CHECK(quern_sink_write(&v.sink, text, 9000) == QUERN_OK && holds.blocks == 1);
        CHECK(quern_sink_write(&v.sink, text, 9000) == QUERN_ERROR_LIMIT && holds.blocks == 0);
        quern_iovec_sink_reset(&v);
    }
    quern_iovec_sink_free(&v);
    quern_sink_mark(&v.sink, &mark); /* as after quern_iovec_sink_init */
    CHECK(quern_sink_write(&v.sink, text, 18000) == QUERN_OK && holds.blocks == 0);
    quern_iovec_sink_free(&v);
    CHECK(b.blocks == 0);
}
END_TEST

/* One run referenced again and again: no view has more bytes than writev takes. (They are not read.) */
START_TEST(test_more_than_memory)
{
    if (!open_variant(_i))
        return;
    quern_iovec_sink v;
    const size_t length = PTRDIFF_MAX / 2 - 100;
    at("more than memory", length, 0);
    quern_iovec_sink_init(&v, NULL);
    for (size_t i = 0; i < 5; i++)
        CHECK(quern_sink_write_ref(&v.sink, text, length) == QUERN_OK);
    CHECK(quern_sink_write_ref(&v.sink, text, PTRDIFF_MAX) == QUERN_OK);
    static const size_t counts[] = {2, 2, 1, 1, 0};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct iovec *segments;
        size_t count, bytes = 0;
        CHECK(quern_iovec_sink_view(&v, &segments, &count) == QUERN_OK && count == counts[i]);
        for (size_t k = 0; k < count; k++)
            bytes += segments[k].iov_len;
        quern_iovec_sink_consume(&v, bytes);
    }
    quern_iovec_sink_free(&v);
}
END_TEST

/* ---- the writers --------------------------------------------------------------------------------- */

enum { LONG = 40000 };

static char letters[LONG];

/* What both have got is the same; returns whether the letters are referenced. Frees both. */
static bool refers_to_letters(quern_memory_sink *memory, quern_iovec_sink *v, size_t length)
{
    struct iovec *segments;
    size_t count;
    bool refers = false;
    CHECK(quern_iovec_sink_view(v, &segments, &count) == QUERN_OK);
    for (size_t i = 0; i < count; i++)
        refers |= segments[i].iov_base == letters && segments[i].iov_len == length;
    const size_t arrived = take_out_all(v, 0);
    quern_string view = quern_memory_sink_view(memory);
    CHECK(arrived == view.length && memcmp(back, view.data, arrived) == 0);
    quern_memory_sink_free(memory);
    quern_iovec_sink_free(v);
    return refers;
}

/* The strings of an array, one of them long: the output is that of a memory sink; returns whether it is referenced. */
static bool json_refers(size_t length, bool raw, quern_json_invalid invalid, quern_status expected)
{
    quern_memory_sink memory;
    quern_iovec_sink v;
    quern_json_writer w;
    quern_json_writer_options options = {.size = sizeof options, .invalid = invalid};
    quern_memory_sink_init(&memory, NULL);
    quern_iovec_sink_init(&v, NULL);
    for (size_t which = 0; which < 2; which++) {
        quern_json_writer_init(&w, which == 0 ? &memory.sink : &v.sink, &options);
        quern_json_begin_array(&w);
        quern_json_write_string_ref(&w, "short", 5);
        const quern_status status =
            raw ? quern_json_write_raw_ref(&w, letters, length) : quern_json_write_string_ref(&w, letters, length);
        CHECK(status == expected);
        quern_json_write_int(&w, 1);
        quern_json_end(&w);
        CHECK(quern_json_writer_finish(&w) == expected);
    }
    return refers_to_letters(&memory, &v, length);
}

static bool cbor_refers(size_t length, bool bytes, const quern_cbor_writer_options *options, quern_status expected)
{
    quern_memory_sink memory;
    quern_iovec_sink v;
    quern_cbor_writer w;
    quern_memory_sink_init(&memory, NULL);
    quern_iovec_sink_init(&v, NULL);
    for (size_t which = 0; which < 2; which++) {
        quern_cbor_writer_init(&w, which == 0 ? &memory.sink : &v.sink, options);
        quern_cbor_begin_map(&w, 2);
        quern_cbor_write_string_ref(&w, "short", 5);
        const quern_status status =
            bytes ? quern_cbor_write_bytes_ref(&w, letters, length) : quern_cbor_write_string_ref(&w, letters, length);
        CHECK(status == expected);
        quern_cbor_write_string(&w, "key", 3);
        quern_cbor_write_int(&w, 1);
        quern_cbor_end(&w);
        CHECK(quern_cbor_writer_finish(&w) == expected);
    }
    return refers_to_letters(&memory, &v, length);
}

START_TEST(test_json)
{
    if (!open_variant(_i))
        return;
    at("JSON", 0, 0);
    for (size_t length = QUERN_UNCOPIED - 1; length <= LONG; length += 1 + length % 977) {
        const bool is_long = length >= QUERN_UNCOPIED;
        at("JSON, length", length, 0);
        for (size_t i = 0; i < LONG; i++)
            letters[i] = (char)('a' + i % 26);
        memcpy(letters + 8190, "\xE2\x82\xAC", 3); /* over the end of a block */
        CHECK(json_refers(length, false, QUERN_JSON_INVALID_STOP, QUERN_OK) == is_long);
        CHECK(json_refers(length, true, QUERN_JSON_INVALID_STOP, QUERN_OK) == is_long);
        const size_t places[] = {0, 8191, 8193, length / 2, length - 1};
        for (size_t i = 0; i < SUPPORT_COUNT(places); i++) {
            const char before = letters[places[i]];
            at("JSON, length, place", length, places[i]);
            letters[places[i]] = '\n';
            if (places[i] < 8190 || places[i] > 8192) /* not in that character */
                CHECK(!json_refers(length, false, QUERN_JSON_INVALID_STOP, QUERN_OK));
            letters[places[i]] = (char)0xE2;
            CHECK(!json_refers(length, false, QUERN_JSON_INVALID_STOP, QUERN_ERROR_UTF8));
            CHECK(!json_refers(length, false, QUERN_JSON_INVALID_REPLACE, QUERN_OK));
            CHECK(json_refers(length, false, QUERN_JSON_INVALID_KEEP, QUERN_OK) == is_long);
            letters[places[i]] = before;
        }
    }
}
END_TEST

START_TEST(test_cbor)
{
    if (!open_variant(_i))
        return;
    at("CBOR", 0, 0);
    for (size_t i = 0; i < LONG; i++)
        letters[i] = (char)('a' + i % 26);
    const quern_cbor_writer_options sorted = {.size = sizeof sorted, .deterministic = true},
                                    replace = {.size = sizeof replace, .invalid = QUERN_CBOR_INVALID_REPLACE};
    for (size_t length = QUERN_UNCOPIED - 1; length <= LONG; length += 1 + length % 9777) {
        const bool is_long = length >= QUERN_UNCOPIED;
        at("CBOR, length", length, 0);
        CHECK(cbor_refers(length, true, NULL, QUERN_OK) == is_long);
        CHECK(cbor_refers(length, false, NULL, QUERN_OK) == is_long);
        /* In a map that may have to be put in order nothing stays where it is. */
        CHECK(!cbor_refers(length, true, &sorted, QUERN_OK));
        letters[length / 2] = (char)0xE2;
        CHECK(cbor_refers(length, true, NULL, QUERN_OK) == is_long);
        CHECK(!cbor_refers(length, false, NULL, QUERN_ERROR_UTF8));
        CHECK(!cbor_refers(length, false, &replace, QUERN_OK));
        letters[length / 2] = 'x';
    }
}
END_TEST

/* ---- a back end of one's own --------------------------------------------------------------------- */

typedef struct own {
    unsigned char area[100];
    size_t arrived;
    size_t referenced;
    size_t kept; /* so many bytes are pending */
} own;

static quern_status own_next(void *context, size_t *used, size_t wanted, uint8_t **block, size_t *room)
{
    own *o = context;
    (void)wanted;
    CHECK(memcmp(o->area, text + o->arrived, *used) == 0);
    o->arrived += *used;
    *block = o->area;
    *room = sizeof o->area;
    return QUERN_OK;
}

static quern_status own_reference(void *context, const void *data, size_t *length)
{
    own *o = context;
    CHECK(data == text + o->arrived);
    o->arrived += *length;
    o->referenced += *length;
    return QUERN_OK;
}

static size_t own_pending(void *context)
{
    return ((own *)context)->kept;
}

/* Members that `size` does not cover are not there, whatever stands in them. */
START_TEST(test_own)
{
    if (!open_variant(_i))
        return;
    for (size_t old = 0; old < 2; old++) {
        own o = {.kept = 7};
        quern_sink sink;
        quern_sink_ops ops = {.size = old == 1 ? offsetof(quern_sink_ops, reference) : sizeof ops,
                              .next = own_next,
                              .reference = own_reference,
                              .pending = own_pending};
        at("own, old", old, 0);
        quern_sink_init(&sink, &ops, &o);
        quern_sink_write(&sink, text, 30);
        quern_sink_write_ref(&sink, text + 30, 200);
        CHECK(quern_sink_write_ref(&sink, text + 230, 30000) == QUERN_OK);
        CHECK(quern_sink_flush(&sink) == QUERN_OK && o.arrived == 30230);
        CHECK(quern_sink_pending(&sink) == (old == 1 ? 0 : 7));
        CHECK(o.referenced == (old == 1 ? 0 : 30000));
        CHECK(quern_sink_total(&sink) == 30230);
        CHECK(quern_sink_write_ref(&sink, text, SIZE_MAX) == QUERN_ERROR_LIMIT);
        CHECK(quern_sink_total(&sink) == (old == 1 ? 30230 : 30223));
        CHECK(quern_sink_pending(&sink) == 0);
    }
}
END_TEST

/* No room for all, and then the back end fails with the part that has room: it is that failure which stays. */
static quern_status full_next(void *context, size_t *used, size_t wanted, uint8_t **block, size_t *room)
{
    own *o = context;
    (void)wanted;
    *block = o->area;
    *room = 10;
    if (o->kept++ < 2)
        return QUERN_ERROR_LIMIT;
    *used = 0;
    return QUERN_ERROR_IO;
}

START_TEST(test_two_failures)
{
    if (!open_variant(_i))
        return;
    own o = {.kept = 0};
    quern_sink sink;
    const quern_sink_ops ops = {.size = sizeof ops, .next = full_next};
    at("two failures", 0, 0);
    quern_sink_init(&sink, &ops, &o);
    write_direct(&sink, QUERN_RESERVE, 0, 100);
    CHECK(quern_sink_flush(&sink) == QUERN_ERROR_IO);
    check_latched(&sink, QUERN_ERROR_IO);
    CHECK(quern_sink_total(&sink) == 0);
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------- */

int main(void)
{
    Suite *suite = suite_create("sink_iovec");
    TCase *tcase = tcase_create("iovec");
    tcase_set_timeout(tcase, 120);
    ADD(test_iovec);
    ADD(test_referenced);
    ADD(test_iovec_fails);
    ADD(test_reuse);
    ADD(test_more_than_memory);
    ADD(test_json);
    ADD(test_cbor);
    ADD(test_own);
    ADD(test_two_failures);
    suite_add_tcase(suite, tcase);

    return run_sink_suite(suite);
}
