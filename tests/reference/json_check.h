/* SPDX-License-Identifier: MIT */
/*
 * A strict, slow JSON reader for what the writer can write: null, true, false, strings and arrays, exactly as
 * RFC 8259 has them, with the UTF-8 checked. No recursion, no allocation, no code shared with the library.
 */
#ifndef QUERN_TESTS_JSON_CHECK_H
#define QUERN_TESTS_JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum json_event {
    JSON_FAULT, /* at `at`; every later call says so again */
    JSON_END_OF_TEXT,
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_STRING, /* decoded into `string` */
    JSON_BEGIN_ARRAY,
    JSON_END_ARRAY
} json_event;

typedef struct json_check {
    const unsigned char *text;
    size_t length;
    size_t at;
    size_t depth;
    int expect;            /* private */
    unsigned char *string; /* the caller's room for decoded strings: `length` bytes always do */
    size_t string_length;
} json_check;

/* `scratch` has room for `length` bytes, since no string is longer decoded than written. */
void json_check_init(json_check *check, const void *text, size_t length, void *scratch);

json_event json_check_next(json_check *check);

/* Whether the whole text is one JSON value of the kinds above. `scratch` as above. */
bool json_check_valid(const void *text, size_t length, void *scratch);

#endif
