/* SPDX-License-Identifier: MIT */
/* A text that is not copied on its way from memory to a descriptor: the iovec sink and writev. */
#define _XOPEN_SOURCE 700
#include <quern/json.h>
#include <quern/posix.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

static char text[100];

int main(void)
{
    quern_iovec_sink out;
    quern_json_writer w;
    struct iovec *segments;
    size_t count;
    memset(text, '.', sizeof text);
    /* Usually only what is longer than 16 KiB is worth a segment. */
    const quern_iovec_sink_options options = {.size = sizeof options, .threshold = sizeof text};
    quern_iovec_sink_init(&out, &options);
    quern_json_writer_init(&w, &out.sink, NULL);

    quern_json_begin_map(&w);
    quern_json_write_key(&w, "text", 4);
    quern_json_write_string_ref(&w, text, sizeof text); /* stays until out is reset */
    quern_json_end(&w);

    if (quern_json_writer_finish(&w) != QUERN_OK || quern_sink_finish(&out.sink) != QUERN_OK)
        return 1;
    while (quern_iovec_sink_view(&out, &segments, &count) == QUERN_OK && count > 0) {
        const ssize_t sent = writev(1, segments, (int)count);
        if (sent >= 0)
            quern_iovec_sink_consume(&out, (size_t)sent);
        else if (errno != EINTR)
            return 1;
    }
    quern_iovec_sink_free(&out);
    return 0;
}
