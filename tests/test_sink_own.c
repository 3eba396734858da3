/* SPDX-License-Identifier: MIT */
/* A sink of one's own: a chain of blocks that come and go, with and without the functions that may be missing. */
#include "support/sinks.h"

#include <string.h>

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
    quern_sink_ops ops = {.size = sizeof ops,
                          .next = chain_next,
                          .write = writes ? chain_write : NULL,
                          .flush = flushes ? chain_flush : NULL};
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

/* ---- the suite ----------------------------------------------------------------------------------- */

int main(void)
{
    Suite *suite = suite_create("sink_own");
    TCase *tcase = tcase_create("own");
    tcase_set_timeout(tcase, 120);
    ADD(test_own_sink);
    ADD(test_own_sink_fails);
    ADD(test_own_sink_full);
    suite_add_tcase(suite, tcase);

    return run_sink_suite(suite);
}
