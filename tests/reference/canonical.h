/* SPDX-License-Identifier: MIT */
/* RFC 8785, section 3.2.3, the slow way. */
#ifndef QUERN_TESTS_CANONICAL_H
#define QUERN_TESTS_CANONICAL_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Puts the members of all maps in the order of their keys' UTF-16 code units. `text`, of `length` bytes, is valid JSON
 * without white space, and is canonical in all else; `work` has room for `length` bytes. False: a key is there twice.
 */
bool reference_canonical(char *text, size_t length, char *work);

#endif
