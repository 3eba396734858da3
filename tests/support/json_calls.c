/* SPDX-License-Identifier: MIT */
/* Calls of the JSON writer: made, compared with the model, and made up. */
#include "reference/reference.h"
#include "support/json_model.h"

#include <stdlib.h>

static quern_status write_value(quern_json_writer *writer, const model_number *n)
{
    switch (n->type) {
    case INTEGER: return quern_json_write_int(writer, n->i);
    case UNSIGNED: return quern_json_write_uint(writer, n->u);
    case DOUBLE: return quern_json_write_double(writer, n->d);
    default: return quern_json_write_float(writer, (float)n->d);
    }
}

static quern_status write_prepared(quern_json_writer *writer, const call *c)
{
    static char buffer[QUERN_JSON_KEY_SIZE(MODEL_STRING)];
    quern_json_key key;
    CHECK(c->length <= MODEL_STRING);
    const bool good = reference_utf8_prefix(c->data, c->length).why == QUERN_STOP_END;
    CHECK(quern_json_key_init(&key, c->data, c->length, NULL, buffer, sizeof buffer) ==
          (good ? QUERN_OK : QUERN_ERROR_UTF8));
    return quern_json_write_prepared_key(writer, &key);
}

quern_status make_call(quern_json_writer *writer, const call *c)
{
    switch (c->kind) {
    case CALL_NULL: return quern_json_write_null(writer);
    case CALL_FALSE: return quern_json_write_bool(writer, false);
    case CALL_TRUE: return quern_json_write_bool(writer, true);
    case CALL_VALUE: return write_value(writer, &model_numbers[c->length % MODEL_NUMBERS]);
    case CALL_NUMBER: return quern_json_write_number(writer, c->data, c->length);
    case CALL_RAW: return quern_json_write_raw(writer, c->data, c->length);
    case CALL_STRING:
        return c->length % 4 == 0 ? quern_json_write_string_ref(writer, c->data, c->length)
                                  : quern_json_write_string(writer, c->data, c->length);
    case CALL_KEY: return quern_json_write_key(writer, c->data, c->length);
    case CALL_PREPARED: return write_prepared(writer, c);
    case CALL_BEGIN_STRING: return quern_json_begin_string(writer);
    case CALL_PART: return quern_json_write_part(writer, c->data, c->length);
    case CALL_END_STRING: return quern_json_end_string(writer);
    case CALL_BEGIN_ARRAY: return quern_json_begin_array(writer);
    case CALL_BEGIN_MAP: return quern_json_begin_map(writer);
    default: return quern_json_end(writer);
    }
}

static void value_token(quern_token *t, const model_number *n)
{
    if (n->type == INTEGER && n->i < 0) {
        t->kind = QUERN_TOKEN_NEGATIVE;
        t->value.number = (uint64_t)(-1 - n->i);
    } else if (n->type == INTEGER || n->type == UNSIGNED) {
        t->kind = QUERN_TOKEN_UNSIGNED;
        t->value.number = n->type == INTEGER ? (uint64_t)n->i : n->u;
    } else {
        t->kind = QUERN_TOKEN_DOUBLE;
        t->width = n->type == FLOAT ? 32 : 64;
        t->value.real = n->d;
    }
}

