/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Tokens: the vocabulary in which the formats meet. A reader makes them, a writer takes them.
 */
#ifndef QUERN_TOKEN_H
#define QUERN_TOKEN_H

#include <quern/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum quern_token_kind {
    QUERN_TOKEN_NULL = 0,
    QUERN_TOKEN_BOOL = 1,     /**< `truth` */
    QUERN_TOKEN_UNSIGNED = 2, /**< `number` */
    QUERN_TOKEN_NEGATIVE = 3, /**< -1 - `number`, down to -2^64 */
    QUERN_TOKEN_DOUBLE = 4,   /**< `real`, which fits in `width` bits */
    QUERN_TOKEN_NUMBER = 5,   /**< `text`, by the grammar of RFC 8259 section 6 */
    QUERN_TOKEN_STRING = 6,   /**< `text`, UTF-8, whole or a piece */
    QUERN_TOKEN_BYTES = 7,    /**< `text`, any bytes, whole or a piece */
    QUERN_TOKEN_ARRAY = 8,    /**< begins; `number` elements or QUERN_UNKNOWN */
    QUERN_TOKEN_MAP = 9,      /**< begins; `number` pairs or QUERN_UNKNOWN. Keys and values follow in turn */
    QUERN_TOKEN_END = 10,     /**< of the innermost array or map; also of one with a count */
    QUERN_TOKEN_TAG = 11,     /**< `number` (RFC 8949 section 3.4), of the item that follows */
    QUERN_TOKEN_SIMPLE = 12,  /**< `number`, below 256: a simple value (RFC 8949 section 3.3) without a kind here */
    QUERN_TOKEN_UNDEFINED = 13
} quern_token_kind;

/** The count of a container that does not tell it. */
#define QUERN_UNKNOWN UINT64_MAX

/* Flags of a token. Strings and bytes have FIRST and LAST, both when they are whole; a piece between has neither. */
#define QUERN_TOKEN_FIRST 0x01u  /**< begins a string or bytes */
#define QUERN_TOKEN_LAST 0x02u   /**< ends it */
#define QUERN_TOKEN_STABLE 0x04u /**< the bytes of `text` live as long as the input, not only until the next call */
#define QUERN_TOKEN_KEY 0x08u    /**< stands where a key of a map stands */
#define QUERN_TOKEN_WHOLE (QUERN_TOKEN_FIRST | QUERN_TOKEN_LAST)

typedef struct quern_token {
    uint8_t kind;  /**< a quern_token_kind */
    uint8_t flags; /**< QUERN_TOKEN_… */
    uint8_t width; /**< of a double, in bits: 16, 32 or 64; 0 means 64 */
    union {
        bool truth;
        uint64_t number;
        double real;
        quern_string text;
    } value;
} quern_token;

#ifdef __cplusplus
}
#endif
#endif
