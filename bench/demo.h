/* SPDX-License-Identifier: MIT */
#ifndef QUERN_BENCH_DEMO_H
#define QUERN_BENCH_DEMO_H

#include <quern/quern.h>

/* Shows the speed of each variant on the lines of a file. Returns the program's exit code. */
int demo(const char *file, const quern_variant *variants, size_t variant_count);

#endif