quern_status make_token(quern_json_writer *writer, const call *c)
{
    quern_token t = {.kind = QUERN_TOKEN_STRING, .value.text = {c->data, c->length}};
    switch (c->kind) {
    case CALL_NULL: t.kind = (uint8_t)(c->length % 2 ? QUERN_TOKEN_UNDEFINED : QUERN_TOKEN_NULL); break;
    case CALL_FALSE:
    case CALL_TRUE:
        t.kind = QUERN_TOKEN_BOOL;
        t.value.truth = c->kind == CALL_TRUE;
        break;
    case CALL_VALUE: value_token(&t, &model_numbers[c->length % MODEL_NUMBERS]); break;
    case CALL_NUMBER: t.kind = QUERN_TOKEN_NUMBER; break;
    case CALL_STRING: t.flags = QUERN_TOKEN_WHOLE; break;
    case CALL_KEY: t.flags = QUERN_TOKEN_WHOLE | QUERN_TOKEN_KEY; break;
    case CALL_BEGIN_STRING:
        t.flags = QUERN_TOKEN_FIRST;
        t.value.text = (quern_string){NULL, 0};
        break;
    case CALL_PART: break;
    case CALL_END_STRING:
        t.flags = QUERN_TOKEN_LAST;
        t.value.text = (quern_string){NULL, 0};
        break;
    case CALL_BEGIN_ARRAY:
    case CALL_BEGIN_MAP:
        t.kind = (uint8_t)(c->kind == CALL_BEGIN_MAP ? QUERN_TOKEN_MAP : QUERN_TOKEN_ARRAY);
        t.value.number = QUERN_UNKNOWN;
        break;
    case CALL_END: t.kind = QUERN_TOKEN_END; break;
    default: return make_call(writer, c);
    }
    return quern_json_write_token(writer, &t);
}

quern_status write_calls(quern_sink *sink, const quern_json_writer_options *options, bool tokens, const call *calls,
                         size_t count)
{
    quern_json_writer writer;
    quern_error error;
    quern_status latched = QUERN_OK;
    const bool skips = options && options->invalid == QUERN_JSON_INVALID_SKIP_ITEM;
    quern_json_writer_init(&writer, sink, options);
    for (size_t i = 0; i < count; i++) {
        quern_status status = (tokens ? make_token : make_call)(&writer, &calls[i]);
        /* In a fixed sink that is full, too; and what has filled it may be what is left out. */
        const bool open = latched == QUERN_OK || (skips && latched == QUERN_ERROR_ROOM);
        CHECK(open || status == latched);
        latched = open && skips && status == QUERN_ERROR_UTF8 ? quern_sink_status(sink) : status;
    }
    quern_status status = quern_json_writer_finish(&writer);
    CHECK(latched == QUERN_OK || status == latched);
    quern_json_writer_error(&writer, &error);
    CHECK(error.status == status);
    return status;
}

/* ---- compared with the model --------------------------------------------------------------------- */

/* The text is valid JSON and says what the model says. */
static void check_read_back(const model *m, const char *text, size_t length)
{
    static unsigned char scratch[MODEL_TEXT];
    json_check check;
    json_check_init(&check, text, length, scratch);
    size_t start = 0;
    if (m->options.canonical) { /* in another order */
        CHECK(json_check_valid(text, length, scratch));
        return;
    }
    for (size_t i = 0; i < m->event_count; i++) {
        CHECK(json_check_next(&check) == m->events[i]);
        if (m->events[i] == JSON_STRING || m->events[i] == JSON_KEY) {
            CHECK(check.string_length == m->string_ends[i] - start);
            CHECK(same(check.string, m->strings + start, check.string_length));
        }
        start = m->string_ends[i];
    }
    CHECK(json_check_next(&check) == JSON_END_OF_TEXT);
}

static void check_answer(const quern_json_writer *writer, quern_status reply, const model_answer *answer)
{
    quern_error error;
    CHECK(reply == answer->reply);
    quern_json_writer_error(writer, &error);
    CHECK(error.status == answer->error.status);
    CHECK(error.offset == (error.status == QUERN_ERROR_UTF8 ? answer->error.offset : 0));
    CHECK(quern_json_writer_skipped(writer) == answer->skipped);
}

void foretell_calls(model *m, const quern_json_writer_options *options, const quern_style_options *style, bool tokens,
                    const call *calls, size_t count)
{
    CHECK(count <= MODEL_CALLS);
    model_init(m, options, style);
    m->tokens = tokens;
    for (size_t i = 0; i < count; i++) {
        model_call(m, &calls[i]);
        m->answers[i] = (model_answer){m->reply, m->error, m->skipped};
    }
    const quern_status status = model_finish(m);
    m->answers[count] = (model_answer){status, m->error, m->skipped};
}

