/* SPDX-License-Identifier: MIT */
/* Where the JSON writer's kernels and the writer itself meet. */
#ifndef QUERN_COMMON_JSON_H
#define QUERN_COMMON_JSON_H

#include "common/kernel.h"

#include <quern/json.h>

/* Writes a string, whatever the state of the writer and its sink, as a value or a key. */
quern_status quern_json_string_slow(quern_json_writer *w, const char *data, size_t length, size_t where);

/* Goes on with a string whose head, and its first `done` bytes, stand before the cursor. */
quern_status quern_json_string_from(quern_json_writer *w, const char *data, size_t length, size_t done, size_t where);

#endif
