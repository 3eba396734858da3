/* SPDX-License-Identifier: MIT */
/*
 * escape_find, escape_copy and escape_copy_slack of every variant against the oracle, from each byte to escape on to
 * the next, as a writer goes. Two bytes for the alignments, then the text.
 */
#include "fuzz/fuzz.h"

static void check_copy(const quern_variant *v, const char *name, quern_escape_copy_function *copy, size_t slack,
                       const char *text, size_t length, size_t expected, size_t align)
{
    char *block = fuzz_block(align + length + slack);
    const size_t got = copy(NULL, block + align, text, length);
    FUZZ_CHECK(got == expected && (expected == 0 || memcmp(block + align, text, expected) == 0),
               "%s %s of %zu bytes to %zu: got %zu, expected %zu, or other bytes", v->name, name, length, align, got,
               expected);
    free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    const size_t align = fuzz_byte(&input) % 64, to = fuzz_byte(&input) % 64;
    char *block;
    const char *text = fuzz_text(&input, align, &block);
    const size_t length = input.size;

    quern_variant v;
    for (size_t i = 0; fuzz_variant(&i, &v);) {
        /* Many bytes to escape would make this quadratic: some runs are enough, the later ones shorter. */
        size_t runs = 0;
        for (size_t at = 0; at <= length && runs < 40; runs++) {
            const size_t rest = runs < 8 || length - at < 200 ? length - at : 200;
            const size_t expected = reference_escape_find(text + at, rest);
            const size_t got = v.row->escape_find(NULL, text + at, rest);
            FUZZ_CHECK(got == expected, "%s escape_find of %zu bytes, alignment %zu: got %zu, expected %zu", v.name,
                       rest, (align + at) % 64, got, expected);
            check_copy(&v, "escape_copy", v.row->escape_copy, 0, text + at, rest, expected, to);
            check_copy(&v, "escape_copy_slack", v.row->escape_copy_slack, QUERN_SLACK, text + at, rest, expected, to);
            at += expected + 1;
        }
    }
    free(block);
    return 0;
}
