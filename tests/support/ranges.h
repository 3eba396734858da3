/* SPDX-License-Identifier: MIT */
/** @file Ranges of every length at every place: what the tests of each kernel go through. */
#ifndef QUERN_TESTS_RANGES_H
#define QUERN_TESTS_RANGES_H

#include "support/support.h"

/** Where a range lies. */
typedef enum ranges_kind {
    RANGES_ALIGNED, /**< amid the bytes asked for; `where`: bytes behind a multiple of 64 */
    RANGES_GUARDED, /**< flush at an unreadable page: below if `where` is 0, above if it is 1 */
    RANGES_BLOCK    /**< a block of exactly its size, for memory checkers; `where` is 0 */
} ranges_kind;

/** Fills `[src, src + len)` and checks a kernel on it. May write there alone. */
typedef void ranges_test(const support_variant *v, support_random *random, unsigned char *src, size_t len,
                         ranges_kind kind, size_t where);

/** Lengths 0 to `most` at alignments 0 to 63, all bytes before the range `before`, all behind it `behind`. Thinned. */
void ranges_aligned(const support_variant *v, const char *name, size_t most, unsigned char before, unsigned char behind,
                    ranges_test *test);

/** Lengths 0 to `most` at both pages. */
void ranges_guarded(const support_variant *v, const char *name, size_t most, ranges_test *test);

/** Lengths 0 to `most` in blocks. */
void ranges_blocks(const support_variant *v, const char *name, size_t most, ranges_test *test);

/** The place for a target that suits a range: guarded or a block as it is, else some alignment. */
size_t ranges_target(support_random *random, ranges_kind kind);

/** A range of up to RANGES_ROOM bytes, `align` bytes behind a multiple of 64, amid bytes `around`. There is one. */
enum { RANGES_ROOM = 4096 };
unsigned char *ranges_place(size_t align, unsigned char around);

#endif
