/* SPDX-License-Identifier: MIT */
/* yyjson: writing a mutable document of strings, which it always checks to be UTF-8. Its allocator is a pool made once:
 * it asks for six times the text each time it writes. */
#include "peers.h"

#include <stdlib.h>
#include <yyjson.h>

typedef struct state {
    yyjson_mut_doc *document;
    void *pool;
    size_t pool_size;
    char *text; /* in the pool */
    size_t length;
} state;

static void *json_open(const bench_input *input)
{
    state *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->document = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *array = yyjson_mut_arr(s->document);
    yyjson_mut_doc_set_root(s->document, array);
    for (size_t p = 0; p < input->pieces; p++) {
        const uint32_t at = input->begin[p];
        yyjson_mut_arr_add_strn(s->document, array, input->pool + at, input->begin[p + 1] - at);
    }
    s->pool_size = 8 * input->total + 16 * input->pieces + 65536;
    s->pool = malloc(s->pool_size);
    if (!s->pool)
        abort();
    return s;
}

static uint64_t json_write(void *context, size_t repeat)
{
    state *s = context;
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        yyjson_alc pool;
        yyjson_alc_pool_init(&pool, s->pool, s->pool_size);
        s->length = 0;
        s->text = yyjson_mut_write_opts(s->document, YYJSON_WRITE_NOFLAG, &pool, &s->length, NULL);
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
    yyjson_mut_doc_free(s->document);
    free(s->pool);
    free(s);
}

void peers_yyjson(void);
void peers_yyjson(void)
{
    static const bench_json json = {json_open, json_write, json_view, json_close};
    bench_peer_add(&(bench_peer){.who = "yyjson",
                                 .variant = "-",
                                 .version = YYJSON_VERSION_STRING,
                                 .compiler = BENCH_PEER_COMPILER,
                                 .json = &json,
                                 .json_checked = &json});
}
