/* SPDX-License-Identifier: MIT */
/* Tokens as JSON: RFC 8949 section 6.1. */
#include "json/writer.h"

#include "number/number.h"

/* The tags that matter for the bytes behind them. */
enum { TAG_NONE = 0, TAG_NEGATIVE_BIGNUM = 3, TAG_BASE64 = 22, TAG_BASE16 = 23 };

/* ---- bytes ----------------------------------------------------------------------------------------- */

/* One to three bytes as two to four characters of base64; returns how many. */
static size_t put_base64(char *out, const uint8_t *data, size_t length, bool classic)
{
    static const char digits[2][65] = {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
                                       "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"};
    const char *alphabet = digits[classic];
    const uint32_t word =
        (uint32_t)data[0] << 16 | (length > 1 ? (uint32_t)data[1] << 8 : 0) | (length > 2 ? data[2] : 0);
    out[0] = alphabet[word >> 18];
    out[1] = alphabet[word >> 12 & 63];
    out[2] = alphabet[word >> 6 & 63];
    out[3] = alphabet[word & 63];
    for (size_t i = length + 1; classic && i < 4; i++)
        out[i] = '=';
    return classic ? 4 : length + 1;
}

static size_t put_base16(char *out, const uint8_t *data, size_t length)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < length; i++) {
        out[2 * i] = digits[data[i] >> 4];
        out[2 * i + 1] = digits[data[i] & 15];
    }
    return 2 * length;
}

/* At most three bytes, which are the last ones if they are fewer. */
static bool write_group(quern_json_writer *w, const uint8_t *data, size_t length)
{
    char *out = room_for(w, 8);
    if (!out)
        return false;
    w->sink_->cursor +=
        w->tag_ == TAG_BASE16 ? put_base16(out, data, length) : put_base64(out, data, length, w->tag_ == TAG_BASE64);
    return true;
}

static quern_status write_bytes(quern_json_writer *w, const quern_token *token)
{
    const uint8_t *data = (const uint8_t *)token->value.text.data;
    size_t length = token->value.text.length;
    if (token->flags & QUERN_TOKEN_FIRST) {
        const quern_status status = quern_json_begin_text(w, OPEN_BYTES);
        if (w->open_ != OPEN_BYTES)
            return status;
        if (w->tag_ == TAG_NEGATIVE_BIGNUM) {
            if (!room_for(w, 1))
                return status_of(w);
            put_byte(w, '~');
        }
    }
    if (w->error_.status != QUERN_OK)
        return w->error_.status;
    if (w->open_ != OPEN_BYTES)
        return quern_json_fail(w, QUERN_ERROR_MISUSE, 0);
    if (length > PTRDIFF_MAX)
        return quern_json_fail(w, QUERN_ERROR_LIMIT, 0);
    if (w->mark_open_ == MARK_SKIP)
        length = 0; /* it is left out anyway */

    uint8_t group[3];
    memcpy(group, w->hold_, 2);
    while (length + w->held_ >= 3) {
        const size_t part = 3 - (size_t)w->held_;
        memcpy(group + w->held_, data, part);
        w->held_ = 0;
        if (!write_group(w, group, 3))
            return status_of(w);
        data += part;
        length -= part;
    }
    if (length)
        memcpy(group + w->held_, data, length);
    w->held_ = (unsigned char)(w->held_ + length);
    memcpy(w->hold_, group, 2);
    if (!(token->flags & QUERN_TOKEN_LAST))
        return status_of(w);

    if (w->held_ && !write_group(w, group, w->held_))
        return status_of(w);
    w->tag_ = TAG_NONE;
    w->open_ = OPEN_NOTHING;
    return quern_json_close_text(w, AT_VALUE);
}

/* ---- the others ------------------------------------------------------------------------------------ */

static quern_status write_text(quern_json_writer *w, const quern_token *token)
{
    const bool is_key = head_is_open(w->place_.now[AT_KEY]) || token->flags & QUERN_TOKEN_KEY;
    const quern_string text = token->value.text;
    if ((token->flags & QUERN_TOKEN_WHOLE) == QUERN_TOKEN_WHOLE)
        return w->string_(w, text.data, text.length, is_key ? AT_KEY : AT_VALUE);
    if (token->flags & QUERN_TOKEN_FIRST) {
        const quern_status status = quern_json_begin_text(w, is_key ? OPEN_KEY : OPEN_VALUE);
        if (w->open_ == OPEN_NOTHING)
            return status;
    }
    const quern_status status = quern_json_write_part(w, text.data, text.length);
    return token->flags & QUERN_TOKEN_LAST && w->open_ != OPEN_NOTHING ? quern_json_end_string(w) : status;
}

/* -1 - n */
static quern_status write_negative(quern_json_writer *w, uint64_t n)
{
    if (n <= INT64_MAX)
        return quern_json_write_int(w, -1 - (int64_t)n);
    if (w->canonical_) {
        /* -2^64 is a double, and so is what is exactly the negative of one. */
        return n == UINT64_MAX ? quern_json_write_double(w, -18446744073709551616.0)
                               : quern_json_write_exact(w, true, n + 1);
    }
    if (n == UINT64_MAX)
        return quern_json_write_number(w, "-18446744073709551616", 21);
    char *out = value_start(w, 1 + QUERN_NUMBER_ROOM);
    if (!out)
        return status_of(w);
    *out++ = '-';
    return value_end(w, out + quern_number_from_uint64(out, n + 1));
}

quern_status quern_json_write_token(quern_json_writer *w, const quern_token *token)
{
    if (w->error_.status != QUERN_OK)
        return w->error_.status;
    const unsigned kind = token->kind;
    if (kind == QUERN_TOKEN_TAG) {
        const uint64_t tag = token->value.number;
        w->tag_ = tag == TAG_NEGATIVE_BIGNUM || tag == TAG_BASE64 || tag == TAG_BASE16 ? (unsigned char)tag : TAG_NONE;
        return w->open_ ? quern_json_fail(w, QUERN_ERROR_MISUSE, 0) : status_of(w);
    }
    if (kind == QUERN_TOKEN_BYTES && !head_is_open(w->place_.now[AT_KEY]))
        return write_bytes(w, token);
    w->tag_ = TAG_NONE;
    if (kind == QUERN_TOKEN_STRING)
        return write_text(w, token);
    if (kind == QUERN_TOKEN_END)
        return quern_json_end(w);
    if (head_is_open(w->place_.now[AT_KEY]))
        return quern_json_fail(w, QUERN_ERROR_TYPE, 0);
    switch (kind) {
    case QUERN_TOKEN_NULL:
    case QUERN_TOKEN_SIMPLE:
    case QUERN_TOKEN_UNDEFINED: return quern_json_write_null(w);
    case QUERN_TOKEN_BOOL: return quern_json_write_bool(w, token->value.truth);
    case QUERN_TOKEN_UNSIGNED: return quern_json_write_uint(w, token->value.number);
    case QUERN_TOKEN_NEGATIVE: return write_negative(w, token->value.number);
    case QUERN_TOKEN_DOUBLE:
        return token->width && token->width <= 32 ? quern_json_write_float(w, (float)token->value.real)
                                                  : quern_json_write_double(w, token->value.real);
    case QUERN_TOKEN_NUMBER: return quern_json_write_number(w, token->value.text.data, token->value.text.length);
    case QUERN_TOKEN_ARRAY: return quern_json_begin_array(w);
    case QUERN_TOKEN_MAP: return quern_json_begin_map(w);
    default: return quern_json_fail(w, QUERN_ERROR_MISUSE, 0);
    }
}
