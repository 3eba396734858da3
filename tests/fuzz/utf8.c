/* SPDX-License-Identifier: MIT */
/* utf8_prefix and line_locate of every variant against the oracle. One byte for the alignment, then the text. */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    const size_t align = fuzz_byte(&input) % 64;
    char *block;
    const char *text = fuzz_text(&input, align, &block);
    const size_t length = input.size;
    const quern_span valid = reference_utf8_prefix(text, length);
    const quern_line line = reference_line_locate(text, length);

    quern_variant v;
    for (size_t i = 0; fuzz_variant(&i, &v);) {
        const quern_span got = v.row->utf8_prefix(text, length);
        FUZZ_CHECK(got.length == valid.length && got.why == valid.why,
                   "%s utf8_prefix of %zu bytes, alignment %zu: got %zu (%d), expected %zu (%d)", v.name, length, align,
                   got.length, (int)got.why, valid.length, (int)valid.why);
        const quern_line at = v.row->line_locate(text, length);
        FUZZ_CHECK(at.newlines == line.newlines && at.start == line.start,
                   "%s line_locate of %zu bytes, alignment %zu: got %zu from %zu, expected %zu from %zu", v.name,
                   length, align, at.newlines, at.start, line.newlines, line.start);
    }
    free(block);
    return 0;
}
