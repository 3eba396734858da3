/* SPDX-License-Identifier: MIT */
/*
 * The CBOR writer: calls in any order, right or wrong, as calls and as tokens, with options of all kinds, in every
 * variant and to three kinds of sinks, against the model of tests/support/cbor_model.h, which is made once for all
 * variants.
 *
 * Six bytes for options; then a byte for each call and what it works on: numbers, or a length and so many bytes.
 */
#include "support/cbor_model.h"

cbor_script script;

static const char *where = "";
static size_t where_call;

#define CHECK(condition) \
    FUZZ_CHECK(condition, "%s:%d: %s (%s, call %zu)", __FILE__, __LINE__, #condition, where, where_call)

/* ---- the script ------------------------------------------------------------------------------------ */

static uint64_t read_number(fuzz_input *input, size_t bytes)
{
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++)
        number = number << 8 | fuzz_byte(input);
    return number;
}

/* A few bytes, `times` over, to get past the blocks. */
static void read_data(fuzz_input *input, call *c, size_t times, size_t most)
{
    size_t given = fuzz_byte(input);
    if (given > input->size)
        given = input->size;
    if (given * times > most)
        times = 0;
    c->length = given * times;
    c->data = fuzz_block(c->length);
    for (size_t i = 0; given && i < times; i++)
        memcpy(c->data + i * given, input->data, given);
    input->data += given;
    input->size -= given;
}

static void make_digits(call *c)
{
    for (size_t i = 0; i < c->length; i++) {
        if (c->mode & 1)
            c->data[i] = i == 0 && c->mode & 2 ? '-' : (char)('0' + (unsigned char)c->data[i] % 10);
    }
}

static void read_call(fuzz_input *input, call *c, size_t most)
{
    const uint8_t code = fuzz_byte(input);
    *c = (call){.kind = (call_kind)(code & 31) % CALLS, .mode = code >> 5};
    switch (c->kind) {
    case CALL_UINTS:
    case CALL_INTS:
    case CALL_DOUBLES:
    case CALL_FLOATS:
    case CALL_BIGNUM:
    case CALL_TEXT_NUMBER:
    case CALL_BYTES:
    case CALL_STRING:
    case CALL_EMBEDDED:
    case CALL_RAW:
    case CALL_PART: read_data(input, c, c->mode & 4 ? 1 + (size_t)(c->mode & 3) * 30 : 1, most); break;
    case CALL_TYPED:
        c->number = fuzz_byte(input); /* the order, and which elements */
        read_data(input, c, c->mode & 4 ? 1 + (size_t)(c->mode & 3) * 30 : 1, most);
        break;
    case CALL_BEGIN_BYTES:
    case CALL_BEGIN_STRING:
    case CALL_ARRAY:
    case CALL_MAP:
        c->number = c->mode & 1 ? QUERN_UNKNOWN : read_number(input, c->mode == 6 ? 8 : 1);
        if (c->mode == 2)
            c->number %= 4;
        break;
    case CALL_END_STRING:
    case CALL_END: break;
    default: c->number = read_number(input, (size_t)1 << (c->mode & 3)); break;
    }
    if (c->kind == CALL_TEXT_NUMBER)
        make_digits(c);
}

static void read_script(fuzz_input *input)
{
    memset(&script, 0, sizeof script);
    const uint8_t how = fuzz_byte(input), depth = fuzz_byte(input);
    script.options = (quern_cbor_writer_options){.size = sizeof script.options,
                                                 .invalid = (quern_cbor_invalid)(how >> 6),
                                                 .floats = (quern_cbor_floats)(how >> 2 & 1),
                                                 .nan = (quern_cbor_nan)(how >> 3 & 1),
                                                 .sequence = how & 1,
                                                 .deterministic = how & 2,
                                                 .max_depth = depth >> 3};
    if (how & 32) {
        script.options.stack_size = (size_t)(depth & 7) * 8;
        script.options.stack = fuzz_block(script.options.stack_size);
    }
    script.tokens = how & 16;
    script.fixed_size = (size_t)fuzz_byte(input) * (fuzz_byte(input) & 1 ? 16 : 1);
    script.buffer_size = fuzz_byte(input);
    const size_t most_taken = fuzz_byte(input);
    script.most_taken = most_taken ? most_taken : SIZE_MAX;
    for (size_t total = 0; input->size && script.count < MOST_CALLS;) {
        call *c = &script.calls[script.count++];
        read_call(input, c, MOST_DATA - total);
        total += c->length;
    }
}

