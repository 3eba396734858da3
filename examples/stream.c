/* SPDX-License-Identifier: MIT */
/* A long string in pieces, to a FILE, in constant memory. */
#include <quern/json.h>

#include <stdio.h>

int main(void)
{
    char buffer[4096];
    quern_callback_sink out;
    quern_json_writer w;
    quern_file_sink_init(&out, stdout, buffer, sizeof buffer);
    quern_json_writer_init(&w, &out.sink, NULL);

    quern_json_begin_string(&w);
    for (int i = 0; i < 3; i++) {
        /* A piece may end inside a character: the euro sign is E2 82 AC. */
        quern_json_write_part(&w, "10 \xE2\x82", 5);
        quern_json_write_part(&w, "\xAC\t", 2);
    }
    quern_json_end_string(&w);

    if (quern_json_writer_finish(&w) != QUERN_OK || quern_sink_finish(&out.sink) != QUERN_OK) {
        quern_error error;
        quern_json_writer_error(&w, &error);
        fprintf(stderr, "%s, at byte %llu of the string\n", quern_status_text(error.status),
                (unsigned long long)error.offset);
        return 1;
    }
    return 0;
}
