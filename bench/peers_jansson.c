/* SPDX-License-Identifier: MIT */
/* Jansson: json_dumpb of a document into a buffer that is kept. It always checks UTF-8. */
#include "peers.h"

#include <jansson.h>
#include <stdlib.h>

#define DOM json_t *
#define DOM_MAP(w) json_object()
#define DOM_ARRAY(w) json_array()
#define DOM_STRING(w, data, length) json_stringn_nocheck(data, length)
#define DOM_INT(w, value) json_integer(value)
#define DOM_UINT(w, value) ((value) <= INT64_MAX ? json_integer((json_int_t)(value)) : NULL)
#define DOM_DOUBLE(w, value) json_real(value)
#define DOM_BOOL(w, value) json_boolean(value)
#define DOM_NULL(w) json_null()
#define DOM_APPEND(w, array, value) json_array_append_new(array, value)
#define DOM_SET(w, map, key, length, value) json_object_setn_new_nocheck(map, key, length, value)
#include "dom.h"

typedef struct state {
    bench_written written;
    json_t *document;
    char *text;
    size_t room;
} state;

static void json_close(void *context)
{
    state *s = context;
    json_decref(s->document);
    free(s->text);
    free(s);
}

static void *json_open(const bench_source *source)
{
    walker w = {.good = true};
    walk(&w, source);
    state *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    *s = (state){.document = w.root, .room = source->room, .text = malloc(source->room)};
    if (w.good && s->text)
        return s;
    json_close(s);
    return NULL;
}

static uint64_t json_write(void *context, size_t repeat)
{
    state *s = context;
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        const size_t length = json_dumpb(s->document, s->text, s->room, JSON_COMPACT);
        s->written = (bench_written){s->text, length <= s->room ? length : 0};
        sum += s->written.length;
    }
    return sum;
}

void peers_jansson(void);
void peers_jansson(void)
{
    static const bench_json json = {json_open, json_write, json_close};
    bench_peer_add(&(bench_peer){.who = "jansson",
                                 .variant = "-",
                                 .version = JANSSON_VERSION,
                                 .compiler = BENCH_PEER_COMPILER,
                                 .json = &json,
                                 .json_checked = &json});
}
