/* SPDX-License-Identifier: MIT */
/*
 * copy and copy_slack of every variant: the whole input in one piece, then in pieces one behind the other, as a sink
 * gets them; swap_copy16, 32 and 64 on as many elements as the input has. Two bytes for the alignments; each byte of
 * the input is also the length of a piece.
 */
#include "fuzz/fuzz.h"

static void check(const quern_variant *v, const char *name, quern_copy_function *copy, size_t slack, const char *text,
                  size_t length, size_t align)
{
    char *block = fuzz_block(align + length + slack);
    char *dst = block + align;
    copy(dst, text, length);
    FUZZ_CHECK(length == 0 || memcmp(dst, text, length) == 0, "%s %s of %zu bytes to %zu: other bytes", v->name, name,
               length, align);
    memset(dst, 0x5A, length);
    for (size_t at = 0; at < length;) {
        size_t piece = (unsigned char)text[at];
        if (piece > length - at)
            piece = length - at;
        copy(dst + at, text + at, piece);
        at += piece ? piece : 1;
        if (!piece)
            dst[at - 1] = text[at - 1];
    }
    FUZZ_CHECK(length == 0 || memcmp(dst, text, length) == 0, "%s %s of %zu bytes to %zu in pieces: other bytes",
               v->name, name, length, align);
    free(block);
}

static void check_swap(const quern_variant *v, quern_swap_copy16_function *swap, size_t width, const char *text,
                       size_t length, size_t align)
{
    const size_t count = length / width;
    char *block = fuzz_block(align + count * width);
    const char *dst = block + align;
    swap(block + align, text, count);
    for (size_t i = 0; i < count * width; i++)
        FUZZ_CHECK(dst[i - i % width + width - 1 - i % width] == text[i],
                   "%s swap_copy%zu of %zu elements to %zu: byte %zu", v->name, width * 8, count, align, i);
    free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    const size_t align = fuzz_byte(&input) % 64, to = fuzz_byte(&input) % 64;
    char *block;
    const char *text = fuzz_text(&input, align, &block);
    quern_variant v;
    for (size_t i = 0; fuzz_variant(&i, &v);) {
        check(&v, "copy", v.row->copy, 0, text, input.size, to);
        check(&v, "copy_slack", v.row->copy_slack, QUERN_SLACK, text, input.size, to);
        check_swap(&v, v.row->swap_copy16, 2, text, input.size, to);
        check_swap(&v, v.row->swap_copy32, 4, text, input.size, to);
        check_swap(&v, v.row->swap_copy64, 8, text, input.size, to);
    }
    free(block);
    return 0;
}
