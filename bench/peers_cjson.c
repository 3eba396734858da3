/* SPDX-License-Identifier: MIT */
/* cJSON: printing an array of strings into a buffer that is kept. Its strings end at a NUL, so they are copied first.
 * It does not look at UTF-8. */
#include "peers.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

typedef struct state {
    cJSON *array;
    char *strings, *text;
    size_t room;
    bool good;
} state;

static void *json_open(const bench_input *input)
{
    state *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->room = input->total + 4 * input->pieces + 64;
    s->text = malloc(s->room);
    s->strings = malloc(input->total + input->pieces);
    s->array = cJSON_CreateArray();
    if (!s->text || !s->strings || !s->array)
        abort();
    char *string = s->strings;
    for (size_t p = 0; p < input->pieces; p++) {
        const uint32_t at = input->begin[p];
        const size_t length = input->begin[p + 1] - at;
        memcpy(string, input->pool + at, length);
        string[length] = 0;
        cJSON_AddItemToArray(s->array, cJSON_CreateStringReference(string));
        string += length + 1;
    }
    return s;
}

static uint64_t json_write(void *context, size_t repeat)
{
    state *s = context;
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        s->good = cJSON_PrintPreallocated(s->array, s->text, (int)s->room, 0);
        sum += s->good;
    }
    return sum;
}

static const char *json_view(const void *context, size_t *length)
{
    const state *s = context;
    *length = s->good ? strlen(s->text) : 0;
    return s->text;
}

static void json_close(void *context)
{
    state *s = context;
    cJSON_Delete(s->array);
    free(s->strings);
    free(s->text);
    free(s);
}

void peers_cjson(void);
void peers_cjson(void)
{
    static const bench_json json = {json_open, json_write, json_view, json_close};
    bench_peer_add(&(bench_peer){.who = "cjson",
                                 .variant = "-",
                                 .version = BENCH_TEXT(CJSON_VERSION_MAJOR) "." BENCH_TEXT(
                                     CJSON_VERSION_MINOR) "." BENCH_TEXT(CJSON_VERSION_PATCH),
                                 .compiler = BENCH_PEER_COMPILER,
                                 .json = &json});
}
