/* SPDX-License-Identifier: MIT */
#include "support/escaping.h"

#include <stdlib.h>
#include <string.h>

const escaping_style escaping_null = {"NULL", NULL, NULL};

const char *escaping_stop_name(quern_stop why)
{
    switch (why) {
    case QUERN_STOP_END: return "END";
    case QUERN_STOP_ESCAPE: return "ESCAPE";
    case QUERN_STOP_ILL_FORMED: return "ILL_FORMED";
    case QUERN_STOP_TRUNCATED: return "TRUNCATED";
    case QUERN_STOP_ROOM: return "ROOM";
    default: return "(no such answer)";
    }
}

/* ---- escape_write and escape_size ------------------------------------------------------------------ */

void escaping_open(escaping_case *c, const escaping_style *style, const unsigned char *src, size_t len, unsigned flags,
                   const char *what, size_t where)
{
    /* A byte gives 7 bytes in a table of one's own, or 6 as ill-formed text. */
    const size_t most = 7 * len + QUERN_ESCAPE_MAX;
    if (most > c->output_size) {
        free(c->output);
        c->output_size = 2 * most;
        c->output = support_allocate(c->output_size);
    }
    c->style = style;
    c->src = src;
    c->len = len;
    c->flags = flags;
    c->what = what;
    c->where = where;
    c->whole = reference_escape(style->options, c->output, most, (const char *)src, len, flags);
    ck_assert_int_ne(c->whole.why, QUERN_STOP_ROOM);
}

void escaping_close(escaping_case *c)
{
    free(c->output);
    memset(c, 0, sizeof *c);
}

static size_t same_bytes(const char *a, const char *b, size_t len)
{
    size_t i = 0;
    while (i < len && a[i] == b[i])
        i++;
    return i;
}

/* Ends the test, naming the case. `dst` NULL: there are no bytes to compare. */
static void report(const support_variant *v, const escaping_case *c, const char *kernel, size_t room, size_t place,
                   const char *fault, reference_escaped got, reference_escaped expected, const char *dst,
                   const char *output)
{
    const size_t less = got.written < expected.written ? got.written : expected.written;
    ck_abort_msg("%s %s, style %s%s, %s %zu: length %zu, alignment %zu, room %zu, to %zu: %s: got %zu of %zu %s, "
                 "expected %zu of %zu %s; %zu bytes are right",
                 v->name, kernel, c->style->name, c->flags & QUERN_ESCAPE_FINAL ? " final" : "", c->what, c->where,
                 c->len, (size_t)((uintptr_t)c->src % 64), room, place, fault, got.written, got.used,
                 escaping_stop_name(got.why), expected.written, expected.used, escaping_stop_name(expected.why),
                 dst != NULL ? same_bytes(dst, output, less) : 0);
}

static void expect_form(const support_variant *v, const escaping_case *c, bool slack, size_t room, size_t place,
                        reference_escaped expected)
{
    quern_escape_write_function *write = slack ? v->row.escape_write_slack : v->row.escape_write;
    if (write == NULL)
        return;
    /* The slack form may write in the room, and on the bytes behind those that it returns. */
    size_t len = room;
    if (slack)
        len = room > expected.written + QUERN_SLACK ? room - QUERN_SLACK : expected.written;
    char *dst = (char *)support_target(len, slack, place);
    reference_escaped got = {.used = SIZE_MAX / 3};
    const quern_span span = write(c->style->style, dst, room, (const char *)c->src, c->len, &got.used, c->flags);
    got.written = span.length;
    got.why = span.why;
    ++*v->checks;
    const char *fault = support_target_fault();
    if (fault == NULL && (got.written != expected.written || got.used != expected.used || got.why != expected.why))
        fault = "wrong answer";
    if (fault == NULL && expected.written != 0 && memcmp(dst, c->output, expected.written) != 0)
        fault = "wrong bytes";
    if (fault != NULL)
        report(v, c, slack ? "escape_write_slack" : "escape_write", room, place, fault, got, expected,
               got.written <= room ? dst : NULL, c->output);
}

void escaping_expect_known(const support_variant *v, const escaping_case *c, size_t room, size_t place,
                           reference_escaped expected)
{
    expect_form(v, c, false, room, place, expected);
    expect_form(v, c, true, room, place, expected);
}

void escaping_expect(const support_variant *v, const escaping_case *c, size_t room, size_t place)
{
    reference_escaped expected = c->whole;
    if (room < expected.written) {
        char *scratch = support_allocate(room);
        expected = reference_escape(c->style->options, scratch, room, (const char *)c->src, c->len, c->flags);
        free(scratch);
    }
    escaping_expect_known(v, c, room, place, expected);
}

