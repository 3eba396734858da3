/* SPDX-License-Identifier: MIT */
#include "cli.h"

#include <stdio.h>
#include <string.h>

static int check_file(output *out, char **file)
{
    text t;
    if (!text_open(&t, file, 1, INVALID_STOP))
        return EXIT_CODE_IO;
    quern_sink *sink = &out->sink.sink;
    uint64_t faults = 0;
    text_event event;
    while ((event = text_next(&t)) == TEXT_RUN || event == TEXT_FAULT) {
        if (event == TEXT_RUN)
            continue;
        char fault[TEXT_FAULT_ROOM];
        faults++;
        quern_sink_write(sink, t.name, strlen(t.name));
        output_print(out, ": %s\n", text_fault(&t, "", fault));
        if (quern_sink_status(sink) != QUERN_OK)
            break; /* nobody listens any more */
    }
    if (event == TEXT_END && faults == 0) {
        quern_sink_write(sink, t.name, strlen(t.name));
        output_print(out, ": valid UTF-8, %llu bytes\n", (unsigned long long)t.size);
    }
    text_close(&t);
    return event == TEXT_ERROR ? EXIT_CODE_IO : faults ? EXIT_CODE_DATA : EXIT_CODE_OK;
}

static int repair_file(output *out, char **file, invalid how)
{
    text t;
    if (!text_open(&t, file, 1, INVALID_STOP))
        return EXIT_CODE_IO;
    quern_status status = QUERN_OK;
    text_event event;
    while (status == QUERN_OK && ((event = text_next(&t)) == TEXT_RUN || event == TEXT_FAULT)) {
        if (event == TEXT_RUN) {
            status = quern_sink_write(&out->sink.sink, t.data, t.length);
            continue;
        }
        char fault[TEXT_FAULT_ROOM];
        progress_pause();
        fprintf(stderr, "%s: %s\n", t.name, text_fault(&t, "", fault));
        if (how == INVALID_REPLACE)
            status = quern_sink_write(&out->sink.sink, TEXT_FFFD, sizeof TEXT_FFFD - 1);
    }
    text_close(&t);
    return event == TEXT_ERROR ? EXIT_CODE_IO : EXIT_CODE_OK;
}

int run_utf8(const command *self, int argc, char **argv)
{
    options o;
    output out;
    int code = options_read(&o, self, argc, argv, ALLOW_FILES | ALLOW_REPAIR);
    if (code >= 0 || (code = output_open(&out, &o)) >= 0)
        return code;
    code = EXIT_CODE_OK;
    for (int i = 0; i < o.file_count; i++) {
        const int this_code = o.repair ? repair_file(&out, &o.files[i], o.repair) : check_file(&out, &o.files[i]);
        if (this_code > code)
            code = this_code;
    }
    return output_close(&out, code);
}
