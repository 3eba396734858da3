/* SPDX-License-Identifier: MIT */
/*
 * The JSON writer: calls in any order, right or wrong, as calls and as tokens, with options and styles of all kinds, in
 * every variant and to three kinds of sinks, against the model of tests/support/json_model.h, which foretells the
 * status of each call and the text. What was written as a whole is read back by a strict reader.
 *
 * Seven bytes for options; then a byte for each call, a second one for numbers, and for text a length and so many
 * bytes.
 */
#include "fuzz/fuzz.h"
#include "support/json_model.h"

enum { MOST_CALLS = 100, MOST_TEXT = 20000 };

/* ---- what support/checks.c is to the other programs ------------------------------------------------ */

static uint64_t checks, faults;
current_case now = {.variant.checks = &checks, .what = "start"};
uint64_t *fault_points = &faults;

_Noreturn void fail_check(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: %s (variant %s, %s %zu, %zu)\n", file, line, condition, now.variant.name, now.what, now.a,
            now.b);
    abort();
}

void at(const char *what, size_t a, size_t b)
{
    now.what = what;
    now.a = a;
    now.b = b;
}

/* ---- the script ------------------------------------------------------------------------------------ */

typedef struct script {
    quern_json_writer_options options;
    quern_style_options style;
    bool tokens;
    model_sinks sinks;
    call calls[MOST_CALLS];
    size_t count;
} script;

/* A copy in a block of its own, `times` over. */
static void read_text(fuzz_input *input, call *c, size_t times, size_t most)
{
    size_t given = fuzz_byte(input);
    if (given > input->size)
        given = input->size;
    if (given * times > most)
        times = 0;
    char *data = fuzz_block(given * times);
    for (size_t i = 0; given && i < times; i++)
        memcpy(data + i * given, input->data, given);
    *c = (call){c->kind, data, given * times};
    input->data += given;
    input->size -= given;
}

static void read_script(fuzz_input *input, script *s)
{
    static const int indents[] = {QUERN_JSON_INDENT_TAB, 1, 2, 3};
    memset(s, 0, sizeof *s);
    const uint8_t layout = fuzz_byte(input), policy = fuzz_byte(input), style = fuzz_byte(input);
    s->options.size = sizeof s->options;
    s->options.canonical = layout & 1;
    s->options.max_depth = layout >> 5;
    s->tokens = layout & 16;
    s->style = (quern_style_options){.size = sizeof s->style,
                                     .flags = style,
                                     .ill_formed = (quern_ill_formed)(policy >> 5) % (QUERN_ILL_FORMED_KEEP + 1)};
    if (!s->options.canonical) {
        s->options.indent = layout & 2 ? indents[layout >> 2 & 3] : 0;
        s->options.layout = !(layout & 2) && layout & 4 ? QUERN_JSON_SPACED : QUERN_JSON_COMPACT;
        s->options.invalid = (quern_json_invalid)(policy % 5);
        s->options.nonfinite = (quern_json_nonfinite)((policy >> 3) % 3);
    }
    s->sinks.fixed_size = (size_t)fuzz_byte(input) * (fuzz_byte(input) & 1 ? 16 : 1);
    s->sinks.buffer_size = (size_t)fuzz_byte(input);
    const size_t most_taken = fuzz_byte(input);
    s->sinks.most_taken = most_taken ? most_taken : SIZE_MAX;
    size_t total = 0;
    while (input->size && s->count < MOST_CALLS) {
        call *c = &s->calls[s->count++];
        const uint8_t code = fuzz_byte(input);
        c->kind = (call_kind)(code & 15) % CALLS;
        switch (c->kind) {
        case CALL_VALUE: c->length = fuzz_byte(input); break;
        case CALL_RAW:
            c->data = "\"raw\"";
            c->length = code & 0x80 ? 0 : 5;
            break;
        case CALL_NUMBER: read_text(input, c, 1, 250); break;
        case CALL_STRING:
        case CALL_KEY:
        case CALL_PREPARED:
        case CALL_PART:
            /* Text of a few bytes, again and again, to get past the blocks. */
            read_text(input, c, code & 0x40 ? 1 + (size_t)(code >> 4 & 3) * 40 : 1, MOST_TEXT - total);
            total += c->length;
            break;
        default: break;
        }
    }
}

static void free_script(script *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->calls[i].kind != CALL_RAW)
            free((char *)s->calls[i].data);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static script s;
    fuzz_input input = {data, size};
    quern_style style;
    read_script(&input, &s);
    const bool styled = s.style.flags && !s.options.canonical && quern_style_init(&style, &s.style) == QUERN_OK;
    s.options.style = styled ? &style : NULL;
    quern_variant active, v;
    FUZZ_CHECK(quern_variant_get(quern_variant_active(), &active), "no variant is active");
    now.variant.name = active.name;
    at("model", 0, 0);
    foretell_calls(&the_model, &s.options, styled ? &s.style : NULL, s.tokens, s.calls, s.count);
    for (size_t i = 0; fuzz_variant(&i, &v);) {
        if (quern_variant_force(v.name) != QUERN_OK)
            continue;
        now.variant.name = v.name;
        at("memory sink", 0, 0);
        check_foretold(&the_model, s.calls, s.count);
        check_sinks(&the_model, s.calls, s.count, &s.sinks);
    }
    FUZZ_CHECK(quern_variant_force(active.name) == QUERN_OK, "%s cannot be forced", active.name);
    free_script(&s);
    return 0;
}
