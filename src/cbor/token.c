/* SPDX-License-Identifier: MIT */
/* Tokens as CBOR. */
#include "cbor/writer.h"

enum { MOST_DIGITS = 4096, MOST_LIMBS = MOST_DIGITS * 10 / 3 / 32 + 1 }; /* a digit has less than 10/3 bits */

/* Puts a limb's bytes there, the highest first. */
static void put_limb(uint32_t *to, uint32_t limb)
{
    const unsigned char bytes[4] = {(unsigned char)(limb >> 24), (unsigned char)(limb >> 16),
                                    (unsigned char)(limb >> 8), (unsigned char)limb};
    memcpy(to, bytes, sizeof bytes);
}

/* An integer beyond 64 bits, by schoolbook multiplication, nine digits at a time. */
static quern_status write_large(quern_cbor_writer *w, const char *digits, size_t length, bool negative)
{
    uint32_t limbs[MOST_LIMBS]; /* the lowest first */
    size_t count = 0;
    while (length > 0) {
        const size_t step = length % 9 ? length % 9 : 9;
        uint64_t scale = 1, carry = 0;
        for (size_t i = 0; i < step; i++) {
            scale *= 10;
            carry = carry * 10 + (unsigned)(digits[i] - '0');
        }
        for (size_t i = 0; i < count; i++) {
            carry += limbs[i] * scale;
            limbs[i] = (uint32_t)carry;
            carry >>= 32;
        }
        if (carry)
            limbs[count++] = (uint32_t)carry;
        digits += step;
        length -= step;
    }
    for (size_t i = 0; negative && i < count && limbs[i]-- == 0; i++) /* -1 - n; it is not 0 */
        ;
    for (size_t low = 0, high = count; low < high--; low++) {
        const uint32_t limb = limbs[low];
        put_limb(&limbs[low], limbs[high]);
        put_limb(&limbs[high], limb);
    }
    return quern_cbor_write_bignum(w, negative, limbs, count * 4);
}

/* A number as text: an integer, or -0, which only a double keeps. */
static quern_status write_number(quern_cbor_writer *w, const char *text, size_t length)
{
    const bool negative = length > 0 && text[0] == '-';
    const char *digits = text + negative;
    length -= negative;
    uint64_t value = 0;
    bool large = false;
    if (length == 0 || (digits[0] == '0' && length > 1))
        return quern_cbor_fail(w, QUERN_ERROR_NUMBER, 0);
    for (size_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return quern_cbor_fail(w, QUERN_ERROR_NUMBER, 0);
        const unsigned digit = (unsigned)(digits[i] - '0');
        large |= value > (UINT64_MAX - digit) / 10;
        value = value * 10 + digit;
    }
    if (large)
        return length > MOST_DIGITS ? quern_cbor_fail(w, QUERN_ERROR_LIMIT, 0)
                                    : write_large(w, digits, length, negative);
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
