/* SPDX-License-Identifier: MIT */
/* What a stranger's program does with an installed quern. */
#include <quern/quern.h>

#include <stdio.h>

int main(void)
{
    quern_memory_sink out;
    quern_json_writer writer;
    quern_memory_sink_init(&out, NULL);
    quern_json_writer_init(&writer, &out.sink, NULL);
    quern_json_begin_array(&writer);
    quern_json_write_string(&writer, "a \"quoted\" word", 15);
    quern_json_write_bool(&writer, true);
    quern_json_end(&writer);
    if (quern_json_writer_finish(&writer) != QUERN_OK)
        return 1;
    quern_string json = quern_memory_sink_view(&out);
    printf("%.*s\n", (int)json.length, json.data);
    quern_memory_sink_free(&out);

    quern_variant active;
    return quern_variant_get(quern_variant_active(), &active) && active.supported ? 0 : 1;
}
