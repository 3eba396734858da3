/* SPDX-License-Identifier: MIT */
/*
 * A strict, slow JSON reader, exactly as RFC 8259 has it, with the UTF-8 checked, up to 1024 levels deep. No recursion,
 * no allocation, no code shared with the library.
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
    JSON_NUMBER, /* at `number` */
    JSON_STRING, /* decoded into `string` */
    JSON_KEY,    /* likewise */
    JSON_BEGIN_ARRAY,
    JSON_BEGIN_MAP,
    JSON_END /* of either */
} json_event;

typedef struct json_check {
    const unsigned char *text;
    size_t length;
    size_t at;
    size_t depth;
    int expect;            /* private */
    unsigned char *string; /* the caller's room for decoded strings: `length` bytes always do */
    size_t string_length;
    const char *number;
    size_t number_length;
    bool maps[1024]; /* private: the open containers */
} json_check;

/* `scratch` has room for `length` bytes, since no string is longer decoded than written. */
void json_check_init(json_check *check, const void *text, size_t length, void *scratch);

json_event json_check_next(json_check *check);

/* Whether the whole text is one JSON value. `scratch` as above. */
bool json_check_valid(const void *text, size_t length, void *scratch);

#endif
