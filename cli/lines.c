/* SPDX-License-Identifier: MIT */
#include "cli.h"

#include <string.h>

typedef struct line_writer {
    quern_json_writer json;
    quern_sink *sink;
    bool crlf;
    bool open;    /* a line has begun */
    bool held_cr; /* it ends in a CR, so far, that is not written yet */
} line_writer;

static void begin(line_writer *w)
{
    if (!w->open)
        quern_json_begin_string(&w->json);
    w->open = true;
    if (w->held_cr)
        quern_json_write_part(&w->json, "\r", 1);
    w->held_cr = false;
}

static void end(line_writer *w)
{
    if (!w->open)
        quern_json_begin_string(&w->json);
    quern_json_end_string(&w->json);
    w->open = w->held_cr = false;
}

static quern_status write_run(line_writer *w, const char *data, size_t length)
{
    for (;;) {
        const char *newline = memchr(data, '\n', length);
        size_t line = newline ? (size_t)(newline - data) : length;
        const bool cr = w->crlf && line > 0 && data[line - 1] == '\r';
        if (newline && !w->open) {
            quern_json_write_string(&w->json, data, line - cr);
        } else if (newline) {
            if (line > 0) {
                begin(w);
                quern_json_write_part(&w->json, data, line - cr);
            }
            end(w);
        } else {
            if (length > 0) {
                begin(w);
                quern_json_write_part(&w->json, data, line - cr);
                w->held_cr = cr;
            }
            return quern_sink_status(w->sink);
        }
        length -= line + 1;
        data = newline + 1;
    }
}

int run_lines(const command *self, int argc, char **argv)
{
    options o;
    output out;
    int code = options_read(&o, self, argc, argv, ALLOW_FILES | ALLOW_LINES | ALLOW_JSON);
    if (code >= 0 || (code = output_open(&out, &o)) >= 0)
        return code;

    /* The reader hands out checked text: the writer need not check it again. */
    const quern_json_writer_options how = {
        .size = sizeof how,
        .style = o.style,
        .layout = o.compact ? QUERN_JSON_COMPACT : QUERN_JSON_SPACED,
        .invalid = QUERN_JSON_INVALID_KEEP,
    };
    line_writer w = {.sink = &out.sink.sink, .crlf = o.crlf};
    quern_json_writer_init(&w.json, w.sink, &how);
    quern_json_begin_array(&w.json);
    text t;
    text_event event = TEXT_ERROR;
    if (text_open(&t, o.files, o.file_count, o.invalid)) {
        while ((event = text_next(&t)) == TEXT_RUN && write_run(&w, t.data, t.length) == QUERN_OK)
            ;
        text_close(&t);
    }
    if (event == TEXT_END && w.open) {
        begin(&w); /* a CR at the end belongs to the line */
        end(&w);
    }
    code = text_code(&t, event);
    if (code == EXIT_CODE_OK) {
        quern_json_end(&w.json);
        output_end_on_terminal(&out);
    }
    return output_close(&out, code);
}