void check_foretold(const model *m, const call *calls, size_t count)
{
    quern_memory_sink memory;
    quern_json_writer writer;
    quern_json_writer_options copy = m->options;
    quern_memory_sink_init(&memory, NULL);
    copy.size = sizeof copy;
    quern_json_writer_init(&writer, &memory.sink, &copy);
    memset(&copy, 0xee, sizeof copy); /* not needed any more */
    uint64_t written = 0;
    for (size_t i = 0; i < count; i++) {
        check_answer(&writer, (m->tokens ? make_token : make_call)(&writer, &calls[i]), &m->answers[i]);
        if (i > 0 && m->answers[i - 1].error.status != QUERN_OK)
            CHECK(quern_sink_total(&memory.sink) == written);
        written = quern_sink_total(&memory.sink);
    }
    const quern_status status = m->error.status;
    check_answer(&writer, quern_json_writer_finish(&writer), &m->answers[count]);
    quern_string view = quern_memory_sink_view(&memory);
    if (status == QUERN_OK) {
        CHECK(view.length == m->length);
        CHECK(memcmp(view.data, m->text, m->length) == 0);
        if (m->reads_back)
            check_read_back(m, view.data, view.length);
    } else if (!m->options.canonical) {
        /* The text before the failing value is right; the model has nothing of that value. */
        CHECK(same(view.data, m->text, least(view.length, m->length)));
    }
    /* Whatever comes now is refused, and writes nothing. */
    uint64_t total = quern_sink_total(&memory.sink);
    for (call_kind kind = CALL_NULL; kind < CALLS; kind++) {
        call late = {kind, "x", 1};
        CHECK(make_call(&writer, &late) == (status == QUERN_OK ? QUERN_ERROR_MISUSE : status));
    }
    CHECK(quern_failed(quern_json_writer_finish(&writer)));
    CHECK(quern_sink_total(&memory.sink) == total);
    CHECK(quern_sink_status(&memory.sink) == QUERN_OK); /* the sink is not to blame */
    quern_mark mark;
    CHECK(quern_sink_mark(&memory.sink, &mark) == QUERN_OK); /* and no mark is left open: this is the outermost */
    CHECK(mark.outer_ == 0);
    quern_memory_sink_free(&memory);
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
    CHECK(length <= c->room - c->length);
    memcpy(c->text + c->length, data, length);
    c->length += length;
    return (ptrdiff_t)length;
}

void check_sinks(const model *m, const call *calls, size_t count, const model_sinks *sinks)
{
    static char arrived[MODEL_TEXT];
    const quern_json_writer_options *options = &m->options;
    const quern_status status = m->error.status;
    collector c = {arrived, 0, MODEL_TEXT, sinks->most_taken};
    char *buffer = support_allocate(sinks->buffer_size);
    quern_callback_sink callback;
    at("callback sink", sinks->buffer_size, 0);
    quern_callback_sink_init(&callback, collect, &c, buffer, sinks->buffer_size);
    CHECK(write_calls(&callback.sink, options, m->tokens, calls, count) == status);
    CHECK(quern_sink_finish(&callback.sink) == QUERN_OK);
    if (status == QUERN_OK)
        CHECK(c.length == m->length);
    if (status == QUERN_OK || !options->canonical)
        CHECK(same(c.text, m->text, least(c.length, m->length)));
    free(buffer);

    char *array = support_allocate(sinks->fixed_size);
    quern_fixed_sink fixed;
    at("fixed sink", sinks->fixed_size, 0);
    quern_fixed_sink_init(&fixed, array, sinks->fixed_size);
    const quern_status full = write_calls(&fixed.sink, options, m->tokens, calls, count);
    quern_sink_finish(&fixed.sink);
    if (status == QUERN_OK && full == QUERN_OK)
        CHECK(m->length <= sinks->fixed_size && same(array, m->text, m->length));
    else if (status == QUERN_OK)
        CHECK(full == QUERN_ERROR_ROOM && m->length > sinks->fixed_size);
    if (status == QUERN_OK)
        CHECK(quern_fixed_sink_needed(&fixed) == m->length);
    free(array);
}

