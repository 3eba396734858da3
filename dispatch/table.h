/* SPDX-License-Identifier: MIT */
/* The table of rows, as sinks and front ends see it. */
#ifndef QUERN_DISPATCH_TABLE_H
#define QUERN_DISPATCH_TABLE_H

#include <quern/json.h>
#include <quern/kernels.h>

#include "common/cbor.h"

/*
 * The private row: the public one, and the kernels whose contract is not settled. These are the hot loops of the front
 * ends, compiled once per variant.
 */
typedef struct quern_row {
    quern_kernels kernels;
    quern_json_string_function *json_string;      /* a string or a key, its UTF-8 checked */
    quern_json_string_function *json_string_keep; /* the same, unchecked */
    quern_cbor_doubles_function *cbor_doubles;    /* many at once, those that stay doubles */
} quern_row;

/* The row in use: never NULL, whole at any time, from any thread. Take it once per object, not once per call. */
const quern_row *quern_table_active(void);

#endif
