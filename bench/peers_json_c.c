/* SPDX-License-Identifier: MIT */
/* json-c: an array of strings into the buffer that the array itself keeps. It does not look at UTF-8. */
#include "peers.h"

#include <json.h>
#include <stdlib.h>

typedef struct state {
    json_object *array;
    const char *text;
    size_t length;
} state;

static void *json_open(const bench_input *input)
{
    state *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->array = json_object_new_array();
    for (size_t p = 0; p < input->pieces; p++) {
        const uint32_t at = input->begin[p];
        const size_t length = input->begin[p + 1] - at;
        json_object_array_add(s->array, json_object_new_string_len(input->pool + at, (int)length));
    }
    return s;
}

static uint64_t json_write(void *context, size_t repeat)
{
    state *s = context;
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        s->text = json_object_to_json_string_length(s->array, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE,
                                                    &s->length);
        sum += s->length;
    }
    return sum;
}

static const char *json_view(const void *context, size_t *length)
{
    const state *s = context;
    *length = s->length;
    return s->text;
}

static void json_close(void *context)
{
    state *s = context;
    json_object_put(s->array);
    free(s);
}

void peers_json_c(void);
void peers_json_c(void)
{
    static const bench_json json = {json_open, json_write, json_view, json_close};
    bench_peer_add(&(bench_peer){
        .who = "json-c", .variant = "-", .version = JSON_C_VERSION, .compiler = BENCH_PEER_COMPILER, .json = &json});
}
