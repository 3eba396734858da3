/* SPDX-License-Identifier: MIT */
/* yyjson: writing a document, in the immutable form, which it writes fastest. It always checks UTF-8. Its allocator is
 * a pool made once: it asks for six times the text each time it writes. */
#include "peers.h"

#include <stdlib.h>
#include <yyjson.h>

#define DOM yyjson_mut_val *
#define DOM_MAP(w) yyjson_mut_obj((w)->document)
#define DOM_ARRAY(w) yyjson_mut_arr((w)->document)
#define DOM_STRING(w, data, length) yyjson_mut_strn((w)->document, data, length)
#define DOM_INT(w, value) yyjson_mut_sint((w)->document, value)
#define DOM_UINT(w, value) yyjson_mut_uint((w)->document, value)
#define DOM_DOUBLE(w, value) yyjson_mut_real((w)->document, value)
#define DOM_BOOL(w, value) yyjson_mut_bool((w)->document, value)
#define DOM_NULL(w) yyjson_mut_null((w)->document)
#define DOM_APPEND(w, array, value) yyjson_mut_arr_append(array, value)
#define DOM_SET(w, map, key, length, value) yyjson_mut_obj_add(map, yyjson_mut_strn((w)->document, key, length), value)
#include "dom.h"

typedef struct state {
    bench_written written;
    yyjson_doc *document;
    void *pool;
    size_t pool_size;
} state;

static void *json_open(const bench_source *source)
{
    state *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    yyjson_mut_doc *made = yyjson_mut_doc_new(NULL);
    walker w = {.document = made, .good = true};
    walk(&w, source);
    yyjson_mut_doc_set_root(made, w.root);
    s->document = yyjson_mut_doc_imut_copy(made, NULL);
    yyjson_mut_doc_free(made);
    s->pool_size = 8 * source->room + 65536;
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
        s->written.length = 0;
        s->written.text = yyjson_write_opts(s->document, YYJSON_WRITE_NOFLAG, &pool, &s->written.length, NULL);
        sum += s->written.length;
    }
    return sum;
}

static void json_close(void *context)
{
    state *s = context;
    yyjson_doc_free(s->document);
    free(s->pool);
    free(s);
}

void peers_yyjson(void);
void peers_yyjson(void)
{
    static const bench_json json = {json_open, json_write, json_close};
    bench_peer_add(&(bench_peer){.who = "yyjson",
                                 .variant = "-",
                                 .version = YYJSON_VERSION_STRING,
                                 .compiler = BENCH_PEER_COMPILER,
                                 .json = &json,
                                 .json_checked = &json});
}
