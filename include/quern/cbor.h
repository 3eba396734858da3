/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The CBOR writer (RFC 8949): items one by one, to any sink. Its names are those of json.h.
 *
 * Every call returns the writer's status, and may be ignored until quern_cbor_writer_finish: the first failure
 * latches, and nothing is written after it. A wrong sequence of calls (more or fewer items than a container's count
 * says, a key without a value, a second root, an `end` without a `begin`, a tag without an item) is
 * QUERN_ERROR_MISUSE, never bad output.
 *
 * Heads are the shortest that there are (preferred serialization, RFC 8949 section 4.1).
 *
 * The size ahead: the same calls on a fixed sink of (NULL, 0), which only counts, and then quern_fixed_sink_needed. The
 * calls, and finish too, then return QUERN_ERROR_ROOM as soon as there is a byte to write, and the writer goes on; of
 * duplicate keys nothing is noticed there.
 */
#ifndef QUERN_CBOR_H
#define QUERN_CBOR_H

#include <quern/sink.h>
#include <quern/token.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What happens to text that is not well-formed UTF-8. */
typedef enum quern_cbor_invalid {
    /** QUERN_ERROR_UTF8, before anything of the string (or of the part) is written; quern_cbor_writer_error tells the
       place. */
    QUERN_CBOR_INVALID_STOP = 0,
    /** It is not looked for: the caller vouches for the text, else the output is well-formed but not valid. */
    QUERN_CBOR_INVALID_KEEP = 1,
    /** U+FFFD for each maximal subpart (see quern_ill_formed). In a string in parts of known length it is STOP. */
    QUERN_CBOR_INVALID_REPLACE = 2,
    QUERN_CBOR_INVALID_DROP = 3 /**< it is left out; in a string in parts of known length it is STOP */
} quern_cbor_invalid;

/** How wide a floating-point number is written. */
typedef enum quern_cbor_floats {
    /** In 16, 32 or 64 bits, the fewest that hold the same value. A NaN is `f9 7e 00`; see `nan`. */
    QUERN_CBOR_FLOATS_SHORTEST = 0,
    QUERN_CBOR_FLOATS_GIVEN = 1 /**< as wide as the call's type, bit for bit, NaN included */
} quern_cbor_floats;

/** What becomes of NaN when floats are shortest. */
typedef enum quern_cbor_nan {
    QUERN_CBOR_NAN_ONE = 0, /**< each is `f9 7e 00`: sign and payload are dropped */
    QUERN_CBOR_NAN_KEEP = 1 /**< sign and payload stay, in the fewest bits whose low ones cut off are all zeros */
} quern_cbor_nan;

/** All members may be 0. A value that is not allowed makes every call return QUERN_ERROR_RANGE. */
typedef struct quern_cbor_writer_options {
    size_t size; /**< sizeof(quern_cbor_writer_options) */
    quern_cbor_invalid invalid;
    quern_cbor_floats floats;
    quern_cbor_nan nan;
    bool sequence; /**< any number of roots, one behind the other: a CBOR sequence (RFC 8742) */
    /**
     * Deterministic encoding, RFC 8949 section 4.2.1: keys in the order of their encoded bytes, definite lengths alone.
     * Excludes `floats` and `invalid` but 0. Arrays and maps of QUERN_UNKNOWN count get their count when they end.
     * Strings of QUERN_UNKNOWN length and raw items are QUERN_ERROR_MISUSE.
     *
     * A key that a map has twice is QUERN_ERROR_DUPLICATE (which is not looked for otherwise), told when the map ends.
     * The outermost map, or array of unknown count, is held by a mark of the sink until it ends (see
     * quern_sink_set_hold for how much that may be), and is dropped by a failure. A map whose keys did not come in
     * order is copied twice when it ends, and what had no count and gets one of 24 or more is moved once, so that the
     * time is that of the bytes times the depth of such containers. Memory comes from `allocator`, until it ends: 24
     * bytes for each pair of the maps that are open and for each container that is open in there, doubled as it grows,
     * and the size of the largest map that is put in order.
     */
    bool deterministic;
    size_t max_depth; /**< containers open at once; one more is QUERN_ERROR_DEPTH. 0 means 1024 */
    /** For deterministic encoding, and for levels beyond 32, if `stack` is NULL. NULL: malloc, realloc, free. */
    const quern_allocator *allocator;
    void *stack;       /**< instead, `stack_size` bytes, which must outlive the writer: */
    size_t stack_size; /**< 8 bytes a level. Too few for `max_depth`: QUERN_ERROR_DEPTH where they end */
} quern_cbor_writer_options;

/**
 * A writer; the caller places it, the members are private. It must not be moved.
 *
 * With `deterministic`, or when it is more than 32 levels deep without a `stack`, it owns memory, and with marks the
 * sink holds some: quern_cbor_writer_finish frees both, also after a failure. Otherwise there is nothing to free.
 */
