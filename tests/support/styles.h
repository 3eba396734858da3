/* SPDX-License-Identifier: MIT */
/** @file Styles of every kind, to be run through the kernels: each flag, table and policy, alone and combined. */
#ifndef QUERN_TESTS_STYLES_H
#define QUERN_TESTS_STYLES_H

#include "support/escaping.h"

/** How many there are. */
size_t styles_count(void);

/** The `i`th; lives as long as the program. */
const escaping_style *styles_get(size_t i);

/** One of them, or, once in three times, one made at random, which lives until the next such one. */
const escaping_style *styles_any(support_random *random);

#endif
