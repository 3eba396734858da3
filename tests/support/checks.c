/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif
#include "support/checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

current_case now;
uint64_t *fault_points;

const size_t buffer_sizes[BUFFER_SIZES] = {0, 1, 2, 63, 64, 65, 127, 128, 129, 191, 192, 193, 300, 4096};

_Noreturn void fail_check(const char *file, int line, const char *condition)
{
    ck_abort_msg("%s:%d: %s (variant %s, %s %zu, %zu)", file, line, condition, now.variant.name, now.what, now.a,
                 now.b);
}

void at(const char *what, size_t a, size_t b)
{
    now.what = what;
    now.a = a;
    now.b = b;
    support_note(what, a, b);
}

bool open_variant(int i)
{
    if (!support_variant_open(&now.variant, i))
        return false;
    at("start", 0, 0);
    return support_variant_use(&now.variant);
}

int run_suite(Suite *suite)
{
    void *map = mmap(NULL, sizeof *fault_points, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return EXIT_FAILURE;
    fault_points = map;
    int result = support_main(suite);
    printf("fault points: %" PRIu64 "\n", *fault_points);
    return result;
}
