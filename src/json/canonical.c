/* SPDX-License-Identifier: MIT */
/*
 * RFC 8785. The outermost container is held by a mark, and its keys are noted as they come. When a map ends, the notes
 * of its pairs are sorted; its text is not touched, or maps within maps would be moved once for each level. When the
 * outermost container ends, its text is put in order in one go. All loops, no recursion.
 */
#include "json/writer.h"

/* A pair: where its text is, without the comma before it, and which of the maps is the first that can begin in it. */
typedef struct pair {
    size_t start, end;
    size_t first_map;
} pair;

/*
 * A map, from its brace to the other one, of which `count` pairs are in `sorted` from `first` on; 0 if they came in
 * order. `next`: the first map that begins behind it. `outer` is the map around it: of those that are open, then of
 * those that are being arranged, where `at` and `limit` are how far the outer one has come.
 */
typedef struct map {
    size_t start, end;
    size_t first, count;
    size_t next, outer;
    size_t at, limit;
} map;

typedef struct list {
    void *items;
    size_t count, room;
} list;

#define NONE SIZE_MAX

struct quern_json_canonical {
    uint64_t base; /* the sink's total at the mark */
    size_t inner;  /* the innermost open map */
    list maps;     /* in the order in which they begin */
    list open;     /* pairs of the open maps, those of inner ones behind those of outer ones */
    list sorted;
    bool moves; /* whether a map was not in order */
};

static void *resize(quern_json_writer *w, void *block, size_t old_size, size_t new_size)
{
    return w->allocator_.resize(w->allocator_.context, block, old_size, new_size);
}

/* Makes room for `count` more items; false, latched, if there is no memory. */
static bool grow(quern_json_writer *w, list *l, size_t count, size_t size)
{
    if (count <= l->room - l->count)
        return true;
    size_t room = l->room ? l->room * 2 : 16;
    if (room < l->count + count)
        room = l->count + count;
    void *items = room < PTRDIFF_MAX / size ? resize(w, l->items, l->room * size, room * size) : NULL;
    if (!items) {
        quern_json_fail(w, QUERN_ERROR_MEMORY, 0);
        return false;
    }
    l->items = items;
    l->room = room;
    return true;
}

void quern_json_canonical_free(quern_json_writer *w)
{
    struct quern_json_canonical *s = w->sorter_;
    if (!s)
        return;
    if (s->maps.items)
        resize(w, s->maps.items, s->maps.room * sizeof(map), 0);
    if (s->open.items)
        resize(w, s->open.items, s->open.room * sizeof(pair), 0);
    if (s->sorted.items)
        resize(w, s->sorted.items, s->sorted.room * sizeof(pair), 0);
    resize(w, s, sizeof *s, 0);
    w->sorter_ = NULL;
}

/* How far the held text goes. (In a sink that is full it means nothing, and is not used.) */
static size_t position(const quern_json_writer *w)
{
    return (size_t)(quern_sink_total(w->sink_) - w->sorter_->base);
}

/* ---- while it is written --------------------------------------------------------------------------- */

bool quern_json_canonical_begin(quern_json_writer *w, bool is_map)
{
    if (w->depth_ == 0) {
        struct quern_json_canonical *s = resize(w, NULL, 0, sizeof *s);
        if (!s) {
            quern_json_fail(w, QUERN_ERROR_MEMORY, 0);
            return false;
        }
        *s = (struct quern_json_canonical){.inner = NONE};
        w->sorter_ = s;
        const quern_status status = quern_sink_mark(w->sink_, &w->mark_);
        if (status != QUERN_OK) {
            quern_json_fail(w, status, 0);
            return false;
        }
        w->mark_open_ = MARK_CANONICAL;
        s->base = quern_sink_total(w->sink_);
    }
    struct quern_json_canonical *s = w->sorter_;
    if (is_map) {
        if (!grow(w, &s->maps, 1, sizeof(map)))
            return false;
        const size_t comma = (size_t)w->place_.now[AT_VALUE].length - 1;
        map *m = (map *)s->maps.items + s->maps.count;
        *m = (map){.start = position(w) + comma, .first = s->open.count, .outer = s->inner};
        s->inner = s->maps.count++;
    }
    return true;
}

/* The innermost map's last pair, if it has one, ends before `end`. */
static void end_pair(struct quern_json_canonical *s, size_t end)
{
    const map *m = (const map *)s->maps.items + s->inner;
    if (s->open.count > m->first)
        ((pair *)s->open.items)[s->open.count - 1].end = end;
}

bool quern_json_canonical_key(quern_json_writer *w)
{
    struct quern_json_canonical *s = w->sorter_;
    if (!grow(w, &s->open, 1, sizeof(pair)))
        return false;
    const size_t here = position(w), comma = (size_t)(w->place_.now[AT_KEY].length & HEAD_LENGTH) - 1;
    end_pair(s, here);
    ((pair *)s->open.items)[s->open.count++] = (pair){.start = here + comma, .first_map = s->maps.count};
    return true;
}

/* ---- the order of keys ----------------------------------------------------------------------------- */

