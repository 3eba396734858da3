/* SPDX-License-Identifier: MIT */
#include "cli.h"

#include <string.h>

/*
 * As CBOR, a line of up to this many bytes is one string, and a longer one goes out in chunks of so many, less what
 * would cut a character: so the bytes do not depend on how the text came in, by reads and files.
 */
enum { CHUNK_SIZE = 64 * 1024 };

static char chunk[CHUNK_SIZE];

typedef struct line_writer {
    quern_json_writer json;
    quern_cbor_writer cbor;
    quern_sink *sink;
    bool to_cbor;
    bool crlf;
    bool open;         /* a line has begun */
    bool held_cr;      /* it ends in a CR, so far, that is not written yet */
    bool in_chunks;    /* CBOR: chunks of it are written, */
    size_t chunk_used; /* and so many bytes of the next one are there */
} line_writer;

/* ---- CBOR: the writer checks the text again, since its check is what cuts chunks at characters ------ */

static void write_chunk(line_writer *w)
{
    if (!w->in_chunks)
        quern_cbor_begin_string(&w->cbor, QUERN_UNKNOWN);
    quern_cbor_write_part(&w->cbor, chunk, w->chunk_used);
    w->in_chunks = true;
    w->chunk_used = 0;
}

static void collect(line_writer *w, const char *data, size_t length)
{
    while (length > 0) {
        if (w->chunk_used == CHUNK_SIZE)
            write_chunk(w);
        const size_t room = CHUNK_SIZE - w->chunk_used;
        const size_t taken = length < room ? length : room;
        memcpy(chunk + w->chunk_used, data, taken);
        w->chunk_used += taken;
        data += taken;
        length -= taken;
    }
}

static void end_collected(line_writer *w)
{
    if (w->in_chunks) {
        write_chunk(w);
        quern_cbor_end_string(&w->cbor);
    } else {
        quern_cbor_write_string(&w->cbor, chunk, w->chunk_used);
    }
    w->in_chunks = false;
    w->chunk_used = 0;
}

/* ---- a line, to either ----------------------------------------------------------------------------- */

static void part(line_writer *w, const char *data, size_t length)
{
    if (w->to_cbor)
        collect(w, data, length);
    else
        quern_json_write_part(&w->json, data, length);
}

static void begin(line_writer *w)
{
    if (!w->open && !w->to_cbor)
        quern_json_begin_string(&w->json);
    w->open = true;
    if (w->held_cr)
        part(w, "\r", 1);
    w->held_cr = false;
}

static void end(line_writer *w)
{
    if (w->to_cbor)
        end_collected(w);
    else
        quern_json_end_string(&w->json);
    w->open = w->held_cr = false;
}

static void whole(line_writer *w, const char *data, size_t length)
{
    if (!w->to_cbor) {
        quern_json_write_string(&w->json, data, length);
    } else if (length <= CHUNK_SIZE) {
        quern_cbor_write_string(&w->cbor, data, length);
    } else {
        collect(w, data, length);
        end_collected(w);
    }
}

/* ---- lines ----------------------------------------------------------------------------------------- */

static quern_status write_run(line_writer *w, const char *data, size_t length)
{
    for (;;) {
        const char *newline = memchr(data, '\n', length);
        size_t line = newline ? (size_t)(newline - data) : length;
        const bool cr = w->crlf && line > 0 && data[line - 1] == '\r';
        if (newline && !w->open) {
            whole(w, data, line - cr);
        } else if (newline) {
            if (line > 0) {
                begin(w);
                part(w, data, line - cr);
            }
            end(w);
        } else {
            if (length > 0) {
                begin(w);
                part(w, data, line - cr);
                w->held_cr = cr;
            }
            return quern_sink_status(w->sink);
        }
        length -= line + 1;
        data = newline + 1;
    }
}

static void begin_lines(line_writer *w, const options *o)
{
    /* The reader hands out checked text: the writer need not check it again. */
    const quern_json_writer_options how = {
        .size = sizeof how,
        .style = o->style,
        .layout = o->compact ? QUERN_JSON_COMPACT : QUERN_JSON_SPACED,
        .invalid = QUERN_JSON_INVALID_KEEP,
    };
    if (w->to_cbor) {
        quern_cbor_writer_init(&w->cbor, w->sink, NULL);
        quern_cbor_begin_array(&w->cbor, QUERN_UNKNOWN);
    } else {
        quern_json_writer_init(&w->json, w->sink, &how);
        quern_json_begin_array(&w->json);
    }
}

static void end_lines(line_writer *w, output *out)
{
    if (w->to_cbor) {
        quern_cbor_end(&w->cbor);
    } else {
        quern_json_end(&w->json);
        output_end_on_terminal(out);
    }
}

int run_lines(const command *self, int argc, char **argv)
{
    options o;
    output out;
    int code = options_read(&o, self, argc, argv, ALLOW_FILES | ALLOW_LINES | ALLOW_JSON);
    if (code < 0 && o.to_cbor && (o.compact || o.style)) {
        complain("%s: %s is for JSON, not for --to cbor", self->name, o.compact ? "--compact" : "--style");
        return EXIT_CODE_USAGE;
    }
    if (code >= 0 || (code = output_open(&out, &o)) >= 0)
        return code;

    line_writer w = {.sink = &out.sink.sink, .to_cbor = o.to_cbor, .crlf = o.crlf};
    begin_lines(&w, &o);
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
    if (code == EXIT_CODE_OK)
        end_lines(&w, &out);
    return output_close(&out, code);
}
