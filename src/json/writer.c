/* SPDX-License-Identifier: MIT */
/* The JSON writer: its places, containers, the beginning and the end. */
#include "json/writer.h"

#include "common/allocator.h"
#include "dispatch/table.h"

#include <assert.h>

enum { DEFAULT_MAX_DEPTH = 1024, INLINE_LEVELS = 8 * sizeof((quern_json_writer *)0)->levels_, SMALLEST_STACK = 256 };

/* ---- places ---------------------------------------------------------------------------------------- */

/* clang-format off */
#define CLOSED {{0}, HEAD_LONG}
#define HEAD(text, length, why) {text, (why) ? HEAD_LONG + (length) + (why) : (length)}
#define PLACES(comma, comma_length, colon, colon_length, element, key, value)               \
    {{{HEAD("\"", 1, 0), CLOSED}, {{CLOSED, CLOSED}, {CLOSED, CLOSED}}},                    \
     {{HEAD("\"", 1, element), CLOSED},                                                     \
      {{HEAD(comma, comma_length, element), CLOSED}, {CLOSED, CLOSED}}},                    \
     {{CLOSED, HEAD("\"", 1, key)},                                                         \
      {{CLOSED, HEAD(comma, comma_length, key)}, {HEAD(colon, colon_length, value), CLOSED}}}}
/* clang-format on */

/* [canonical or skip_item][layout], and what is written within a value that is skipped. */
enum { LAYOUT_COMPACT, LAYOUT_SPACED, LAYOUT_LINES };
static const quern_json_place all_places[2][3][3] = {
    {PLACES(",\"", 2, ":\"", 2, 0, 0, 0), PLACES(", \"", 3, ": \"", 3, 0, 0, 0),
     PLACES(",\"", 2, ": \"", 3, HEAD_LINE, HEAD_LINE, 0)},
    {PLACES(",\"", 2, ":\"", 2, 0, HEAD_HOOK, 0), PLACES(", \"", 3, ": \"", 3, 0, HEAD_HOOK, 0),
     PLACES(",\"", 2, ": \"", 3, HEAD_LINE, HEAD_LINE | HEAD_HOOK, 0)},
};
static const quern_json_place skipped_places[3] = PLACES(",\"", 2, ":\"", 2, HEAD_HOOK, HEAD_HOOK, HEAD_HOOK);

static void enter(quern_json_writer *w, size_t kind)
{
    const bool skipped = w->mark_open_ == MARK_SKIP && w->depth_ > w->skip_depth_;
    w->place_ = (skipped ? skipped_places : w->places_)[kind];
}

/* Begins a line that is `depth` levels deep. */
static bool write_line(quern_json_writer *w, size_t depth)
{
    const char blank = w->indent_ > 0 ? ' ' : '\t';
    uint64_t left = (uint64_t)depth * (uint64_t)(w->indent_ > 0 ? w->indent_ : 1);
    if (!room_for(w, 1))
        return false;
    put_byte(w, '\n');
    while (left > 0) {
        const size_t part = left < QUERN_RESERVE ? (size_t)left : QUERN_RESERVE;
        char *out = room_for(w, part);
        if (!out)
            return false;
        memset(out, blank, part);
        w->sink_->cursor += part;
        left -= part;
    }
    return true;
}

bool quern_json_open_place(quern_json_writer *w, size_t where)
{
    quern_json_head *head = &w->place_.now[where];
    if (w->error_.status != QUERN_OK)
        return false;
    if (!head_is_open(*head)) {
        quern_json_fail(w, QUERN_ERROR_MISUSE, 0);
        return false;
    }
    if (head->length & HEAD_HOOK && !(w->canonical_ ? quern_json_canonical_key(w) : quern_json_skip_hook(w, where)))
        return false;
    const bool line = head->length & HEAD_LINE;
    head->length &= HEAD_LENGTH;
    if (!line)
        return true;
    if (head->length > 1) {
        if (!room_for(w, 1))
            return false;
        put_byte(w, ',');
    }
    *head = (quern_json_head){"\"", 1};
    return write_line(w, w->depth_);
}

/* ---- beginning and end ----------------------------------------------------------------------------- */

static bool style_is_minimum(const quern_style *style)
{
    return !style || !(style->looks_ & ~STYLE_POINTS);
}

