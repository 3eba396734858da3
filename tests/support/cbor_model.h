/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The calls that the fuzz target of the CBOR writer makes, and a model that foretells the status of each and the bytes:
 * it writes items as they come, by the encoder of reference/cbor.h, and what deterministic encoding makes of a map is
 * that encoder's form of the tree that the model wrote.
 */
#ifndef QUERN_TESTS_CBOR_MODEL_H
#define QUERN_TESTS_CBOR_MODEL_H

#include "fuzz/fuzz.h"
#include "reference/cbor.h"

enum { MOST_CALLS = 100, MOST_DATA = 16000, MOST_BYTES = 1 << 17 };

typedef enum call_kind {
    CALL_UINT,
    CALL_NEGATIVE,
    CALL_INT,
    CALL_SIMPLE,
    CALL_DOUBLE,
    CALL_FLOAT,
    CALL_HALF,
    CALL_UINTS,
    CALL_INTS,
    CALL_DOUBLES,
    CALL_FLOATS,
    CALL_BIGNUM,
    CALL_TEXT_NUMBER, /* a token */
    CALL_TAG,
    CALL_BYTES,
    CALL_STRING,
    CALL_EMBEDDED,
    CALL_RAW,
    CALL_TYPED,
    CALL_BEGIN_BYTES,
    CALL_BEGIN_STRING,
    CALL_PART,
    CALL_END_STRING,
    CALL_ARRAY,
    CALL_MAP,
    CALL_END,
    CALLS
} call_kind;

typedef struct call {
    call_kind kind;
    unsigned mode;   /* three bits */
    uint64_t number; /* also a count */
    char *data;      /* a block of its own, or NULL */
    size_t length;
    quern_status status; /* by the model: what it returns */
} call;

typedef struct cbor_script {
    quern_cbor_writer_options options;
    bool tokens;
    size_t fixed_size;  /* of the fixed sink's array */
    size_t buffer_size; /* of the callback sink's buffer */
    size_t most_taken;  /* by the callback at once */
    call calls[MOST_CALLS];
    size_t count;
} cbor_script;

extern cbor_script script;

/* Of a typed array: its tag by RFC 8746, the width of an element, whether the bytes of each are turned. False: there is
 * no such element, or no such order. */
bool typed_array(const call *c, unsigned *tag, size_t *width, bool *reverse);

/* Makes the model of the script: the status of each call, and these. */
void make_model(void);

typedef struct cbor_outcome {
    quern_status status; /* what finishing returns */
    uint64_t error_offset;
    const uint8_t *bytes; /* what has to arrive, also before a failure */
    size_t length;
} cbor_outcome;

extern cbor_outcome outcome;

#endif
