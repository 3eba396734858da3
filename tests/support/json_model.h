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
    CALL_VALUE,  /* the number model_numbers[length % MODEL_NUMBERS] */
    CALL_NUMBER, /* as text */
    CALL_RAW,    /* of the read-back check: a string or nothing */
    CALL_STRING,
    CALL_KEY,
    CALL_PREPARED, /* a key, prepared in the style that NULL stands for */
    CALL_BEGIN_STRING,
    CALL_PART,
    CALL_END_STRING,
    CALL_BEGIN_ARRAY,
    CALL_BEGIN_MAP,
    CALL_END,
    CALLS
} call_kind;

typedef struct call {
    call_kind kind;
    const char *data;
    size_t length;
} call;

typedef struct model_number {
    enum { INTEGER, UNSIGNED, DOUBLE, FLOAT } type;
    int64_t i;
    uint64_t u;
    double d;
    const char *text;      /* NULL: not finite */
    const char *canonical; /* NULL: refused */
} model_number;

enum { MODEL_NUMBERS = 24 };
extern const model_number model_numbers[MODEL_NUMBERS];

quern_status make_call(quern_json_writer *writer, const call *c);

/** The same by quern_json_write_token, where there is a token for it. */
quern_status make_token(quern_json_writer *writer, const call *c);

/** Writes the calls, as tokens or not, whatever they answer. @return what finishing gives. */
quern_status write_calls(quern_sink *sink, const quern_json_writer_options *options, bool tokens, const call *calls,
                         size_t count);

/* ---- the model ----------------------------------------------------------------------------------- */

enum { MODEL_TEXT = 1 << 19, MODEL_STRING = 1 << 15, MODEL_EVENTS = 4096, MODEL_DEPTH = 256, MODEL_CALLS = 4096 };

/** How far the model had come. */
typedef struct model_snapshot {
    size_t length, event_count, strings_length;
    bool started;
} model_snapshot;

typedef struct model_level {
    bool map;
    bool started; /* the root, or the first element or key, is there */
    bool awaits;  /* the value of a key */
    size_t keys;  /* where its keys begin in the model's */
    model_snapshot pair;
} model_level;

/** What a call, or finishing, has to tell. */
typedef struct model_answer {
    quern_status reply;
    quern_error error;
    size_t skipped;
} model_answer;

typedef struct model {
    quern_json_writer_options options;
    const quern_style_options *style; /* what options.style was made of */
    bool tokens;                      /* the calls are made as tokens */
    char text[MODEL_TEXT];            /* what the writer has to have written when all is well */
    size_t length;
    size_t depth;
    model_level levels[MODEL_DEPTH + 1];
    enum { TEXT_CLOSED, TEXT_VALUE, TEXT_KEY, TEXT_SKIPPED, TEXT_SKIPPED_KEY } open;
    model_snapshot before_text;
    bool skipping; /* the value of a skipped key at skip_depth */
    size_t skip_depth;
    size_t skipped;
    quern_error error;
    quern_status reply;        /* to the last call */
    char string[MODEL_STRING]; /* the open one */
    size_t string_length;
    json_event events[MODEL_EVENTS]; /* what the checker has to read back */
    size_t event_count;
    char strings[MODEL_TEXT]; /* the strings of it, one behind the other */
    size_t strings_length;
    size_t string_ends[MODEL_EVENTS];
    char keys[MODEL_TEXT]; /* of open maps: length, bytes */
    size_t keys_length;
    bool reads_back;                       /* what was written is JSON */
    model_answer answers[MODEL_CALLS + 1]; /* to the calls, and to finishing */
} model;

extern model the_model;
extern const quern_json_writer_options compact, spaced, keeping; /* keeping: what is ill-formed */

/** `style` is what options->style was made of, or NULL. */
void model_init(model *m, const quern_json_writer_options *options, const quern_style_options *style);
void model_call(model *m, const call *c);
quern_status model_finish(model *m);

/**
 * Makes the calls; each has to tell what the model tells, and nothing is written after a failure. A text that succeeds
 * is read back.
 */
void check_calls(model *m, const quern_json_writer_options *options, const call *calls, size_t count);

/** The same with a style, or as tokens. */
void check_calls_as(model *m, const quern_json_writer_options *options, const quern_style_options *style, bool tokens,
                    const call *calls, size_t count);

/** The two halves of that: what the calls have to give, whatever the variant; and that they give it. */
void foretell_calls(model *m, const quern_json_writer_options *options, const quern_style_options *style, bool tokens,
                    const call *calls, size_t count);
void check_foretold(const model *m, const call *calls, size_t count);

/** Sizes of sinks that have less room than a memory sink. */
typedef struct model_sinks {
    size_t fixed_size;  /* of the fixed sink's array */
    size_t buffer_size; /* of the callback sink's buffer */
    size_t most_taken;  /* by the callback at once */
} model_sinks;

/**
 * Makes the foretold calls with a callback sink and with a fixed sink. Finishing has to tell what the model tells; but
 * a sink that is full says so.
 */
void check_sinks(const model *m, const call *calls, size_t count, const model_sinks *sinks);

/** One value into a memory sink. */
void check_value(const quern_json_writer_options *options, const call *c, const char *expected, size_t length);
void check_string(const char *data, size_t length, const char *expected);

/* ---- random text and calls ----------------------------------------------------------------------- */

/** Well-formed text, now and then a byte to escape; `one_in` 0: none, 1: nothing else. */
void some_text(support_random *random, char *dst, size_t length, size_t one_in);

/** Options of all kinds, without a style. */
void random_options(support_random *random, quern_json_writer_options *options);

/** What random calls take their strings from: POOL bytes to start at, and the rest of the last string. */
enum { POOL = 2000, POOL_SIZE = POOL + 200 };

void fill_pool(support_random *random, char *pool);

size_t random_calls(support_random *random, model *m, const quern_json_writer_options *options, const char *pool,
                    call *calls, size_t most, bool closes);

/** A document that succeeds, as calls; its text is in the model. */
size_t random_document(support_random *random, model *m, const quern_json_writer_options *options, const char *pool,
                       call *calls, size_t most);

#endif
