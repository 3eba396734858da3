/* SPDX-License-Identifier: MIT */
#include "frame.h"

#include <cJSON.h>

int main(int argc, char **argv)
{
    frame_dialect(argc, argv, cJSON_Version());
    while (frame_next()) {
        cJSON *value = cJSON_CreateString(frame_text);
        char *made = cJSON_PrintUnformatted(value);
        if (made)
            frame_answer(made, strlen(made));
        else
            frame_refuse();
        cJSON_free(made);
        cJSON_Delete(value);
    }
    return 0;
}
