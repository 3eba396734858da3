/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Checks of the kernels that escape, against the oracle: a case is a style and a text; what it must give is asked of
 * the oracle once, then each form is called at any target and with any room.
 */
#ifndef QUERN_TESTS_ESCAPING_H
#define QUERN_TESTS_ESCAPING_H

#include "reference/style.h"
#include "support/support.h"

/** A style, and the options that it was made of, for the oracle. Both NULL: the style that NULL stands for. */
typedef struct escaping_style {
    const char *name;
    const quern_style *style;
    const quern_style_options *options;
} escaping_style;

extern const escaping_style escaping_null;

/** What a case must give. Owns `output`; one object serves for many cases. Zeroed at first. */
typedef struct escaping_case {
    const escaping_style *style;
    const unsigned char *src;
    size_t len;
    unsigned flags;
    char *output; /**< all of it, `whole.written` bytes */
    size_t output_size;
    reference_escaped whole;
    const char *what; /**< named in reports */
    size_t where;
} escaping_case;

void escaping_open(escaping_case *c, const escaping_style *style, const unsigned char *src, size_t len, unsigned flags,
                   const char *what, size_t where);
void escaping_close(escaping_case *c);

/** escape_write and escape_write_slack with this room, the target at `place` (see support_target). */
void escaping_expect(const support_variant *v, const escaping_case *c, size_t room, size_t place);

/** The same, where the oracle's answer for that room is known. */
void escaping_expect_known(const support_variant *v, const escaping_case *c, size_t room, size_t place,
                           reference_escaped expected);

void escaping_expect_size(const support_variant *v, const escaping_case *c);

/** The text in calls one behind the other with rooms from `least` (at least QUERN_ESCAPE_MAX) to `most`. */
void escaping_expect_resumed(const support_variant *v, const escaping_case *c, support_random *random, size_t least,
                             size_t most);

/**
 * A case that was opened with QUERN_ESCAPE_FINAL, its text in pieces of `least` to `most` bytes (`most` >= 4): what a
 * piece leaves goes before the next, and the last is final.
 */
void escaping_expect_pieces(const support_variant *v, const escaping_case *c, support_random *random, size_t least,
                            size_t most);

/** All of the above for one text, at a target of the kind, with a room that is enough, the exact one, and one below. */
void escaping_expect_text(const support_variant *v, const escaping_style *style, const unsigned char *src, size_t len,
                          unsigned flags, size_t place, const char *what, size_t where);

/** escape_find, escape_copy and escape_copy_slack. */
void escaping_expect_find(const support_variant *v, const escaping_style *style, const unsigned char *src, size_t len,
                          size_t place, const char *what, size_t where);

/** escape_copy and escape_copy_slack: `expected` bytes. */
void escaping_expect_copy(const support_variant *v, const escaping_style *style, const unsigned char *src, size_t len,
                          size_t place, size_t expected, const char *what, size_t where);

/** text_copy and text_copy_slack: the answer of the oracle, or the one given. */
void escaping_expect_copied(const support_variant *v, const escaping_style *style, const unsigned char *src, size_t len,
                            size_t place, const char *what, size_t where);
void escaping_expect_copied_known(const support_variant *v, const escaping_style *style, const unsigned char *src,
                                  size_t len, size_t place, quern_span expected, const char *what, size_t where);

const char *escaping_stop_name(quern_stop why);

#endif