static void free_script(void)
{
    for (size_t i = 0; i < script.count; i++)
        free(script.calls[i].data);
    free(script.options.stack);
}

/* ---- the calls ------------------------------------------------------------------------------------- */

static quern_status make_token(quern_cbor_writer *w, const call *c, bool *made)
{
    quern_token t = {.value.number = c->number};
    *made = true;
    switch (c->kind) {
    case CALL_UINT: t.kind = QUERN_TOKEN_UNSIGNED; break;
    case CALL_NEGATIVE: t.kind = QUERN_TOKEN_NEGATIVE; break;
    case CALL_INT:
        t.kind = (int64_t)c->number < 0 ? QUERN_TOKEN_NEGATIVE : QUERN_TOKEN_UNSIGNED;
        t.value.number = (int64_t)c->number < 0 ? ~c->number : c->number;
        break;
    case CALL_SIMPLE:
        t.kind = c->number == 22 ? QUERN_TOKEN_NULL : c->number == 23 ? QUERN_TOKEN_UNDEFINED : QUERN_TOKEN_SIMPLE;
        if (c->number == 20 || c->number == 21) {
            t.kind = QUERN_TOKEN_BOOL;
            t.value.truth = c->number == 21;
        }
        break;
    case CALL_DOUBLE:
        t.kind = QUERN_TOKEN_DOUBLE;
        memcpy(&t.value.real, &c->number, sizeof t.value.real);
        break;
    case CALL_BYTES:
    case CALL_STRING:
        t.kind = c->kind == CALL_BYTES ? QUERN_TOKEN_BYTES : QUERN_TOKEN_STRING;
        t.flags = QUERN_TOKEN_WHOLE;
        t.value.text = (quern_string){c->data, c->length};
        break;
    case CALL_TAG: t.kind = QUERN_TOKEN_TAG; break;
    case CALL_ARRAY: t.kind = QUERN_TOKEN_ARRAY; break;
    case CALL_MAP: t.kind = QUERN_TOKEN_MAP; break;
    case CALL_END: t.kind = QUERN_TOKEN_END; break;
    default: *made = false; return QUERN_OK;
    }
    return quern_cbor_write_token(w, &t);
}

static quern_status make_call(quern_cbor_writer *w, const call *c)
{
    double wide;
    float narrow;
    const uint32_t narrow_bits = (uint32_t)c->number;
    unsigned number;
    size_t width = 1;
    bool reverse;
    memcpy(&wide, &c->number, sizeof wide);
    memcpy(&narrow, &narrow_bits, sizeof narrow);
    /* Blocks of malloc are aligned for all of these. */
    void *const data = c->data;
    switch (c->kind) {
    case CALL_UINT: return quern_cbor_write_uint(w, c->number);
    case CALL_NEGATIVE: return quern_cbor_write_negative(w, c->number);
    case CALL_INT: return quern_cbor_write_int(w, (int64_t)c->number);
    case CALL_SIMPLE: return quern_cbor_write_simple(w, c->number > 256 ? 256 : (unsigned)c->number);
    case CALL_DOUBLE: return quern_cbor_write_double(w, wide);
    case CALL_FLOAT: return quern_cbor_write_float(w, narrow);
    case CALL_HALF: return quern_cbor_write_half(w, (uint16_t)c->number);
    case CALL_UINTS: return quern_cbor_write_u64s(w, data, c->length / 8);
    case CALL_INTS: return quern_cbor_write_i64s(w, data, c->length / 8);
    case CALL_DOUBLES: return quern_cbor_write_doubles(w, data, c->length / 8);
    case CALL_FLOATS: return quern_cbor_write_floats(w, data, c->length / 4);
    case CALL_BIGNUM: return quern_cbor_write_bignum(w, c->mode & 1, data, c->length);
    case CALL_TEXT_NUMBER:
        return quern_cbor_write_token(w,
                                      &(quern_token){.kind = QUERN_TOKEN_NUMBER, .value.text = {c->data, c->length}});
    case CALL_TAG: return quern_cbor_write_tag(w, c->number);
    case CALL_BYTES: return (c->mode & 1 ? quern_cbor_write_bytes_ref : quern_cbor_write_bytes)(w, data, c->length);
    case CALL_STRING: return (c->mode & 1 ? quern_cbor_write_key : quern_cbor_write_string)(w, c->data, c->length);
    case CALL_EMBEDDED: return quern_cbor_write_embedded(w, data, c->length);
    case CALL_RAW: return quern_cbor_write_raw(w, data, c->length);
    case CALL_TYPED:
        typed_array(c, &number, &width, &reverse);
        return quern_cbor_write_typed_array(w, (quern_cbor_element)((c->number >> 2) % 13),
                                            (quern_cbor_order)(c->number & 3), data, c->length / width);
    case CALL_BEGIN_BYTES: return quern_cbor_begin_bytes(w, c->number);
    case CALL_BEGIN_STRING: return quern_cbor_begin_string(w, c->number);
    case CALL_PART: return quern_cbor_write_part(w, data, c->length);
    case CALL_END_STRING: return quern_cbor_end_string(w);
    case CALL_ARRAY: return quern_cbor_begin_array(w, c->number);
    case CALL_MAP: return quern_cbor_begin_map(w, c->number);
    default: return quern_cbor_end(w);
    }
}

