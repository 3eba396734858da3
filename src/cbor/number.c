/* SPDX-License-Identifier: MIT */
/* The CBOR writer's numbers and simple values, one by one and many at once. */
#include "cbor/writer.h"

enum { FALSE = 20, TRUE = 21, NULL_VALUE = 22, UNDEFINED = 23 };

quern_status quern_cbor_write_null(quern_cbor_writer *w)
{
    return write_head(w, MAJOR_SIMPLE, NULL_VALUE);
}

quern_status quern_cbor_write_undefined(quern_cbor_writer *w)
{
    return write_head(w, MAJOR_SIMPLE, UNDEFINED);
}

quern_status quern_cbor_write_bool(quern_cbor_writer *w, bool value)
{
    return write_head(w, MAJOR_SIMPLE, value ? TRUE : FALSE);
}

quern_status quern_cbor_write_simple(quern_cbor_writer *w, unsigned value)
{
    if (value > 255 || (value > 23 && value < 32))
        return quern_cbor_fail(w, QUERN_ERROR_RANGE, 0);
    return write_head(w, MAJOR_SIMPLE, value);
}

/* ---- integers -------------------------------------------------------------------------------------- */

/* A negative number's n is its complement; the sign, spread over all bits, says which. */
static inline uint64_t sign_of(int64_t value)
{
    return 0 - ((uint64_t)value >> 63);
}

quern_status quern_cbor_write_uint(quern_cbor_writer *w, uint64_t value)
{
    return write_head(w, MAJOR_UNSIGNED, value);
}

quern_status quern_cbor_write_negative(quern_cbor_writer *w, uint64_t n)
{
    return write_head(w, MAJOR_NEGATIVE, n);
}

quern_status quern_cbor_write_int(quern_cbor_writer *w, int64_t value)
{
    const uint64_t sign = sign_of(value);
    return write_head(w, (unsigned)(sign & 1), (uint64_t)value ^ sign);
}

quern_status quern_cbor_write_bignum(quern_cbor_writer *w, bool negative, const void *magnitude, size_t length)
{
    const unsigned char *p = magnitude;
    if (length > PTRDIFF_MAX)
        return quern_cbor_fail(w, QUERN_ERROR_LIMIT, 0);
    for (; length > 0 && *p == 0; length--)
        p++;
    if (length > 8) {
        quern_cbor_write_tag(w, negative ? 3 : 2);
        return quern_cbor_write_run(w, MAJOR_BYTES, p, length);
    }
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++)
        value = value << 8 | p[i];
    return write_head(w, negative ? MAJOR_NEGATIVE : MAJOR_UNSIGNED, value);
}

/* ---- floating point -------------------------------------------------------------------------------- */

/* The layout of an IEEE 754 binary format: bits of its fraction and of its exponent. */
typedef struct format {
    unsigned fraction, exponent;
} format;

static const format half_format = {10, 5}, float_format = {23, 8}, double_format = {52, 11};

static inline uint64_t low_bits(unsigned n)
{
    return ((uint64_t)1 << n) - 1;
}

/*
 * The same number in a narrower format, if it has it, by integers alone: no rounding mode and no flushing of subnormal
 * numbers has a say. NaN stays what it is if the bits that are cut off are zeros.
 */
static inline bool narrow(uint64_t bits, format from, format to, uint64_t *result)
{
    const unsigned most_from = (1u << from.exponent) - 1, most_to = (1u << to.exponent) - 1;
    const unsigned cut = from.fraction - to.fraction;
    const uint64_t sign = bits >> (from.fraction + from.exponent) << (to.fraction + to.exponent);
    const uint64_t fraction = bits & low_bits(from.fraction);
    const unsigned exponent = (unsigned)(bits >> from.fraction) & most_from;
    const int moved = exponent == most_from ? (int)most_to : (int)exponent - (int)(most_from / 2) + (int)(most_to / 2);
    if (exponent == 0) { /* zero, or a subnormal number, which is far too small */
        *result = sign;
        return fraction == 0;
    }
    if (moved >= (int)most_to && exponent != most_from)
        return false;
    if (moved > 0) {
        *result = sign | (uint64_t)moved << to.fraction | fraction >> cut;
        return (fraction & low_bits(cut)) == 0;
    }
    /* Subnormal there. */
    const unsigned shift = cut + 1 + (unsigned)-moved;
    const uint64_t whole = fraction | (uint64_t)1 << from.fraction;
    if (shift > from.fraction || whole & low_bits(shift))
        return false;
    *result = sign | whole >> shift;
    return true;
}

