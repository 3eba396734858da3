/* SPDX-License-Identifier: MIT */
/** @file A CBOR writer on a memory sink, and what it has written, in hexadecimal: for tests of one item each. */
#ifndef QUERN_TESTS_CBOR_OUT_H
#define QUERN_TESTS_CBOR_OUT_H

#include "support/checks.h"

extern quern_cbor_writer w;   /* the writer, */
extern quern_memory_sink out; /* and where it writes */

/** Opens both. */
void open_out(const quern_cbor_writer_options *options);

/** Finishes and closes both; the status has to be `status`, and if that is OK, the output `hex`; blanks do not count.
 */
void close_out(const char *file, int line, quern_status status, const char *hex);

/** One text: the statements between are calls on `w`. */
#define WRITES_WITH(options, hex, statements)         \
    do {                                              \
        open_out(options);                            \
        statements;                                   \
        close_out(__FILE__, __LINE__, QUERN_OK, hex); \
    } while (0)
#define WRITES(hex, statements) WRITES_WITH(NULL, hex, statements)
#define FAILS_WITH(options, status, statements)    \
    do {                                           \
        open_out(options);                         \
        statements;                                \
        close_out(__FILE__, __LINE__, status, ""); \
    } while (0)
#define FAILS(status, statements) FAILS_WITH(NULL, status, statements)

#endif
