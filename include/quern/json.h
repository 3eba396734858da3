/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The JSON writer (RFC 8259): values one by one, to any sink.
 *
 * Every call returns the writer's status, and may be ignored until quern_json_writer_finish: the first failure
 * latches, and nothing is written after it. A wrong sequence of calls (a second root, an `end` without a
 * `begin`) is QUERN_ERROR_MISUSE, never bad output.
 */
#ifndef QUERN_JSON_H
#define QUERN_JSON_H

#include <quern/sink.h>

#ifdef __cplusplus
extern "C" {
#endif

/** White space between the parts of the output. */
typedef enum quern_json_layout {
    QUERN_JSON_COMPACT = 0, /**< none */
    QUERN_JSON_SPACED = 1   /**< a blank after each comma, as Python's json.dumps writes */
} quern_json_layout;

/** What happens to text that is not well-formed UTF-8. */
typedef enum quern_json_invalid {
    /** QUERN_ERROR_UTF8; quern_json_writer_error tells the place. */
    QUERN_JSON_INVALID_STOP = 0,
    /** It is not looked for: the caller vouches for the text, else the output is not valid JSON. */
    QUERN_JSON_INVALID_KEEP = 1
} quern_json_invalid;

/** All members may be 0. */
typedef struct quern_json_writer_options {
    size_t size;              /**< sizeof(quern_json_writer_options) */
    const quern_style *style; /**< NULL: the minimum of RFC 8259 */
    quern_json_layout layout;
    quern_json_invalid invalid;
    size_t max_depth; /**< arrays open at once; one more is QUERN_ERROR_DEPTH. 0 means 1024 */
} quern_json_writer_options;

struct quern_json_writer;
typedef quern_status quern_json_string_function(struct quern_json_writer *writer, const char *data, size_t length);

/** A writer; the caller places it, the members are private. It owns nothing: there is nothing to free. */
typedef struct quern_json_writer {
    quern_sink *sink_;
    quern_json_string_function *string_; /* the variant's */
    size_t head_length_;                 /* of head_; very large if the short way may not be taken */
    char head_[4];                       /* what precedes an element that is a string */
    const quern_kernels *row_;
    const quern_style *style_;
    size_t depth_;
    size_t max_depth_;
    quern_error error_;
    unsigned char state_; /* what may come next */
    unsigned char layout_;
    unsigned char invalid_;
    unsigned char held_; /* bytes in hold_ */
    char hold_[4];       /* a sequence that the end of a piece cuts */
    uint64_t offset_;    /* bytes of the open string in earlier pieces */
    void *reserved_[8];
} quern_json_writer;

/** Starts a text in `sink`, which must outlive the writer. `options` may be NULL, and is not needed after the call. */
QUERN_API void quern_json_writer_init(quern_json_writer *writer, quern_sink *sink,
                                      const quern_json_writer_options *options);

QUERN_API quern_status quern_json_write_null(quern_json_writer *writer);
QUERN_API quern_status quern_json_write_bool(quern_json_writer *writer, bool value);

/** Writes `[data, data + length)`, UTF-8, as a string. Read during the call only. NUL is a character like any other. */
QUERN_API quern_status quern_json_write_string(quern_json_writer *writer, const char *data, size_t length);

/**
 * A string in pieces: begin, any number of parts, end. The parts may be cut anywhere, also inside a
 * character; the output is the same as from one piece.
 */
QUERN_API quern_status quern_json_begin_string(quern_json_writer *writer);
QUERN_API quern_status quern_json_write_part(quern_json_writer *writer, const char *data, size_t length);
QUERN_API quern_status quern_json_end_string(quern_json_writer *writer);

/** Opens an array; what follows are its elements, up to the quern_json_end that closes it. */
QUERN_API quern_status quern_json_begin_array(quern_json_writer *writer);
QUERN_API quern_status quern_json_end(quern_json_writer *writer);

/**
 * Ends the text and flushes the sink (but does not finish it).
 * @return QUERN_OK only if exactly one whole value was written and the sink took all of it. QUERN_ERROR_MISUSE if
 * the text is not whole. The writer accepts nothing afterwards.
 */
QUERN_API quern_status quern_json_writer_finish(quern_json_writer *writer);

/**
 * The latched failure. With QUERN_ERROR_UTF8, `offset` is where the first ill-formed sequence begins, in bytes from
 * the start of the string that was being written, over all of its pieces.
 */
QUERN_API void quern_json_writer_error(const quern_json_writer *writer, quern_error *error);

#ifdef __cplusplus
}
#endif
#endif
