/* SPDX-License-Identifier: MIT */
/*
 * What the files of the CBOR writer share. Where an item may come is two counts: fast_ items may be written without a
 * question, more_ besides them by the long way, quern_cbor_open_place. fast_ is 0 where nothing may come, while a
 * string is open, and where deterministic encoding wants to know of each item, so that one test finds all of that.
 */
#ifndef QUERN_CBOR_WRITER_H
#define QUERN_CBOR_WRITER_H

#include <quern/cbor.h>

#include "common/kernel.h"
#include "common/load.h"
#include "dispatch/table.h"

#include <string.h>

/* Major types: the upper three bits of a head. */
enum {
    MAJOR_UNSIGNED = 0,
    MAJOR_NEGATIVE = 1,
    MAJOR_BYTES = 2,
    MAJOR_TEXT = 3,
    MAJOR_ARRAY = 4,
    MAJOR_MAP = 5,
    MAJOR_TAG = 6,
    MAJOR_SIMPLE = 7
};

enum {
    BYTE_UNKNOWN = 31, /* the lower bits of a head that begins what a break ends */
    BYTE_BREAK = 0xFF,
    BYTE_HALF = 0xF9,
    BYTE_FLOAT = 0xFA
};

enum { HEAD_ROOM = 9 }; /* what a head may scribble on, and the longest one */

/* Kinds of containers; the root is as an array. */
enum { KIND_ARRAY = 0, KIND_MAP = 1, KIND_UNKNOWN = 2 };

/* What is open in parts. */
enum { OPEN_NOTHING, OPEN_BYTES, OPEN_TEXT };

/* What a container of unknown count begins with: it is even, and never used up. */
#define UNKNOWN_ITEMS (UINT64_C(1) << 61)

/* Latches, closes every place, lets go of marks and memory. A failure that the sink had before stays the first. */
quern_status quern_cbor_fail(quern_cbor_writer *w, quern_status status, uint64_t offset);

/* Makes fast_ 1 if an item may come. False: none may, or a failure. */
bool quern_cbor_open_place(quern_cbor_writer *w);

static inline quern_status status_of(const quern_cbor_writer *w)
{
    return w->error_.status != QUERN_OK ? w->error_.status : w->sink_->status_;
}

static inline uint64_t items_left(const quern_cbor_writer *w)
{
    return w->fast_ + w->more_;
}

static inline void set_items_left(quern_cbor_writer *w, uint64_t items)
{
    const bool hook = w->deterministic_ && w->kind_ & KIND_MAP;
    w->fast_ = hook ? 0 : items;
    w->more_ = hook ? items : 0;
}

/* The place for an item: room for `length` bytes (at most QUERN_RESERVE) at the sink's cursor, or NULL. */
static inline uint8_t *item_start(quern_cbor_writer *w, size_t length)
{
    if (QUERN_UNLIKELY(w->fast_ == 0) && !quern_cbor_open_place(w))
        return NULL;
    return QUERN_LIKELY(quern_sink_reserve(w->sink_, length) == QUERN_OK) ? w->sink_->cursor : NULL;
}

/* The item (or its head, if the rest is sure to follow) ends before `out`. */
static inline quern_status item_end(quern_cbor_writer *w, uint8_t *out)
{
    w->sink_->cursor = out;
    w->fast_--;
    return w->sink_->status_;
}

/* A head by the highest bit of its value; 24 to 31 count as having bit 5. */
typedef struct head_shape {
    uint8_t code;  /* the first byte's lower bits, */
    uint8_t mask;  /* and which of the value's bits are there too */
    uint8_t shift; /* brings the value to the top of a word */
    uint8_t size;
} head_shape;

#define HEAD_SHAPES_4(...) __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__
static const head_shape head_shapes[64] = {
    HEAD_SHAPES_4({0, 31, 0, 1}),
    {0, 31, 0, 1},
    {24, 0, 56, 2},
    {24, 0, 56, 2},
    {24, 0, 56, 2},
    HEAD_SHAPES_4({25, 0, 48, 3}),
    HEAD_SHAPES_4({25, 0, 48, 3}),
    HEAD_SHAPES_4({26, 0, 32, 5}),
    HEAD_SHAPES_4({26, 0, 32, 5}),
    HEAD_SHAPES_4({26, 0, 32, 5}),
    HEAD_SHAPES_4({26, 0, 32, 5}),
    HEAD_SHAPES_4({27, 0, 0, 9}),
    HEAD_SHAPES_4({27, 0, 0, 9}),
    HEAD_SHAPES_4({27, 0, 0, 9}),
    HEAD_SHAPES_4({27, 0, 0, 9}),
    HEAD_SHAPES_4({27, 0, 0, 9}),
    HEAD_SHAPES_4({27, 0, 0, 9}),
    HEAD_SHAPES_4({27, 0, 0, 9}),
    HEAD_SHAPES_4({27, 0, 0, 9}),
};
#undef HEAD_SHAPES_4

static inline head_shape head_shape_of(uint64_t value)
{
    /* 24 to 31 get bit 5 and 0 gets bit 3; nothing else gets a bit above its own. */
    return head_shapes[bits_highest(value | ((value + 8) & 40))];
}

/* Writes a head, the shortest there is, without a branch; scribbles on HEAD_ROOM bytes. Returns its end. */
static inline uint8_t *put_head(uint8_t *out, unsigned major, uint64_t value)
{
    const head_shape shape = head_shape_of(value);
    out[0] = (uint8_t)(major << 5 | shape.code | (value & shape.mask));
    store64(out + 1, bits_swap_bytes(value << shape.shift));
    return out + shape.size;
}

/* Whether an item of up to `length` bytes may be put at the sink's cursor without a call: nearly always. */
static inline bool item_may_start(const quern_cbor_writer *w, size_t length)
{
    return QUERN_LIKELY(w->fast_ != 0 && (size_t)(w->sink_->limit - w->sink_->cursor) > length);
}

/* The rest of write_head: a function of its own spares the short way from saving registers. */
quern_status quern_cbor_write_head(quern_cbor_writer *w, unsigned major, uint64_t value);

static inline quern_status write_head(quern_cbor_writer *w, unsigned major, uint64_t value)
{
    if (item_may_start(w, HEAD_ROOM))
        return item_end(w, put_head(w->sink_->cursor, major, value));
    return quern_cbor_write_head(w, major, value);
}

/* A string of which nothing is to be checked but the place. */
quern_status quern_cbor_write_run(quern_cbor_writer *w, unsigned major, const void *data, size_t length);

/* A double whose bits are given; as wide as the writer's options say. */
quern_status quern_cbor_write_real(quern_cbor_writer *w, uint64_t bits);

/* Whether the bits of a double are also those of a half or a float (`width` 16 or 32), put in *narrow. */
bool quern_cbor_narrow(uint64_t bits, unsigned width, uint64_t *narrow);

/* ---- deterministic.c ------------------------------------------------------------------------------- */

/* Before a key or a value. False: a failure. */
bool quern_cbor_sorter_item(quern_cbor_writer *w);

/* Before a container's head, and behind it. */
bool quern_cbor_sorter_begin(quern_cbor_writer *w, unsigned kind);
void quern_cbor_sorter_body(quern_cbor_writer *w);

/* At the end of a container with `items` items, its level still open. False: a failure. */
bool quern_cbor_sorter_end(quern_cbor_writer *w, uint64_t items);

/* Frees what it has allocated. */
void quern_cbor_sorter_free(quern_cbor_writer *w);

#endif
