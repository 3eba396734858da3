/* SPDX-License-Identifier: MIT */
#include "cli.h"

int run_escape(const command *self, int argc, char **argv)
{
    options o;
    output out;
    int code = options_read(&o, self, argc, argv, ALLOW_FILES | ALLOW_JSON);
    if (code >= 0 || (code = output_open(&out, &o)) >= 0)
        return code;

    /* The reader hands out checked text: the writer need not check it again. */
    const quern_json_writer_options how = {.size = sizeof how, .style = o.style, .invalid = QUERN_JSON_INVALID_KEEP};
    quern_json_writer w;
    quern_json_writer_init(&w, &out.sink.sink, &how);
    quern_json_begin_string(&w);
    text t;
    text_event event = TEXT_ERROR;
    if (text_open(&t, o.files, o.file_count, o.invalid)) {
        while ((event = text_next(&t)) == TEXT_RUN && quern_json_write_part(&w, t.data, t.length) == QUERN_OK)
            ;
        text_close(&t);
    }
    code = text_code(&t, event);
    if (code == EXIT_CODE_OK) {
        quern_json_end_string(&w);
        output_end_on_terminal(&out);
    }
    return output_close(&out, code);
}
