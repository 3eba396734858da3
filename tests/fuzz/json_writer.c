/* SPDX-License-Identifier: MIT */
/*
 * The JSON writer: calls in any order, right or wrong, in every variant and to three kinds of sinks, against a model
 * that foretells the status of each call and the text. What was written as a whole is read back by a strict reader.
 *
 * Three bytes for options; then a byte for each call, for strings followed by a length and so many bytes.
 */
#include "fuzz/fuzz.h"
#include "reference/json_check.h"

enum { MOST_CALLS = 100, MOST_TEXT = 20000 };

typedef enum call_kind { NOTHING, TRUTH, BEGIN_ARRAY, END, STRING, BEGIN_STRING, PART, END_STRING, KINDS } call_kind;

typedef struct call {
    call_kind kind;
    bool value;
    const char *data; /* in a block of its own */
    size_t length;
} call;

typedef struct script {
    quern_json_writer_options options;
    size_t fixed_size;  /* of the fixed sink's array */
    size_t buffer_size; /* of the callback sink's buffer */
    size_t most_taken;  /* by the callback at once */
    call calls[MOST_CALLS];
    size_t count;
} script;

/* ---- the script ---------------------------------------------------------------------------------- */

static void read_script(fuzz_input *input, script *s)
{
    memset(s, 0, sizeof *s);
    s->options.size = sizeof s->options;
    const uint8_t options = fuzz_byte(input);
    s->options.layout = options & 1 ? QUERN_JSON_SPACED : QUERN_JSON_COMPACT;
    s->options.max_depth = options >> 1 & 7;
    s->fixed_size = (size_t)fuzz_byte(input) * (options & 16 ? 16 : 1);
    s->buffer_size = (size_t)fuzz_byte(input) % 160;
    s->most_taken = options >> 5 ? (size_t)(options >> 5) * 3 : SIZE_MAX;
    size_t total = 0;
    while (input->size && s->count < MOST_CALLS) {
        call *c = &s->calls[s->count++];
        const uint8_t code = fuzz_byte(input);
        c->kind = (call_kind)(code % KINDS);
        c->value = code & 0x80;
        if (c->kind != STRING && c->kind != PART)
            continue;
        /* The length, or a multiple of it: text of a few bytes, again and again, to get past the blocks. */
        size_t given = fuzz_byte(input);
        if (given > input->size)
            given = input->size;
        size_t times = code & 0x40 ? 1 + (size_t)(code >> 3 & 7) * 5 : 1;
        if (given * times > MOST_TEXT - total)
            times = 0;
        c->length = given * times;
        total += c->length;
        char *data = fuzz_block(c->length);
        for (size_t i = 0; given && i < times; i++)
            memcpy(data + i * given, input->data, given);
        c->data = data;
        input->data += given;
        input->size -= given;
    }
}

static void free_script(script *s)
{
    for (size_t i = 0; i < s->count; i++)
        free((char *)s->calls[i].data);
}

/* ---- the model ----------------------------------------------------------------------------------- */

typedef struct model {
    char *text; /* up to the first call that fails */
    size_t length;
    size_t room;
    quern_status status[MOST_CALLS + 1]; /* of each call, and of the end */
    uint64_t offset;                     /* of ill-formed text */
} model;

static void put(model *m, const char *bytes, size_t length)
{
    FUZZ_CHECK(length <= m->room - m->length, "the model's own room is too small");
    if (length)
        memcpy(m->text + m->length, bytes, length);
    m->length += length;
}

