/* SPDX-License-Identifier: MIT */
/* The model of the fuzz target of the CBOR writer. */
#include "support/cbor_model.h"

enum { MOST_ITEMS = 8192, MOST_DIGITS = 4096 };

cbor_outcome outcome;

/* ---- what a call works on -------------------------------------------------------------------------- */

static uint64_t load(const call *c, size_t i, size_t width)
{
    uint64_t wide = 0;
    uint32_t narrow = 0;
    if (width == 8)
        memcpy(&wide, c->data + 8 * i, 8);
    else
        memcpy(&narrow, c->data + 4 * i, 4);
    return width == 8 ? wide : narrow;
}

/* The RFC 8746 tag's low bits: f s e ll. */
bool typed_array(const call *c, unsigned *tag, size_t *width, bool *reverse)
{
    static const unsigned tags[] = {64, 68, 65, 66, 67, 72, 73, 74, 75, 80, 81, 82};
    const unsigned element = (unsigned)(c->number >> 2) % 13, order = c->number & 3;
    if (element == 12 || order == 3)
        return false;
    const uint16_t probe = 1;
    const bool native_little = *(const unsigned char *)&probe == 1;
    const bool little = order == QUERN_CBOR_NATIVE_ORDER ? native_little : order == QUERN_CBOR_LITTLE_ENDIAN;
    *tag = tags[element];
    *width = (size_t)1 << ((*tag & 3) + (*tag >= 80));
    *reverse = *width > 1 && little != native_little;
    if (*width > 1 && little)
        *tag += 4;
    return true;
}

/* ---- the model ------------------------------------------------------------------------------------- */

typedef struct level {
    bool map, unknown;
    uint64_t left, count; /* items */
    size_t start;         /* in the model's text */
} level;

static struct {
    uint8_t text[MOST_BYTES]; /* as it is without deterministic encoding, */
    size_t length;
    uint8_t settled[MOST_BYTES]; /* and with it, as far as no mark holds it */
    size_t settled_length;
    level levels[MOST_CALLS + 1];
    size_t depth;
    size_t held; /* the level that a mark holds, or 0 */
    bool tagged;
    enum { OPEN_NOTHING, OPEN_BYTES, OPEN_STRING } open;
    bool chunks;
    uint64_t left;   /* of the open string */
    uint64_t offset; /* in it */
    char carry[4];   /* what its last part cuts */
    size_t carried;
    quern_status status;
    uint64_t error_offset;
} model;

static void fail(quern_status status, uint64_t offset)
{
    if (model.status == QUERN_OK) {
        model.status = status;
        model.error_offset = offset;
    }
}

static void emit(const void *data, size_t length)
{
    FUZZ_CHECK(length <= MOST_BYTES - model.length, "the model has no room");
    if (length)
        memcpy(model.text + model.length, data, length);
    model.length += length;
    if (length && !model.held)
        memcpy(model.settled + model.settled_length, data, length);
    model.settled_length += model.held ? 0 : length;
}

static void emit_head(unsigned major, uint64_t number)
{
    unsigned char head[16];
    const size_t length = reference_cbor_encode(head, &(cbor_item){.number = number}, false);
    head[0] = (unsigned char)(head[0] | major << 5);
    emit(head, length);
}

static void emit_byte(unsigned byte)
{
    emit(&(uint8_t){(uint8_t)byte}, 1);
}

/* Whether an item, or a tag, may come. */
static bool place(void)
{
    const level *l = &model.levels[model.depth];
    if (model.status == QUERN_OK && (model.open || (!l->unknown && l->left == 0)))
        fail(QUERN_ERROR_MISUSE, 0);
    return model.status == QUERN_OK;
}

/* The same, and it comes. */
static bool item(void)
{
    level *l = &model.levels[model.depth];
    if (!place())
        return false;
    l->left -= !l->unknown;
    l->count++;
    model.tagged = false;
    return true;
}