bool quern_cbor_narrow(uint64_t bits, unsigned width, uint64_t *result)
{
    return narrow(bits, double_format, width == 16 ? half_format : float_format, result);
}

static inline uint8_t *put_half(uint8_t *out, uint64_t bits)
{
    out[0] = BYTE_HALF;
    out[1] = (uint8_t)(bits >> 8);
    out[2] = (uint8_t)bits;
    return out + 3;
}

static inline uint8_t *put_float_bits(uint8_t *out, uint64_t bits)
{
    out[0] = BYTE_FLOAT;
    store64(out + 1, bits_swap_bytes(bits << 32));
    return out + 5;
}

static inline bool is_nan(uint64_t bits, format of)
{
    return (bits & low_bits(of.fraction + of.exponent)) > low_bits(of.exponent) << of.fraction;
}

enum { NAN_HALF = 0x7E00 };

static QUERN_NOINLINE uint8_t *put_short_float(uint8_t *out, uint64_t bits, bool keep_nan)
{
    uint64_t half;
    if (!keep_nan && is_nan(bits, float_format))
        return put_half(out, NAN_HALF);
    return narrow(bits, float_format, half_format, &half) ? put_half(out, half) : put_float_bits(out, bits);
}

static QUERN_NOINLINE uint8_t *put_short_double(uint8_t *out, uint64_t bits, bool keep_nan)
{
    uint64_t single;
    if (!keep_nan && is_nan(bits, double_format))
        return put_half(out, NAN_HALF);
    if (!narrow(bits, double_format, float_format, &single))
        return cbor_put_double(out, bits);
    /* (A subnormal float is no half, and what is a half is no subnormal float.) */
    return put_short_float(out, single, true);
}

/* Most doubles have more digits than a float: one test finds them. */
static inline bool stays_double(const quern_cbor_writer *w, uint64_t bits)
{
    return w->given_ || !(cbor_narrows(bits) >> 63);
}

static inline uint8_t *put_double(const quern_cbor_writer *w, uint8_t *out, uint64_t bits)
{
    return stays_double(w, bits) ? cbor_put_double(out, bits) : put_short_double(out, bits, w->keep_nan_);
}

static inline uint8_t *put_float(const quern_cbor_writer *w, uint8_t *out, uint32_t bits)
{
    if (w->given_ || (bits & low_bits(13) && !is_nan(bits, float_format)))
        return put_float_bits(out, bits);
    return put_short_float(out, bits, w->keep_nan_);
}

static QUERN_NOINLINE quern_status write_real(quern_cbor_writer *w, uint64_t bits)
{
    uint8_t *out = item_start(w, HEAD_ROOM);
    return QUERN_LIKELY(out != NULL) ? item_end(w, put_double(w, out, bits)) : status_of(w);
}

quern_status quern_cbor_write_real(quern_cbor_writer *w, uint64_t bits)
{
    if (QUERN_LIKELY(stays_double(w, bits) && item_may_start(w, HEAD_ROOM)))
        return item_end(w, cbor_put_double(w->sink_->cursor, bits));
    return write_real(w, bits);
}

quern_status quern_cbor_write_double(quern_cbor_writer *w, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return quern_cbor_write_real(w, bits);
}

quern_status quern_cbor_write_float(quern_cbor_writer *w, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint8_t *out = item_start(w, HEAD_ROOM);
    return QUERN_LIKELY(out != NULL) ? item_end(w, put_float(w, out, bits)) : status_of(w);
}

quern_status quern_cbor_write_half(quern_cbor_writer *w, uint16_t bits)
{
    if (!w->given_ && !w->keep_nan_ && is_nan(bits, half_format))
        bits = NAN_HALF;
    uint8_t *out = item_start(w, HEAD_ROOM);
    return QUERN_LIKELY(out != NULL) ? item_end(w, put_half(out, bits)) : status_of(w);
}

/* ---- many at once ---------------------------------------------------------------------------------- */

/* So many are looked at before they are written: mostly they are of one kind, and then none depends on another. */
enum { BLOCK = 8, BLOCK_ROOM = BLOCK * HEAD_ROOM };

/* Heads of one size, above 1. `sign` has the bits of a first byte that say negative, for each. */
QUERN_INLINE uint8_t *put_alike(uint8_t *out, const uint64_t *values, const uint64_t *signs, unsigned code,
                                unsigned size)
{
    for (size_t i = 0; i < BLOCK; i++, out += size) {
        const uint64_t first = code | (signs[i] & 1 << 5);
        const uint64_t swapped = bits_swap_bytes(values[i]) >> (8 * HEAD_ROOM - 8 * size);
        if (size == HEAD_ROOM) {
            out[0] = (uint8_t)first;
            store64(out + 1, swapped);
        } else {
            store64(out, first | swapped << 8);
        }
    }
    return out;
}