void escaping_expect_size(const support_variant *v, const escaping_case *c)
{
    const size_t got = v->row.escape_size(c->style->style, (const char *)c->src, c->len, c->flags);
    ++*v->checks;
    if (got != c->whole.written)
        ck_abort_msg("%s escape_size, style %s%s, %s %zu: length %zu, alignment %zu: got %zu, expected %zu", v->name,
                     c->style->name, c->flags & QUERN_ESCAPE_FINAL ? " final" : "", c->what, c->where, c->len,
                     (size_t)((uintptr_t)c->src % 64), got, c->whole.written);
}

void escaping_expect_resumed(const support_variant *v, const escaping_case *c, support_random *random, size_t least,
                             size_t most)
{
    for (int slack = 0; slack < 2; slack++) {
        quern_escape_write_function *write = slack ? v->row.escape_write_slack : v->row.escape_write;
        if (write == NULL)
            continue;
        reference_escaped sum = {0, 0, QUERN_STOP_ROOM};
        const char *fault = NULL;
        char *dst = support_allocate(most + QUERN_SLACK);
        while (sum.why == QUERN_STOP_ROOM && fault == NULL) {
            const size_t room = least + support_random_below(random, most - least + 1);
            size_t used = SIZE_MAX / 3;
            const quern_span span =
                write(c->style->style, dst, room, (const char *)c->src + sum.used, c->len - sum.used, &used, c->flags);
            ++*v->checks;
            if (span.length > room || used > c->len - sum.used || span.length > c->whole.written - sum.written)
                fault = "more than there is";
            else if (memcmp(dst, c->output + sum.written, span.length) != 0)
                fault = "wrong bytes";
            else if (span.why == QUERN_STOP_ROOM && span.length + QUERN_ESCAPE_MAX <= room)
                fault = "room is left";
            else if (span.why == QUERN_STOP_ROOM && used == 0)
                fault = "no progress";
            sum.written += span.length;
            sum.used += used;
            sum.why = span.why;
        }
        free(dst);
        if (fault == NULL && (sum.written != c->whole.written || sum.used != c->whole.used || sum.why != c->whole.why))
            fault = "wrong answer";
        if (fault != NULL)
            report(v, c, slack ? "escape_write_slack, resumed" : "escape_write, resumed", most, 0, fault, sum, c->whole,
                   NULL, NULL);
    }
}

void escaping_expect_pieces(const support_variant *v, const escaping_case *c, support_random *random, size_t least,
                            size_t most)
{
    char *dst = support_allocate(7 * most + QUERN_ESCAPE_MAX);
    reference_escaped sum = {0, 0, QUERN_STOP_END};
    const char *fault = NULL;
    size_t from = 0;
    bool last = false;
    while (fault == NULL && !last) {
        size_t piece = least + support_random_below(random, most - least + 1);
        if (piece < 4)
            piece = 4; /* else a character would never be whole */
        last = piece >= c->len - from;
        if (last)
            piece = c->len - from;
        char *src = support_allocate(piece);
        if (piece != 0)
            memcpy(src, c->src + from, piece);
        size_t used = SIZE_MAX / 3;
        const quern_span span = v->row.escape_write(c->style->style, dst, 7 * most + QUERN_ESCAPE_MAX, src, piece,
                                                    &used, last ? QUERN_ESCAPE_FINAL : 0);
        ++*v->checks;
        free(src);
        if (used > piece || span.length > c->whole.written - sum.written)
            fault = "more than there is";
        else if (span.length != 0 && memcmp(dst, c->output + sum.written, span.length) != 0)
            fault = "wrong bytes";
        else if (span.why == QUERN_STOP_ROOM || (last && span.why == QUERN_STOP_TRUNCATED) ||
                 (span.why == QUERN_STOP_TRUNCATED) != (used != piece && span.why != QUERN_STOP_ILL_FORMED))
            fault = "wrong answer";
        from += used;
        sum = (reference_escaped){sum.written + span.length, sum.used + used, span.why};
        last = last || span.why == QUERN_STOP_ILL_FORMED;
    }
    free(dst);
    if (fault == NULL && (sum.written != c->whole.written || sum.used != c->whole.used || sum.why != c->whole.why))
        fault = "wrong sum";
    if (fault != NULL)
        report(v, c, "escape_write, in pieces", most, 0, fault, sum, c->whole, NULL, NULL);
}

