/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What the tests of the JSON writer share: calls as data, a model that knows nothing of sinks and windows and tells
 * what has to come of them, and random calls.
 */
#ifndef QUERN_TESTS_JSON_MODEL_H
#define QUERN_TESTS_JSON_MODEL_H

#include "reference/json_check.h"
#include "support/checks.h"

#include <string.h>

static inline bool same(const void *a, const void *b, size_t length)
{
    return length == 0 || memcmp(a, b, length) == 0;
}

typedef enum call_kind {
    CALL_NULL,
    CALL_FALSE,
    CALL_TRUE,
    CALL_STRING,
    CALL_BEGIN_STRING,
    CALL_PART,
    CALL_END_STRING,
    CALL_BEGIN_ARRAY,
    CALL_END,
    CALLS
} call_kind;

typedef struct call {
    call_kind kind;
    const char *data;
    size_t length;
} call;

quern_status make_call(quern_json_writer *writer, const call *c);

/** Writes the calls, whatever they answer. @return what finishing gives. */
quern_status write_calls(quern_sink *sink, const quern_json_writer_options *options, const call *calls, size_t count);

/* ---- the model ----------------------------------------------------------------------------------- */

enum { MODEL_TEXT = 1 << 16, MODEL_STRING = 4096, MODEL_EVENTS = 4096 };

typedef struct model {
    quern_json_writer_options options;
    char text[MODEL_TEXT]; /* what the writer has to have written when all is well */
    size_t length;
    size_t depth;
    bool started; /* the root, or the open array's first element, is there */
    bool in_string;
    quern_error error;
    char string[MODEL_STRING]; /* the open one */
    size_t string_length;
    json_event events[MODEL_EVENTS]; /* what the checker has to read back */
    size_t event_count;
    char strings[MODEL_TEXT]; /* the strings of it, one behind the other */
    size_t strings_length;
    size_t string_ends[MODEL_EVENTS];
} model;

extern model the_model;
extern const quern_json_writer_options compact, spaced, keeping; /* keeping: what is ill-formed */

void model_init(model *m, const quern_json_writer_options *options);
void model_call(model *m, const call *c);
quern_status model_finish(model *m);

/**
 * Makes the calls; each has to tell what the model tells, and nothing is written after a failure. A text that succeeds
 * is read back.
 */
void check_calls(model *m, const quern_json_writer_options *options, const call *calls, size_t count);

/** One value into a memory sink. */
void check_value(const quern_json_writer_options *options, const call *c, const char *expected, size_t length);
void check_string(const char *data, size_t length, const char *expected);

/* ---- random text and calls ----------------------------------------------------------------------- */

/** Well-formed text, now and then a byte to escape; `one_in` 0: none, 1: nothing else. */
void some_text(support_random *random, char *dst, size_t length, size_t one_in);

/** What random calls take their strings from: POOL bytes to start at, and the rest of the last string. */
enum { POOL = 2000, POOL_SIZE = POOL + 200 };

void fill_pool(support_random *random, char *pool);

size_t random_calls(support_random *random, model *m, const quern_json_writer_options *options, const char *pool,
                    call *calls, size_t most, bool closes);

/** A document that succeeds, as calls; its text is in the model. */
size_t random_document(support_random *random, model *m, const quern_json_writer_options *options, const char *pool,
                       call *calls, size_t most);

#endif