/* Whether all are from `least` to `most`. */
QUERN_INLINE bool all_within(const uint64_t *values, uint64_t least, uint64_t most)
{
    uint64_t others = 0;
    for (size_t i = 0; i < BLOCK; i++)
        others |= (uint64_t)(values[i] - least > most - least);
    return others == 0;
}

/* `signs` is all ones for a negative number, whose n `values` has. */
QUERN_INLINE uint8_t *put_block(uint8_t *out, const uint64_t *values, const uint64_t *signs)
{
    const uint64_t first = values[0];
    if (first <= 23) {
        if (all_within(values, 0, 23)) {
            uint64_t word = 0;
            for (size_t i = 0; i < BLOCK; i++)
                word |= (values[i] | (signs[i] & 1 << 5)) << 8 * i;
            store64(out, word);
            return out + BLOCK;
        }
    } else if (first <= 0xFF) {
        if (all_within(values, 24, 0xFF))
            return put_alike(out, values, signs, 24, 2);
    } else if (first <= 0xFFFF) {
        if (all_within(values, 0x100, 0xFFFF))
            return put_alike(out, values, signs, 25, 3);
    } else if (first <= 0xFFFFFFFF) {
        if (all_within(values, 0x10000, 0xFFFFFFFF))
            return put_alike(out, values, signs, 26, 5);
    } else if (all_within(values, UINT64_C(0x100000000), UINT64_MAX)) {
        return put_alike(out, values, signs, 27, HEAD_ROOM);
    }
    for (size_t i = 0; i < BLOCK; i++)
        out = put_head(out, (unsigned)(signs[i] & 1), values[i]);
    return out;
}

static inline uint8_t *put_uints(const quern_cbor_writer *w, uint8_t *out, const uint64_t *values)
{
    static const uint64_t signs[BLOCK] = {0};
    (void)w;
    return put_block(out, values, signs);
}

static inline uint8_t *put_ints(const quern_cbor_writer *w, uint8_t *out, const int64_t *values)
{
    uint64_t magnitudes[BLOCK], signs[BLOCK];
    (void)w;
    for (size_t i = 0; i < BLOCK; i++) {
        signs[i] = sign_of(values[i]);
        magnitudes[i] = (uint64_t)values[i] ^ signs[i];
    }
    return put_block(out, magnitudes, signs);
}

static inline uint64_t bits_of(const double *value)
{
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    return bits;
}

static inline uint8_t *put_floats(const quern_cbor_writer *w, uint8_t *out, const float *values)
{
    for (size_t i = 0; i < BLOCK; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        out = put_float(w, out, bits);
    }
    return out;
}

/*
 * As many as there is room and place for, without the detour through the writer's state. The first one of a window,
 * and whatever the loop leaves out, are calls like any others.
 */
#define WRITE_MANY(name, one, type, put)                                                                     \
    quern_status name(quern_cbor_writer *w, const type *values, size_t count)                                \
    {                                                                                                        \
        if (count > PTRDIFF_MAX / sizeof *values)                                                            \
            return quern_cbor_fail(w, QUERN_ERROR_LIMIT, 0);                                                 \
        for (; count > 0; count--) {                                                                         \
            one(w, *values++);                                                                               \
            quern_sink *sink = w->sink_;                                                                     \
            uint8_t *out = sink->cursor;                                                                     \
            const uint8_t *limit = sink->limit;                                                              \
            uint64_t fast = w->fast_;                                                                        \
            for (; count > BLOCK && fast >= BLOCK && (size_t)(limit - out) >= BLOCK_ROOM; values += BLOCK) { \
                out = put(w, out, values);                                                                   \
                fast -= BLOCK;                                                                               \
                count -= BLOCK;                                                                              \
            }                                                                                                \
            w->fast_ = fast;                                                                                 \
            sink->cursor = out;                                                                              \
        }                                                                                                    \
        return status_of(w);                                                                                 \
    }

WRITE_MANY(quern_cbor_write_u64s, quern_cbor_write_uint, uint64_t, put_uints)
WRITE_MANY(quern_cbor_write_i64s, quern_cbor_write_int, int64_t, put_ints)
WRITE_MANY(quern_cbor_write_floats, quern_cbor_write_float, float, put_floats)

