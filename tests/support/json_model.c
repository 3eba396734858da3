/* SPDX-License-Identifier: MIT */
#include "support/json_model.h"

#include "reference/reference.h"

quern_status make_call(quern_json_writer *writer, const call *c)
{
    switch (c->kind) {
    case CALL_NULL: return quern_json_write_null(writer);
    case CALL_FALSE: return quern_json_write_bool(writer, false);
    case CALL_TRUE: return quern_json_write_bool(writer, true);
    case CALL_STRING: return quern_json_write_string(writer, c->data, c->length);
    case CALL_BEGIN_STRING: return quern_json_begin_string(writer);
    case CALL_PART: return quern_json_write_part(writer, c->data, c->length);
    case CALL_END_STRING: return quern_json_end_string(writer);
    case CALL_BEGIN_ARRAY: return quern_json_begin_array(writer);
    default: return quern_json_end(writer);
    }
}

quern_status write_calls(quern_sink *sink, const quern_json_writer_options *options, const call *calls, size_t count)
{
    quern_json_writer writer;
    quern_error error;
    quern_status latched = QUERN_OK;
    quern_json_writer_init(&writer, sink, options);
    for (size_t i = 0; i < count; i++) {
        quern_status status = make_call(&writer, &calls[i]);
        CHECK(latched == QUERN_OK || status == latched);
        latched = status;
    }
    quern_status status = quern_json_writer_finish(&writer);
    CHECK(latched == QUERN_OK || status == latched);
    quern_json_writer_error(&writer, &error);
    CHECK(error.status == status);
    return status;
}

/* ---- the model ----------------------------------------------------------------------------------- */

model the_model;
const quern_json_writer_options compact = {.size = sizeof(quern_json_writer_options)};
const quern_json_writer_options spaced = {.size = sizeof(quern_json_writer_options), .layout = QUERN_JSON_SPACED};
const quern_json_writer_options keeping = {.size = sizeof(quern_json_writer_options),
                                           .invalid = QUERN_JSON_INVALID_KEEP};

void model_init(model *m, const quern_json_writer_options *options)
{
    m->options = *options;
    m->length = m->depth = m->event_count = m->string_length = m->strings_length = 0;
    m->started = m->in_string = false;
    m->error.status = QUERN_OK;
    m->error.offset = 0;
}

static void model_put(model *m, const char *text, size_t length)
{
    CHECK(length <= MODEL_TEXT - m->length);
    memcpy(m->text + m->length, text, length);
    m->length += length;
}

static void model_event(model *m, json_event event)
{
    CHECK(m->event_count < MODEL_EVENTS);
    m->events[m->event_count] = event;
    m->string_ends[m->event_count++] = m->strings_length;
}

static void model_fail(model *m, quern_status status)
{
    m->error.status = status;
}

/* Whether a value may come; writes what stands before it. */
static bool model_value(model *m, bool array)
{
    if (m->in_string || (m->depth == 0 && m->started)) {
        model_fail(m, QUERN_ERROR_MISUSE);
        return false;
    }
    size_t most = m->options.max_depth == 0 ? 1024 : m->options.max_depth;
    if (array && m->depth == most) {
        model_fail(m, QUERN_ERROR_DEPTH);
        return false;
    }
    if (m->started)
        model_put(m, ", ", m->options.layout == QUERN_JSON_SPACED ? 2 : 1);
    m->started = true;
    return true;
}

/* Whether the open string is well-formed so far. */
static bool model_text_check(model *m, bool whole)
{
    if (m->options.invalid == QUERN_JSON_INVALID_KEEP)
        return true;
    quern_span span = reference_utf8_prefix(m->string, m->string_length);
    if (span.why == QUERN_STOP_END || (span.why == QUERN_STOP_TRUNCATED && !whole))
        return true;
    model_fail(m, QUERN_ERROR_UTF8);
    m->error.offset = span.length;
    return false;
}

static void model_part(model *m, const char *data, size_t length)
{
    CHECK(length <= MODEL_STRING - m->string_length);
    if (length > 0)
        memcpy(m->string + m->string_length, data, length);
    m->string_length += length;
}

static void model_string(model *m)
{
    CHECK(6 * m->string_length + 2 <= MODEL_TEXT - m->length);
    m->length += reference_json_string(m->text + m->length, m->string, m->string_length);
    CHECK(m->string_length <= MODEL_TEXT - m->strings_length);
    memcpy(m->strings + m->strings_length, m->string, m->string_length);
    m->strings_length += m->string_length;
    model_event(m, JSON_STRING);
}

void model_call(model *m, const call *c)
{
    static const char *const words[] = {"null", "false", "true"};
    static const json_event events[] = {JSON_NULL, JSON_FALSE, JSON_TRUE};
    if (m->error.status != QUERN_OK)
        return;
    switch (c->kind) {
    case CALL_NULL:
    case CALL_FALSE:
    case CALL_TRUE:
        if (model_value(m, false)) {
            model_put(m, words[c->kind], strlen(words[c->kind]));
            model_event(m, events[c->kind]);
        }
        break;
    case CALL_STRING:
        if (model_value(m, false)) {
            m->string_length = 0;
            model_part(m, c->data, c->length);
            if (model_text_check(m, true))
                model_string(m);
        }
        break;
    case CALL_BEGIN_STRING:
        if (model_value(m, false)) {
            m->string_length = 0;
            m->in_string = true;
        }
        break;
    case CALL_PART:
        if (!m->in_string) {
            model_fail(m, QUERN_ERROR_MISUSE);
        } else {
            model_part(m, c->data, c->length);
            model_text_check(m, false);
        }
        break;
    case CALL_END_STRING:
        if (!m->in_string) {
            model_fail(m, QUERN_ERROR_MISUSE);
        } else if (model_text_check(m, true)) {
            model_string(m);
            m->in_string = false;
        }
        break;
    case CALL_BEGIN_ARRAY:
        if (model_value(m, true)) {
            model_put(m, "[", 1);
            model_event(m, JSON_BEGIN_ARRAY);
            m->depth++;
            m->started = false;
        }
        break;
    default:
        if (m->in_string || m->depth == 0) {
            model_fail(m, QUERN_ERROR_MISUSE);
        } else {
            model_put(m, "]", 1);
            model_event(m, JSON_END_ARRAY);
            m->depth--;
            m->started = true;
        }
        break;
    }
}

