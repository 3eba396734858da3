/* SPDX-License-Identifier: MIT */
/*
 * RFC 8949 section 4.2.1. The outermost map, or array of unknown count, is held by a mark; where the keys of its maps
 * lie is noted as they come. A map is put in order when it ends, so that whatever is in a key is in order already when
 * the key is compared. All loops, no recursion.
 */
#include "cbor/writer.h"

/* Where a pair lies in the held text. */
typedef struct pair {
    size_t start, middle, end;
} pair;

/* An open container: its head, what follows that, and its first pair. */
typedef struct frame {
    size_t start, body, first;
} frame;

typedef struct list {
    void *items;
    size_t count, room;
} list;

struct quern_cbor_sorter {
    uint64_t base; /* the sink's total at the mark */
    list frames;
    list pairs; /* of all open maps, those of inner ones behind those of outer ones */
};

static void *resize(quern_cbor_writer *w, void *block, size_t old_size, size_t new_size)
{
    return w->allocator_.resize(w->allocator_.context, block, old_size, new_size);
}

static bool out_of_memory(quern_cbor_writer *w)
{
    quern_cbor_fail(w, QUERN_ERROR_MEMORY, 0);
    return false;
}

/* Makes room for one more item. */
static bool grow(quern_cbor_writer *w, list *l, size_t size)
{
    if (l->count < l->room)
        return true;
    const size_t room = l->room ? l->room * 2 : 16;
    void *items = room < PTRDIFF_MAX / size ? resize(w, l->items, l->room * size, room * size) : NULL;
    if (!items)
        return out_of_memory(w);
    l->items = items;
    l->room = room;
    return true;
}

void quern_cbor_sorter_free(quern_cbor_writer *w)
{
    struct quern_cbor_sorter *s = w->sorter_;
    if (!s)
        return;
    if (s->frames.items)
        resize(w, s->frames.items, s->frames.room * sizeof(frame), 0);
    if (s->pairs.items)
        resize(w, s->pairs.items, s->pairs.room * sizeof(pair), 0);
    resize(w, s, sizeof *s, 0);
    w->sorter_ = NULL;
}

/* How far the held text goes. (In a sink that is full it means nothing, and is not used.) */
static size_t position(const quern_cbor_writer *w)
{
    return (size_t)(quern_sink_total(w->sink_) - w->sorter_->base);
}

/* ---- while it is written --------------------------------------------------------------------------- */

static frame *innermost(struct quern_cbor_sorter *s)
{
    return (frame *)s->frames.items + s->frames.count - 1;
}

bool quern_cbor_sorter_item(quern_cbor_writer *w)
{
    struct quern_cbor_sorter *s = w->sorter_;
    if (!s || !(w->kind_ & KIND_MAP))
        return true;
    if (w->more_ % 2) {
        ((pair *)s->pairs.items)[s->pairs.count - 1].middle = position(w);
        return true;
    }
    if (!grow(w, &s->pairs, sizeof(pair)))
        return false;
    const size_t here = position(w);
    pair *p = (pair *)s->pairs.items + s->pairs.count;
    if (s->pairs.count > innermost(s)->first)
        p[-1].end = here;
    *p = (pair){.start = here};
    s->pairs.count++;
    return true;
}

static bool start(quern_cbor_writer *w)
{
    struct quern_cbor_sorter *s = resize(w, NULL, 0, sizeof *s);
    if (!s)
        return out_of_memory(w);
    *s = (struct quern_cbor_sorter){.base = 0};
    w->sorter_ = s;
    const quern_status status = quern_sink_mark(w->sink_, &w->mark_);
    if (status != QUERN_OK) {
        quern_cbor_fail(w, status, 0);
        return false;
    }
    w->mark_open_ = true;
    s->base = quern_sink_total(w->sink_);
    return true;
}

