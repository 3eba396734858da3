/* SPDX-License-Identifier: MIT */
/*
 * Writes CBOR that standard input spells out, for test_cbor_peers.py.
 *
 * Argument: deterministic. A line is a call: [N {N with a count or without, ) for the end, n t f u0 for undefined, sHEX
 * a string, bHEX bytes, +N an unsigned integer, -N for -1 - N, #HEX a bignum, ~HEX -1 - a bignum, gN a tag, dHEX the
 * bits of a double; a full stop ends the item, and "status length\n" and its bytes are written.
 */
#include <quern/quern.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20 };

static size_t from_hex(char *dst, const char *hex)
{
    static const char digits[] = "0123456789abcdef";
    size_t length = 0;
    for (; hex[0] && hex[1] && strchr(digits, hex[0]); hex += 2)
        dst[length++] = (char)((strchr(digits, hex[0]) - digits) << 4 | (strchr(digits, hex[1]) - digits));
    return length;
}

static void perform(quern_cbor_writer *w, const char *line, char *text)
{
    const bool in_hex = strchr("sb#~", line[0]) != NULL;
    const size_t length = in_hex ? from_hex(text, line + 1) : 0;
    const uint64_t number = in_hex ? 0 : strtoull(line + 1, NULL, line[0] == 'd' ? 16 : 10);
    const uint64_t count = line[1] == '\n' ? QUERN_UNKNOWN : number;
    double real;
    switch (line[0]) {
    case '[': quern_cbor_begin_array(w, count); break;
    case '{': quern_cbor_begin_map(w, count); break;
    case ')': quern_cbor_end(w); break;
    case 'n': quern_cbor_write_null(w); break;
    case 'u': quern_cbor_write_undefined(w); break;
    case 't': quern_cbor_write_bool(w, true); break;
    case 'f': quern_cbor_write_bool(w, false); break;
    case 's': quern_cbor_write_string(w, text, length); break;
    case 'b': quern_cbor_write_bytes(w, text, length); break;
    case '+': quern_cbor_write_uint(w, number); break;
    case '-': quern_cbor_write_negative(w, number); break;
    case '#': quern_cbor_write_bignum(w, false, text, length); break;
    case '~': quern_cbor_write_bignum(w, true, text, length); break;
    case 'g': quern_cbor_write_tag(w, number); break;
    case 'd':
        memcpy(&real, &number, sizeof real);
        quern_cbor_write_double(w, real);
        break;
    default: abort();
    }
}

int main(int argc, char **argv)
{
    static char line[MOST], text[MOST];
    const quern_cbor_writer_options options = {.size = sizeof options,
                                               .deterministic = argc > 1 && strcmp(argv[1], "deterministic") == 0};
    quern_memory_sink memory;
    quern_cbor_writer w;
    quern_memory_sink_init(&memory, NULL);
    quern_cbor_writer_init(&w, &memory.sink, &options);
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] != '.') {
            perform(&w, line, text);
            continue;
        }
        const quern_status status = quern_cbor_writer_finish(&w);
        const quern_string bytes = quern_memory_sink_view(&memory);
        printf("%d %zu\n", (int)status, bytes.length);
        fwrite(bytes.data, 1, bytes.length, stdout);
        quern_memory_sink_reset(&memory);
        quern_cbor_writer_init(&w, &memory.sink, &options);
    }
    quern_memory_sink_free(&memory);
    return 0;
}
