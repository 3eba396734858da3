/* SPDX-License-Identifier: MIT */
/* Marks in sinks that fail: each allocation in turn, each call of the target in turn. */
#include "support/marks.h"

#include <string.h>

static subject s; /* large */

/*
 * The same calls as without a failure, up to it. Then what has arrived is a prefix of what was written, which the
 * target itself checks, and ends at the oldest mark if it was not the target that failed. Returns whether it did.
 */
static bool play_until_failure(support_random random, size_t steps, quern_status failure)
{
    size_t oldest = 0, before = 0;
    for (size_t i = 0; i < steps && !subject_failed(&s); i++) {
        oldest = s.depth > 0 ? s.places[0] : 0;
        before = s.depth > 0 ? s.depth : 0;
        subject_step(&s, &random);
    }
    if (!subject_failed(&s) && s.depth > 0 && steps % 2 == 0) {
        /* At the end: that a mark is open comes after a failure of the target. */
        oldest = s.places[0];
        quern_status status = subject_end(&s);
        CHECK(status == failure || status == QUERN_ERROR_MISUSE);
        CHECK(quern_sink_total(s.sink) == (status == QUERN_ERROR_IO ? s.arrived : oldest));
        subject_check_latched(&s, status);
        subject_close(&s);
        return status == failure;
    }
    if (!subject_failed(&s)) {
        before = 0;
        subject_finish(&s, &random);
    }
    bool failed = subject_failed(&s);
    if (failed) {
        if (failure == QUERN_ERROR_MEMORY && before > 0)
            CHECK(quern_sink_total(s.sink) == oldest);
        subject_check_latched(&s, failure);
        ++*fault_points;
    }
    subject_close(&s);
    return failed;
}

