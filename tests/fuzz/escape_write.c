/* SPDX-License-Identifier: MIT */
/*
 * escape_write, escape_write_slack and escape_size of every variant against the oracle: with the room given, with just
 * enough, and resumed until all is written. Two bytes for the alignments, three for the style, two for flags and room,
 * then the text.
 */
#include "fuzz/style.h"

typedef struct whole {
    const fuzz_styled *style;
    const char *text;
    size_t length;
    unsigned flags;
    char *output; /* all of it */
    reference_escaped end;
} whole;

static void check_room(const quern_variant *v, const whole *w, bool slack, size_t room, size_t align,
                       reference_escaped expected)
{
    /* Of the slack form's room more than what is returned is there only as far as the 64 bytes behind that. */
    size_t size = room;
    if (slack && size < expected.written + QUERN_SLACK)
        size = expected.written + QUERN_SLACK;
    char *block = fuzz_block(align + size);
    size_t used = SIZE_MAX;
    const quern_span got = (slack ? v->row->escape_write_slack : v->row->escape_write)(
        w->style->made, block + align, room, w->text, w->length, &used, w->flags);
    FUZZ_CHECK(
        got.length == expected.written && used == expected.used && got.why == expected.why &&
            memcmp(block + align, w->output, got.length) == 0,
        "%s escape_write%s of %zu bytes, room %zu, to %zu: got %zu of %zu (%d), expected %zu of %zu (%d), or other "
        "bytes",
        v->name, slack ? "_slack" : "", w->length, room, align, got.length, used, (int)got.why, expected.written,
        expected.used, (int)expected.why);
    free(block);
}

static void check_resumed(const quern_variant *v, const whole *w, bool slack, size_t room)
{
    size_t read = 0, written = 0;
    quern_span got;
    do {
        char *block = fuzz_block(room + (slack ? QUERN_SLACK : 0));
        size_t used = SIZE_MAX;
        got = (slack ? v->row->escape_write_slack : v->row->escape_write)(w->style->made, block, room, w->text + read,
                                                                          w->length - read, &used, w->flags);
        FUZZ_CHECK(got.length <= w->end.written - written && memcmp(block, w->output + written, got.length) == 0 &&
                       used <= w->length - read && (got.why != QUERN_STOP_ROOM || used > 0),
                   "%s escape_write%s resumed at %zu, room %zu: other bytes, or none", v->name, slack ? "_slack" : "",
                   read, room);
        read += used;
        written += got.length;
        free(block);
    } while (got.why == QUERN_STOP_ROOM);
    FUZZ_CHECK(read == w->end.used && written == w->end.written && got.why == w->end.why,
               "%s escape_write%s resumed, room %zu: %zu of %zu (%d), expected %zu of %zu (%d)", v->name,
               slack ? "_slack" : "", room, written, read, (int)got.why, w->end.written, w->end.used, (int)w->end.why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    const size_t align = fuzz_byte(&input) % 64, to = fuzz_byte(&input) % 64;
    fuzz_styled style;
    fuzz_read_style(&input, &style);
    const unsigned low = fuzz_byte(&input), high = fuzz_byte(&input);
    whole w = {.style = &style, .flags = high & 0x80 ? QUERN_ESCAPE_FINAL : 0};
    const size_t room = low + (high & 0x7Fu) * 64;
    char *block;
    w.text = fuzz_text(&input, align, &block);
    w.length = input.size;
    w.output = fuzz_block(7 * w.length);
    w.end = reference_escape(style.options_of_it, w.output, 7 * w.length, w.text, w.length, w.flags);
    char *scratch = fuzz_block(room);
    const reference_escaped part = reference_escape(style.options_of_it, scratch, room, w.text, w.length, w.flags);
    free(scratch);

    quern_variant v;
    for (size_t i = 0; fuzz_variant(&i, &v);) {
        for (int slack = 0; slack < 2; slack++) {
            check_room(&v, &w, slack, room, to, part);
            check_room(&v, &w, slack, w.end.written, to, w.end);
            check_resumed(&v, &w, slack, room < QUERN_ESCAPE_MAX ? QUERN_ESCAPE_MAX + room : room);
        }
        const size_t got = v.row->escape_size(style.made, w.text, w.length, w.flags);
        FUZZ_CHECK(got == w.end.written, "%s escape_size of %zu bytes: got %zu, expected %zu", v.name, w.length, got,
                   w.end.written);
    }
    free(w.output);
    free(block);
    return 0;
}
