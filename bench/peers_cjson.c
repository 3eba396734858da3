/* SPDX-License-Identifier: MIT */
/* cJSON: printing a document into a buffer that is kept. Its strings end at a NUL, so they are copied first, and its
 * numbers are doubles, of which it takes a text of 15 digits for good that reads back as a neighbour. It does not look
 * at UTF-8. */
#include "peers.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

static cJSON *new_string(const char *data, size_t length)
{
    cJSON *item = cJSON_CreateNull();
    char *copy = cJSON_malloc(length + 1);
    if (!item || !copy)
        abort();
    memcpy(copy, data, length);
    copy[length] = 0;
    item->type = cJSON_String;
    item->valuestring = copy;
    return item;
}

static bool has_15_digits(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.15g", value);
    return strtod(text, NULL) == value;
}

/* Magnitudes up to which each integer is a double. */
static const int64_t most = INT64_C(1) << 53;

#define DOM cJSON *
#define DOM_MAP(w) cJSON_CreateObject()
#define DOM_ARRAY(w) cJSON_CreateArray()
#define DOM_STRING(w, data, length) new_string(data, length)
#define DOM_INT(w, value) ((value) <= most && (value) >= -most ? cJSON_CreateNumber((double)(value)) : NULL)
#define DOM_UINT(w, value) ((value) <= (uint64_t)most ? cJSON_CreateNumber((double)(value)) : NULL)
#define DOM_DOUBLE(w, value) (has_15_digits(value) ? cJSON_CreateNumber(value) : NULL)
#define DOM_BOOL(w, value) cJSON_CreateBool(value)
#define DOM_NULL(w) cJSON_CreateNull()
#define DOM_APPEND(w, array, value) cJSON_AddItemToArray(array, value)
#define DOM_SET(w, map, key, length, value) cJSON_AddItemToObjectCS(map, key, value)
#include "dom.h"

typedef struct state {
    bench_written written;
    cJSON *document;
    char *text;
    size_t room;
} state;

static void json_close(void *context)
{
    state *s = context;
    cJSON_Delete(s->document);
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
    bool good = true;
    for (size_t r = 0; r < repeat; r++)
        good &= cJSON_PrintPreallocated(s->document, s->text, (int)s->room, 0) != 0;
    s->written = (bench_written){s->text, good ? strlen(s->text) : 0}; /* it does not tell */
    return s->written.length;
}

void peers_cjson(void);
void peers_cjson(void)
{
    static const bench_json json = {json_open, json_write, json_close};
    bench_peer_add(&(bench_peer){.who = "cjson",
                                 .variant = "-",
                                 .version = BENCH_TEXT(CJSON_VERSION_MAJOR) "." BENCH_TEXT(
                                     CJSON_VERSION_MINOR) "." BENCH_TEXT(CJSON_VERSION_PATCH),
                                 .compiler = BENCH_PEER_COMPILER,
                                 .json = &json});
}
