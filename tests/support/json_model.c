/* SPDX-License-Identifier: MIT */
/* The model of the JSON writer. */
#include "support/json_model.h"

#include "reference/canonical.h"
#include "reference/reference.h"
#include "reference/style.h"

#include <math.h>

model the_model;
const quern_json_writer_options compact = {.size = sizeof(quern_json_writer_options)};
const quern_json_writer_options spaced = {.size = sizeof(quern_json_writer_options), .layout = QUERN_JSON_SPACED};
const quern_json_writer_options keeping = {.size = sizeof(quern_json_writer_options),
                                           .invalid = QUERN_JSON_INVALID_KEEP};

/* clang-format off */
const model_number model_numbers[MODEL_NUMBERS] = {
    {INTEGER, 0, 0, 0, "0", "0"},
    {INTEGER, -1, 0, 0, "-1", "-1"},
    {INTEGER, 1234567890, 0, 0, "1234567890", "1234567890"},
    {INTEGER, INT64_MIN, 0, 0, "-9223372036854775808", "-9223372036854776000"},
    {INTEGER, INT64_MAX, 0, 0, "9223372036854775807", NULL},
    {INTEGER, 9007199254740992, 0, 0, "9007199254740992", "9007199254740992"},
    {INTEGER, -9007199254740993, 0, 0, "-9007199254740993", NULL},
    {UNSIGNED, 0, 0, 0, "0", "0"},
    {UNSIGNED, 0, UINT64_MAX, 0, "18446744073709551615", NULL},
    {UNSIGNED, 0, UINT64_C(1) << 63, 0, "9223372036854775808", "9223372036854776000"},
    {UNSIGNED, 0, 18446744073709549568u, 0, "18446744073709549568", "18446744073709550000"},
    {DOUBLE, 0, 0, 0.0, "0", "0"},
    {DOUBLE, 0, 0, -0.0, "-0", "0"},
    {DOUBLE, 0, 0, 0.1, "0.1", "0.1"},
    {DOUBLE, 0, 0, -1e21, "-1e+21", "-1e+21"},
    {DOUBLE, 0, 0, 1.7976931348623157e308, "1.7976931348623157e+308", "1.7976931348623157e+308"},
    {DOUBLE, 0, 0, 5e-324, "5e-324", "5e-324"},
    {DOUBLE, 0, 0, -123456.789, "-123456.789", "-123456.789"},
    {DOUBLE, 0, 0, NAN, NULL, NULL},
    {DOUBLE, 0, 0, -INFINITY, NULL, NULL},
    {FLOAT, 0, 0, 0.1f, "0.1", "0.10000000149011612"},
    {FLOAT, 0, 0, -0.0f, "-0", "0"},
    {FLOAT, 0, 0, 16777216.0f, "16777216", "16777216"},
    {FLOAT, 0, 0, INFINITY, NULL, NULL},
};
/* clang-format on */