/* All calls; in a sink that is never full their statuses are the model's. */
static quern_status write_calls(quern_sink *sink, bool foretold)
{
    quern_cbor_writer w;
    quern_cbor_writer_init(&w, sink, &script.options);
    for (size_t i = 0; i < script.count; i++) {
        const call *c = &script.calls[i];
        bool made = false;
        quern_status status = script.tokens ? make_token(&w, c, &made) : QUERN_OK;
        if (!made)
            status = make_call(&w, c);
        where_call = i;
        CHECK(!foretold || status == c->status);
    }
    where_call = script.count;
    const quern_status status = quern_cbor_writer_finish(&w);
    quern_error error;
    quern_cbor_writer_error(&w, &error);
    CHECK(error.status == status);
    CHECK(!foretold || (status == outcome.status && error.offset == outcome.error_offset));
    return status;
}

/* ---- sinks ----------------------------------------------------------------------------------------- */

static uint8_t arrived[MOST_BYTES];
static size_t arrived_length;

static ptrdiff_t collect(void *context, const void *data, size_t length)
{
    (void)context;
    if (length > script.most_taken)
        length = script.most_taken;
    CHECK(length <= MOST_BYTES - arrived_length);
    memcpy(arrived + arrived_length, data, length);
    arrived_length += length;
    return (ptrdiff_t)length;
}

static bool same(const void *a, size_t length, const void *b, size_t b_length)
{
    return length == b_length && (length == 0 || memcmp(a, b, length) == 0);
}

static void run_sinks(void)
{
    where = "memory sink";
    quern_memory_sink memory;
    quern_memory_sink_init(&memory, NULL);
    write_calls(&memory.sink, true);
    const quern_string view = quern_memory_sink_view(&memory);
    CHECK(same(view.data, view.length, outcome.bytes, outcome.length));
    quern_memory_sink_free(&memory);

    where = "callback sink";
    uint8_t *buffer = fuzz_block(script.buffer_size);
    quern_callback_sink callback;
    arrived_length = 0;
    quern_callback_sink_init(&callback, collect, NULL, buffer, script.buffer_size);
    write_calls(&callback.sink, true);
    CHECK(quern_sink_finish(&callback.sink) == QUERN_OK);
    CHECK(same(arrived, arrived_length, outcome.bytes, outcome.length));
    free(buffer);

    where = "fixed sink";
    uint8_t *array = fuzz_block(script.fixed_size);
    quern_fixed_sink fixed;
    quern_fixed_sink_init(&fixed, array, script.fixed_size);
    const quern_status full = write_calls(&fixed.sink, false);
    quern_sink_finish(&fixed.sink);
    if (outcome.status == QUERN_OK) {
        CHECK(full == (outcome.length <= script.fixed_size ? QUERN_OK : QUERN_ERROR_ROOM));
        CHECK(quern_fixed_sink_needed(&fixed) == outcome.length);
    } else {
        CHECK(full == outcome.status || full == QUERN_ERROR_ROOM);
    }
    /* (What a map that is dropped leaves in an array that was too short for it is not told.) */
    const size_t kept = outcome.length < script.fixed_size ? outcome.length : script.fixed_size;
    if (full == QUERN_OK || !script.options.deterministic)
        CHECK(same(array, kept, outcome.bytes, kept));
    free(array);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    read_script(&input);
    make_model();
    quern_variant active, v;
    FUZZ_CHECK(quern_variant_get(quern_variant_active(), &active), "no variant is active");
    for (size_t i = 0; fuzz_variant(&i, &v);) {
        if (quern_variant_force(v.name) == QUERN_OK)
            run_sinks();
    }
    FUZZ_CHECK(quern_variant_force(active.name) == QUERN_OK, "%s cannot be forced", active.name);
    free_script();
    return 0;
}
