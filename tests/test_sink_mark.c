/* SPDX-License-Identifier: MIT */
/* Marks: every kind of sink with every small buffer against a model, nesting, misuse, the ends of sinks, limits. */
#include "support/marks.h"

#include <stdlib.h>
#include <string.h>

static subject s; /* large */

/* ---- random calls -------------------------------------------------------------------------------- */

START_TEST(test_random_calls)
{
    if (!open_variant(_i))
        return;
    support_random random = support_random_named("marks");
    support_guarded guarded = support_guarded_new(FRONT + 512);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    for (size_t size = 0; size <= 300; size++) {
        for (size_t round = 0; round < (size_t)SUBJECT_KINDS * 16; round++) {
            if (support_thinned())
                continue;
            subject_kind kind = (subject_kind)(round % SUBJECT_KINDS);
            at("marks, kind, buffer", kind, size);
            subject_open(&s, kind, end, size, 0, round + 100 * size);
            s.blocks = round / SUBJECT_KINDS % 2 == 0;
            size_t steps = support_random_below(&random, 60);
            for (size_t i = 0; i < steps; i++)
                subject_step(&s, &random);
            if (s.depth > 0 && round / SUBJECT_KINDS % 4 == 0)
                subject_finish_open(&s);
            else
                subject_finish(&s, &random);
            subject_close(&s);
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

/* Buffers of a realistic size are where most marks are held: no allocation, and nothing is copied twice. */
START_TEST(test_buffer_holds)
{
    if (!open_variant(_i))
        return;
    static unsigned char buffer[8192];
    bank b;
    target t = {.manner = TAKE_ALL};
    quern_callback_sink callback;
    quern_mark outer, inner;
    bank_init(&b);
    at("a buffer holds", 0, 0);
    quern_callback_sink_init(&callback, target_write, &t, buffer, sizeof buffer);
    quern_sink_set_hold(&callback.sink, &b.allocator, 0);
    for (size_t position = 0; position < 8000; position += 200) {
        CHECK(quern_sink_mark(&callback.sink, &outer) == QUERN_OK);
        quern_sink_write(&callback.sink, text + position, 100);
        if (position == 0)
            CHECK(quern_sink_flush(&callback.sink) == QUERN_OK); /* there is nothing to go out */
        CHECK(quern_sink_mark(&callback.sink, &inner) == QUERN_OK);
        quern_sink_write(&callback.sink, "not this", 8);
        CHECK(quern_sink_rollback(&callback.sink, &inner) == QUERN_OK);
        quern_sink_write(&callback.sink, text + position + 100, 100);
        uint8_t *data;
        size_t length;
        CHECK(quern_sink_held(&callback.sink, &outer, &data, &length) == QUERN_OK);
        CHECK(length == 200 && data == buffer + position);
        CHECK(quern_sink_release(&callback.sink, &outer) == QUERN_OK);
    }
    CHECK(b.calls == 0 && t.calls == 0);
    CHECK(quern_sink_finish(&callback.sink) == QUERN_OK);
    CHECK(t.calls == 1 && t.arrived == 8000);
}
END_TEST

/* What a memory sink holds is in its own block: as many allocations as without a mark. */
START_TEST(test_memory_holds_in_its_block)
{
    if (!open_variant(_i))
        return;
    size_t calls[2];
    for (size_t marked = 0; marked < 2; marked++) {
        bank b;
        quern_memory_sink memory;
        quern_mark mark;
        at("a memory sink holds", marked, 0);
        bank_init(&b);
        bank_sink(&b, &memory, 0, 0);
        quern_sink_write(&memory.sink, text, 77);
        if (marked)
            CHECK(quern_sink_mark(&memory.sink, &mark) == QUERN_OK);
        for (size_t position = 77; position < 100077; position += 100)
            quern_sink_write(&memory.sink, text + position, 100);
        CHECK(b.blocks == 1 && b.largest < 4 * 100077);
        uint8_t *data;
        size_t length;
        if (marked) {
            CHECK(quern_sink_held(&memory.sink, &mark, &data, &length) == QUERN_OK);
            CHECK(length == 100000 && (const char *)data == quern_memory_sink_view(&memory).data + 77);
            CHECK(quern_sink_release(&memory.sink, &mark) == QUERN_OK);
        }
        CHECK(quern_sink_finish(&memory.sink) == QUERN_OK);
        CHECK(memcmp(quern_memory_sink_view(&memory).data, text, 100077) == 0);
        calls[marked] = b.calls;
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);
    }
    CHECK(calls[0] == calls[1]);
}
END_TEST

/* The inner marks cost nothing and have no limit. */
START_TEST(test_deep)
{
    if (!open_variant(_i))
        return;
    enum { DEPTH = 100000 };
    quern_mark *marks = support_allocate(DEPTH * sizeof *marks);
    unsigned char buffer[100];
    for (size_t up = 0; up < 3; up++) {
        target t = {.manner = TAKE_ALL};
        quern_callback_sink callback;
        at("deep", up, 0);
        quern_callback_sink_init(&callback, target_write, &t, buffer, sizeof buffer);
        for (size_t i = 0; i < DEPTH; i++) {
            CHECK(quern_sink_mark(&callback.sink, &marks[i]) == QUERN_OK);
            CHECK(quern_sink_write(&callback.sink, text + i, 1) == QUERN_OK);
        }
        CHECK(t.arrived == 0);
        if (up == 1)
            CHECK(quern_sink_rollback(&callback.sink, &marks[500]) == QUERN_OK);
        for (size_t i = up == 1 ? 500 : DEPTH; i-- > 0;) {
            CHECK(t.arrived == 0);
            CHECK((up == 2 ? quern_sink_rollback : quern_sink_release)(&callback.sink, &marks[i]) == QUERN_OK);
        }
        CHECK(quern_sink_finish(&callback.sink) == QUERN_OK);
        CHECK(t.arrived == (up == 0 ? DEPTH : up == 1 ? 500 : 0));
    }
    free(marks);
}
END_TEST

/* ---- fixed sinks --------------------------------------------------------------------------------- */

/* Every array size, every place of the mark, every length behind it: as if those bytes had never been written. */
START_TEST(test_fixed_is_not_full_any_more)
{
    if (!open_variant(_i))
        return;
    support_guarded guarded = support_guarded_new(FRONT + 512);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    for (size_t size = 0; size <= 260; size += 1 + size / 16) {
        for (size_t place = 0; place <= size + 3; place += 1 + place / 8) {
            for (size_t length = 0; length <= 400; length += 1 + length / 3) {
                if (support_thinned())
                    continue;
                at("not full any more, size, place", size, place);
                subject_open(&s, OF_FIXED, end, size, 0, size + place);
                subject_write(&s, place);
                subject_mark(&s);
                subject_write(&s, length / 2);
                subject_write_direct(&s, QUERN_RESERVE, least(length - length / 2, QUERN_RESERVE));
                subject_rollback(&s, 0);
                CHECK(quern_sink_status(s.sink) == (place <= size ? QUERN_OK : QUERN_ERROR_ROOM));
                subject_write(&s, place <= size ? size - place : 5); /* what fits exactly */
                CHECK(subject_end(&s) == (place <= size ? QUERN_OK : QUERN_ERROR_ROOM));
                CHECK(quern_fixed_sink_needed(&s.fixed) == s.length);
                CHECK(memcmp(s.buffer, s.bytes, size) == 0);
                subject_close(&s);
            }
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

/* ---- misuse -------------------------------------------------------------------------------------- */

typedef enum misuse_case {
    RELEASE_OUTER,
    RELEASE_TWICE,
    ROLLBACK_TWICE,
    RELEASE_ROLLED_BACK,
    RELEASE_AFTER_OUTER,
    ROLLBACK_AFTER_OUTER,
    HELD_AFTER_RELEASE,
    OTHER_SINK,
    RELEASE_OTHER_SINK,
    ROLLBACK_LATER,
    NEVER_OPENED,
    HOLD_IS_SET,
    MISUSES
} misuse_case;

/* The call was right: a fixed sink may be full. */
static void right(quern_status status)
{
    CHECK(status == QUERN_OK || (status == QUERN_ERROR_ROOM && s.kind == OF_FIXED));
}

/* Does what is wrong in a sink that is open on two marks, or on the second of two that one closed; gives the status. */
static quern_status misuse(misuse_case which)
{
    uint8_t *data;
    size_t length;
    quern_mark never = {0};
    switch (which) {
    case RELEASE_OUTER: return quern_sink_release(s.sink, &s.marks[0]);
    case RELEASE_TWICE: right(quern_sink_release(s.sink, &s.marks[1])); return quern_sink_release(s.sink, &s.marks[1]);
    case ROLLBACK_TWICE:
        right(quern_sink_rollback(s.sink, &s.marks[1]));
        return quern_sink_rollback(s.sink, &s.marks[1]);
    case RELEASE_ROLLED_BACK:
        right(quern_sink_rollback(s.sink, &s.marks[1]));
        return quern_sink_release(s.sink, &s.marks[1]);
    case RELEASE_AFTER_OUTER:
        right(quern_sink_rollback(s.sink, &s.marks[0]));
        return quern_sink_release(s.sink, &s.marks[1]);
    case ROLLBACK_AFTER_OUTER:
        right(quern_sink_rollback(s.sink, &s.marks[0]));
        return quern_sink_rollback(s.sink, &s.marks[1]);
    case HELD_AFTER_RELEASE:
        right(quern_sink_release(s.sink, &s.marks[1]));
        return quern_sink_held(s.sink, &s.marks[1], &data, &length);
    case ROLLBACK_LATER:
        CHECK(quern_sink_mark(s.sink, &never) == QUERN_OK);
        right(quern_sink_rollback(s.sink, &s.marks[1]));
        right(quern_sink_write(s.sink, text, 100));
        return quern_sink_rollback(s.sink, &never);
    case RELEASE_OTHER_SINK:
    case OTHER_SINK: {
        quern_fixed_sink other;
        quern_mark mark;
        quern_fixed_sink_init(&other, NULL, 0);
        CHECK(quern_sink_mark(&other.sink, &mark) == QUERN_OK);
        CHECK(quern_sink_mark(&other.sink, &mark) == QUERN_OK);
        return (which == OTHER_SINK ? quern_sink_rollback : quern_sink_release)(s.sink, &mark);
    }
    case HOLD_IS_SET: return quern_sink_set_hold(s.sink, NULL, 0);
    default: return quern_sink_release(s.sink, &never);
    }
}

START_TEST(test_misuse)
{
    if (!open_variant(_i))
        return;
    support_guarded guarded = support_guarded_new(FRONT + 512);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    for (size_t kind = 0; kind < SUBJECT_KINDS; kind++) {
        for (size_t which = 0; which < MISUSES; which++) {
            for (size_t size = 0; size <= 512; size += 64) {
                at("misuse, kind, which", kind, which);
                subject_open(&s, (subject_kind)kind, end, size, 0, size);
                subject_write(&s, 20);
                subject_mark(&s);
                subject_write(&s, 30);
                subject_mark(&s);
                subject_write_direct(&s, QUERN_RESERVE, 40);
                CHECK(misuse((misuse_case)which) == QUERN_ERROR_MISUSE);
                /* What came before the oldest mark has arrived, and nothing else. */
                CHECK((s.kind == OF_FIXED && size < 90) || quern_sink_total(s.sink) == 20);
                CHECK(s.kind == OF_FIXED || s.kind == OF_MEMORY || subject_arrived(&s) == 20);
                subject_check_latched(&s, QUERN_ERROR_MISUSE);
                subject_close(&s);
            }
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

/* The one mistake that may pass: what follows is wrong, but stays within bounds and is told at the latest by release.
 */
START_TEST(test_stale_mark)
{
    if (!open_variant(_i))
        return;
    support_guarded guarded = support_guarded_new(FRONT + 512);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    for (size_t kind = 0; kind < SUBJECT_KINDS; kind++) {
        for (size_t length = 0; length < 300; length += 7) {
            at("stale mark, kind, length", kind, length);
            subject_open(&s, (subject_kind)kind, end, 64, 0, length);
            for (size_t i = 0; i < 3; i++) {
                subject_mark(&s);
                subject_write(&s, 50);
            }
            subject_rollback(&s, 1);
            quern_mark later;
            CHECK(quern_sink_mark(s.sink, &later) == QUERN_OK);
            subject_write(&s, length);
            uint8_t *data = NULL;
            size_t held = 0;
            if (quern_sink_held(s.sink, &s.marks[2], &data, &held) == QUERN_OK)
                CHECK(length >= 50 && held == length - 50);
            quern_sink_rollback(s.sink, &s.marks[2]);
            CHECK(quern_sink_release(s.sink, &s.marks[0]) == QUERN_ERROR_MISUSE);
            CHECK(subject_end(&s) == QUERN_ERROR_MISUSE);
            CHECK(s.arrived == 0);
            subject_close(&s);
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

/* ---- ends of sinks ------------------------------------------------------------------------------- */

START_TEST(test_finished)
{
    if (!open_variant(_i))
        return;
    for (size_t which = 0; which < 4; which++) {
        quern_memory_sink memory;
        quern_mark mark;
        uint8_t *data;
        size_t length;
        at("finished", which, 0);
        quern_memory_sink_init(&memory, NULL);
        quern_sink_write(&memory.sink, text, 10);
        CHECK(quern_sink_mark(&memory.sink, &mark) == QUERN_OK);
        CHECK(quern_sink_release(&memory.sink, &mark) == QUERN_OK);
        CHECK(quern_sink_finish(&memory.sink) == QUERN_OK);
        CHECK(which != 0 || quern_sink_mark(&memory.sink, &mark) == QUERN_ERROR_MISUSE);
        CHECK(which != 1 || quern_sink_rollback(&memory.sink, &mark) == QUERN_ERROR_MISUSE);
        CHECK(which != 2 || quern_sink_release(&memory.sink, &mark) == QUERN_ERROR_MISUSE);
        CHECK(which != 3 || quern_sink_held(&memory.sink, &mark, &data, &length) == QUERN_ERROR_MISUSE);
        CHECK(quern_sink_status(&memory.sink) == QUERN_ERROR_MISUSE);
        CHECK(quern_memory_sink_view(&memory).length == 10);
        quern_memory_sink_free(&memory);
    }
}
END_TEST

START_TEST(test_memory_take_reset)
{
    if (!open_variant(_i))
        return;
    for (size_t round = 0; round < 24; round++) {
        bank b;
        quern_memory_sink memory;
        quern_memory_block block;
        quern_mark mark, second;
        size_t before = round / 3 * 40;
        at("take and reset with a mark", round, before);
        bank_init(&b);
        bank_sink(&b, &memory, 0, 0);
        quern_sink_write(&memory.sink, text, before);
        CHECK(quern_sink_mark(&memory.sink, &mark) == QUERN_OK);
        quern_sink_write(&memory.sink, text + before, 100);
        write_direct(&memory.sink, QUERN_RESERVE, before + 100, 50);
        quern_string view = quern_memory_sink_view(&memory);
        CHECK(view.length == before + 150 && memcmp(view.data, text, before + 150) == 0);
        if (round % 3 == 0) {
            CHECK(quern_memory_sink_take(&memory, &block) == QUERN_ERROR_MISUSE);
            CHECK(block.length == before && block.size == before);
            CHECK(before == 0 || memcmp(block.data, text, before) == 0);
            if (before > 0)
                bank_resize(&b, block.data, block.size, 0);
        } else if (round % 3 == 1) {
            quern_memory_sink_reset(&memory);
        } else {
            quern_memory_sink_free(&memory);
        }
        /* The mark is not one of those that come now. */
        CHECK(quern_sink_total(&memory.sink) == 0 && quern_sink_status(&memory.sink) == QUERN_OK);
        CHECK(quern_sink_mark(&memory.sink, &second) == QUERN_OK);
        quern_sink_write(&memory.sink, text, 200);
        CHECK(quern_sink_rollback(&memory.sink, &mark) == QUERN_ERROR_MISUSE);
        CHECK(quern_memory_sink_view(&memory).length == 0);
        quern_memory_sink_free(&memory);
        CHECK(b.blocks == 0);
    }
}
END_TEST

/* ---- limits -------------------------------------------------------------------------------------- */

/* Holds `total` bytes behind `before` others, in pieces; the limit is exact, but for what the buffer has room for. */
static void limit_case(support_random *random, size_t limit, size_t before, size_t total)
{
    subject_write(&s, before);
    subject_mark(&s);
    while (s.length - before < total && !subject_failed(&s)) {
        size_t left = total - (s.length - before);
        size_t length = 1 + support_random_below(random, least(left, support_random_below(random, 3) == 0 ? 500 : 64));
        if (support_random_below(random, 2) == 0)
            subject_write(&s, length);
        else
            subject_write_direct(&s, QUERN_RESERVE, least(length, QUERN_RESERVE));
        CHECK(s.length - before > limit || !subject_failed(&s));
    }
    if (!subject_failed(&s) && support_random_below(random, 2) == 0)
        subject_held(&s, 0);
    if (!subject_failed(&s)) /* the last bytes may be in the window still */
        subject_release(&s);
    CHECK(s.bank.largest <= limit);
    if (total <= limit || (s.kind <= OF_FIXED)) {
        CHECK(!subject_failed(&s));
    } else if (total > s.size + QUERN_RESERVE) {
        CHECK(s.kind >= OF_OWN || subject_failed(&s));
    }
    if (subject_failed(&s)) {
        CHECK(s.bank.blocks == 0 && subject_arrived(&s) == before);
        subject_check_latched(&s, QUERN_ERROR_LIMIT);
        ++*fault_points;
    } else {
        subject_finish(&s, random);
    }
    subject_close(&s);
}

START_TEST(test_hold_limit)
{
    if (!open_variant(_i))
        return;
    support_random random = support_random_named("hold limit");
    support_guarded guarded = support_guarded_new(FRONT + 512);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    for (size_t limit = 1; limit < 5000; limit += limit < 300 ? 1 : limit / 9) {
        for (size_t round = 0; round < (size_t)SUBJECT_KINDS * 8; round++) {
            if (support_thinned())
                continue;
            size_t size = round % 3 == 0 ? 0 : support_random_below(&random, 300);
            size_t over = round % 4 == 3 ? support_random_below(&random, 300) : round % 4;
            subject_kind kind = (subject_kind)(round / 8);
            at("hold limit, kind, limit", kind, limit);
            subject_open(&s, kind, end, size, limit, round + limit);
            if (kind <= OF_FIXED) /* it has no effect there */
                CHECK(quern_sink_set_hold(s.sink, &s.bank.allocator, limit) == QUERN_OK);
            if (kind == OF_MEMORY)
                s.bank.largest = 0;
            limit_case(&random, kind == OF_MEMORY ? SUBJECT_MOST : limit, support_random_below(&random, 200),
                       limit + over);
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

/* What fits in the buffer needs no hold, until a flush has to part it from what came before. */
START_TEST(test_flush_beyond_limit)
{
    if (!open_variant(_i))
        return;
    for (size_t held = 9; held <= 11; held++) {
        unsigned char buffer[300];
        target t = {.manner = TAKE_ALL};
        quern_callback_sink callback;
        quern_mark mark;
        at("flush, held", held, 0);
        quern_callback_sink_init(&callback, target_write, &t, buffer, sizeof buffer);
        quern_sink_set_hold(&callback.sink, NULL, 10);
        quern_sink_write(&callback.sink, text, 20);
        CHECK(quern_sink_mark(&callback.sink, &mark) == QUERN_OK);
        CHECK(quern_sink_write(&callback.sink, text + 20, held) == QUERN_OK);
        quern_status status = held <= 10 ? QUERN_OK : QUERN_ERROR_LIMIT;
        CHECK(quern_sink_flush(&callback.sink) == status);
        CHECK(t.arrived == 20);
        CHECK(quern_sink_release(&callback.sink, &mark) == status);
        CHECK(quern_sink_finish(&callback.sink) == status);
        CHECK(t.arrived == (held <= 10 ? 20 + held : 20));
    }
}
END_TEST

/* malloc, and the limit that 0 stands for. */
START_TEST(test_default_hold)
{
    if (!open_variant(_i) || _i > 0)
        return;
    for (size_t more = 0; more < 2; more++) {
        for (size_t set = 0; set < 2; set++) {
            target t = {.manner = TAKE_ALL, .blind = true};
            quern_callback_sink callback;
            quern_mark mark;
            at("usual hold, more, set", more, set);
            quern_callback_sink_init(&callback, target_write, &t, NULL, 0);
            if (set)
                CHECK(quern_sink_set_hold(&callback.sink, NULL, 0) == QUERN_OK);
            CHECK(quern_sink_mark(&callback.sink, &mark) == QUERN_OK);
            for (size_t i = 0; i < 64; i++)
                CHECK(quern_sink_write(&callback.sink, text, 1 << 20) == QUERN_OK);
            CHECK(t.arrived == 0);
            quern_sink_write(&callback.sink, text, more);
            CHECK(quern_sink_release(&callback.sink, &mark) == (more ? QUERN_ERROR_LIMIT : QUERN_OK));
            CHECK(quern_sink_finish(&callback.sink) == (more ? QUERN_ERROR_LIMIT : QUERN_OK));
            CHECK(t.arrived == (more ? 0 : 64 << 20));
        }
    }
}
END_TEST

/* Windows longer than any hold are refused without a failure, others are had. */
START_TEST(test_long_windows)
{
    if (!open_variant(_i))
        return;
    for (size_t length = QUERN_RESERVE + 1; length < 6000; length += 1 + length / 3) {
        unsigned char buffer[300];
        target t = {.manner = TAKE_ALL};
        quern_callback_sink callback;
        quern_mark mark;
        at("long window in a hold", length, 0);
        quern_callback_sink_init(&callback, target_write, &t, buffer, sizeof buffer);
        quern_sink_set_hold(&callback.sink, NULL, 3000);
        quern_sink_write(&callback.sink, text, 7);
        CHECK(quern_sink_mark(&callback.sink, &mark) == QUERN_OK);
        quern_status status = quern_sink_reserve(&callback.sink, length);
        CHECK(status == (length <= 3000 - QUERN_SLACK ? QUERN_OK : QUERN_ERROR_LIMIT));
        CHECK(quern_sink_status(&callback.sink) == QUERN_OK);
        if (status == QUERN_OK) {
            memcpy(callback.sink.cursor, text + 7, length);
            callback.sink.cursor += length;
            memset(callback.sink.limit, 0xee, QUERN_SLACK);
        } else {
            length = 0;
        }
        CHECK(quern_sink_write(&callback.sink, text + 7 + length, 9) == QUERN_OK);
        CHECK(quern_sink_release(&callback.sink, &mark) == QUERN_OK);
        CHECK(quern_sink_finish(&callback.sink) == QUERN_OK);
        CHECK(t.arrived == 16 + length);
        length = length == 0 ? 6000 : length;
    }
    at("a write of the largest size in a hold", 0, 0);
    target t = {.manner = TAKE_ALL};
    quern_callback_sink callback;
    quern_mark mark;
    quern_callback_sink_init(&callback, target_write, &t, NULL, 0);
    quern_sink_set_hold(&callback.sink, NULL, SIZE_MAX);
    quern_sink_write(&callback.sink, text, 70);
    CHECK(quern_sink_mark(&callback.sink, &mark) == QUERN_OK);
    quern_sink_write(&callback.sink, text + 70, 70);
    CHECK(quern_sink_reserve(&callback.sink, SIZE_MAX) == QUERN_ERROR_LIMIT);
    CHECK(quern_sink_reserve(&callback.sink, PTRDIFF_MAX) == QUERN_ERROR_LIMIT);
    CHECK(quern_sink_write(&callback.sink, text, SIZE_MAX) == QUERN_ERROR_LIMIT);
    CHECK(t.arrived == 70);
    check_latched(&callback.sink, QUERN_ERROR_LIMIT);
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------- */

int main(void)
{
    Suite *suite = suite_create("sink_mark");
    TCase *tcase = tcase_create("marks");
    tcase_set_timeout(tcase, 120);
    ADD(test_random_calls);
    ADD(test_buffer_holds);
    ADD(test_memory_holds_in_its_block);
    ADD(test_deep);
    ADD(test_fixed_is_not_full_any_more);
    ADD(test_misuse);
    ADD(test_stale_mark);
    ADD(test_finished);
    ADD(test_memory_take_reset);
    ADD(test_hold_limit);
    ADD(test_flush_beyond_limit);
    ADD(test_default_hold);
    ADD(test_long_windows);
    suite_add_tcase(suite, tcase);

    return run_sink_suite(suite);
}
