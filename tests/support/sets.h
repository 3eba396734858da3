/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Sets that are finite, gone through whole. Each counts its cases, and those of a kind among them; both are compared
 * with literals and printed. QUERN_TEST_STRIDE leaves strings out, each with all of its places.
 */
#ifndef QUERN_TESTS_SETS_H
#define QUERN_TESTS_SETS_H

#include "support/support.h"

typedef struct sets_tally {
    uint64_t cases;    /**< gone through */
    uint64_t left_out; /**< by QUERN_TEST_STRIDE */
    uint64_t of_kind;  /**< gone through, and of the kind that the set counts */
} sets_tally;

/** Whether the next string is left out, `cases` of them at once. */
bool sets_leave_out(sets_tally *t, uint64_t cases);

/** Ends a set. `name`: of the variant. */
void sets_conclude(const char *name, const char *set, const sets_tally *t, uint64_t cases, const char *kind,
                   uint64_t of_kind);

/** The bytes at which the ranges of Unicode table 3-7 begin and end, and neighbours of them. */
extern const unsigned char sets_edge_bytes[26];
enum { SETS_TUPLES = 26 * 26 * 26 * 26 };

/** The 4-tuple of edge bytes of that number, below SETS_TUPLES. */
void sets_tuple(size_t number, unsigned char bytes[4]);

/** An answer in a byte: its length is below 16. */
uint8_t sets_pack(quern_span span);
quern_span sets_unpack(uint8_t packed);

#endif
