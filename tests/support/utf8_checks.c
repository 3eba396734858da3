/* SPDX-License-Identifier: MIT */
#include "support/utf8_checks.h"

#include "reference/reference.h"
#include "support/escaping.h"

#include <string.h>

void utf8_expect(const support_variant *v, const char *what, size_t where, const unsigned char *src, size_t len,
                 size_t length, quern_stop why)
{
    quern_span got = v->row.utf8_prefix((const char *)src, len);
    ++*v->checks;
    if (got.length != length || got.why != why)
        ck_abort_msg("%s utf8_prefix, %s %zu: length %zu, alignment %zu: got %zu %s, expected %zu %s", v->name, what,
                     where, len, (size_t)((uintptr_t)src % 64), got.length, escaping_stop_name(got.why), length,
                     escaping_stop_name(why));
}

void utf8_expect_reference(const support_variant *v, const char *what, size_t where, const unsigned char *src,
                           size_t len)
{
    quern_span expected = reference_utf8_prefix((const char *)src, len);
    utf8_expect(v, what, where, src, len, expected.length, expected.why);
}

/* Feeds a text that is cut at `cuts`; the bytes that an end leaves over go before the next piece. */
static quern_span feed(const support_variant *v, const unsigned char *src, size_t len, const size_t *cuts,
                       size_t pieces)
{
    static unsigned char piece[8192];
    size_t held = 0;
    size_t before = 0; /* offset of piece[0] in the text */
    size_t from = 0;
    for (size_t i = 0; i <= pieces; i++) {
        size_t to = i < pieces ? cuts[i] : len;
        if (to > from) /* src may be NULL */
            memcpy(piece + held, src + from, to - from);
        size_t here = held + (to - from);
        from = to;
        quern_span span = v->row.utf8_prefix((const char *)piece, here);
        ++*v->checks;
        held = here - span.length;
        before += span.length;
        if (span.why == QUERN_STOP_ILL_FORMED)
            return (quern_span){before, QUERN_STOP_ILL_FORMED};
        bool right =
            span.why == QUERN_STOP_END ? held == 0 : span.why == QUERN_STOP_TRUNCATED && held >= 1 && held <= 3;
        if (!right)
            ck_abort_msg("%s utf8_prefix, piece %zu: length %zu: %zu bytes are left, %s", v->name, i, here, held,
                         escaping_stop_name(span.why));
        memmove(piece, piece + span.length, held);
    }
    return (quern_span){before, held == 0 ? QUERN_STOP_END : QUERN_STOP_TRUNCATED};
}

void utf8_expect_fed(const support_variant *v, const char *what, const unsigned char *src, size_t len,
                     const size_t *cuts, size_t pieces, quern_span expected)
{
    quern_span got = feed(v, src, len, cuts, pieces);
    if (got.length != expected.length || got.why != expected.why)
        ck_abort_msg("%s utf8_prefix, %s, length %zu cut at %zu, %zu: got %zu %s, expected %zu %s", v->name, what, len,
                     cuts[0], pieces > 1 ? cuts[1] : len, got.length, escaping_stop_name(got.why), expected.length,
                     escaping_stop_name(expected.why));
}