/* Likewise; the variant's kernel writes those that stay doubles. */
quern_status quern_cbor_write_doubles(quern_cbor_writer *w, const double *values, size_t count)
{
    if (count > PTRDIFF_MAX / sizeof *values)
        return quern_cbor_fail(w, QUERN_ERROR_LIMIT, 0);
    for (; count > 0; count--) {
        quern_cbor_write_double(w, *values++);
        quern_sink *sink = w->sink_;
        uint8_t *out = sink->cursor;
        for (;;) {
            size_t most = (size_t)(sink->limit - out) / CBOR_DOUBLE_SIZE;
            most = most < count - 1 ? most : count - 1;
            most = most < w->fast_ ? most : (size_t)w->fast_;
            if (most < BLOCK)
                break;
            const size_t n = w->row_->cbor_doubles(out, values, most, w->given_);
            const size_t others = most - n < BLOCK ? 0 : BLOCK;
            out += n * CBOR_DOUBLE_SIZE;
            values += n;
            for (size_t i = 0; i < others; i++)
                out = put_double(w, out, bits_of(values++));
            w->fast_ -= n + others;
            count -= n + others;
            if (others == 0)
                break;
        }
        sink->cursor = out;
    }
    return status_of(w);
}

/* ---- typed arrays ---------------------------------------------------------------------------------- */

/* A byte string's content, its elements reversed. */
static void write_reversed(quern_cbor_writer *w, const unsigned char *from, size_t length, size_t width)
{
    quern_sink *sink = w->sink_;
    while (length > 0) {
        /* Ask for all of it, so that a memory sink grows once; then make do with what every sink has. */
        if ((size_t)(sink->limit - sink->cursor) < (length < 64 ? length : 64) &&
            quern_sink_reserve(sink, length) != QUERN_OK && quern_sink_reserve(sink, 64) != QUERN_OK)
            return;
        const size_t room = (size_t)(sink->limit - sink->cursor);
        const size_t part = room < length ? room / width * width : length;
        if (width == 2)
            w->row_->kernels.swap_copy16(sink->cursor, from, part / 2);
        else if (width == 4)
            w->row_->kernels.swap_copy32(sink->cursor, from, part / 4);
        else
            w->row_->kernels.swap_copy64(sink->cursor, from, part / 8);
        sink->cursor += part;
        from += part;
        length -= part;
    }
}

quern_status quern_cbor_write_typed_array(quern_cbor_writer *w, quern_cbor_element element, quern_cbor_order order,
                                          const void *elements, size_t count)
{
    /* RFC 8746, table 4: the tag of big-endian elements; 4 more is little-endian. */
    static const struct {
        unsigned char tag, width;
    } kinds[] = {
        [QUERN_CBOR_UINT8] = {64, 1},   [QUERN_CBOR_UINT8_CLAMPED] = {68, 1}, [QUERN_CBOR_UINT16] = {65, 2},
        [QUERN_CBOR_UINT32] = {66, 4},  [QUERN_CBOR_UINT64] = {67, 8},        [QUERN_CBOR_INT8] = {72, 1},
        [QUERN_CBOR_INT16] = {73, 2},   [QUERN_CBOR_INT32] = {74, 4},         [QUERN_CBOR_INT64] = {75, 8},
        [QUERN_CBOR_FLOAT16] = {80, 2}, [QUERN_CBOR_FLOAT32] = {81, 4},       [QUERN_CBOR_FLOAT64] = {82, 8},
    };
    if ((unsigned)element >= sizeof kinds / sizeof kinds[0] || (unsigned)order > QUERN_CBOR_LITTLE_ENDIAN)
        return quern_cbor_fail(w, QUERN_ERROR_RANGE, 0);
    const size_t width = kinds[element].width;
    if (count > PTRDIFF_MAX / width)
        return quern_cbor_fail(w, QUERN_ERROR_LIMIT, 0);
    const bool little = order == QUERN_CBOR_NATIVE_ORDER ? !QUERN_BIG_ENDIAN : order == QUERN_CBOR_LITTLE_ENDIAN;
    quern_cbor_write_tag(w, kinds[element].tag + (width > 1 && little ? 4u : 0u));
    if (width == 1 || little != QUERN_BIG_ENDIAN)
        return quern_cbor_write_run(w, MAJOR_BYTES, elements, count * width);
    uint8_t *out = item_start(w, HEAD_ROOM);
    if (!out)
        return status_of(w);
    item_end(w, put_head(out, MAJOR_BYTES, count * width));
    write_reversed(w, elements, count * width, width);
    return status_of(w);
}