bool quern_cbor_sorter_begin(quern_cbor_writer *w, unsigned kind)
{
    if (!w->sorter_) {
        if (kind == KIND_ARRAY)
            return true;
        if (!start(w))
            return false;
    }
    struct quern_cbor_sorter *s = w->sorter_;
    if (!grow(w, &s->frames, sizeof(frame)))
        return false;
    ((frame *)s->frames.items)[s->frames.count++] = (frame){.start = position(w), .first = s->pairs.count};
    return true;
}

void quern_cbor_sorter_body(quern_cbor_writer *w)
{
    innermost(w->sorter_)->body = position(w);
}

/* ---- the order of keys ----------------------------------------------------------------------------- */

/* By their bytes. No encoded item is the start of another one, so the lengths decide nothing but that they are equal.
 */
static int compare(const uint8_t *text, const pair *a, const pair *b)
{
    const size_t m = a->middle - a->start, n = b->middle - b->start;
    return memcmp(text + a->start, text + b->start, m < n ? m : n);
}

#include "common/pairs.tpl.h"

/* ---- the end --------------------------------------------------------------------------------------- */

static bool sort_map(quern_cbor_writer *w, const frame *f, uint8_t *text, size_t length)
{
    struct quern_cbor_sorter *s = w->sorter_;
    const size_t count = s->pairs.count - f->first;
    if (count == 0)
        return true;
    pair *pairs = (pair *)s->pairs.items + f->first;
    pairs[count - 1].end = length;
    if (in_order(text, pairs, count))
        return true;
    sort(text, pairs, count);
    if (!in_order(text, pairs, count)) {
        quern_cbor_fail(w, QUERN_ERROR_DUPLICATE, 0);
        return false;
    }
    const size_t size = length - f->body;
    uint8_t *copy = resize(w, NULL, 0, size), *out = copy;
    if (!copy)
        return out_of_memory(w);
    for (size_t i = 0; i < count; i++) {
        memcpy(out, text + pairs[i].start, pairs[i].end - pairs[i].start);
        out += pairs[i].end - pairs[i].start;
    }
    memcpy(text + f->body, copy, size);
    resize(w, copy, size, 0);
    return true;
}

/* The head of a container whose count was unknown, of one byte, becomes that of one that has `count`. */
static bool set_count(quern_cbor_writer *w, const frame *f, uint64_t count)
{
    uint8_t head[HEAD_ROOM], *text;
    const size_t size = (size_t)(put_head(head, w->kind_ & KIND_MAP ? MAJOR_MAP : MAJOR_ARRAY, count) - head);
    if (quern_sink_reserve(w->sink_, HEAD_ROOM) != QUERN_OK) {
        quern_cbor_fail(w, status_of(w), 0);
        return false;
    }
    memset(w->sink_->cursor, 0, HEAD_ROOM);
    w->sink_->cursor += size - 1;
    size_t length;
    if (quern_sink_held(w->sink_, &w->mark_, &text, &length) == QUERN_OK) {
        memmove(text + f->start + size, text + f->body, length - (size - 1) - f->body);
        memcpy(text + f->start, head, size);
    }
    return true;
}

bool quern_cbor_sorter_end(quern_cbor_writer *w, uint64_t items)
{
    struct quern_cbor_sorter *s = w->sorter_;
    const frame f = *innermost(s);
    uint8_t *text;
    size_t length;
    /* In a sink that is full and only counts, there is nothing to put in order. */
    const quern_status held = quern_sink_held(w->sink_, &w->mark_, &text, &length);
    if (held != QUERN_OK && !w->sink_->counts_) {
        quern_cbor_fail(w, held, 0);
        return false;
    }
    if (held == QUERN_OK && w->kind_ & KIND_MAP && !sort_map(w, &f, text, length))
        return false;
    if (w->kind_ & KIND_UNKNOWN && !set_count(w, &f, w->kind_ & KIND_MAP ? items / 2 : items))
        return false;
    s->pairs.count = f.first;
    if (--s->frames.count == 0) {
        quern_cbor_sorter_free(w);
        w->mark_open_ = false;
        quern_sink_release(w->sink_, &w->mark_);
    }
    return true;
}