typedef struct quern_cbor_writer {
    quern_sink *sink_;
    uint64_t fast_; /* the items that may come here without a look at the other members, */
    uint64_t more_; /* and those that may come besides */
    const struct quern_row *row_;
    size_t depth_;
    size_t max_depth_;
    uint64_t levels_[32]; /* of each open container what was left around it, and its kind */
    unsigned char *deep_; /* those beyond */
    size_t deep_size_;
    quern_error error_;
    uint64_t tagged_;       /* behind a tag: what was left then, and 1 more; else 0 */
    uint64_t part_;         /* bytes of the open string that are still to come, or QUERN_UNKNOWN */
    uint64_t offset_;       /* bytes of it in earlier parts */
    unsigned char hold_[4]; /* what the end of a part cuts */
    unsigned char held_;
    unsigned char kind_; /* of the innermost container */
    unsigned char open_; /* what is open in parts */
    unsigned char checks_;
    unsigned char invalid_;
    unsigned char given_;
    unsigned char keep_nan_;
    unsigned char sequence_;
    unsigned char deterministic_;
    unsigned char finished_;
    unsigned char owns_deep_;
    unsigned char mark_open_;
    quern_mark mark_;
    quern_allocator allocator_;
    struct quern_cbor_sorter *sorter_;
    void *reserved_[8];
} quern_cbor_writer;

/** Starts an item in `sink`, which must outlive the writer. `options` may be NULL, and is not needed after the call. */
QUERN_API void quern_cbor_writer_init(quern_cbor_writer *writer, quern_sink *sink,
                                      const quern_cbor_writer_options *options);

QUERN_API quern_status quern_cbor_write_null(quern_cbor_writer *writer);
QUERN_API quern_status quern_cbor_write_undefined(quern_cbor_writer *writer);
QUERN_API quern_status quern_cbor_write_bool(quern_cbor_writer *writer, bool value);
QUERN_API quern_status quern_cbor_write_int(quern_cbor_writer *writer, int64_t value);
QUERN_API quern_status quern_cbor_write_uint(quern_cbor_writer *writer, uint64_t value);

/** Writes -1 - n, down to -2^64. */
QUERN_API quern_status quern_cbor_write_negative(quern_cbor_writer *writer, uint64_t n);

/**
 * Writes a simple value (RFC 8949 section 3.3). 20 to 23 are false, true, null and undefined.
 * @return QUERN_ERROR_RANGE for 24 to 31, which there are not, and above 255.
 */
QUERN_API quern_status quern_cbor_write_simple(quern_cbor_writer *writer, unsigned value);

/** Numbers in floating point, as wide as `floats` says. */
QUERN_API quern_status quern_cbor_write_double(quern_cbor_writer *writer, double value);
QUERN_API quern_status quern_cbor_write_float(quern_cbor_writer *writer, float value);
/** A half (IEEE 754 binary16), given by its bits. */
QUERN_API quern_status quern_cbor_write_half(quern_cbor_writer *writer, uint16_t bits);

/**
 * As `count` calls with the values in turn, and faster. In an array they are its elements, for example all of them.
 * @return as those calls; QUERN_ERROR_LIMIT, before any is written, if no object is so large.
 */
QUERN_API quern_status quern_cbor_write_i64s(quern_cbor_writer *writer, const int64_t *values, size_t count);
QUERN_API quern_status quern_cbor_write_u64s(quern_cbor_writer *writer, const uint64_t *values, size_t count);
QUERN_API quern_status quern_cbor_write_doubles(quern_cbor_writer *writer, const double *values, size_t count);
QUERN_API quern_status quern_cbor_write_floats(quern_cbor_writer *writer, const float *values, size_t count);

/**
 * Writes an integer of any size (RFC 8949 section 3.4.3): `magnitude`, `length` bytes with the highest first, or
 * -1 - magnitude if `negative`. Leading zeros are left out; what fits in 64 bits is a plain integer.
 */
QUERN_API quern_status quern_cbor_write_bignum(quern_cbor_writer *writer, bool negative, const void *magnitude,
                                               size_t length);

/** Writes a tag (section 3.4) of the item that follows, which may have further tags. */
QUERN_API quern_status quern_cbor_write_tag(quern_cbor_writer *writer, uint64_t tag);

/** Writes a byte string. Read during the call only. */
QUERN_API quern_status quern_cbor_write_bytes(quern_cbor_writer *writer, const void *data, size_t length);
/** The same for bytes that stay as quern_sink_write_ref says, so that a sink may refer to them. */
QUERN_API quern_status quern_cbor_write_bytes_ref(quern_cbor_writer *writer, const void *data, size_t length);

/** Writes `[data, data + length)`, UTF-8, as a text string. Read during the call only. */
QUERN_API quern_status quern_cbor_write_string(quern_cbor_writer *writer, const char *data, size_t length);
/** The same for text that stays so, which is checked as any other; text that is repaired is copied. */
QUERN_API quern_status quern_cbor_write_string_ref(quern_cbor_writer *writer, const char *data, size_t length);

/** A key is an item like any other; this is quern_cbor_write_string. */
QUERN_API quern_status quern_cbor_write_key(quern_cbor_writer *writer, const char *data, size_t length);