/* `expect` is what the next call may be: a value, first or later, within an array or as the root. */
static void foretell(const script *s, model *m)
{
    size_t total = 64;
    for (size_t i = 0; i < s->count; i++)
        total += 16 + s->calls[i].length;
    m->room = 6 * total;
    m->text = fuzz_block(m->room);
    m->length = 0;
    m->offset = 0;
    char *open = fuzz_block(total); /* the text of the string in pieces */
    char *quoted = fuzz_block(6 * total + 2);
    size_t open_length = 0, depth = 0;
    bool in_string = false, some = false, whole = false; /* some: a value stands in the open array */
    const size_t max_depth = s->options.max_depth ? s->options.max_depth : 1024;
    quern_status status = QUERN_OK;

    for (size_t i = 0; i < s->count; i++) {
        const call *c = &s->calls[i];
        const bool is_value = c->kind == NOTHING || c->kind == TRUTH || c->kind == BEGIN_ARRAY || c->kind == STRING ||
                              c->kind == BEGIN_STRING;
        if (status == QUERN_OK && is_value) {
            if (in_string || whole) {
                status = QUERN_ERROR_MISUSE;
            } else if (c->kind == BEGIN_ARRAY && depth >= max_depth) {
                status = QUERN_ERROR_DEPTH;
            } else {
                const quern_span valid = reference_utf8_prefix(c->data, c->length);
                if (c->kind == STRING && valid.why != QUERN_STOP_END) {
                    status = QUERN_ERROR_UTF8;
                    m->offset = valid.length;
                }
            }
            if (status == QUERN_OK) {
                if (some)
                    put(m, s->options.layout == QUERN_JSON_SPACED ? ", " : ",",
                        s->options.layout == QUERN_JSON_SPACED ? 2 : 1);
                some = true;
                switch (c->kind) {
                case NOTHING: put(m, "null", 4); break;
                case TRUTH: put(m, c->value ? "true" : "false", c->value ? 4 : 5); break;
                case BEGIN_ARRAY:
                    put(m, "[", 1);
                    depth++;
                    some = false;
                    break;
                case STRING: put(m, quoted, reference_json_string(quoted, c->data, c->length)); break;
                default:
                    in_string = true;
                    open_length = 0;
                    break;
                }
                whole = depth == 0 && !in_string;
            }
        } else if (status == QUERN_OK && c->kind == END) {
            if (depth == 0 || in_string) {
                status = QUERN_ERROR_MISUSE;
            } else {
                put(m, "]", 1);
                depth--;
                some = true;
                whole = depth == 0;
            }
        } else if (status == QUERN_OK && !in_string) {
            status = QUERN_ERROR_MISUSE;
        } else if (status == QUERN_OK && c->kind == PART) {
            if (c->length)
                memcpy(open + open_length, c->data, c->length);
            open_length += c->length;
            const quern_span valid = reference_utf8_prefix(open, open_length);
            if (valid.why == QUERN_STOP_ILL_FORMED) {
                status = QUERN_ERROR_UTF8;
                m->offset = valid.length;
            }
        } else if (status == QUERN_OK) {
            const quern_span valid = reference_utf8_prefix(open, open_length);
            if (valid.why != QUERN_STOP_END) {
                status = QUERN_ERROR_UTF8;
                m->offset = valid.length;
            } else {
                put(m, quoted, reference_json_string(quoted, open, open_length));
                in_string = false;
                whole = depth == 0;
            }
        }
        m->status[i] = status;
    }
    m->status[s->count] = status != QUERN_OK ? status : whole ? QUERN_OK : QUERN_ERROR_MISUSE;
    free(open);
    free(quoted);
}

/* ---- the writer ---------------------------------------------------------------------------------- */

static quern_status perform(quern_json_writer *w, const call *c)
{
    switch (c->kind) {
    case NOTHING: return quern_json_write_null(w);
    case TRUTH: return quern_json_write_bool(w, c->value);
    case BEGIN_ARRAY: return quern_json_begin_array(w);
    case END: return quern_json_end(w);
    case STRING: return quern_json_write_string(w, c->data, c->length);
    case BEGIN_STRING: return quern_json_begin_string(w);
    case PART: return quern_json_write_part(w, c->data, c->length);
    default: return quern_json_end_string(w);
    }
}

/* A sink that is full makes its own failure known; `full` says that this may happen from some call on. */
static quern_status run(const char *name, const script *s, const model *m, quern_sink *sink, bool may_be_full)
{
    quern_json_writer writer;
    quern_json_writer_init(&writer, sink, &s->options);
    bool full = false;
    for (size_t i = 0; i <= s->count; i++) {
        const quern_status got = i < s->count ? perform(&writer, &s->calls[i]) : quern_json_writer_finish(&writer);
        if (may_be_full && got == QUERN_ERROR_ROOM)
            full = true;
        FUZZ_CHECK(full ? got != QUERN_OK : got == m->status[i], "%s: call %zu of %zu: status %d, expected %d", name, i,
                   s->count, (int)got, (int)m->status[i]);
        if (i == s->count) {
            quern_error error;
            quern_json_writer_error(&writer, &error);
            FUZZ_CHECK(error.status == got && (got != QUERN_ERROR_UTF8 || full || error.offset == m->offset),
                       "%s: error %d at %llu, expected %d at %llu", name, (int)error.status,
                       (unsigned long long)error.offset, (int)got, (unsigned long long)m->offset);
            return got;
        }
    }
    return QUERN_OK;
}

