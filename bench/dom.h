/* SPDX-License-Identifier: MIT */
/*
 * The walk (walk.h) that builds a library's document. To be included where DOM, a pointer to the library's value, is
 * defined, and how it makes values of `w`, a walker *: DOM_MAP, DOM_ARRAY, DOM_STRING (data, length), DOM_INT,
 * DOM_UINT, DOM_DOUBLE, DOM_BOOL, DOM_NULL; and how it puts one into another: DOM_APPEND (array, value), DOM_SET (map,
 * key, length, value). `w->document` is for what the library needs to make them.
 */
#ifndef QUERN_BENCH_DOM_H
#define QUERN_BENCH_DOM_H

#include "document.h"

enum { DOM_DEPTH = 8 };

typedef struct walker {
    void *document;
    bool good; /* false: it has no such value */
    DOM root;
    size_t depth;
    DOM open[DOM_DEPTH];
    bool is_map[DOM_DEPTH];
    const char *key;
    size_t key_length;
} walker;

static void put(walker *w, DOM value)
{
    w->good = w->good && value;
    if (w->depth == 0)
        w->root = value;
    else if (w->is_map[w->depth - 1])
        (void)DOM_SET(w, w->open[w->depth - 1], w->key, w->key_length, value);
    else
        (void)DOM_APPEND(w, w->open[w->depth - 1], value);
}

static void put_container(walker *w, DOM value, bool is_map)
{
    put(w, value);
    w->is_map[w->depth] = is_map;
    w->open[w->depth++] = value;
}

static void put_map(walker *w)
{
    put_container(w, DOM_MAP(w), true);
}

static void put_array(walker *w)
{
    put_container(w, DOM_ARRAY(w), false);
}

static void put_map_end(walker *w)
{
    w->depth--;
}

static void put_array_end(walker *w)
{
    w->depth--;
}

static void put_key(walker *w, const char *data, size_t length)
{
    w->key = data;
    w->key_length = length;
}

static void put_string(walker *w, const char *data, size_t length)
{
    put(w, DOM_STRING(w, data, length));
}

static void put_int(walker *w, int64_t value)
{
    put(w, DOM_INT(w, value));
}

static void put_uint(walker *w, uint64_t value)
{
    put(w, DOM_UINT(w, value));
}

static void put_double(walker *w, double value)
{
    put(w, DOM_DOUBLE(w, value));
}

static void put_bool(walker *w, bool value)
{
    put(w, DOM_BOOL(w, value));
}

static void put_null(walker *w)
{
    put(w, DOM_NULL(w));
}

#include "walk.h"

#endif
