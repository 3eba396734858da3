/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What all test programs share: the loop over variants, guarded and canaried memory, seeded randomness, counting.
 *
 * Environment: QUERN_TEST_SEED (a number, also 0x...), QUERN_TEST_STRIDE (n: about one case in n of the big loops),
 * QUERN_TEST_WHOLE=1 (no set is cut down; minutes), QUERN_TEST_DATA (directory of the public suites),
 * QUERN_TEST_READABLE_GUARDS=1 (guard pages can be read: for emulators whose masked loads touch what is masked off).
 */
#ifndef QUERN_TESTS_SUPPORT_H
#define QUERN_TESTS_SUPPORT_H

#include <check.h>
#include <quern/quern.h>

#include <inttypes.h>

/** A literal's bytes and their number, without the NUL that C adds. */
#define SUPPORT_BYTES(literal) (const unsigned char *)(literal), sizeof(literal) - 1

#define SUPPORT_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- variants ------------------------------------------------------------------------------------ */

/**
 * What a test runs: a variant's row, or, as the last of the loop, the public functions as a row without slack forms.
 * A form that is not there is NULL.
 */
typedef struct support_variant {
    const char *name;
    quern_kernels row;
    bool is_public;
    uint64_t *checks; /**< to be counted up by each comparison; outlives a forked test */
} support_variant;

/** How often a loop test runs: once per variant and once for the public functions. */
int support_variants(void);

/**
 * Opens the `i`th; to be called first in a test. If the variant does not run here, tells so once per program.
 * @return whether there is something to test.
 */
bool support_variant_open(support_variant *variant, int i);

/**
 * Puts an open variant to use, for tests that reach the kernels through the public functions, a sink or a writer. In a
 * build that calls one variant directly, tells once per program that the others are skipped.
 * @return whether it is in use now.
 */
bool support_variant_use(const support_variant *variant);

/** Adds a test to be run for each variant. */
#define SUPPORT_ADD(tcase, test) tcase_add_loop_test(tcase, test, 0, support_variants())

/* ---- running ------------------------------------------------------------------------------------- */

/** Runs the suite and prints the counts. @return what main returns: a failure also when no test ran. */
int support_main(Suite *suite);

/** Counts checks that belong to no variant. */
void support_count(uint64_t checks);

/** All checks so far. */
uint64_t support_checks(void);

/** Says what is being done, to be printed should it fault. Both numbers are named in the report. */
void support_note(const char *what, size_t length, size_t where);

/** Whether the next case is to be left out, by QUERN_TEST_STRIDE. */
bool support_thinned(void);

/** Whether sets are to be run whole that take minutes. */
bool support_whole(void);

/* ---- randomness ---------------------------------------------------------------------------------- */

typedef struct support_random {
    uint64_t state;
} support_random;

/** Seeds by the program's seed and the name, so that a test sees the same numbers whatever ran before. */
support_random support_random_named(const char *name);

uint64_t support_random_next(support_random *random);

/** A number below `limit`, which is not 0. */
size_t support_random_below(support_random *random, size_t limit);

typedef enum support_script {
    SUPPORT_ASCII, /**< printable */
    SUPPORT_TWO,   /**< mostly sequences of two bytes, the rest ASCII; likewise: */
    SUPPORT_THREE,
    SUPPORT_FOUR,
    SUPPORT_MIXED,
    SUPPORT_SCRIPTS
} support_script;

const char *support_script_name(support_script script);

/** Fills `[dst, dst + len)` with well-formed text without controls, quotation marks and reverse solidi. */
void support_text(support_random *random, support_script script, unsigned char *dst, size_t len);

/** Writes a code point up to 0x1FFFFF in `bytes` bytes (1 to 4), also where that is not well-formed. */
void support_encode(unsigned char *dst, uint32_t code_point, size_t bytes);

/** How many bytes UTF-8 takes for it. */
size_t support_encoded_size(uint32_t code_point);

/* ---- memory -------------------------------------------------------------------------------------- */

/** Pages between two pages that can be neither read nor written. */
typedef struct support_guarded {
    void *map;
    size_t map_size;
    unsigned char *start;
    size_t size;
} support_guarded;

/** At least `size` bytes, zeroed. */
support_guarded support_guarded_new(size_t size);
void support_guarded_free(support_guarded *guarded);

/** The start of a range that ends flush at the upper guard; `guarded->start` is flush at the lower one. */
unsigned char *support_guarded_tail(const support_guarded *guarded, size_t len);

/** Where a target may lie, besides amid canaries, so many bytes (below 64) behind a multiple of 64. */
enum {
    SUPPORT_ABOVE = 64, /**< flush at an unreadable page above, the slack, if there is one, between */
    SUPPORT_BELOW,      /**< flush at an unreadable page below, canaries behind */
    SUPPORT_BLOCK,      /**< a block of exactly its size, the slack included, for memory checkers */
    SUPPORT_PLACES
};

/**
 * A target of `len` bytes for a form that may also write QUERN_SLACK bytes behind it or not, filled with bytes 0x01.
 * There is one; it is the caller's until the next call.
 */
unsigned char *support_target(size_t len, bool slack, size_t place);

/** What was written around the target, beyond what the form allows; NULL if nothing. */
const char *support_target_fault(void);

/** malloc that does not fail. 0 bytes are an exact block too. */
void *support_allocate(size_t size);

/* ---- data files ---------------------------------------------------------------------------------- */

/** A file's contents, to be freed; NULL if it is not there, and then says once that it is skipped. */
unsigned char *support_data(const char *name, size_t *length);

/** Reads hexadecimal digits in `[text, text + len)`, blanks between them ignored. @return how many bytes. */
size_t support_hex(unsigned char *dst, size_t room, const char *text, size_t len);

#endif
