/* SPDX-License-Identifier: MIT */
/* Tokens as CBOR. */
#include "cbor/writer.h"

/* A number as text: an integer within 64 bits, or -0, which only a double keeps. */
static quern_status write_number(quern_cbor_writer *w, const char *text, size_t length)
{
    const bool negative = length > 0 && text[0] == '-';
    uint64_t value = 0;
    size_t i = negative;
    if (i == length || (text[i] == '0' && length > i + 1))
        return quern_cbor_fail(w, QUERN_ERROR_NUMBER, 0);
    for (; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return quern_cbor_fail(w, QUERN_ERROR_NUMBER, 0);
        const unsigned digit = (unsigned)(text[i] - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return quern_cbor_fail(w, QUERN_ERROR_NUMBER, 0);
        value = value * 10 + digit;
    }
    if (!negative)
        return quern_cbor_write_uint(w, value);
    return value ? quern_cbor_write_negative(w, value - 1) : quern_cbor_write_double(w, -0.0);
}

static quern_status write_double(quern_cbor_writer *w, const quern_token *token)
{
    uint64_t bits, narrow;
    memcpy(&bits, &token->value.real, sizeof bits);
    if (w->given_ && token->width == 16 && quern_cbor_narrow(bits, 16, &narrow))
        return quern_cbor_write_half(w, (uint16_t)narrow);
    if (w->given_ && token->width && token->width <= 32 && quern_cbor_narrow(bits, 32, &narrow)) {
        const uint32_t single_bits = (uint32_t)narrow;
        float single;
        memcpy(&single, &single_bits, sizeof single);
        return quern_cbor_write_float(w, single);
    }
    return quern_cbor_write_real(w, bits);
}

static quern_status write_string(quern_cbor_writer *w, const quern_token *token)
{
    const quern_string text = token->value.text;
    const bool is_text = token->kind == QUERN_TOKEN_STRING;
    if ((token->flags & QUERN_TOKEN_WHOLE) == QUERN_TOKEN_WHOLE)
        return is_text ? quern_cbor_write_string(w, text.data, text.length)
                       : quern_cbor_write_bytes(w, text.data, text.length);
    if (token->flags & QUERN_TOKEN_FIRST) {
        if (is_text)
            quern_cbor_begin_string(w, QUERN_UNKNOWN);
        else
            quern_cbor_begin_bytes(w, QUERN_UNKNOWN);
    } else if (w->open_ != (is_text ? OPEN_TEXT : OPEN_BYTES)) {
        return quern_cbor_fail(w, QUERN_ERROR_MISUSE, 0);
    }
    const quern_status status = quern_cbor_write_part(w, text.data, text.length);
    return token->flags & QUERN_TOKEN_LAST ? quern_cbor_end_string(w) : status;
}

quern_status quern_cbor_write_token(quern_cbor_writer *w, const quern_token *token)
{
    if (w->error_.status != QUERN_OK)
        return w->error_.status;
    const uint64_t number = token->value.number;
    switch (token->kind) {
    case QUERN_TOKEN_NULL: return quern_cbor_write_null(w);
    case QUERN_TOKEN_BOOL: return quern_cbor_write_bool(w, token->value.truth);
    case QUERN_TOKEN_UNSIGNED: return quern_cbor_write_uint(w, number);
    case QUERN_TOKEN_NEGATIVE: return quern_cbor_write_negative(w, number);
    case QUERN_TOKEN_DOUBLE: return write_double(w, token);
    case QUERN_TOKEN_NUMBER: return write_number(w, token->value.text.data, token->value.text.length);
    case QUERN_TOKEN_STRING:
    case QUERN_TOKEN_BYTES: return write_string(w, token);
    case QUERN_TOKEN_ARRAY: return quern_cbor_begin_array(w, number);
    case QUERN_TOKEN_MAP: return quern_cbor_begin_map(w, number);
    case QUERN_TOKEN_END: return quern_cbor_end(w);
    case QUERN_TOKEN_TAG: return quern_cbor_write_tag(w, number);
    case QUERN_TOKEN_SIMPLE: return quern_cbor_write_simple(w, number > 255 ? 256 : (unsigned)number);
    case QUERN_TOKEN_UNDEFINED: return quern_cbor_write_undefined(w);
    default: return quern_cbor_fail(w, QUERN_ERROR_MISUSE, 0);
    }
}