static void scalar(unsigned major, uint64_t number)
{
    if (item())
        emit_head(major, number);
}

static void run(unsigned major, const void *data, size_t length)
{
    if (item()) {
        emit_head(major, length);
        emit(data, length);
    }
}

static void tag(uint64_t number)
{
    if (place()) {
        emit_head(6, number);
        model.tagged = true;
    }
}

static void emit_float(unsigned width, uint64_t bits)
{
    unsigned char text[16];
    emit(text, reference_cbor_encode(text, &(cbor_item){.major = 7, .width = width, .number = bits}, false));
}

static bool is_nan(uint64_t bits)
{
    return (bits & INT64_MAX) > UINT64_C(0x7FF) << 52;
}

/* A number, by the bits of a double, as short as there is. */
static void shortest(uint64_t bits)
{
    cbor_item it = {.major = 7};
    if (!item())
        return;
    if (is_nan(bits) && script.options.nan == QUERN_CBOR_NAN_KEEP) {
        const uint64_t sign = bits >> 63, payload = bits & ((UINT64_C(1) << 52) - 1);
        it.width = payload % (UINT64_C(1) << 42) == 0 ? 16 : payload % (UINT64_C(1) << 29) == 0 ? 32 : 64;
        it.number = it.width == 16   ? sign << 15 | 0x7C00 | payload >> 42
                    : it.width == 32 ? sign << 31 | 0x7F800000 | payload >> 29
                                     : bits;
    } else {
        double value;
        memcpy(&value, &bits, sizeof value);
        reference_cbor_shortest(&it, value);
    }
    emit_float(it.width, it.number);
}

static void real32(uint32_t bits)
{
    const uint64_t payload = bits & 0x7FFFFF, sign = bits >> 31;
    float narrow;
    memcpy(&narrow, &bits, sizeof narrow);
    const double value = (double)narrow;
    uint64_t wide;
    memcpy(&wide, &value, sizeof wide);
    if ((bits & 0x7FFFFFFF) > 0x7F800000)
        wide = sign << 63 | UINT64_C(0x7FF) << 52 | payload << 29;
    if (script.options.floats != QUERN_CBOR_FLOATS_GIVEN)
        shortest(wide);
    else if (item())
        emit_float(32, bits);
}

static void real64(uint64_t bits)
{
    if (script.options.floats != QUERN_CBOR_FLOATS_GIVEN)
        shortest(bits);
    else if (item())
        emit_float(64, bits);
}

static void half(unsigned bits)
{
    const bool nan = (bits & 0x7FFF) > 0x7C00;
    if (item())
        emit_float(16, nan && !script.options.floats && !script.options.nan ? 0x7E00 : bits);
}

static void integer(int64_t value)
{
    if (value < 0)
        scalar(1, (uint64_t)(-1 - value));
    else
        scalar(0, (uint64_t)value);
}

static void bignum(bool negative, const char *data, size_t length)
{
    uint64_t value = 0;
    while (length && *data == 0) {
        data++;
        length--;
    }
    if (length > 8) {
        tag(negative ? 3 : 2);
        run(2, data, length);
        return;
    }
    for (size_t i = 0; i < length; i++)
        value = value << 8 | (unsigned char)data[i];
    scalar(negative, value);
}

static bool all_digits(const char *text, size_t length)
{
    while (length > 0 && text[length - 1] >= '0' && text[length - 1] <= '9')
        length--;
    return length == 0;
}

