/* SPDX-License-Identifier: MIT */
/* Jansson: json_dumpb of an array of strings into a buffer that is kept. It always checks UTF-8. */
#include "peers.h"

#include <jansson.h>
#include <stdlib.h>

typedef struct state {
    json_t *array;
    char *text;
    size_t length, room;
} state;

static void *json_open(const bench_input *input)
{
    state *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->room = input->total + 4 * input->pieces + 16;
    s->text = malloc(s->room);
    s->array = json_array();
    if (!s->text || !s->array)
        abort();
    for (size_t p = 0; p < input->pieces; p++) {
        const uint32_t at = input->begin[p];
        json_array_append_new(s->array, json_stringn_nocheck(input->pool + at, input->begin[p + 1] - at));
    }
    return s;
}

static uint64_t json_write(void *context, size_t repeat)
{
    state *s = context;
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        s->length = json_dumpb(s->array, s->text, s->room, JSON_COMPACT);
        sum += s->length;
    }
    return sum;
}

static const char *json_view(const void *context, size_t *length)
{
    const state *s = context;
    *length = s->length <= s->room ? s->length : 0;
    return s->text;
}

static void json_close(void *context)
{
    state *s = context;
    json_decref(s->array);
    free(s->text);
    free(s);
}

void peers_jansson(void);
void peers_jansson(void)
{
    static const bench_json json = {json_open, json_write, json_view, json_close};
    bench_peer_add(&(bench_peer){.who = "jansson",
                                 .variant = "-",
                                 .version = JANSSON_VERSION,
                                 .compiler = BENCH_PEER_COMPILER,
                                 .json = &json,
                                 .json_checked = &json});
}
