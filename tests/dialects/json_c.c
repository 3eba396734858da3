/* SPDX-License-Identifier: MIT */
#include "frame.h"

#include <json.h>

int main(int argc, char **argv)
{
    const char *dialect = frame_dialect(argc, argv, json_c_version());
    const int flags = strcmp(dialect, "json-c-noslash") == 0 ? JSON_C_TO_STRING_NOSLASHESCAPE : 0;
    while (frame_next()) {
        struct json_object *value = json_object_new_string_len(frame_text, (int)frame_length);
        size_t length = 0;
        const char *made = json_object_to_json_string_length(value, flags, &length);
        frame_answer(made, length);
        json_object_put(value);
    }
    return 0;
}