void model_init(model *m, const quern_json_writer_options *options, const quern_style_options *style)
{
    m->options = *options;
    m->style = style;
    m->tokens = false;
    m->length = m->depth = m->event_count = m->string_length = m->strings_length = m->keys_length = m->skipped = 0;
    memset(m->levels, 0, sizeof m->levels);
    m->open = TEXT_CLOSED;
    m->skipping = false;
    m->error = (quern_error){QUERN_OK, 0};
    m->reply = QUERN_OK;
    m->reads_back = options->invalid != QUERN_JSON_INVALID_KEEP && !(style && style->table);
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

static model_level *model_top(model *m)
{
    return &m->levels[m->depth];
}

static model_snapshot model_now(const model *m)
{
    return (model_snapshot){m->length, m->event_count, m->strings_length, m->levels[m->depth].started};
}

static void model_back(model *m, const model_snapshot *snapshot)
{
    m->length = snapshot->length;
    m->event_count = snapshot->event_count;
    m->strings_length = snapshot->strings_length;
    model_top(m)->started = snapshot->started;
    model_top(m)->awaits = false;
}

static void model_line(model *m, size_t depth)
{
    const int indent = m->options.indent;
    model_put(m, "\n", 1);
    for (size_t i = 0; i < depth * (size_t)(indent < 0 ? 1 : indent); i++)
        model_put(m, indent < 0 ? "\t" : " ", 1);
}

/* Whether a value or a key may come; writes what stands before it. */
static bool model_place(model *m, bool key)
{
    model_level *top = model_top(m);
    const bool loose = m->options.layout == QUERN_JSON_SPACED || m->options.indent != 0;
    if (m->open != TEXT_CLOSED || (m->depth == 0 && (key || top->started)) ||
        (m->depth > 0 && key != (top->map && !top->awaits))) {
        model_fail(m, QUERN_ERROR_MISUSE);
        return false;
    }
    if (key)
        top->pair = model_now(m);
    if (top->awaits) {
        model_put(m, ": ", loose ? 2 : 1);
    } else {
        if (top->started)
            model_put(m, ", ", m->options.layout == QUERN_JSON_SPACED ? 2 : 1);
        if (m->options.indent != 0 && m->depth > 0)
            model_line(m, m->depth);
    }
    top->started = true;
    top->awaits = key;
    return true;
}

/* A value is whole. */
static void model_after(model *m)
{
    if (m->skipping && m->depth == m->skip_depth) {
        m->skipping = false;
        model_back(m, &model_top(m)->pair);
    }
}

static void model_scalar(model *m, const char *text, json_event event)
{
    model_put(m, text, strlen(text));
    model_event(m, event);
    model_after(m);
}

/* ---- text ---------------------------------------------------------------------------------------- */

static quern_ill_formed policy_of(const model *m, const quern_style_options *style)
{
    switch (m->options.invalid) {
    case QUERN_JSON_INVALID_KEEP: return style->ill_formed;
    case QUERN_JSON_INVALID_REPLACE: return QUERN_ILL_FORMED_REPLACE;
    case QUERN_JSON_INVALID_DROP: return QUERN_ILL_FORMED_DROP;
    default: return QUERN_ILL_FORMED_STOP;
    }
}

/* Puts the string, escaped, at `out`, if that is not NULL. False: it is ill-formed, and the policy stops there. */
static bool model_escape(model *m, bool whole, char *out, size_t *length)
{
    static char scratch[MODEL_TEXT];
    quern_style_options style = {0};
    if (m->style)
        style = *m->style;
    style.ill_formed = policy_of(m, &style);
    if (m->options.invalid != QUERN_JSON_INVALID_KEEP)
        style.flags |= QUERN_STYLE_UTF8;
    const reference_escaped done = reference_escape(&style, out ? out : scratch, MODEL_TEXT, m->string,
                                                    m->string_length, whole ? QUERN_ESCAPE_FINAL : 0);
    CHECK(done.why != QUERN_STOP_ROOM);
    *length = done.written;
    if (done.why != QUERN_STOP_ILL_FORMED)
        return true;
    m->error.offset = done.used;
    return false;
}

/* The text of a string as a reader has to see it. */
static void model_content(model *m, bool key)
{
    static const quern_replacement nothing[256];
    quern_style_options style = {.flags = QUERN_STYLE_UTF8, .table = nothing};
    style.ill_formed = policy_of(m, m->style ? m->style : &style);
    const reference_escaped done =
        reference_escape(&style, m->strings + m->strings_length, MODEL_TEXT - m->strings_length, m->string,
                         m->string_length, QUERN_ESCAPE_FINAL);
    CHECK(done.why != QUERN_STOP_ROOM);
    m->strings_length += done.written;
    model_event(m, key ? JSON_KEY : JSON_STRING);
    if (key && m->options.canonical) {
        CHECK(m->string_length + sizeof(size_t) <= MODEL_TEXT - m->keys_length);
        memcpy(m->keys + m->keys_length, &m->string_length, sizeof(size_t));
        memcpy(m->keys + m->keys_length + sizeof(size_t), m->string, m->string_length);
        m->keys_length += sizeof(size_t) + m->string_length;
    }
}

static void model_part(model *m, const char *data, size_t length)
{
    CHECK(length <= MODEL_STRING - m->string_length);
    if (length > 0)
        memcpy(m->string + m->string_length, data, length);
    m->string_length += length;
}

/* The string is there, `before` it nothing of its item was. Returns whether it is skipped. */
static bool model_text(model *m, bool key, bool whole, const model_snapshot *before)
{
    size_t length;
    if (m->skipping)
        return false;
    if (!model_escape(m, whole, NULL, &length)) {
        if (m->options.invalid != QUERN_JSON_INVALID_SKIP_ITEM) {
            model_fail(m, QUERN_ERROR_UTF8);
            return false;
        }
        m->skipped++;
        m->reply = QUERN_ERROR_UTF8;
        if (key) {
            m->skipping = true; /* what comes is taken back with its value */
            m->skip_depth = m->depth;
        } else {
            model_back(m, model_top(m)->map ? &model_top(m)->pair : before);
        }
        return true;
    }
    return false;
}

/* Writes it, well-formed or repaired. */
static void model_string(model *m, bool key)
{
    size_t length;
    if (m->skipping)
        m->string_length = 0; /* it is dropped anyway */
    CHECK(MODEL_TEXT - m->length > 12 * m->string_length + 2);
    m->text[m->length++] = '"';
    model_escape(m, true, m->text + m->length, &length);
    m->length += length;
    m->text[m->length++] = '"';
    model_content(m, key);
    if (!key)
        model_after(m);
}

/* ---- calls --------------------------------------------------------------------------------------- */

static void model_value(model *m, const model_number *number)
{
    const bool canonical = m->options.canonical;
    const char *text = canonical ? number->canonical : number->text;
    if (!text && !canonical && m->options.nonfinite != QUERN_JSON_NONFINITE_REFUSE) {
        const bool literal = m->options.nonfinite == QUERN_JSON_NONFINITE_LITERAL;
        m->reads_back = m->reads_back && !literal;
        text = !literal ? "null" : isnan(number->d) ? "NaN" : number->d < 0 ? "-Infinity" : "Infinity";
    }
    if (!text)
        model_fail(m, QUERN_ERROR_RANGE);
    else
        model_scalar(m, text, *text == 'n' ? JSON_NULL : JSON_NUMBER);
}

static bool is_number(const call *c)
{
    json_check check;
    char scratch[256];
    CHECK(c->length <= sizeof scratch);
    json_check_init(&check, c->data, c->length, scratch);
    return json_check_next(&check) == JSON_NUMBER && check.number == c->data && check.number_length == c->length;
}

static void model_given(model *m, const call *c)
{
    if (m->options.canonical || (c->kind == CALL_RAW && c->length == 0)) {
        model_fail(m, QUERN_ERROR_MISUSE);
    } else if (c->kind == CALL_NUMBER && !is_number(c)) {
        model_fail(m, QUERN_ERROR_NUMBER);
    } else {
        model_put(m, c->data, c->length);
        if (c->kind == CALL_RAW) {
            CHECK(c->length - 2 <= MODEL_TEXT - m->strings_length);
            memcpy(m->strings + m->strings_length, c->data + 1, c->length - 2);
            m->strings_length += c->length - 2;
        }
        model_event(m, c->kind == CALL_RAW ? JSON_STRING : JSON_NUMBER);
        model_after(m);
    }
}

static void model_whole_text(model *m, const call *c)
{
    const bool key = c->kind != CALL_STRING;
    const model_snapshot before = model_now(m);
    const quern_style_options *style = m->style;
    if (!model_place(m, key))
        return;
    m->string_length = 0;
    model_part(m, c->data, c->length);
    if (c->kind == CALL_PREPARED) {
        m->style = NULL;
        if (reference_utf8_prefix(c->data, c->length).why != QUERN_STOP_END)
            m->string_length = 0; /* that key could not be prepared */
    }
    if (!model_text(m, key, true, &before) && m->error.status == QUERN_OK)
        model_string(m, key);
    m->style = style;
}

static void model_end_string(model *m)
{
    const bool key = m->open == TEXT_KEY;
    if (m->open == TEXT_CLOSED) {
        model_fail(m, QUERN_ERROR_MISUSE);
    } else if (m->open == TEXT_SKIPPED || m->open == TEXT_SKIPPED_KEY) {
        m->open = TEXT_CLOSED;
        m->reply = QUERN_ERROR_UTF8;
    } else {
        m->open = TEXT_CLOSED;
        if (!model_text(m, key, true, &m->before_text) && m->error.status == QUERN_OK)
            model_string(m, key);
    }
}

static void model_begin(model *m, bool map)
{
    const size_t most = m->options.max_depth == 0 ? 1024 : m->options.max_depth;
    const model_level *top = model_top(m);
    const bool may = m->open == TEXT_CLOSED && (m->depth > 0 ? !top->map || top->awaits : !top->started);
    if (may && m->depth == most) {
        model_fail(m, QUERN_ERROR_DEPTH);
    } else if (model_place(m, false)) {
        CHECK(m->depth < MODEL_DEPTH);
        model_put(m, map ? "{" : "[", 1);
        model_event(m, map ? JSON_BEGIN_MAP : JSON_BEGIN_ARRAY);
        m->levels[++m->depth] = (model_level){.map = map, .keys = m->keys_length};
    }
}

static bool model_has_duplicates(model *m, size_t from)
{
    for (size_t a = from, length; a < m->keys_length; a += sizeof length + length) {
        memcpy(&length, m->keys + a, sizeof length);
        for (size_t b = a + sizeof length + length, other; b < m->keys_length; b += sizeof other + other) {
            memcpy(&other, m->keys + b, sizeof other);
            if (length == other && memcmp(m->keys + a + sizeof length, m->keys + b + sizeof other, length) == 0)
                return true;
        }
    }
    return false;
}

static void model_end(model *m)
{
    const model_level *top = model_top(m);
    if (m->open != TEXT_CLOSED || m->depth == 0 || top->awaits) {
        model_fail(m, QUERN_ERROR_MISUSE);
        return;
    }
    if (top->started && m->options.indent != 0)
        model_line(m, m->depth - 1);
    model_put(m, top->map ? "}" : "]", 1);
    model_event(m, JSON_END);
    if (model_has_duplicates(m, top->keys))
        model_fail(m, QUERN_ERROR_DUPLICATE);
    m->keys_length = top->keys;
    m->depth--;
    model_after(m);
}

void model_call(model *m, const call *c)
{
    static const char *const words[] = {"null", "false", "true"};
    static const json_event events[] = {JSON_NULL, JSON_FALSE, JSON_TRUE};
    const bool key_next = m->open == TEXT_CLOSED && model_top(m)->map && !model_top(m)->awaits;
    m->reply = QUERN_OK;
    if (m->error.status == QUERN_OK && m->tokens && key_next && c->kind != CALL_STRING && c->kind != CALL_KEY &&
        c->kind != CALL_PREPARED && c->kind != CALL_BEGIN_STRING && c->kind != CALL_END && c->kind != CALL_RAW &&
        c->kind != CALL_PART && c->kind != CALL_END_STRING)
        model_fail(m, QUERN_ERROR_TYPE);
    if (m->error.status == QUERN_OK) {
        switch (c->kind) {
        case CALL_NULL:
        case CALL_FALSE:
        case CALL_TRUE:
            if (model_place(m, false))
                model_scalar(m, words[c->kind], events[c->kind]);
            break;
        case CALL_VALUE:
            if (model_place(m, false))
                model_value(m, &model_numbers[c->length % MODEL_NUMBERS]);
            break;
        case CALL_NUMBER:
        case CALL_RAW:
            if (model_place(m, false))
                model_given(m, c);
            break;
        case CALL_STRING:
        case CALL_KEY:
        case CALL_PREPARED: {
            call as = *c;
            if (m->tokens && key_next && c->kind == CALL_STRING)
                as.kind = CALL_KEY;
            model_whole_text(m, &as);
            break;
        }
        case CALL_BEGIN_STRING: {
            const model_snapshot before = model_now(m);
            const bool key = m->tokens && key_next;
            if (model_place(m, key)) {
                m->string_length = 0;
                m->open = key ? TEXT_KEY : TEXT_VALUE;
                m->before_text = before;
            }
            break;
        }
        case CALL_PART:
            if (m->open == TEXT_CLOSED) {
                model_fail(m, QUERN_ERROR_MISUSE);
            } else if (m->open == TEXT_SKIPPED || m->open == TEXT_SKIPPED_KEY) {
                m->reply = QUERN_ERROR_UTF8;
            } else if (!m->skipping) {
                model_part(m, c->data, c->length);
                const bool key = m->open == TEXT_KEY;
                if (model_text(m, key, false, &m->before_text))
                    m->open = key ? TEXT_SKIPPED_KEY : TEXT_SKIPPED;
            }
            break;
        case CALL_END_STRING: model_end_string(m); break;
        case CALL_BEGIN_ARRAY: model_begin(m, false); break;
        case CALL_BEGIN_MAP: model_begin(m, true); break;
        default: model_end(m); break;
        }
    }
    if (m->error.status != QUERN_OK)
        m->reply = m->error.status;
}

quern_status model_finish(model *m)
{
    static char work[MODEL_TEXT];
    if (m->error.status == QUERN_OK && (m->open != TEXT_CLOSED || m->depth > 0 || !m->levels[0].started))
        model_fail(m, QUERN_ERROR_MISUSE);
    if (m->error.status == QUERN_OK && m->options.canonical)
        CHECK(reference_canonical(m->text, m->length, work));
    return m->error.status;
}