/* KEEP leaves the decision to a style that looks at code points. */
static void read_invalid(quern_json_writer *w)
{
    static const unsigned char of_style[] = {
        [QUERN_ILL_FORMED_STOP] = QUERN_JSON_INVALID_STOP,
        [QUERN_ILL_FORMED_REPLACE] = QUERN_JSON_INVALID_REPLACE,
        [QUERN_ILL_FORMED_REPLACE_BYTES] = INVALID_REPLACE_BYTES,
        [QUERN_ILL_FORMED_DROP] = QUERN_JSON_INVALID_DROP,
        [QUERN_ILL_FORMED_KEEP] = QUERN_JSON_INVALID_KEEP,
    };
    const unsigned looks = w->style_ ? w->style_->looks_ : 0;
    if (w->invalid_ == QUERN_JSON_INVALID_KEEP && looks & STYLE_POINTS)
        w->invalid_ = of_style[w->style_->ill_formed_];
    w->checks_ = w->invalid_ != QUERN_JSON_INVALID_KEEP || looks & (STYLE_ASCII | STYLE_LINES);
}

static bool read_options(quern_json_writer *w, const quern_json_writer_options *o)
{
    if ((unsigned)o->layout > QUERN_JSON_SPACED || (unsigned)o->invalid > QUERN_JSON_INVALID_SKIP_ITEM ||
        (unsigned)o->nonfinite > QUERN_JSON_NONFINITE_LITERAL || o->indent < QUERN_JSON_INDENT_TAB ||
        o->indent > QUERN_JSON_INDENT_MAX || (o->indent && o->layout != QUERN_JSON_COMPACT) ||
        (o->stack_size && !o->stack) ||
        (o->canonical && (o->style || o->layout || o->indent || o->invalid || o->nonfinite)))
        return false;
    w->style_ = o->style;
    w->indent_ = o->indent;
    w->invalid_ = (unsigned char)o->invalid;
    w->nonfinite_ = (unsigned char)o->nonfinite;
    w->canonical_ = o->canonical;
    if (o->max_depth)
        w->max_depth_ = o->max_depth;
    w->allocator_ = allocator_or_malloc(o->allocator);
    w->deep_ = o->stack;
    w->deep_size_ = o->stack_size;
    const bool hook = o->canonical || o->invalid == QUERN_JSON_INVALID_SKIP_ITEM;
    w->places_ = all_places[hook][o->indent ? LAYOUT_LINES : o->layout ? LAYOUT_SPACED : LAYOUT_COMPACT];
    read_invalid(w);
    return true;
}

void quern_json_writer_init(quern_json_writer *w, quern_sink *sink, const quern_json_writer_options *options)
{
    static const quern_json_writer_options defaults = {.size = sizeof defaults};
    assert(w && sink);
    memset(w, 0, sizeof *w);
    w->sink_ = sink;
    const quern_row *row = quern_table_active();
    w->row_ = &row->kernels;
    w->max_depth_ = DEFAULT_MAX_DEPTH;
    w->places_ = all_places[0][LAYOUT_COMPACT];
    close_place(w);
    if (!read_options(w, options ? options : &defaults)) {
        w->string_ = quern_json_string_slow;
        quern_json_fail(w, QUERN_ERROR_RANGE, 0);
        return;
    }
    w->owns_deep_ = !w->deep_;
    /* (The variant's function may write the start of a long string before it finds that it is ill-formed.) */
    w->short_ = style_is_minimum(w->style_) && w->invalid_ != QUERN_JSON_INVALID_SKIP_ITEM;
    w->string_ = !w->short_ ? quern_json_string_slow : w->checks_ ? row->json_string : row->json_string_keep;
    enter(w, IN_ROOT);
}

/* Marks are closed and memory is freed. What a mark holds is kept if it is the start of the right output. */
static void let_go(quern_json_writer *w)
{
    if (w->mark_open_ == MARK_KEY || w->mark_open_ == MARK_STRING)
        quern_sink_release(w->sink_, &w->mark_);
    else if (w->mark_open_ != MARK_NONE)
        quern_sink_rollback(w->sink_, &w->mark_);
    w->mark_open_ = MARK_NONE;
    quern_json_canonical_free(w);
    if (w->owns_deep_ && w->deep_) {
        w->allocator_.resize(w->allocator_.context, w->deep_, w->deep_size_, 0);
        w->deep_ = NULL;
        w->deep_size_ = 0;
    }
}

quern_status quern_json_fail(quern_json_writer *w, quern_status status, uint64_t offset)
{
    if (w->error_.status == QUERN_OK) {
        w->error_ = w->sink_->status_ == QUERN_OK ? (quern_error){status, offset} : (quern_error){w->sink_->status_, 0};
        close_place(w);
        w->open_ = OPEN_NOTHING;
        let_go(w);
    }
    return w->error_.status;
}