START_TEST(test_allocation_fails)
{
    if (!open_variant(_i))
        return;
    support_random random = support_random_named("mark allocation");
    support_guarded guarded = support_guarded_new(FRONT + 512);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    for (size_t round = 0; round < (size_t)SUBJECT_KINDS * 100; round++) {
        if (support_thinned())
            continue;
        subject_kind kind = (subject_kind)(round % SUBJECT_KINDS);
        size_t size = support_random_below(&random, 300), steps = 10 + support_random_below(&random, 80);
        if (kind == OF_FIXED)
            continue;
        support_random_next(&random);
        for (size_t on = 0; on < 2; on++) {
            bool failed = true;
            for (size_t n = 1; failed; n++) {
                at("allocation fails, round, number", round * 2 + on, n);
                subject_open(&s, kind, end, size, 0, round);
                s.bank.fail_at = n;
                s.bank.fail_on = on == 1;
                failed = play_until_failure(random, steps, QUERN_ERROR_MEMORY);
                CHECK(failed == (s.bank.calls >= n));
            }
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

START_TEST(test_target_fails)
{
    if (!open_variant(_i))
        return;
    support_random random = support_random_named("mark target");
    support_guarded guarded = support_guarded_new(FRONT + 512);
    unsigned char *end = support_guarded_tail(&guarded, 0);
    for (size_t round = 0; round < (size_t)SUBJECT_KINDS * 100; round++) {
        if (support_thinned())
            continue;
        subject_kind kind = (subject_kind)(round % SUBJECT_KINDS);
        size_t size = support_random_below(&random, 300), steps = 10 + support_random_below(&random, 60);
        support_random_next(&random);
        if (kind < OF_CALLBACK)
            continue;
        bool failed = true;
        for (size_t n = 1; failed; n++) {
            at("target fails, round, call", round, n);
            subject_open(&s, kind, end, size, 0, round);
            s.fail_at = n;
            s.blocks = round / SUBJECT_KINDS % 2 == 0;
            failed = play_until_failure(random, steps, QUERN_ERROR_IO);
            CHECK(failed == (s.calls >= n));
        }
    }
    support_guarded_free(&guarded);
}
END_TEST

/* Both: no memory for what is held, and then the target refuses what came before it. The first failure counts. */
START_TEST(test_both_fail)
{
    if (!open_variant(_i))
        return;
    for (size_t size = 0; size <= 256; size += 32) {
        unsigned char buffer[256];
        bank b;
        target t = {.manner = TAKE_ALL, .fail_at = 1, .fault = FAULT_MINUS_ONE};
        quern_callback_sink callback;
        quern_mark mark;
        at("both fail", size, 0);
        bank_init(&b);
        b.fail_at = 1;
        quern_callback_sink_init(&callback, target_write, &t, buffer, size);
        quern_sink_set_hold(&callback.sink, &b.allocator, 0);
        quern_sink_reserve(&callback.sink, QUERN_RESERVE);
        memcpy(callback.sink.cursor, text, 10);
        callback.sink.cursor += 10;
        quern_status status = quern_sink_mark(&callback.sink, &mark);
        CHECK(status == (size <= 64 ? QUERN_ERROR_IO : QUERN_OK));
        quern_sink_write(&callback.sink, text + 10, 300);
        CHECK(quern_failed(quern_sink_status(&callback.sink)));
        CHECK(quern_sink_finish(&callback.sink) == quern_sink_status(&callback.sink));
        check_latched(&callback.sink, quern_sink_status(&callback.sink));
        CHECK(t.arrived == 0 && quern_sink_total(&callback.sink) == 0 && b.blocks == 0);
        ++*fault_points;
    }
}
END_TEST

/* A mistake is found while bytes wait in the window, and the target does not take these: that was first. */
START_TEST(test_misuse_after_a_failure)
{
    if (!open_variant(_i))
        return;
    target t = {.manner = TAKE_ALL, .fail_at = 1, .fault = FAULT_MINUS_ONE};
    quern_callback_sink callback;
    quern_mark never = {0};
    at("misuse after a failure", 0, 0);
    quern_callback_sink_init(&callback, target_write, &t, NULL, 0);
    write_direct(&callback.sink, QUERN_RESERVE, 0, 10);
    CHECK(quern_sink_release(&callback.sink, &never) == QUERN_ERROR_IO);
    check_latched(&callback.sink, QUERN_ERROR_IO);
    ++*fault_points;
}
END_TEST

/* A sink that fails or is finished while it holds gives the memory back at once, whatever is called afterwards. */
START_TEST(test_nothing_leaks)
{
    if (!open_variant(_i))
        return;
    for (size_t way = 0; way < 6; way++) {
        bank b;
        target t = {.manner = TAKE_ALL, .fault = FAULT_ZERO};
        quern_callback_sink callback;
        quern_mark outer, inner;
        unsigned char buffer[100];
        at("nothing leaks", way, 0);
        bank_init(&b);
        quern_callback_sink_init(&callback, target_write, &t, way == 5 ? buffer : NULL, way == 5 ? sizeof buffer : 0);
        quern_sink_set_hold(&callback.sink, &b.allocator, 5000);
        if (way == 5)
            quern_sink_write(&callback.sink, text, 20);
        CHECK(quern_sink_mark(&callback.sink, &outer) == QUERN_OK);
        quern_sink_write(&callback.sink, text, 3000);
        CHECK(quern_sink_mark(&callback.sink, &inner) == QUERN_OK);
        quern_sink_write(&callback.sink, text + 3000, 1000);
        CHECK(b.blocks == 1);
        switch (way) {
        case 0: quern_sink_finish(&callback.sink); break;
        case 1: quern_sink_rollback(&callback.sink, &outer); break;
        case 2: quern_sink_write(&callback.sink, text, 2000); break; /* the limit */
        case 3: quern_sink_release(&callback.sink, &outer); break;   /* misuse */
        case 5:
            t.fail_at = 1;
            CHECK(quern_sink_flush(&callback.sink) == QUERN_ERROR_IO);
            break;
        default:
            CHECK(quern_sink_release(&callback.sink, &inner) == QUERN_OK && b.blocks == 1);
            t.fail_at = 1;
            CHECK(quern_sink_release(&callback.sink, &outer) == QUERN_ERROR_IO);
        }
        CHECK(b.blocks == 0 && t.arrived == 0);
        if (way == 1) {
            CHECK(quern_sink_mark(&callback.sink, &outer) == QUERN_OK);
            quern_sink_write(&callback.sink, text, 4000);
            CHECK(b.blocks == 1);
            CHECK(quern_sink_release(&callback.sink, &outer) == QUERN_OK);
            CHECK(b.blocks == 0 && t.arrived == 4000);
        }
    }
}
END_TEST

/* ---- the suite ----------------------------------------------------------------------------------- */

int main(void)
{
    Suite *suite = suite_create("sink_mark_faults");
    TCase *tcase = tcase_create("faults");
    tcase_set_timeout(tcase, 120);
    ADD(test_allocation_fails);
    ADD(test_target_fails);
    ADD(test_both_fail);
    ADD(test_misuse_after_a_failure);
    ADD(test_nothing_leaks);
    suite_add_tcase(suite, tcase);

    return run_sink_suite(suite);
}
