/* SPDX-License-Identifier: MIT */
/*
 * Writes documents that standard input spells out, for test_json_peers.py.
 *
 * Arguments: indent=N, spaced, canonical, ascii (as Python escapes). A line is a call: [ { ) for the end, n t f, kHEX a
 * key, sHEX a string, iN an int64, uN a uint64, #N a number as text, dHEX the bits of a double; a full stop ends the
 * document, and "status length\n" and its text are written.
 */
#include <quern/quern.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 22 };

static size_t from_hex(char *dst, const char *hex)
{
    static const char digits[] = "0123456789abcdef";
    size_t length = 0;
    for (; hex[0] && hex[1] && strchr(digits, hex[0]); hex += 2)
        dst[length++] = (char)((strchr(digits, hex[0]) - digits) << 4 | (strchr(digits, hex[1]) - digits));
    return length;
}

static void perform(quern_json_writer *w, const char *line, char *text)
{
    const size_t length = line[0] == 'k' || line[0] == 's' ? from_hex(text, line + 1) : 0;
    uint64_t bits;
    double real;
    switch (line[0]) {
    case '[': quern_json_begin_array(w); break;
    case '{': quern_json_begin_map(w); break;
    case ')': quern_json_end(w); break;
    case 'n': quern_json_write_null(w); break;
    case 't': quern_json_write_bool(w, true); break;
    case 'f': quern_json_write_bool(w, false); break;
    case 'k': quern_json_write_key(w, text, length); break;
    case 's': quern_json_write_string(w, text, length); break;
    case 'i': quern_json_write_int(w, strtoll(line + 1, NULL, 10)); break;
    case 'u': quern_json_write_uint(w, strtoull(line + 1, NULL, 10)); break;
    case '#': quern_json_write_number(w, line + 1, strcspn(line + 1, "\n")); break;
    case 'd':
        bits = strtoull(line + 1, NULL, 16);
        memcpy(&real, &bits, sizeof real);
        quern_json_write_double(w, real);
        break;
    default: abort();
    }
}

int main(int argc, char **argv)
{
    static char line[MOST], text[MOST];
    quern_json_writer_options options = {.size = sizeof options};
    const quern_style_options escape = {.size = sizeof escape, .flags = QUERN_STYLE_ASCII | QUERN_STYLE_DELETE};
    quern_style ascii;
    quern_style_init(&ascii, &escape);
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "indent=", 7) == 0)
            options.indent = atoi(argv[i] + 7);
        else if (strcmp(argv[i], "spaced") == 0)
            options.layout = QUERN_JSON_SPACED;
        else if (strcmp(argv[i], "canonical") == 0)
            options.canonical = true;
        else if (strcmp(argv[i], "ascii") == 0)
            options.style = &ascii;
        else
            return 2;
    }
    quern_memory_sink memory;
    quern_json_writer w;
    quern_memory_sink_init(&memory, NULL);
    quern_json_writer_init(&w, &memory.sink, &options);
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] != '.') {
            perform(&w, line, text);
            continue;
        }
        const quern_status status = quern_json_writer_finish(&w);
        const quern_string json = quern_memory_sink_view(&memory);
        printf("%d %zu\n", (int)status, json.length);
        fwrite(json.data, 1, json.length, stdout);
        quern_memory_sink_reset(&memory);
        quern_json_writer_init(&w, &memory.sink, &options);
    }
    quern_memory_sink_free(&memory);
    return 0;
}