/* The text is the model's; after a failure more may stand behind it, of the value that failed. */
static void check_text(const char *name, const script *s, const model *m, const char *text, size_t length)
{
    const bool right = m->status[s->count] == QUERN_OK ? length == m->length : length >= m->length;
    FUZZ_CHECK(right && (m->length == 0 || memcmp(text, m->text, m->length) == 0), "%s: the text differs", name);
}

static void check_by_reading(const char *name, const char *text, size_t length)
{
    void *scratch = fuzz_block(length);
    FUZZ_CHECK(json_check_valid(text, length, scratch), "%s: what was written is not JSON", name);
    free(scratch);
}

typedef struct collector {
    char *text;
    size_t length;
    size_t room;
    size_t most;
} collector;

static ptrdiff_t collect(void *context, const void *data, size_t length)
{
    collector *c = context;
    if (length > c->most)
        length = c->most;
    FUZZ_CHECK(length <= c->room - c->length, "the callback gets more than there can be");
    memcpy(c->text + c->length, data, length);
    c->length += length;
    return (ptrdiff_t)length;
}

static void run_all(const char *name, const script *s, const model *m)
{
    quern_memory_sink memory;
    quern_memory_sink_init(&memory, NULL);
    run(name, s, m, &memory.sink, false);
    const quern_string text = quern_memory_sink_view(&memory);
    check_text(name, s, m, text.data, text.length);
    if (m->status[s->count] == QUERN_OK)
        check_by_reading(name, text.data, text.length);

    collector c = {fuzz_block(text.length), 0, text.length, s->most_taken};
    char *buffer = fuzz_block(s->buffer_size);
    quern_callback_sink callback;
    quern_callback_sink_init(&callback, collect, &c, buffer, s->buffer_size);
    run(name, s, m, &callback.sink, false);
    quern_sink_finish(&callback.sink);
    FUZZ_CHECK(c.length == text.length && (c.length == 0 || memcmp(c.text, text.data, c.length) == 0),
               "%s: the callback got %zu bytes that differ from the %zu in memory", name, c.length, text.length);

    char *array = fuzz_block(s->fixed_size);
    quern_fixed_sink fixed;
    quern_fixed_sink_init(&fixed, array, s->fixed_size);
    const quern_status status = run(name, s, m, &fixed.sink, true);
    quern_sink_finish(&fixed.sink);
    const size_t kept = text.length < s->fixed_size ? text.length : s->fixed_size;
    FUZZ_CHECK(kept == 0 || memcmp(array, text.data, kept) == 0, "%s: the array of %zu bytes differs", name,
               s->fixed_size);
    if (m->status[s->count] == QUERN_OK)
        FUZZ_CHECK(quern_fixed_sink_needed(&fixed) == text.length &&
                       (status == QUERN_OK) == (text.length <= s->fixed_size),
                   "%s: an array of %zu bytes: status %d, %llu needed", name, s->fixed_size, (int)status,
                   (unsigned long long)quern_fixed_sink_needed(&fixed));
    free(array);
    free(buffer);
    free(c.text);
    quern_memory_sink_free(&memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static script s;
    static model m;
    fuzz_input input = {data, size};
    read_script(&input, &s);
    foretell(&s, &m);
    quern_variant active, v;
    FUZZ_CHECK(quern_variant_get(quern_variant_active(), &active), "no variant is active");
    for (size_t i = 0; fuzz_variant(&i, &v);) {
        if (quern_variant_force(v.name) == QUERN_OK)
            run_all(v.name, &s, &m);
    }
    FUZZ_CHECK(quern_variant_force(active.name) == QUERN_OK, "%s cannot be forced", active.name);
    free(m.text);
    free_script(&s);
    return 0;
}
