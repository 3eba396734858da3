/* SPDX-License-Identifier: MIT */
/* yajl: its generator, into the buffer that it keeps. */
#include "peers.h"

#include <stdlib.h>
#include <yajl/yajl_gen.h>
#include <yajl/yajl_version.h>

typedef struct state {
    const bench_input *input;
    yajl_gen generator;
} state;

static state *open_with(const bench_input *input, int validate)
{
    state *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->input = input;
    s->generator = yajl_gen_alloc(NULL);
    yajl_gen_config(s->generator, yajl_gen_validate_utf8, validate);
    return s;
}

static void *json_open(const bench_input *input)
{
    return open_with(input, 0);
}

static void *json_open_checked(const bench_input *input)
{
    return open_with(input, 1);
}

static uint64_t json_write(void *context, size_t repeat)
{
    state *s = context;
    const bench_input *input = s->input;
    uint64_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        yajl_gen_clear(s->generator);
        yajl_gen_reset(s->generator, NULL);
        yajl_gen_array_open(s->generator);
        for (size_t p = 0; p < input->pieces; p++) {
            const uint32_t at = input->begin[p];
            yajl_gen_string(s->generator, (const unsigned char *)input->pool + at, input->begin[p + 1] - at);
        }
        sum += yajl_gen_array_close(s->generator) == yajl_gen_status_ok;
    }
    return sum;
}

static const char *json_view(const void *context, size_t *length)
{
    const state *s = context;
    const unsigned char *text = NULL;
    *length = 0;
    yajl_gen_get_buf(s->generator, &text, length);
    return (const char *)text;
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
    static const bench_json json = {json_open, json_write, json_view, json_close};
    static const bench_json checked = {json_open_checked, json_write, json_view, json_close};
    bench_peer_add(
        &(bench_peer){.who = "yajl",
                      .variant = "-",
                      .version = BENCH_TEXT(YAJL_MAJOR) "." BENCH_TEXT(YAJL_MINOR) "." BENCH_TEXT(YAJL_MICRO),
                      .compiler = BENCH_PEER_COMPILER,
                      .json = &json,
                      .json_checked = &checked});
}
