/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What the programs for sinks and writers share: checks that name the case they belong to, and fault points.
 */
#ifndef QUERN_TESTS_CHECKS_H
#define QUERN_TESTS_CHECKS_H

#include "support/support.h"

/** The case that is being tested, for the report of a failed check. */
typedef struct current_case {
    support_variant variant;
    const char *what;
    size_t a;
    size_t b;
} current_case;

extern current_case now;

extern uint64_t *fault_points; /**< failures that were provoked; shared with forked tests */

_Noreturn void fail_check(const char *file, int line, const char *condition);

/** Millions of these are made: Check's own assertions would tell its parent about each. */
#define CHECK(condition)                                \
    do {                                                \
        ++*now.variant.checks;                          \
        if (!(condition))                               \
            fail_check(__FILE__, __LINE__, #condition); \
    } while (0)

/** Names the case that comes now. */
void at(const char *what, size_t a, size_t b);

/**
 * Opens the `i`th variant and puts it to use, since sinks and writers take the variant that is in use when they are
 * opened. @return whether there is something to test.
 */
bool open_variant(int i);

/** Adds a test to be run for each variant, without the public functions. */
#define ADD(test) tcase_add_loop_test(tcase, test, 0, support_variants() - 1)

/** Runs the suite and prints the counts. @return what main returns. */
int run_suite(Suite *suite);

/** Sizes of a callback sink's buffer. */
enum { BUFFER_SIZES = 14 };
extern const size_t buffer_sizes[BUFFER_SIZES];

static inline size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

#endif