void check_calls_as(model *m, const quern_json_writer_options *options, const quern_style_options *style, bool tokens,
                    const call *calls, size_t count)
{
    foretell_calls(m, options, style, tokens, calls, count);
    check_foretold(m, calls, count);
}

void check_calls(model *m, const quern_json_writer_options *options, const call *calls, size_t count)
{
    check_calls_as(m, options, NULL, false, calls, count);
}

void check_value(const quern_json_writer_options *options, const call *c, const char *expected, size_t length)
{
    quern_memory_sink memory;
    quern_json_writer writer;
    quern_memory_sink_init(&memory, NULL);
    quern_json_writer_init(&writer, &memory.sink, options);
    CHECK(make_call(&writer, c) == QUERN_OK);
    CHECK(quern_json_writer_finish(&writer) == QUERN_OK);
    CHECK(quern_sink_finish(&memory.sink) == QUERN_OK);
    quern_string view = quern_memory_sink_view(&memory);
    CHECK(view.length == length);
    CHECK(memcmp(view.data, expected, length) == 0);
    quern_memory_sink_free(&memory);
}

void check_string(const char *data, size_t length, const char *expected)
{
    call c = {CALL_STRING, data, length};
    check_value(NULL, &c, expected, strlen(expected));
}

/* ---- random text and calls ----------------------------------------------------------------------- */

void some_text(support_random *random, char *dst, size_t length, size_t one_in)
{
    static const char to_escape[] = "\"\\\b\f\n\r\t\0\1\x1f";
    support_script script = (support_script)support_random_below(random, SUPPORT_SCRIPTS);
    support_text(random, script, (unsigned char *)dst, length);
    for (size_t i = 0; one_in != 0 && i < length; i++) {
        if ((unsigned char)dst[i] < 0x80 && support_random_below(random, one_in) == 0)
            dst[i] = to_escape[support_random_below(random, sizeof to_escape - 1)];
        if (one_in == 1)
            dst[i] = to_escape[support_random_below(random, sizeof to_escape - 1)];
    }
}

void random_options(support_random *random, quern_json_writer_options *options)
{
    static const int indents[] = {QUERN_JSON_INDENT_TAB, 1, 2, 4, 7};
    *options = (quern_json_writer_options){.size = sizeof *options};
    const size_t choice = support_random_below(random, 8);
    if (choice == 0) {
        options->canonical = true;
    } else {
        if (choice < 3)
            options->indent = indents[support_random_below(random, SUPPORT_COUNT(indents))];
        else if (choice < 5)
            options->layout = QUERN_JSON_SPACED;
        options->invalid = (quern_json_invalid)support_random_below(random, QUERN_JSON_INVALID_SKIP_ITEM + 1);
        options->nonfinite = (quern_json_nonfinite)support_random_below(random, QUERN_JSON_NONFINITE_LITERAL + 1);
    }
    options->max_depth = support_random_below(random, 8) == 0 ? 3 : 0;
}