/* By hand: bytes, multiplied by ten. */
static void text_number(const char *text, size_t length)
{
    static unsigned char number[2000];
    const bool negative = length && *text == '-';
    text += negative;
    length -= negative;
    if (length == 0 || (length > 1 && *text == '0') || !all_digits(text, length)) {
        fail(QUERN_ERROR_NUMBER, 0);
        return;
    }
    if (length > MOST_DIGITS) {
        fail(QUERN_ERROR_LIMIT, 0);
        return;
    }
    memset(number, 0, sizeof number);
    size_t first = sizeof number;
    for (size_t d = 0; d < length; d++) {
        unsigned carry = (unsigned)(text[d] - '0');
        for (size_t i = sizeof number; i-- > first || carry;) {
            carry += number[i] * 10u;
            number[i] = (unsigned char)carry;
            carry >>= 8;
            first = i < first ? i : first;
        }
    }
    if (negative && first == sizeof number) {
        real64(UINT64_C(1) << 63);
        return;
    }
    for (size_t i = sizeof number; negative && number[--i]-- == 0;)
        ;
    bignum(negative, (const char *)number + first, sizeof number - first);
}

static void typed(const call *c)
{
    static unsigned char turned[MOST_DATA];
    unsigned number;
    size_t width;
    bool reverse;
    if (!typed_array(c, &number, &width, &reverse)) {
        fail(QUERN_ERROR_RANGE, 0);
        return;
    }
    const size_t count = c->length / width;
    tag(number);
    if (reverse)
        reference_swap(turned, (const unsigned char *)c->data, count, width);
    run(2, reverse ? (const void *)turned : c->data, count * width);
}

/* ---- the model: text ------------------------------------------------------------------------------- */

/* The text with what is ill-formed replaced or left out, in static memory; what its end cuts is put in *cut. */
static size_t mended(const char *data, size_t length, const char **text, size_t *cut)
{
    static char out[3 * MOST_DATA + 16];
    size_t size = 0;
    *cut = 0;
    *text = out;
    for (size_t i = 0; i < length;) {
        const quern_span span = reference_utf8_prefix(data + i, length - i);
        memcpy(out + size, data + i, span.length);
        size += span.length;
        i += span.length;
        if (span.why == QUERN_STOP_TRUNCATED)
            *cut = length - i;
        if (span.why != QUERN_STOP_ILL_FORMED)
            break;
        size_t part = 1;
        while (part < 3 && i + part < length && reference_utf8_prefix(data + i, part + 1).why == QUERN_STOP_TRUNCATED)
            part++;
        i += part;
        if (script.options.invalid == QUERN_CBOR_INVALID_REPLACE) {
            memcpy(out + size, "\xEF\xBF\xBD", 3);
            size += 3;
        }
    }
    return size;
}

static bool mends(void)
{
    return script.options.invalid >= QUERN_CBOR_INVALID_REPLACE;
}

static void string(const char *data, size_t length)
{
    const quern_span span = reference_utf8_prefix(data, length);
    if (!place())
        return;
    if (span.why == QUERN_STOP_END || script.options.invalid == QUERN_CBOR_INVALID_KEEP) {
        run(3, data, length);
    } else if (!mends()) {
        fail(QUERN_ERROR_UTF8, span.length);
    } else {
        static char text[3 * MOST_DATA + 16];
        const char *out;
        size_t cut, size = mended(data, length, &out, &cut);
        memcpy(text, out, size);
        if (cut && script.options.invalid == QUERN_CBOR_INVALID_REPLACE) {
            memcpy(text + size, "\xEF\xBF\xBD", 3);
            size += 3;
        }
        run(3, text, size);
    }
}

static void begin_string(bool is_text, uint64_t length)
{
    if (!place())
        return;
    if (length == QUERN_UNKNOWN && script.options.deterministic) {
        fail(QUERN_ERROR_MISUSE, 0);
        return;
    }
    item();
    if (length == QUERN_UNKNOWN)
        emit_byte(is_text ? 0x7F : 0x5F);
    else
        emit_head(is_text ? 3 : 2, length);
    model.open = is_text ? OPEN_STRING : OPEN_BYTES;
    model.chunks = length == QUERN_UNKNOWN;
    model.left = length;
    model.offset = 0;
    model.carried = 0;
}