void escaping_expect_text(const support_variant *v, const escaping_style *style, const unsigned char *src, size_t len,
                          unsigned flags, size_t place, const char *what, size_t where)
{
    static escaping_case c;
    escaping_open(&c, style, src, len, flags, what, where);
    const size_t size = c.whole.written;
    escaping_expect_known(v, &c, size, place, c.whole);
    escaping_expect_known(v, &c, size + 1 + where % 100, place, c.whole);
    if (size > 0)
        escaping_expect(v, &c, size - 1, place);
    escaping_expect_size(v, &c);
}

/* ---- escape_find, escape_copy, text_copy ------------------------------------------------------------- */

static void expect_copy(const support_variant *v, const escaping_style *style, bool slack, const unsigned char *src,
                        size_t len, size_t place, size_t expected, const char *what, size_t where)
{
    quern_escape_copy_function *copy = slack ? v->row.escape_copy_slack : v->row.escape_copy;
    if (copy == NULL)
        return;
    unsigned char *dst = support_target(len, slack, place);
    const size_t got = copy(style->style, (char *)dst, (const char *)src, len);
    ++*v->checks;
    const char *fault = support_target_fault();
    if (fault == NULL && got != expected)
        fault = "wrong count";
    if (fault == NULL && expected != 0 && memcmp(dst, src, expected) != 0)
        fault = "wrong bytes";
    if (fault != NULL)
        ck_abort_msg("%s escape_copy%s, style %s, %s %zu: length %zu, alignment %zu, to %zu: %s: got %zu, expected %zu",
                     v->name, slack ? "_slack" : "", style->name, what, where, len, (size_t)((uintptr_t)src % 64),
                     place, fault, got, expected);
}

void escaping_expect_copy(const support_variant *v, const escaping_style *style, const unsigned char *src, size_t len,
                          size_t place, size_t expected, const char *what, size_t where)
{
    expect_copy(v, style, false, src, len, place, expected, what, where);
    expect_copy(v, style, true, src, len, place, expected, what, where);
}

void escaping_expect_find(const support_variant *v, const escaping_style *style, const unsigned char *src, size_t len,
                          size_t place, const char *what, size_t where)
{
    const size_t expected = reference_style_find(style->options, (const char *)src, len);
    const size_t got = v->row.escape_find(style->style, (const char *)src, len);
    ++*v->checks;
    if (got != expected)
        ck_abort_msg("%s escape_find, style %s, %s %zu: length %zu, alignment %zu: got %zu, expected %zu", v->name,
                     style->name, what, where, len, (size_t)((uintptr_t)src % 64), got, expected);
    escaping_expect_copy(v, style, src, len, place, expected, what, where);
}

static void expect_text_copy(const support_variant *v, const escaping_style *style, bool slack,
                             const unsigned char *src, size_t len, size_t place, quern_span expected, const char *what,
                             size_t where)
{
    quern_text_copy_function *copy = slack ? v->row.text_copy_slack : v->row.text_copy;
    if (copy == NULL)
        return;
    unsigned char *dst = support_target(len, slack, place);
    const quern_span got = copy(style->style, (char *)dst, (const char *)src, len);
    ++*v->checks;
    const char *fault = support_target_fault();
    if (fault == NULL && (got.length != expected.length || got.why != expected.why))
        fault = "wrong answer";
    if (fault == NULL && expected.length != 0 && memcmp(dst, src, expected.length) != 0)
        fault = "wrong bytes";
    if (fault != NULL)
        ck_abort_msg("%s text_copy%s, style %s, %s %zu: length %zu, alignment %zu, to %zu: %s: got %zu %s, expected "
                     "%zu %s",
                     v->name, slack ? "_slack" : "", style->name, what, where, len, (size_t)((uintptr_t)src % 64),
                     place, fault, got.length, escaping_stop_name(got.why), expected.length,
                     escaping_stop_name(expected.why));
}

void escaping_expect_copied_known(const support_variant *v, const escaping_style *style, const unsigned char *src,
                                  size_t len, size_t place, quern_span expected, const char *what, size_t where)
{
    expect_text_copy(v, style, false, src, len, place, expected, what, where);
    expect_text_copy(v, style, true, src, len, place, expected, what, where);
}

void escaping_expect_copied(const support_variant *v, const escaping_style *style, const unsigned char *src, size_t len,
                            size_t place, const char *what, size_t where)
{
    escaping_expect_copied_known(v, style, src, len, place,
                                 reference_text_prefix(style->options, (const char *)src, len), what, where);
}
