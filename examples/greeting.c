/* SPDX-License-Identifier: MIT */
/* A JSON text in memory. */
#include <quern/quern.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *text = "Γειά \"σου\"\n";
    quern_memory_sink out;
    quern_json_writer w;
    quern_memory_sink_init(&out, NULL);
    quern_json_writer_init(&w, &out.sink, NULL);

    quern_json_begin_map(&w);
    quern_json_write_key(&w, "greeting", 8);
    quern_json_write_string(&w, text, strlen(text));
    quern_json_write_key(&w, "year", 4);
    quern_json_write_int(&w, -44);
    quern_json_write_key(&w, "weights", 7);
    quern_json_begin_array(&w);
    quern_json_write_double(&w, 0.1);
    quern_json_write_double(&w, 1e21);
    quern_json_end(&w);
    quern_json_end(&w);

    /* Failures latch: one check at the end is enough. */
    quern_status status = quern_json_writer_finish(&w);
    if (status == QUERN_OK) {
        quern_string json = quern_memory_sink_view(&out);
        printf("%.*s\n", (int)json.length, json.data);
    } else {
        fprintf(stderr, "%s\n", quern_status_text(status));
    }
    quern_memory_sink_free(&out);
    return status == QUERN_OK ? 0 : 1;
}