static void part(const char *data, size_t length)
{
    static char joined[MOST_DATA + 8];
    if (model.status != QUERN_OK)
        return;
    if (!model.open || (!model.chunks && length > model.left)) {
        fail(QUERN_ERROR_MISUSE, 0);
        return;
    }
    const char *text = data;
    size_t size = length;
    if (model.open == OPEN_STRING && script.options.invalid != QUERN_CBOR_INVALID_KEEP) {
        memcpy(joined, model.carry, model.carried);
        if (length)
            memcpy(joined + model.carried, data, length);
        const size_t whole = model.carried + length;
        const quern_span span = reference_utf8_prefix(joined, whole);
        size_t cut = whole - span.length;
        text = joined;
        size = span.length;
        if (mends() && model.chunks) {
            size = mended(joined, whole, &text, &cut);
        } else if (span.why == QUERN_STOP_ILL_FORMED) {
            fail(QUERN_ERROR_UTF8, model.offset + span.length);
            return;
        }
        model.offset += span.length;
        model.carried = cut;
        memcpy(model.carry, joined + whole - cut, cut);
    }
    if (!model.chunks) {
        model.left -= length;
        emit(data, length);
    } else if (length == 0 || size > 0) {
        /* (A part that is empty is an empty chunk, whatever waits.) */
        emit_head(model.open == OPEN_STRING ? 3 : 2, length ? size : 0);
        emit(text, length ? size : 0);
    }
}

static void end_string(void)
{
    if (model.status != QUERN_OK)
        return;
    if (!model.open || (!model.chunks && model.left)) {
        fail(QUERN_ERROR_MISUSE, 0);
        return;
    }
    if (model.carried && !(mends() && model.chunks)) {
        fail(QUERN_ERROR_UTF8, model.offset);
        return;
    }
    if (model.carried && script.options.invalid == QUERN_CBOR_INVALID_REPLACE)
        emit("\x63\xEF\xBF\xBD", 4);
    if (model.chunks)
        emit_byte(0xFF);
    model.open = OPEN_NOTHING;
}

/* ---- the model: containers ------------------------------------------------------------------------- */

static void begin(bool map, uint64_t count)
{
    const quern_cbor_writer_options *o = &script.options;
    const bool unknown = count == QUERN_UNKNOWN;
    if (!unknown && count >> 60)
        fail(QUERN_ERROR_LIMIT, 0);
    if (!place())
        return;
    if (model.depth >= (o->max_depth ? o->max_depth : 1024) ||
        (o->stack && model.depth >= 32 && model.depth - 32 >= o->stack_size / 8)) {
        fail(QUERN_ERROR_DEPTH, 0);
        return;
    }
    item();
    const size_t start = model.length;
    model.depth++;
    if (o->deterministic && !model.held && (map || unknown))
        model.held = model.depth;
    model.levels[model.depth] = (level){map, unknown, unknown ? 0 : map ? count * 2 : count, 0, start};
    if (unknown)
        emit_byte(map ? 0xBF : 0x9F);
    else
        emit_head(map ? 5 : 4, count);
}

/* The deterministic form of what was written from `start` on, or 0: a key twice. */
static size_t sorted(unsigned char *out, size_t start)
{
    static cbor_item items[MOST_ITEMS];
    size_t used = 0;
    bool is_break;
    const unsigned char *end = reference_cbor_decode(model.text + start, items, &used, MOST_ITEMS, &is_break);
    FUZZ_CHECK(end == model.text + model.length, "the model writes what is not well-formed");
    return reference_cbor_encode(out, &items[0], true);
}

