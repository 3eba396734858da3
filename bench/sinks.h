/* SPDX-License-Identifier: MIT */
/* The parts of bench_sinks. */
#ifndef QUERN_BENCH_SINKS_H
#define QUERN_BENCH_SINKS_H

#include <quern/quern.h>

/* JSON of long strings, by reference and by copy: sinks_documents.c. */
void sinks_documents(void);

#if defined(QUERN_POSIX_H)
/* Whether the segments are these bytes. */
bool sinks_segments_are(quern_iovec_sink *sink, const char *expected, size_t length);
#endif

#endif
