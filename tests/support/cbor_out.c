/* SPDX-License-Identifier: MIT */
#include "support/cbor_out.h"

#include <stdio.h>

quern_cbor_writer w;
quern_memory_sink out;

void open_out(const quern_cbor_writer_options *options)
{
    quern_memory_sink_init(&out, NULL);
    quern_cbor_writer_init(&w, &out.sink, options);
}

void close_out(const char *file, int line, quern_status status, const char *hex)
{
    const quern_status finished = quern_cbor_writer_finish(&w);
    const quern_string written = quern_memory_sink_view(&out);
    ++*now.variant.checks;
    quern_error error;
    quern_cbor_writer_error(&w, &error);
    if (finished != status || error.status != status)
        ck_abort_msg("%s:%d: status %d, not %d", file, line, (int)finished, (int)status);
    static char text[1 << 16];
    size_t length = 0, at_hex = 0;
    for (size_t i = 0; i < written.length && length + 3 < sizeof text; i++)
        length += (size_t)snprintf(text + length, 3, "%02x", (unsigned char)written.data[i]);
    text[length] = 0;
    if (status == QUERN_OK) {
        for (size_t i = 0; hex[i]; i++) {
            if (hex[i] != ' ' && hex[i] != text[at_hex++])
                ck_abort_msg("%s:%d: %s, not %s", file, line, text, hex);
        }
        if (at_hex != length)
            ck_abort_msg("%s:%d: %s, not %s", file, line, text, hex);
    }
    quern_memory_sink_free(&out);
}