/**
 * A string in parts: begin, any number of parts, end. `length` is that of all parts together, which is checked, or
 * QUERN_UNKNOWN: then each part is a chunk of its own (section 3.2.3), empty ones too. The parts of text may be cut
 * anywhere, also inside a character: what a chunk's end cuts goes to the next one.
 */
QUERN_API quern_status quern_cbor_begin_bytes(quern_cbor_writer *writer, uint64_t length);
QUERN_API quern_status quern_cbor_begin_string(quern_cbor_writer *writer, uint64_t length);
QUERN_API quern_status quern_cbor_write_part(quern_cbor_writer *writer, const void *data, size_t length);
QUERN_API quern_status quern_cbor_end_string(quern_cbor_writer *writer);

/**
 * Opens an array of `count` elements or QUERN_UNKNOWN; what follows are its elements, up to the quern_cbor_end that
 * closes it.
 * @return QUERN_ERROR_LIMIT for 2^60 elements or more.
 */
QUERN_API quern_status quern_cbor_begin_array(quern_cbor_writer *writer, uint64_t count);

/** Opens a map of `count` pairs or QUERN_UNKNOWN; keys, any items, and values follow in turn. Otherwise the same. */
QUERN_API quern_status quern_cbor_begin_map(quern_cbor_writer *writer, uint64_t count);

/** Closes the innermost array or map, also one with a count; QUERN_ERROR_MISUSE if fewer items came than that. */
QUERN_API quern_status quern_cbor_end(quern_cbor_writer *writer);

/** Writes encoded CBOR as a byte string with tag 24 (section 3.4.5.1). What it is, is not checked. */
QUERN_API quern_status quern_cbor_write_embedded(quern_cbor_writer *writer, const void *data, size_t length);

/**
 * Inserts bytes as one item. That they are one encoded item is not checked, only that they are not empty
 * (QUERN_ERROR_MISUSE): the caller vouches for it.
 */
QUERN_API quern_status quern_cbor_write_raw(quern_cbor_writer *writer, const void *data, size_t length);

/** What a typed array has in it (RFC 8746 section 2). */
typedef enum quern_cbor_element {
    QUERN_CBOR_UINT8,
    QUERN_CBOR_UINT8_CLAMPED,
    QUERN_CBOR_UINT16,
    QUERN_CBOR_UINT32,
    QUERN_CBOR_UINT64,
    QUERN_CBOR_INT8,
    QUERN_CBOR_INT16,
    QUERN_CBOR_INT32,
    QUERN_CBOR_INT64,
    QUERN_CBOR_FLOAT16,
    QUERN_CBOR_FLOAT32,
    QUERN_CBOR_FLOAT64
} quern_cbor_element;

/** The order of the bytes in each element. */
typedef enum quern_cbor_order {
    QUERN_CBOR_NATIVE_ORDER, /**< this machine's, so that nothing has to be turned round */
    QUERN_CBOR_BIG_ENDIAN,
    QUERN_CBOR_LITTLE_ENDIAN
} quern_cbor_order;

/**
 * Writes `count` elements that lie one behind the other at `elements`, in this machine's byte order and of any
 * alignment, as a typed array: a byte string with the tag that RFC 8746 has for `element` and `order`. Bits stay as
 * they are, whatever `floats` and `nan` say.
 * @return QUERN_ERROR_RANGE for an element or an order that there is not; QUERN_ERROR_LIMIT if no object is so large.
 */
QUERN_API quern_status quern_cbor_write_typed_array(quern_cbor_writer *writer, quern_cbor_element element,
                                                    quern_cbor_order order, const void *elements, size_t count);

/**
 * Writes a token. Strings and bytes in pieces are of unknown length, a chunk each. With QUERN_CBOR_FLOATS_GIVEN a
 * double is written in the token's width, if that holds it.
 *
 * A number as text is written if it is an integer: as quern_cbor_write_bignum does it, so that what fits in 64 bits is
 * a plain integer; -0 is the double. QUERN_ERROR_LIMIT for one of more than 4096 digits. QUERN_ERROR_NUMBER for one
 * with a fraction or an exponent, also if its value is an integer (1.0, 1e3), which are not converted so far, and for
 * what is no number. Nothing is written then.
 * @return QUERN_ERROR_MISUSE also for a kind that there is not.
 */
QUERN_API quern_status quern_cbor_write_token(quern_cbor_writer *writer, const quern_token *token);

/**
 * Ends the output, flushes the sink (but does not finish it) and frees what the writer owns.
 * @return QUERN_OK only if exactly one whole item was written (with `sequence`, any number of whole ones) and the sink
 * took all of it (and may have some of it pending: QUERN_AGAIN comes from quern_sink_finish alone). QUERN_ERROR_MISUSE
 * if it is not whole. The writer accepts nothing afterwards.
 */
QUERN_API quern_status quern_cbor_writer_finish(quern_cbor_writer *writer);

/**
 * The latched failure. With QUERN_ERROR_UTF8, `offset` is where the first ill-formed sequence begins, in bytes from
 * the start of the string, over all of its parts; otherwise it is 0.
 */
QUERN_API void quern_cbor_writer_error(const quern_cbor_writer *writer, quern_error *error);

#ifdef __cplusplus
}
#endif
#endif