/* A call that may come there, if it is not the one in hundred that may be wrong. */
static void random_call(support_random *random, const model *m, const char *pool, call *c)
{
    static const char *const numbers[] = {"0", "-12.50e+3", "1E400", "123456789012345678901234567890", "-0.0"};
    static const char *const faulty[] = {"", "01", "1.", "-", ".5", "1e", "+1", "NaN", "1 ", "0x1"};
    static const char *const names[] = {"a", "b", "id", "\x65\xcc\x81", "\xf0\x9f\x98\x80", "\xef\xbf\xbd"};
    const model_level *top = &m->levels[m->depth];
    size_t choice = support_random_below(random, 100);
    c->data = pool + support_random_below(random, POOL);
    c->length = support_random_below(random, choice % 4 == 0 ? 150 : 20);
    if (choice == 0)
        c->kind = (call_kind)support_random_below(random, CALLS); /* maybe wrong */
    else if (m->open != TEXT_CLOSED)
        c->kind = choice < 70 ? CALL_PART : CALL_END_STRING;
    else if (top->map && !top->awaits)
        c->kind = choice < 30                ? CALL_END
                  : m->tokens && choice < 40 ? CALL_BEGIN_STRING
                  : choice % 5               ? CALL_KEY
                                             : CALL_PREPARED;
    else if (choice < 25)
        c->kind = CALL_STRING;
    else if (choice < 45)
        c->kind = choice % 2 ? CALL_BEGIN_ARRAY : CALL_BEGIN_MAP;
    else if (choice < 65 && m->depth > (choice < 63 ? 1 : 0) && !top->awaits)
        c->kind = CALL_END;
    else if (choice < 75)
        c->kind = CALL_BEGIN_STRING;
    else if (choice < 88)
        c->kind = CALL_VALUE;
    else if (choice < 92)
        c->kind = choice % 2 ? CALL_NUMBER : CALL_RAW;
    else
        c->kind = (call_kind)(choice % 3);
    if (c->kind == CALL_NUMBER) {
        c->data = support_random_below(random, 60) ? numbers[choice % SUPPORT_COUNT(numbers)] : faulty[choice % 10];
        c->length = strlen(c->data);
    } else if (c->kind == CALL_RAW) {
        c->data = "\"raw\"";
        c->length = support_random_below(random, 60) ? 5 : 0;
    } else if (c->kind == CALL_VALUE && support_random_below(random, 50)) {
        c->length %= 3; /* not one that may be refused */
    } else if (c->kind == CALL_KEY && choice % 3 == 0) {
        c->data = names[support_random_below(random, SUPPORT_COUNT(names))];
        c->length = strlen(c->data);
    }
    /* A part may be cut anywhere; a whole string is cut at characters, mostly. */
    const bool text = c->kind == CALL_STRING || c->kind == CALL_KEY || c->kind == CALL_PREPARED;
    if (text && support_random_below(random, 50) != 0) {
        while (c->length > 0 && (*c->data & 0xc0) == 0x80) {
            c->data++;
            c->length--;
        }
        c->length = reference_utf8_prefix(c->data, c->length).length;
    }
}

/* What closes all that is open. */
static void closing_call(const model *m, call *c)
{
    c->data = NULL;
    c->length = 0;
    c->kind = m->open != TEXT_CLOSED                        ? CALL_END_STRING
              : m->levels[m->depth].awaits || m->depth == 0 ? CALL_NULL
                                                            : CALL_END;
}

size_t random_calls(support_random *random, model *m, const quern_json_writer_options *options, const char *pool,
                    call *calls, size_t most, bool closes)
{
    size_t count = 0;
    const bool tokens = m->tokens;
    model_init(m, options, NULL);
    m->tokens = tokens;
    size_t wanted = 1 + support_random_below(random, most / 2);
    const char *next = NULL; /* parts go on where the last one ended, so that most strings are well-formed */
    while (count < wanted) {
        random_call(random, m, pool, &calls[count]);
        if (calls[count].kind == CALL_PART) {
            if (next == NULL || next >= pool + POOL)
                next = pool;
            calls[count].data = next;
            next += calls[count].length;
        } else {
            next = NULL;
        }
        if (m->depth == 0 && !m->levels[0].started && m->open == TEXT_CLOSED && support_random_below(random, 10) != 0)
            calls[count].kind = support_random_below(random, 2) ? CALL_BEGIN_ARRAY : CALL_BEGIN_MAP;
        model_call(m, &calls[count++]);
    }
    while (closes && count < most && (m->open != TEXT_CLOSED || m->depth > 0)) {
        call *c = &calls[count++];
        closing_call(m, c);
        model_call(m, c);
        if (m->error.status != QUERN_OK)
            break;
    }
    return count;
}

void fill_pool(support_random *random, char *pool)
{
    some_text(random, pool, POOL_SIZE, 12);
}

size_t random_document(support_random *random, model *m, const quern_json_writer_options *options, const char *pool,
                       call *calls, size_t most)
{
    m->tokens = false;
    for (;;) {
        size_t count = random_calls(random, m, options, pool, calls, most, true);
        if (model_finish(m) == QUERN_OK)
            return count;
    }
}
