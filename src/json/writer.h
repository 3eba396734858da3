/* SPDX-License-Identifier: MIT */
/*
 * What the files of the JSON writer share: where the writer is, what may come there, and how a value is written.
 *
 * The bytes that precede a value or a key (comma, colon, blank, and a quotation mark for strings) are prepared:
 * place_.now has those of this place, place_.then what they become behind a value or a key. So writing one is: copy
 * four bytes, write the text, copy sixteen. Nothing asks what is open: where no value or no key may come, the length of
 * what precedes it is below 0, and that leads into quern_json_open_place.
 */
#ifndef QUERN_JSON_WRITER_H
#define QUERN_JSON_WRITER_H

#include <quern/json.h>

#include "common/json.h"
#include "common/style.h"

#include <string.h>

/* Where a string stands. */
enum { AT_VALUE, AT_KEY };

/* Kinds of places: quern_json_writer.places_ has one of each. */
enum { IN_ROOT, IN_ARRAY, IN_MAP };

/* A quern_json_head that has to go the long way: HEAD_LONG + the length + why. Length 0: nothing may come here. */
#define HEAD_LONG INT32_MIN
enum {
    HEAD_LENGTH = 15,
    HEAD_LINE = 16, /* the quotation mark begins a line */
    HEAD_HOOK = 32  /* canonical form or skip_item wants to know */
};

static inline bool head_is_open(quern_json_head head)
{
    return (head.length & HEAD_LENGTH) != 0;
}

/* What is open in pieces. The last three were ill-formed under skip_item: an element or the root, a pair, a key. */
enum { OPEN_NOTHING, OPEN_BYTES, OPEN_VALUE, OPEN_KEY, OPEN_SKIPPED, OPEN_SKIPPED_PAIR, OPEN_SKIPPED_KEY };

/* What mark_ is for. */
enum {
    MARK_NONE,
    MARK_KEY,    /* a key, and the value behind it if that is a scalar; closed by the next key or the end */
    MARK_STRING, /* an element or a root in pieces */
    MARK_SKIP,   /* what goes on until the value of a key that was skipped is whole */
    MARK_CANONICAL
};

/* A policy that only a style can have: U+FFFD for each byte. */
enum { INVALID_REPLACE_BYTES = QUERN_JSON_INVALID_SKIP_ITEM + 1 };

/* Latches, closes every place, lets go of marks and memory. A failure that the sink had before stays the first. */
quern_status quern_json_fail(quern_json_writer *w, quern_status status, uint64_t offset);

/*
 * Makes the long head of a place a short one, and writes what that leaves out. False: no such thing may come here, or
 * a failure.
 */
bool quern_json_open_place(quern_json_writer *w, size_t where);

/* The writer's own failure, or the sink's. (While a full fixed sink goes on counting, the writer goes on writing.) */
static inline quern_status status_of(const quern_json_writer *w)
{
    return w->error_.status != QUERN_OK ? w->error_.status : w->sink_->status_;
}

/* Room for `length` bytes (at most QUERN_RESERVE) at the sink's cursor, or NULL. */
static inline char *room_for(quern_json_writer *w, size_t length)
{
    return quern_sink_reserve(w->sink_, length) == QUERN_OK ? (char *)w->sink_->cursor : NULL;
}

static inline void put_byte(quern_json_writer *w, char byte)
{
    *w->sink_->cursor++ = (uint8_t)byte;
}

/* Writes what precedes a value; returns where the value goes, with room for `length` bytes there, or NULL. */
static inline char *value_start(quern_json_writer *w, size_t length)
{
    if (QUERN_UNLIKELY(w->place_.now[AT_VALUE].length < 0) && !quern_json_open_place(w, AT_VALUE))
        return NULL;
    char *out = room_for(w, sizeof w->place_.now[0].text + length);
    if (QUERN_UNLIKELY(!out))
        return NULL;
    memcpy(out, w->place_.now[AT_VALUE].text, sizeof w->place_.now[0].text);
    return out + w->place_.now[AT_VALUE].length - 1; /* without the quotation mark */
}

/* What follows a value or a key may come now. */
static inline void go_on(quern_json_writer *w, size_t where)
{
    memcpy(w->place_.now, w->place_.then[where], sizeof w->place_.now);
}

/* The value ends before `out`. */
static inline quern_status value_end(quern_json_writer *w, char *out)
{
    w->sink_->cursor = (uint8_t *)out;
    go_on(w, AT_VALUE);
    return w->sink_->status_;
}

static inline quern_status write_literal(quern_json_writer *w, const char *text, size_t length)
{
    char *out = value_start(w, length);
    if (!out)
        return status_of(w);
    memcpy(out, text, length);
    return value_end(w, out + length);
}

/* Nothing may come. */
static inline void close_place(quern_json_writer *w)
{
    w->place_.now[AT_VALUE].length = w->place_.now[AT_KEY].length = HEAD_LONG;
}

/* ---- text.c ---------------------------------------------------------------------------------------- */

/* Opens a string or bytes, as `open` says, and writes the quotation mark. */
quern_status quern_json_begin_text(quern_json_writer *w, unsigned char open);

/* Writes the quotation mark that ends a string; what follows it may come. */
quern_status quern_json_close_text(quern_json_writer *w, size_t where);

/* ---- number.c -------------------------------------------------------------------------------------- */

/* An integer in canonical form, where numbers are doubles and nothing else. */
quern_status quern_json_write_exact(quern_json_writer *w, bool negative, uint64_t magnitude);

/* ---- skip.c ---------------------------------------------------------------------------------------- */

/* Before a key, or anything within the value of a key that was skipped. False: a failure. */
bool quern_json_skip_hook(quern_json_writer *w, size_t where);

/* Before an array or a map opens, and before one closes. */
void quern_json_skip_at_begin(quern_json_writer *w);
void quern_json_skip_at_end(quern_json_writer *w);

/* Before a whole string of which nothing is written yet: *skipped if it is ill-formed, then returns the status. */
quern_status quern_json_skip_check(quern_json_writer *w, const char *data, size_t length, size_t where, bool *skipped);

/* A string in pieces: before it (false: a failure), at its first fault, and at its end, whether it had one or not. */
bool quern_json_skip_at_text(quern_json_writer *w, size_t where);
void quern_json_skip_text(quern_json_writer *w);
quern_status quern_json_skip_end_text(quern_json_writer *w);
quern_status quern_json_skip_keep(quern_json_writer *w);

/* ---- canonical.c ----------------------------------------------------------------------------------- */

/* Before a container opens, before a key, and behind a container's end, its level closed already. False: a failure. */
bool quern_json_canonical_begin(quern_json_writer *w, bool is_map);
bool quern_json_canonical_key(quern_json_writer *w);
bool quern_json_canonical_end(quern_json_writer *w, bool is_map);

/* Frees what it has allocated. */
void quern_json_canonical_free(quern_json_writer *w);

#endif