/*
 * What stands at *p in a key: numbers that are in the order of UTF-16 code units, or -1 at its end. Bytes of UTF-8 are
 * in that order, but for U+E000 to U+FFFF, which come behind surrogates.
 */
static int next_unit(const uint8_t **p)
{
    static const char letters[32] = {
        ['b' & 31] = '\b', ['t' & 31] = '\t', ['n' & 31] = '\n', ['f' & 31] = '\f', ['r' & 31] = '\r'};
    const uint8_t byte = *(*p)++;
    if (byte == '"')
        return -1;
    if (byte != '\\')
        return byte == 0xEE || byte == 0xEF ? byte + 0x10 : byte;
    const uint8_t name = *(*p)++;
    if (name == '"' || name == '\\')
        return name;
    if (name != 'u')
        return letters[name & 31];
    const uint8_t low = (*p)[3]; /* \u0000 to \u001f */
    const int value = ((*p)[2] & 1) << 4 | (low <= '9' ? low - '0' : low - 'a' + 10);
    *p += 4;
    return value;
}

static int compare(const uint8_t *text, const pair *a, const pair *b)
{
    const uint8_t *p = text + a->start + 1, *q = text + b->start + 1;
    for (;;) {
        const int x = next_unit(&p), y = next_unit(&q);
        if (x != y)
            return x < y ? -1 : 1;
        if (x < 0)
            return 0;
    }
}

#include "common/pairs.tpl.h"

/* ---- the end --------------------------------------------------------------------------------------- */

/* The innermost open map's pairs are all there. */
static bool sort_map(quern_json_writer *w, map *m, const uint8_t *text)
{
    struct quern_json_canonical *s = w->sorter_;
    const size_t count = s->open.count - m->first;
    pair *pairs = count ? (pair *)s->open.items + m->first : NULL;
    if (in_order(text, pairs, count)) {
        if (s->maps.count == s->inner + 1)
            s->maps.count--; /* nothing in it will be moved */
        return true;
    }
    sort(text, pairs, count);
    if (!in_order(text, pairs, count)) {
        quern_json_fail(w, QUERN_ERROR_DUPLICATE, 0);
        return false;
    }
    if (!grow(w, &s->sorted, count, sizeof(pair)))
        return false;
    memcpy((pair *)s->sorted.items + s->sorted.count, pairs, count * sizeof(pair));
    m->first = s->sorted.count;
    m->count = count;
    s->sorted.count += count;
    s->moves = true;
    return true;
}

static uint8_t *put(uint8_t *out, const uint8_t *text, size_t start, size_t end)
{
    memcpy(out, text + start, end - start);
    return out + (end - start);
}

/* Copies the text with all pairs in their order. */
static void arrange(struct quern_json_canonical *s, uint8_t *out, const uint8_t *text, size_t length)
{
    map *maps = s->maps.items;
    size_t from = 0, limit = length, next = 0, inner = NONE;
    for (;;) {
        while (next < s->maps.count && maps[next].count == 0)
            next++;
        if (next < s->maps.count && maps[next].start < limit) {
            map *m = &maps[next];
            out = put(out, text, from, m->start + 1);
            m->outer = inner;
            m->limit = limit;
            m->at = 0;
            inner = next;
        } else {
            out = put(out, text, from, limit);
            if (inner == NONE)
                return;
        }
        map *m = &maps[inner];
        if (m->at < m->count) {
            const pair *p = (const pair *)s->sorted.items + m->first + m->at;
            if (m->at++ > 0)
                *out++ = ',';
            from = p->start;
            limit = p->end;
            next = p->first_map;
        } else {
            from = m->end;
            limit = m->limit;
            next = m->next;
            inner = m->outer;
        }
    }
}

/* The outermost container is whole: puts it in order. */
static bool arrange_all(quern_json_writer *w, uint8_t *text, size_t length)
{
    uint8_t *copy = resize(w, NULL, 0, length);
    if (!copy) {
        quern_json_fail(w, QUERN_ERROR_MEMORY, 0);
        return false;
    }
    arrange(w->sorter_, copy, text, length);
    memcpy(text, copy, length);
    resize(w, copy, length, 0);
    return true;
}

bool quern_json_canonical_end(quern_json_writer *w, bool is_map)
{
    struct quern_json_canonical *s = w->sorter_;
    uint8_t *text;
    size_t length;
    /* In a sink that is full and only counts, there is nothing to put in order. */
    const bool held = quern_sink_held(w->sink_, &w->mark_, &text, &length) == QUERN_OK;
    if (is_map) {
        map *m = (map *)s->maps.items + s->inner;
        const size_t first = m->first;
        if (held) {
            m->end = length - 1;
            end_pair(s, m->end);
            if (!sort_map(w, m, text))
                return false;
        }
        s->open.count = first;
        s->inner = m->outer;
        m->next = s->maps.count;
    }
    if (w->depth_ > 0)
        return true;
    if (held && s->moves && !arrange_all(w, text, length))
        return false;
    quern_json_canonical_free(w);
    w->mark_open_ = MARK_NONE;
    quern_sink_release(w->sink_, &w->mark_);
    return true;
}
