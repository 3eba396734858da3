/* SPDX-License-Identifier: MIT */
/*
 * What a ready-made style makes of strings; see frame.h. Every variant that runs here writes each string, strictly and
 * with slack; should they differ, the program says so and fails.
 */
#include "frame.h"

#include <quern/quern.h>

static const quern_style *style;
static char *room;

/* One form's answer in room[0, *length), quotation marks included; false: it stopped. */
static bool write_text(quern_escape_write_function *form, size_t *length)
{
    size_t used;
    const quern_span span =
        form(style, room + 1, 6 * frame_length, frame_text, frame_length, &used, QUERN_ESCAPE_FINAL);
    room[0] = room[span.length + 1] = '"';
    *length = span.length + 2;
    if (span.why == QUERN_STOP_ROOM || (span.why == QUERN_STOP_END) != (used == frame_length))
        exit(4);
    return span.why == QUERN_STOP_END;
}

int main(int argc, char **argv)
{
    const char *name = frame_dialect(argc, argv, quern_version());
    style = quern_style_named(name);
    if (!style) {
        fprintf(stderr, "there is no style %s\n", name);
        return 2;
    }
    /* Once: to describe a variant asks the processor, which takes long on a virtual machine. */
    quern_escape_write_function *forms[64];
    size_t count = 0;
    quern_variant variant;
    for (size_t i = 0; quern_variant_get(i, &variant) && count < 62; i++) {
        if (variant.supported) {
            forms[count++] = variant.row->escape_write;
            forms[count++] = variant.row->escape_write_slack;
        }
    }
    char *first = NULL;
    size_t size = 0;
    while (frame_next()) {
        if (6 * frame_length + 2 + QUERN_SLACK > size) {
            size = 12 * frame_length + 2 * QUERN_SLACK;
            room = realloc(room, size);
            first = realloc(first, size);
            if (!room || !first)
                return 3;
        }
        size_t first_length, length;
        const bool whole = write_text(forms[0], &first_length);
        memcpy(first, room, first_length);
        for (size_t i = 1; i < count; i++) {
            if (write_text(forms[i], &length) != whole || length != first_length || memcmp(first, room, length) != 0) {
                fprintf(stderr, "form %zu writes something else than form 0\n", i);
                return 4;
            }
        }
        if (whole)
            frame_answer(first, first_length);
        else
            frame_refuse();
    }
    free(first);
    free(room);
    free(frame_text);
    return 0;
}
