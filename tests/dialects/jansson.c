/* SPDX-License-Identifier: MIT */
#include "frame.h"

#include <jansson.h>

int main(int argc, char **argv)
{
    const char *dialect = frame_dialect(argc, argv, JANSSON_VERSION);
    size_t flags = JSON_ENCODE_ANY;
    if (strcmp(dialect, "jansson-ascii") == 0)
        flags |= JSON_ENSURE_ASCII;
    else if (strcmp(dialect, "jansson-slash") == 0)
        flags |= JSON_ESCAPE_SLASH;
    while (frame_next()) {
        json_t *value = json_stringn(frame_text, frame_length);
        char *made = value ? json_dumps(value, flags) : NULL;
        if (made)
            frame_answer(made, strlen(made));
        else
            frame_refuse();
        free(made);
        json_decref(value);
    }
    return 0;
}