quern_status quern_json_writer_finish(quern_json_writer *w)
{
    if (w->error_.status == QUERN_OK && !w->finished_) {
        const quern_status flushed = quern_sink_flush(w->sink_);
        /* A sink that failed left values out; that is the failure to report, not the gap. */
        if (quern_failed(flushed))
            quern_json_fail(w, flushed, 0);
        else if (w->depth_ || w->open_ || head_is_open(w->place_.now[AT_VALUE]))
            quern_json_fail(w, QUERN_ERROR_MISUSE, 0);
        close_place(w);
        let_go(w);
        w->finished_ = true;
    }
    return status_of(w);
}

void quern_json_writer_error(const quern_json_writer *w, quern_error *error)
{
    *error = (quern_error){status_of(w), w->error_.offset};
}

uint64_t quern_json_writer_skipped(const quern_json_writer *w)
{
    return w->skipped_;
}

quern_status quern_json_write_null(quern_json_writer *w)
{
    return write_literal(w, "null", 4);
}

quern_status quern_json_write_bool(quern_json_writer *w, bool value)
{
    return value ? write_literal(w, "true", 4) : write_literal(w, "false", 5);
}

/* ---- containers ------------------------------------------------------------------------------------ */

/* The byte that has the level's bit. */
static unsigned char *level_byte(quern_json_writer *w, size_t level)
{
    return level < INLINE_LEVELS ? &w->levels_[level / 8] : &w->deep_[(level - INLINE_LEVELS) / 8];
}

static bool level_is_map(quern_json_writer *w, size_t level)
{
    return *level_byte(w, level) >> (level & 7) & 1;
}

/* Makes a bit for one more level. */
static quern_status grow_levels(quern_json_writer *w)
{
    if (!w->owns_deep_)
        return QUERN_ERROR_DEPTH;
    const size_t size = w->deep_size_ ? w->deep_size_ * 2 : SMALLEST_STACK;
    void *deep =
        size > w->deep_size_ ? w->allocator_.resize(w->allocator_.context, w->deep_, w->deep_size_, size) : NULL;
    if (!deep)
        return QUERN_ERROR_MEMORY;
    w->deep_ = deep;
    w->deep_size_ = size;
    return QUERN_OK;
}

static quern_status begin(quern_json_writer *w, bool is_map)
{
    const size_t level = w->depth_;
    if (head_is_open(w->place_.now[AT_VALUE])) {
        if (level >= w->max_depth_)
            return quern_json_fail(w, QUERN_ERROR_DEPTH, 0);
        if (level >= INLINE_LEVELS && (level - INLINE_LEVELS) / 8 >= w->deep_size_) {
            const quern_status status = grow_levels(w);
            if (status != QUERN_OK)
                return quern_json_fail(w, status, 0);
        }
        if (w->canonical_ && !quern_json_canonical_begin(w, is_map))
            return status_of(w);
        quern_json_skip_at_begin(w);
    }
    char *out = value_start(w, 1);
    if (!out)
        return quern_json_fail(w, status_of(w), 0);
    *out = is_map ? '{' : '[';
    w->sink_->cursor = (uint8_t *)out + 1;
    unsigned char *byte = level_byte(w, level), bit = (unsigned char)(1u << (level & 7));
    *byte = is_map ? *byte | bit : *byte & (unsigned char)~bit;
    w->depth_ = level + 1;
    enter(w, is_map ? IN_MAP : IN_ARRAY);
    return w->sink_->status_;
}

quern_status quern_json_begin_array(quern_json_writer *w)
{
    return begin(w, false);
}

quern_status quern_json_begin_map(quern_json_writer *w)
{
    return begin(w, true);
}

quern_status quern_json_end(quern_json_writer *w)
{
    if (w->error_.status != QUERN_OK)
        return w->error_.status;
    if (w->depth_ == 0)
        return quern_json_fail(w, QUERN_ERROR_MISUSE, 0);
    const bool is_map = level_is_map(w, w->depth_ - 1);
    const quern_json_head *head = &w->place_.now[is_map ? AT_KEY : AT_VALUE];
    if (!head_is_open(*head)) /* a string is open, or a key has no value */
        return quern_json_fail(w, QUERN_ERROR_MISUSE, 0);
    quern_json_skip_at_end(w);
    const bool empty = head->text[0] == '"';
    if (w->indent_ && !empty && w->mark_open_ != MARK_SKIP && !write_line(w, w->depth_ - 1))
        return status_of(w);
    if (!room_for(w, 1))
        return status_of(w);
    put_byte(w, is_map ? '}' : ']');
    w->depth_--;
    if (w->canonical_ && !quern_json_canonical_end(w, is_map))
        return status_of(w);
    enter(w, !w->depth_ ? IN_ROOT : level_is_map(w, w->depth_ - 1) ? IN_MAP : IN_ARRAY);
    go_on(w, AT_VALUE);
    return w->sink_->status_;
}
