/* SPDX-License-Identifier: MIT */
/*
 * escape_find, escape_copy and text_copy with a style, each in all its forms and variants, against the oracle, from
 * each fault on to the next. Two bytes for the alignments, three for the style, then the text.
 */
#include "fuzz/style.h"

static void check_escape_copy(const quern_variant *v, bool slack, const fuzz_styled *style, const char *text,
                              size_t length, size_t align, size_t expected)
{
    char *block = fuzz_block(align + length + (slack ? QUERN_SLACK : 0));
    const size_t got =
        (slack ? v->row->escape_copy_slack : v->row->escape_copy)(style->made, block + align, text, length);
    FUZZ_CHECK(got == expected && (got == 0 || memcmp(block + align, text, got) == 0),
               "%s escape_copy%s of %zu bytes to %zu: got %zu, expected %zu, or other bytes", v->name,
               slack ? "_slack" : "", length, align, got, expected);
    free(block);
}

static void check_text_copy(const quern_variant *v, bool slack, const fuzz_styled *style, const char *text,
                            size_t length, size_t align, quern_span expected)
{
    char *block = fuzz_block(align + length + (slack ? QUERN_SLACK : 0));
    const quern_span got =
        (slack ? v->row->text_copy_slack : v->row->text_copy)(style->made, block + align, text, length);
    FUZZ_CHECK(got.length == expected.length && got.why == expected.why &&
                   (got.length == 0 || memcmp(block + align, text, got.length) == 0),
               "%s text_copy%s of %zu bytes to %zu: got %zu (%d), expected %zu (%d), or other bytes", v->name,
               slack ? "_slack" : "", length, align, got.length, (int)got.why, expected.length, (int)expected.why);
    free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    const size_t align = fuzz_byte(&input) % 64, to = fuzz_byte(&input) % 64;
    fuzz_styled style;
    fuzz_read_style(&input, &style);
    char *block;
    const char *text = fuzz_text(&input, align, &block);
    const size_t length = input.size;

    /* Many faults would make this quadratic: some runs are enough, the later ones shorter. */
    size_t runs = 0;
    for (size_t at = 0; at <= length && runs < 40; runs++) {
        const size_t rest = runs < 8 || length - at < 200 ? length - at : 200;
        const size_t found = reference_style_find(style.options_of_it, text + at, rest);
        const quern_span copied = reference_text_prefix(style.options_of_it, text + at, rest);
        quern_variant v;
        for (size_t i = 0; fuzz_variant(&i, &v);) {
            const size_t got = v.row->escape_find(style.made, text + at, rest);
            FUZZ_CHECK(got == found, "%s escape_find of %zu bytes, alignment %zu: got %zu, expected %zu", v.name, rest,
                       (align + at) % 64, got, found);
            for (int slack = 0; slack < 2; slack++) {
                check_escape_copy(&v, slack, &style, text + at, rest, to, found);
                check_text_copy(&v, slack, &style, text + at, rest, to, copied);
            }
        }
        at += (copied.length < found ? copied.length : found) + 1;
    }
    free(block);
    return 0;
}