quern_status model_finish(model *m)
{
    if (m->error.status == QUERN_OK && (m->in_string || m->depth > 0 || !m->started))
        model_fail(m, QUERN_ERROR_MISUSE);
    return m->error.status;
}

/* The text is valid JSON and says what the model says. */
static void check_read_back(const model *m, const char *text, size_t length)
{
    static unsigned char scratch[MODEL_TEXT];
    json_check check;
    json_check_init(&check, text, length, scratch);
    size_t start = 0;
    for (size_t i = 0; i < m->event_count; i++) {
        CHECK(json_check_next(&check) == m->events[i]);
        if (m->events[i] == JSON_STRING) {
            CHECK(check.string_length == m->string_ends[i] - start);
            CHECK(same(check.string, m->strings + start, check.string_length));
        }
        start = m->string_ends[i];
    }
    CHECK(json_check_next(&check) == JSON_END_OF_TEXT);
}

void check_calls(model *m, const quern_json_writer_options *options, const call *calls, size_t count)
{
    static quern_memory_sink memory;
    static bool ready;
    quern_json_writer writer;
    quern_json_writer_options copy = *options;
    quern_error error;
    if (!ready)
        quern_memory_sink_init(&memory, NULL);
    ready = true;
    quern_memory_sink_free(&memory); /* it took another variant when it was opened */
    quern_memory_sink_init(&memory, NULL);
    copy.size = sizeof copy;
    model_init(m, options);
    quern_json_writer_init(&writer, &memory.sink, &copy);
    memset(&copy, 0xee, sizeof copy); /* not needed any more */
    uint64_t written = 0;
    for (size_t i = 0; i < count; i++) {
        bool failed = m->error.status != QUERN_OK;
        if (!failed)
            written = quern_sink_total(&memory.sink);
        model_call(m, &calls[i]);
        CHECK(make_call(&writer, &calls[i]) == m->error.status);
        if (failed)
            CHECK(quern_sink_total(&memory.sink) == written);
        else if (m->error.status != QUERN_OK)
            written = quern_sink_total(&memory.sink);
        quern_json_writer_error(&writer, &error);
        CHECK(error.status == m->error.status);
        CHECK(error.status != QUERN_ERROR_UTF8 || error.offset == m->error.offset);
    }
    quern_status status = model_finish(m);
    CHECK(quern_json_writer_finish(&writer) == status);
    quern_json_writer_error(&writer, &error);
    CHECK(error.status == status);
    CHECK(error.status != QUERN_ERROR_UTF8 || error.offset == m->error.offset);
    quern_string view = quern_memory_sink_view(&memory);
    if (status == QUERN_OK) {
        CHECK(view.length == m->length);
        CHECK(memcmp(view.data, m->text, m->length) == 0);
        if (m->options.invalid == QUERN_JSON_INVALID_STOP)
            check_read_back(m, view.data, view.length);
    } else {
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

static void random_call(support_random *random, const model *m, const char *pool, call *c)
{
    size_t choice = support_random_below(random, 100);
    c->data = pool + support_random_below(random, POOL);
    c->length = support_random_below(random, choice % 4 == 0 ? 150 : 20);
    if (choice == 0)
        c->kind = (call_kind)support_random_below(random, CALLS); /* maybe wrong */
    else if (m->in_string)
        c->kind = choice < 70 ? CALL_PART : CALL_END_STRING;
    else if (choice < 25)
        c->kind = CALL_STRING;
    else if (choice < 45)
        c->kind = CALL_BEGIN_ARRAY;
    else if (choice < 70 && m->depth > (choice < 68 ? 1 : 0))
        c->kind = CALL_END;
    else if (choice < 80)
        c->kind = CALL_BEGIN_STRING;
    else
        c->kind = (call_kind)(choice % 3);
    /* A part may be cut anywhere; a whole string is cut at characters, mostly. */
    if (c->kind == CALL_STRING && support_random_below(random, 50) != 0) {
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
    c->kind = m->in_string ? CALL_END_STRING : m->depth > 0 ? CALL_END : CALL_NULL;
}

size_t random_calls(support_random *random, model *m, const quern_json_writer_options *options, const char *pool,
                    call *calls, size_t most, bool closes)
{
    size_t count = 0;
    model_init(m, options);
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
        if (m->depth == 0 && !m->started && !m->in_string && support_random_below(random, 10) != 0)
            calls[count].kind = CALL_BEGIN_ARRAY;
        model_call(m, &calls[count++]);
    }
    while (closes && count < most && (m->in_string || m->depth > 0)) {
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
    for (;;) {
        size_t count = random_calls(random, m, options, pool, calls, most, true);
        if (model_finish(m) == QUERN_OK)
            return count;
    }
}
