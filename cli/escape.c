/* SPDX-License-Identifier: MIT */
#include "cli.h"

int run_escape(const command *self, int argc, char **argv)
{
    options o;
    output out;
    int code = options_read(&o, self, argc, argv, ALLOW_FILES);
    if (code >= 0 || (code = output_open(&out, &o)) >= 0)
        return code;

    /* The reader hands out checked text: the writer need not check it again. */
    const quern_json_writer_options how = {.size = sizeof how, .invalid = QUERN_JSON_INVALID_KEEP};
    quern_json_writer w;
    quern_json_writer_init(&w, &out.sink.sink, &how);
    quern_json_begin_string(&w);
    code = EXIT_CODE_OK;
    for (int i = 0; i < o.file_count && code == EXIT_CODE_OK; i++) {
        text t;
        text_event event = TEXT_ERROR;
        if (text_open(&t, o.files[i])) {
            while ((event = text_next(&t)) == TEXT_RUN && quern_json_write_part(&w, t.data, t.length) == QUERN_OK)
                ;
            if (event == TEXT_FAULT)
                text_complain(&t);
            text_close(&t);
        }
        code = event == TEXT_FAULT ? EXIT_CODE_DATA : event == TEXT_ERROR ? EXIT_CODE_IO : EXIT_CODE_OK;
        if (quern_sink_status(&out.sink.sink) != QUERN_OK)
            break;
    }
    if (code == EXIT_CODE_OK) {
        quern_json_end_string(&w);
        output_end_on_terminal(&out);
    }
    return output_close(&out, code);
}
