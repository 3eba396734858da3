/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Texts that tests of several kernels share: sequences that are not UTF-8, and random texts with as many bytes to
 * escape, and as much damage, as asked for.
 */
#ifndef QUERN_TESTS_TEXTS_H
#define QUERN_TESTS_TEXTS_H

#include "support/support.h"

typedef struct texts_bytes {
    const unsigned char *data;
    size_t length;
} texts_bytes;

/** Ill-formed whatever follows. The fault is at the first byte. */
extern const texts_bytes texts_ill_formed[];
extern const size_t texts_ill_formed_count;

/** The outermost code points of each row of Unicode table 3-7, and some between. */
extern const uint32_t texts_edges[];
extern const size_t texts_edge_count;

/** What stands for a byte to be escaped in a random text. */
typedef enum texts_load {
    TEXTS_QUOTES,   /**< the quotation mark and the reverse solidus */
    TEXTS_PAIRS,    /**< all that NULL's style writes as two bytes */
    TEXTS_HEX,      /**< all that it writes as \u00xx */
    TEXTS_CONTROLS, /**< U+0000 to U+001F */
    TEXTS_MIXED,    /**< all of these */
    TEXTS_SPECIAL,  /**< what one style or the other escapes, U+2028 and U+2029 too, and neighbours of these */
    TEXTS_LOADS
} texts_load;

const char *texts_load_name(texts_load load);

/** `per_cent` of the bytes of `[dst, dst + len)` become such ones, without regard to characters; SPECIAL: ASCII alone.
 */
void texts_sprinkle(support_random *random, texts_load load, size_t per_cent, unsigned char *dst, size_t len);

/**
 * Fills `[dst, dst + len)` with characters of the script, `per_cent` of them of the load, and `damage` per cent with
 * beginnings of ill-formed sequences. The end may cut a character, if `damage` is not 0.
 */
void texts_fill(support_random *random, support_script script, texts_load load, size_t per_cent, size_t damage,
                unsigned char *dst, size_t len);

/** Changes a byte, or a bit, or moves what is behind a place by one byte; `len >= 1`. */
void texts_damage(support_random *random, unsigned char *text, size_t len);

/** Bytes 0 to 255, all as likely. */
void texts_noise(support_random *random, unsigned char *dst, size_t len);

/**
 * The bytes of Open vSwitch's benchmark of its JSON writer: of a random number below 100, below `controls` a byte from
 * 1 to 31, else below `controls + quotes` a quotation mark, else a byte from 32 to 255.
 */
void texts_open_vswitch(support_random *random, size_t controls, size_t quotes, unsigned char *dst, size_t len);

#endif
