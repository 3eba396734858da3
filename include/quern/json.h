/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The JSON writer (RFC 8259): values one by one, to any sink.
 *
 * Every call returns the writer's status, and may be ignored until quern_json_writer_finish: the first failure
 * latches, and nothing is written after it. A wrong sequence of calls (a value where a key belongs, a key without a
 * value, a second root, an `end` without a `begin`) is QUERN_ERROR_MISUSE, never bad output. Only ill-formed text
 * under QUERN_JSON_INVALID_SKIP_ITEM is reported and does not latch.
 */
#ifndef QUERN_JSON_H
#define QUERN_JSON_H

#include <quern/sink.h>
#include <quern/token.h>

#ifdef __cplusplus
extern "C" {
#endif

/** White space between the parts of the output. */
typedef enum quern_json_layout {
    QUERN_JSON_COMPACT = 0, /**< none */
    QUERN_JSON_SPACED = 1   /**< a blank after each comma and each colon, as Python's json.dumps writes */
} quern_json_layout;

/** The longest indentation, in blanks a level. */
#define QUERN_JSON_INDENT_MAX 255
/** A tab a level. */
#define QUERN_JSON_INDENT_TAB (-1)

/**
 * What happens to text that is not well-formed UTF-8, in values and in keys. The unit is the maximal subpart, as in
 * quern_ill_formed. A string in pieces is treated as one.
 */
typedef enum quern_json_invalid {
    /** QUERN_ERROR_UTF8; quern_json_writer_error tells the place. */
    QUERN_JSON_INVALID_STOP = 0,
    /**
     * It is not looked for: the caller vouches for the text, else the output is not valid JSON. A style that looks at
     * code points (style.h) looks all the same, and does what its own policy says.
     */
    QUERN_JSON_INVALID_KEEP = 1,
    QUERN_JSON_INVALID_REPLACE = 2, /**< U+FFFD for each maximal subpart, escaped if the style says so */
    QUERN_JSON_INVALID_DROP = 3,    /**< it is left out */
    /**
     * The item that the string belongs to is left out: the element of an array, or key and value in a map; if it is the
     * root, another root may be written. The call that finds it returns QUERN_ERROR_UTF8, and the writer goes on. (In
     * a string in pieces so do the calls that follow, up to and with the one that ends it.) When it is a key, the
     * value that belongs to it is still to be written, and left out, however large. Needs marks of the sink: a key with
     * a value that is no container, and a string in pieces, are held until they are whole. All strings go the long way.
     * (A fixed sink that an item has filled is no longer full when it is left out.)
     */
    QUERN_JSON_INVALID_SKIP_ITEM = 4
} quern_json_invalid;

/** What happens to NaN and infinities, for which JSON has no number. */
typedef enum quern_json_nonfinite {
    QUERN_JSON_NONFINITE_REFUSE = 0, /**< QUERN_ERROR_RANGE */
    QUERN_JSON_NONFINITE_NULL = 1,   /**< null, as JSON.stringify writes */
    QUERN_JSON_NONFINITE_LITERAL = 2 /**< NaN, Infinity, -Infinity: not JSON, but what Python's json writes and reads */
} quern_json_nonfinite;

/** All members may be 0. A value that is not allowed makes every call return QUERN_ERROR_RANGE. */
typedef struct quern_json_writer_options {
    size_t size;              /**< sizeof(quern_json_writer_options) */
    const quern_style *style; /**< NULL: the minimum of RFC 8259. Must outlive the writer */
    quern_json_layout layout;
    quern_json_invalid invalid;
    quern_json_nonfinite nonfinite;
    /**
     * 0: none. 1 to QUERN_JSON_INDENT_MAX: each element and each key on a line of its own, behind so many blanks a
     * level; QUERN_JSON_INDENT_TAB: behind a tab a level. A blank follows the colon, empty containers are [] and {}:
     * what Python's json.dumps(indent=…) and JSON.stringify(…, null, …) write. `layout` has to be COMPACT then.
     */
    int indent;
    /**
     * The canonical form of RFC 8785: no white space, keys sorted by UTF-16 code units, numbers as ECMAScript writes
     * them. Excludes `style`, `layout`, `indent`, and all but 0 in `invalid` and `nonfinite`.
     *
     * A key that a map has twice is QUERN_ERROR_DUPLICATE (which is not looked for otherwise), told when the map ends;
     * an integer that no double equals is QUERN_ERROR_RANGE; raw values, whose form nobody has checked, are
     * QUERN_ERROR_MISUSE. The outermost container is held by a mark of the sink until it ends (see quern_sink_set_hold
     * for how much that may be), and is dropped by a failure; what a fixed sink that is too small has of it is not in
     * order. Memory comes from `allocator`, until it ends: at most 100 bytes for each key of the container and 130 for
     * each map, and its text once more; far less where keys come in order.
     */
    bool canonical;
    size_t max_depth; /**< containers open at once; one more is QUERN_ERROR_DEPTH. 0 means 1024 */
    /** For canonical form, and for levels beyond 1024, a bit each, if `stack` is NULL. NULL: malloc, realloc, free. */
    const quern_allocator *allocator;
    void *stack;       /**< instead, `stack_size` bytes, which must outlive the writer: */
    size_t stack_size; /**< 8 more levels a byte. Too few for `max_depth`: QUERN_ERROR_DEPTH where they end */
} quern_json_writer_options;

struct quern_json_writer;
/* `where` is 0 for a value, 1 for a key. */
typedef quern_status quern_json_string_function(struct quern_json_writer *writer, const char *data, size_t length,
                                                size_t where);

/* What precedes a string, and how many bytes that is; below 0: it has to go the long way. */
typedef struct quern_json_head {
    char text[4];
    int32_t length;
} quern_json_head;

/* What precedes a value and a key now, and, behind a value and behind a key, from then on. */
typedef struct quern_json_place {
    quern_json_head now[2];
    quern_json_head then[2][2];
} quern_json_place;

/**
 * A writer; the caller places it, the members are private. It must not be moved.
 *
 * With `canonical`, or when it is more than 1024 levels deep without a `stack`, it owns memory, and with marks the sink
 * holds some: quern_json_writer_finish frees both, also after a failure. Otherwise there is nothing to free.
 */
typedef struct quern_json_writer {
    quern_sink *sink_;
    quern_json_string_function *string_; /* the variant's, or the long way */
    quern_json_place place_;
    const quern_json_place *places_; /* at the start of a root, an array, a map */
    const quern_kernels *row_;
    const quern_style *style_;
    size_t depth_;
    size_t max_depth_;
    unsigned char *deep_; /* a bit for each level beyond those of levels_ */
    size_t deep_size_;
    unsigned char levels_[128]; /* a bit for each open container: it is a map */
    quern_error error_;
    uint64_t offset_; /* bytes of the open string in earlier pieces */
    char hold_[4];    /* what the end of a piece cuts */
    unsigned char held_;
    unsigned char open_; /* what is open in pieces */
    unsigned char invalid_;
    unsigned char nonfinite_;
    unsigned char canonical_;
    unsigned char mark_open_; /* what mark_ is for */
    unsigned char finished_;
    unsigned char owns_deep_;
    unsigned char checks_; /* whether UTF-8 is looked at */
    unsigned char quiet_;  /* short strings without an escape since the last one with one */
    unsigned char short_;  /* whether string_ is the variant's */
    unsigned char tag_;    /* of the token that follows, where it matters */
    int indent_;
    quern_json_head saved_; /* what preceded the item that mark_ is for */
    size_t skip_depth_;
    uint64_t skipped_;
    quern_mark mark_;
    quern_allocator allocator_;
    struct quern_json_canonical *sorter_;
    void *reserved_[8];
} quern_json_writer;

/** Starts a text in `sink`, which must outlive the writer. `options` may be NULL, and is not needed after the call. */
QUERN_API void quern_json_writer_init(quern_json_writer *writer, quern_sink *sink,
                                      const quern_json_writer_options *options);

/** Write a value. (For integers in canonical form see `canonical`.) */
QUERN_API quern_status quern_json_write_null(quern_json_writer *writer);
QUERN_API quern_status quern_json_write_bool(quern_json_writer *writer, bool value);
QUERN_API quern_status quern_json_write_int(quern_json_writer *writer, int64_t value);
QUERN_API quern_status quern_json_write_uint(quern_json_writer *writer, uint64_t value);

/**
 * Writes a number as ECMAScript does: the fewest digits that a correct reader takes for the same double, whole numbers
 * without a point, an exponent from 1e21 up and below 1e-6. Only -0 differs: it is "-0", which keeps it, and "0" in
 * canonical form.
 */
QUERN_API quern_status quern_json_write_double(quern_json_writer *writer, double value);

/** As `count` calls with the values in turn, and faster in an array: its elements, for example all of them. */
QUERN_API quern_status quern_json_write_ints(quern_json_writer *writer, const int64_t *values, size_t count);
QUERN_API quern_status quern_json_write_uints(quern_json_writer *writer, const uint64_t *values, size_t count);
QUERN_API quern_status quern_json_write_doubles(quern_json_writer *writer, const double *values, size_t count);

/** The fewest digits that a reader of floats takes for the same float; in canonical form the double of the same value.
 */
QUERN_API quern_status quern_json_write_float(quern_json_writer *writer, float value);

/**
 * Writes a number given as text, of any length and precision, byte for byte.
 * @return QUERN_ERROR_NUMBER if it is not a number by RFC 8259 section 6. See `canonical`.
 */
QUERN_API quern_status quern_json_write_number(quern_json_writer *writer, const char *text, size_t length);

/**
 * Inserts text as one value, byte for byte. That it is one JSON value is not checked, only that it is not empty
 * (QUERN_ERROR_MISUSE): the caller vouches for it. See `canonical`.
 */
QUERN_API quern_status quern_json_write_raw(quern_json_writer *writer, const char *data, size_t length);

/** The same for text that stays as quern_sink_write_ref says. */
QUERN_API quern_status quern_json_write_raw_ref(quern_json_writer *writer, const char *data, size_t length);

/** Writes `[data, data + length)`, UTF-8, as a string. Read during the call only. NUL is a character like any other. */
QUERN_API quern_status quern_json_write_string(quern_json_writer *writer, const char *data, size_t length);

/**
 * The same for text that stays as quern_sink_write_ref says. If it is long (QUERN_UNCOPIED, or the sink's threshold)
 * and needs no escape, an iovec sink refers to it, and an fd sink sends it uncopied.
 */
QUERN_API quern_status quern_json_write_string_ref(quern_json_writer *writer, const char *data, size_t length);

/**
 * A string in pieces: begin, any number of parts, end. The parts may be cut anywhere, also inside a
 * character; the output is the same as from one piece.
 */
QUERN_API quern_status quern_json_begin_string(quern_json_writer *writer);
QUERN_API quern_status quern_json_write_part(quern_json_writer *writer, const char *data, size_t length);
QUERN_API quern_status quern_json_end_string(quern_json_writer *writer);

/** Opens an array; what follows are its elements, up to the quern_json_end that closes it. */
QUERN_API quern_status quern_json_begin_array(quern_json_writer *writer);

/** Opens a map; keys and values follow in turn. That no key comes twice is looked for in canonical form alone. */
QUERN_API quern_status quern_json_begin_map(quern_json_writer *writer);

/** Closes the innermost array or map. */
QUERN_API quern_status quern_json_end(quern_json_writer *writer);

/** Writes a key of the open map, as quern_json_write_string writes a value. */
QUERN_API quern_status quern_json_write_key(quern_json_writer *writer, const char *data, size_t length);

/** A key that is escaped and checked once, for any number of writers at once. Immutable, and may be copied. */
typedef struct quern_json_key {
    const char *long_; /* the bytes, with the quotation marks, if short_ is too small */
    size_t length_;
    bool minimal_; /* in the style that NULL stands for */
    void *reserved_[2];
    char short_[64];
} quern_json_key;

/** The longest output of quern_json_key_init for a key of `length` bytes, in any style. */
#define QUERN_JSON_KEY_SIZE(length) ((length)*7 + 2)

/**
 * Prepares a key. `buffer` of `size` bytes, which must outlive the key, is used only if its output, with quotation
 * marks, is longer than 32 bytes, and may be NULL otherwise; QUERN_JSON_KEY_SIZE(length) is always enough.
 * @param style  as in the writer's options; not needed after the call.
 * @return QUERN_OK; QUERN_ERROR_ROOM; QUERN_ERROR_UTF8 for ill-formed text, whatever the style's policy;
 * QUERN_ERROR_LIMIT for a length that no object has. After a failure the key is "".
 */
QUERN_API quern_status quern_json_key_init(quern_json_key *key, const char *data, size_t length,
                                           const quern_style *style, void *buffer, size_t size);

/**
 * Writes a prepared key, whose style is its own, whatever the writer's layout. In canonical form a key of another style
 * than NULL's is QUERN_ERROR_MISUSE.
 */
QUERN_API quern_status quern_json_write_prepared_key(quern_json_writer *writer, const quern_json_key *key);

/**
 * Writes a token, by the rules of RFC 8949 section 6.1 where JSON has no such value:
 * - a string in key position is a key, with or without QUERN_TOKEN_KEY; any other kind there is QUERN_ERROR_TYPE;
 * - bytes are a string, base64url without padding (RFC 4648 section 5);
 * - simple values and undefined are null;
 * - a double that is not finite follows the writer's `nonfinite` (section 6.1 has null);
 * - a double of 32 bits or less is written as by quern_json_write_float;
 * - tags are left out, but for these, directly before bytes: 3 (negative bignum) puts ~ before them; 22 makes them
 *   base64 with padding (RFC 4648 section 4), 23 hexadecimal in upper case (section 8). A tag counts for the next token
 *   alone: hints do not reach into containers;
 * - counts of containers are not looked at.
 * @return QUERN_ERROR_MISUSE also for a kind that there is not.
 */
QUERN_API quern_status quern_json_write_token(quern_json_writer *writer, const quern_token *token);

/**
 * Ends the text, flushes the sink (but does not finish it) and frees what the writer owns.
 * @return QUERN_OK only if exactly one whole value was written and the sink took all of it (and may have some of it
 * pending: QUERN_AGAIN comes from quern_sink_finish alone). QUERN_ERROR_MISUSE if the text is not whole. The writer
 * accepts nothing afterwards.
 */
QUERN_API quern_status quern_json_writer_finish(quern_json_writer *writer);

/**
 * The latched failure. With QUERN_ERROR_UTF8, `offset` is where the first ill-formed sequence begins, in bytes from
 * the start of the string or key that was being written, over all of its pieces; otherwise it is 0.
 */
QUERN_API void quern_json_writer_error(const quern_json_writer *writer, quern_error *error);

/** How many items QUERN_JSON_INVALID_SKIP_ITEM has left out. (What is inside of one is not counted.) */
QUERN_API uint64_t quern_json_writer_skipped(const quern_json_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
