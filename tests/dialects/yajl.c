/* SPDX-License-Identifier: MIT */
#include "frame.h"

#include <yajl/yajl_gen.h>
#include <yajl/yajl_version.h>

int main(int argc, char **argv)
{
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", YAJL_MAJOR, YAJL_MINOR, YAJL_MICRO);
    const char *dialect = frame_dialect(argc, argv, version);
    while (frame_next()) {
        yajl_gen generator = yajl_gen_alloc(NULL);
        if (strcmp(dialect, "yajl-slash") == 0)
            yajl_gen_config(generator, yajl_gen_escape_solidus, 1);
        const unsigned char *made = NULL;
        size_t length = 0;
        if (yajl_gen_string(generator, (const unsigned char *)frame_text, frame_length) == yajl_gen_status_ok) {
            yajl_gen_get_buf(generator, &made, &length);
            frame_answer((const char *)made, length);
        } else {
            frame_refuse();
        }
        yajl_gen_free(generator);
    }
    return 0;
}
