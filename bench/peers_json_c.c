/* SPDX-License-Identifier: MIT */
/* json-c: a document into the buffer that the document itself keeps. It does not look at UTF-8. */
#include "peers.h"

#include <json.h>
#include <stdlib.h>

#define DOM json_object *
#define DOM_MAP(w) json_object_new_object()
#define DOM_ARRAY(w) json_object_new_array()
#define DOM_STRING(w, data, length) json_object_new_string_len(data, (int)(length))
#define DOM_INT(w, value) json_object_new_int64(value)
#define DOM_UINT(w, value) json_object_new_uint64(value)
#define DOM_DOUBLE(w, value) json_object_new_double(value)
#define DOM_BOOL(w, value) json_object_new_boolean(value)
#define DOM_NULL(w) NULL
#define DOM_APPEND(w, array, value) json_object_array_add(array, value)
#define DOM_SET(w, map, key, length, value) \
    json_object_object_add_ex(map, key, value, JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY)
#include "dom.h"

typedef struct state {
    bench_written written;
    json_object *document;
} state;

static void *json_open(const bench_source *source)
{
    walker w = {.good = true};
    walk(&w, source);
    state *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->document = w.root;
    return s;
}

static uint64_t json_write(void *context, size_t repeat)
{
    state *s = context;
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        s->written.text = json_object_to_json_string_length(
            s->document, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &s->written.length);
        sum += s->written.length;
    }
    return sum;
}

static void json_close(void *context)
{
    state *s = context;
    json_object_put(s->document);
    free(s);
}

void peers_json_c(void);
void peers_json_c(void)
{
    static const bench_json json = {json_open, json_write, json_close};
    bench_peer_add(&(bench_peer){
        .who = "json-c", .variant = "-", .version = JSON_C_VERSION, .compiler = BENCH_PEER_COMPILER, .json = &json});
}