static void end(void)
{
    static unsigned char out[MOST_BYTES];
    const level *l = &model.levels[model.depth];
    if (model.status != QUERN_OK)
        return;
    if (model.depth == 0 || model.open || model.tagged || (!l->unknown && l->left) || (l->map && l->count % 2)) {
        fail(QUERN_ERROR_MISUSE, 0);
        return;
    }
    if (l->unknown)
        emit_byte(0xFF);
    if (script.options.deterministic && (l->map || model.held == model.depth)) {
        const size_t length = sorted(out, l->start);
        if (length == 0) {
            fail(QUERN_ERROR_DUPLICATE, 0);
            return;
        }
        if (model.held == model.depth) {
            memcpy(model.settled + model.settled_length, out, length);
            model.settled_length += length;
            model.held = 0;
        }
    }
    model.depth--;
}

/* ---- the model: calls ------------------------------------------------------------------------------ */

static void model_call(const call *c)
{
    switch (c->kind) {
    case CALL_UINT: scalar(0, c->number); break;
    case CALL_NEGATIVE: scalar(1, c->number); break;
    case CALL_INT: integer((int64_t)c->number); break;
    case CALL_SIMPLE:
        if (c->number > 255 || (c->number > 23 && c->number < 32))
            fail(QUERN_ERROR_RANGE, 0);
        scalar(7, c->number);
        break;
    case CALL_DOUBLE: real64(c->number); break;
    case CALL_FLOAT: real32((uint32_t)c->number); break;
    case CALL_HALF: half((unsigned)(c->number & 0xFFFF)); break;
    case CALL_UINTS:
        for (size_t i = 0; i < c->length / 8; i++)
            scalar(0, load(c, i, 8));
        break;
    case CALL_INTS:
        for (size_t i = 0; i < c->length / 8; i++)
            integer((int64_t)load(c, i, 8));
        break;
    case CALL_DOUBLES:
        for (size_t i = 0; i < c->length / 8; i++)
            real64(load(c, i, 8));
        break;
    case CALL_FLOATS:
        for (size_t i = 0; i < c->length / 4; i++)
            real32((uint32_t)load(c, i, 4));
        break;
    case CALL_BIGNUM: bignum(c->mode & 1, c->data, c->length); break;
    case CALL_TEXT_NUMBER: text_number(c->data, c->length); break;
    case CALL_TAG: tag(c->number); break;
    case CALL_BYTES: run(2, c->data, c->length); break;
    case CALL_STRING: string(c->data, c->length); break;
    case CALL_EMBEDDED:
        tag(24);
        run(2, c->data, c->length);
        break;
    case CALL_RAW:
        if (place() && (c->length == 0 || script.options.deterministic))
            fail(QUERN_ERROR_MISUSE, 0);
        else if (item())
            emit(c->data, c->length);
        break;
    case CALL_TYPED: typed(c); break;
    case CALL_BEGIN_BYTES: begin_string(false, c->number); break;
    case CALL_BEGIN_STRING: begin_string(true, c->number); break;
    case CALL_PART: part(c->data, c->length); break;
    case CALL_END_STRING: end_string(); break;
    case CALL_ARRAY: begin(false, c->number); break;
    case CALL_MAP: begin(true, c->number); break;
    default: end(); break;
    }
}

void make_model(void)
{
    const quern_cbor_writer_options *o = &script.options;
    model.length = model.settled_length = model.depth = model.held = model.carried = 0;
    model.tagged = model.chunks = false;
    model.open = OPEN_NOTHING;
    model.status = o->deterministic && (o->invalid || o->floats) ? QUERN_ERROR_RANGE : QUERN_OK;
    model.error_offset = 0;
    model.levels[0] = (level){.unknown = o->sequence, .left = 1};
    for (size_t i = 0; i < script.count; i++) {
        if (model.status == QUERN_OK)
            model_call(&script.calls[i]);
        script.calls[i].status = model.status;
    }
    const level *root = &model.levels[0];
    if (model.depth || model.open || model.tagged || (!root->unknown && root->left))
        fail(QUERN_ERROR_MISUSE, 0);
    outcome = (cbor_outcome){model.status, model.error_offset, o->deterministic ? model.settled : model.text,
                             o->deterministic ? model.settled_length : model.length};
}
