/* SPDX-License-Identifier: MIT */
/* A string of the JSON writer: the long way, always. */
#include "common/json.h"

quern_json_string_function QUERN_KERNEL(json_string), QUERN_KERNEL(json_string_keep);
quern_status QUERN_KERNEL(json_string)(quern_json_writer *w, const char *data, size_t length, size_t where)
{
    return quern_json_string_slow(w, data, length, where);
}

quern_status QUERN_KERNEL(json_string_keep)(quern_json_writer *w, const char *data, size_t length, size_t where)
{
    return quern_json_string_slow(w, data, length, where);
}
