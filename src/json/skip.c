/* SPDX-License-Identifier: MIT */
/*
 * The JSON writer's policy skip_item. Nothing is written of an ill-formed string that comes whole; what has been
 * written of its item, the key before it or its own earlier pieces, is behind a mark. A key that is ill-formed opens a
 * mark, and the value behind it is written as any other and taken back again and again, so that no more than one scalar
 * of it is held.
 */
#include "json/writer.h"

static bool set_mark(quern_json_writer *w, unsigned char use)
{
    if (quern_sink_mark(w->sink_, &w->mark_) != QUERN_OK)
        return false;
    w->mark_open_ = use;
    return true;
}

quern_status quern_json_skip_keep(quern_json_writer *w)
{
    w->mark_open_ = MARK_NONE;
    return quern_sink_release(w->sink_, &w->mark_);
}

static void drop(quern_json_writer *w)
{
    w->mark_open_ = MARK_NONE;
    quern_sink_rollback(w->sink_, &w->mark_);
}

/* Whether the pair whose key was skipped is whole. */
static bool skip_is_over(const quern_json_writer *w)
{
    return w->mark_open_ == MARK_SKIP && w->depth_ == w->skip_depth_ && head_is_open(w->place_.now[AT_KEY]);
}

static void end_skip(quern_json_writer *w)
{
    drop(w);
    w->place_.now[AT_KEY] = w->saved_;
}

bool quern_json_skip_hook(quern_json_writer *w, size_t where)
{
    if (skip_is_over(w)) {
        end_skip(w);
    } else if (w->mark_open_ == MARK_SKIP) {
        drop(w);
        return set_mark(w, MARK_SKIP);
    } else if (w->mark_open_ == MARK_KEY) {
        quern_json_skip_keep(w);
    }
    w->saved_ = w->place_.now[where];
    return set_mark(w, MARK_KEY);
}

void quern_json_skip_at_begin(quern_json_writer *w)
{
    if (w->mark_open_ == MARK_KEY)
        quern_json_skip_keep(w);
}

void quern_json_skip_at_end(quern_json_writer *w)
{
    if (skip_is_over(w)) {
        end_skip(w);
    } else if (w->mark_open_ == MARK_SKIP) {
        drop(w);
        set_mark(w, MARK_SKIP);
    } else if (w->mark_open_ == MARK_KEY) {
        quern_json_skip_keep(w);
    }
}

/* An ill-formed key of which nothing is written, or no longer: what follows it is its value. */
static void skip_key(quern_json_writer *w)
{
    w->skip_depth_ = w->depth_;
    set_mark(w, MARK_SKIP);
    go_on(w, AT_KEY);
}

quern_status quern_json_skip_check(quern_json_writer *w, const char *data, size_t length, size_t where, bool *skipped)
{
    *skipped = false;
    if (skip_is_over(w))
        end_skip(w);
    if (w->mark_open_ == MARK_SKIP || w->row_->utf8_prefix(data, length).why == QUERN_STOP_END)
        return QUERN_OK;
    *skipped = true;
    w->skipped_++;
    if (where == AT_KEY) {
        if (w->mark_open_ == MARK_KEY)
            quern_json_skip_keep(w);
        w->saved_ = w->place_.now[AT_KEY];
        skip_key(w);
    } else if (w->mark_open_ == MARK_KEY) {
        drop(w);
        close_place(w);
        w->place_.now[AT_KEY] = w->saved_;
    }
    return QUERN_ERROR_UTF8;
}

bool quern_json_skip_at_text(quern_json_writer *w, size_t where)
{
    if (where == AT_KEY || w->mark_open_ != MARK_NONE)
        return true; /* the key's own mark does */
    w->saved_ = w->place_.now[AT_VALUE];
    return set_mark(w, MARK_STRING);
}

void quern_json_skip_text(quern_json_writer *w)
{
    w->skipped_++;
    w->held_ = 0;
    const bool pair = w->mark_open_ == MARK_KEY;
    drop(w);
    if (w->open_ == OPEN_KEY) {
        skip_key(w);
        close_place(w);
        w->open_ = OPEN_SKIPPED_KEY;
    } else {
        w->open_ = pair ? OPEN_SKIPPED_PAIR : OPEN_SKIPPED;
    }
}

quern_status quern_json_skip_end_text(quern_json_writer *w)
{
    if (w->open_ == OPEN_SKIPPED_KEY)
        go_on(w, AT_KEY);
    else
        w->place_.now[w->open_ == OPEN_SKIPPED_PAIR ? AT_KEY : AT_VALUE] = w->saved_;
    w->open_ = OPEN_NOTHING;
    return QUERN_ERROR_UTF8;
}
