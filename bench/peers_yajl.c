/* SPDX-License-Identifier: MIT */
/* yajl: its generator, into the buffer that it keeps. */
#include "peers.h"

#include <stdlib.h>
#include <yajl/yajl_gen.h>
#include <yajl/yajl_version.h>

typedef struct walker {
    yajl_gen generator;
} walker;

static void put_map(walker *w)
{
    yajl_gen_map_open(w->generator);
}

static void put_map_end(walker *w)
{
    yajl_gen_map_close(w->generator);
}

static void put_array(walker *w)
{
    yajl_gen_array_open(w->generator);
}

static void put_array_end(walker *w)
{
    yajl_gen_array_close(w->generator);
}

static void put_string(walker *w, const char *data, size_t length)
{
    yajl_gen_string(w->generator, (const unsigned char *)data, length);
}

static void put_key(walker *w, const char *data, size_t length)
{
    put_string(w, data, length);
}

static void put_int(walker *w, int64_t value)
{
    yajl_gen_integer(w->generator, value);
}

static void put_uint(walker *w, uint64_t value)
{
    yajl_gen_integer(w->generator, (int64_t)value);
}

static void put_double(walker *w, double value)
{
    yajl_gen_double(w->generator, value);
}

static void put_bool(walker *w, bool value)
{
    yajl_gen_bool(w->generator, value);
}

static void put_null(walker *w)
{
    yajl_gen_null(w->generator);
}

#include "walk.h"

typedef struct state {
    bench_written written;
    const bench_source *source;
    yajl_gen generator;
} state;

static state *open_with(const bench_source *source, int validate)
{
    for (size_t i = 0; source->kind == BENCH_UINTS && i < source->count; i++) {
        if (source->uints[i] > INT64_MAX)
            return NULL;
    }
    state *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->source = source;
    s->generator = yajl_gen_alloc(NULL);
    yajl_gen_config(s->generator, yajl_gen_validate_utf8, validate);
    return s;
}

static void *json_open(const bench_source *source)
{
    return open_with(source, 0);
}

static void *json_open_checked(const bench_source *source)
{
    return open_with(source, 1);
}

static uint64_t json_write(void *context, size_t repeat)
{
    state *s = context;
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        walker w = {s->generator};
        yajl_gen_clear(s->generator);
        yajl_gen_reset(s->generator, NULL);
        walk(&w, s->source);
        const unsigned char *text = NULL;
        s->written.length = 0;
        yajl_gen_get_buf(s->generator, &text, &s->written.length);
        s->written.text = (const char *)text;
        sum += s->written.length;
    }
    return sum;
}

static void json_close(void *context)
{
    state *s = context;
    yajl_gen_free(s->generator);
    free(s);
}

void peers_yajl(void);
void peers_yajl(void)
{
    static const bench_json json = {json_open, json_write, json_close};
    static const bench_json checked = {json_open_checked, json_write, json_close};
    bench_peer_add(
        &(bench_peer){.who = "yajl",
                      .variant = "-",
                      .version = BENCH_TEXT(YAJL_MAJOR) "." BENCH_TEXT(YAJL_MINOR) "." BENCH_TEXT(YAJL_MICRO),
                      .compiler = BENCH_PEER_COMPILER,
                      .json = &json,
                      .json_checked = &checked});
}
