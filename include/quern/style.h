/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Styles: what is escaped in a JSON string, and how.
 *
 * Wherever a style is taken, NULL is the minimum of RFC 8259 section 7: the quotation mark, the reverse solidus, and
 * the control characters U+0000 to U+001F, as \" \\ \b \t \n \f \r or \u00xx.
 *
 * A style is immutable once it is made, and any number of threads may use it at once.
 */
#ifndef QUERN_STYLE_H
#define QUERN_STYLE_H

#include <quern/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What stands for one byte: the first `length` bytes of `text`. `length` 0: the byte is passed as it is. */
typedef struct quern_replacement {
    char text[7];
    unsigned char length;
} quern_replacement;

/** The longest output for one character, in any style: two \uXXXX. */
#define QUERN_ESCAPE_MAX 12

/* Flags of a style. Those that are marked + make it look at code points. */
#define QUERN_STYLE_SOLIDUS 0x01u /**< U+002F as \/ */
#define QUERN_STYLE_DELETE 0x02u  /**< U+007F as \u007f */
#define QUERN_STYLE_UPPER 0x04u   /**< the hexadecimal digits A to F, not a to f */
#define QUERN_STYLE_ASCII 0x08u   /**< + everything from U+0080 on as \uXXXX, from U+10000 on as two of them */
#define QUERN_STYLE_LINES 0x10u   /**< + U+2028 and U+2029, which end a line in JavaScript before 2019, as \uXXXX */
#define QUERN_STYLE_HTML 0x20u    /**< + safe within HTML: U+003C, U+003E, U+0026, and what LINES escapes, as \uXXXX */
#define QUERN_STYLE_UTF8 0x40u    /**< + nothing more is escaped, but ill-formed text is found */
#define QUERN_STYLE_MARK_FFFD 0x80u /**< a U+FFFD that stands for ill-formed text is written as \ufffd */

/**
 * What a style that looks at code points does with text that is not well-formed UTF-8. The unit is the maximal subpart
 * of a sequence (Unicode Standard, section 3.9, U+FFFD substitution of maximal subparts): what browsers replace by one
 * U+FFFD.
 */
typedef enum quern_ill_formed {
    QUERN_ILL_FORMED_STOP = 0,          /**< stops there */
    QUERN_ILL_FORMED_REPLACE = 1,       /**< U+FFFD for each maximal subpart */
    QUERN_ILL_FORMED_REPLACE_BYTES = 2, /**< U+FFFD for each byte, as Go does */
    QUERN_ILL_FORMED_DROP = 3,          /**< leaves it out */
    QUERN_ILL_FORMED_KEEP = 4           /**< passes its bytes */
} quern_ill_formed;

/** All members may be 0: then the style is that of NULL. */
typedef struct quern_style_options {
    size_t size;                 /**< sizeof(quern_style_options) */
    unsigned flags;              /**< QUERN_STYLE_… */
    quern_ill_formed ill_formed; /**< anything but STOP and KEEP makes the style look at code points */
    const char *letters;         /**< the short escapes of control characters that exist, of "bfnrt"; NULL: all */
    /**
     * A dialect of one's own: 256 entries, one a byte, which must outlive the style. Entries from 0x80 on must have
     * length 0. Excludes `letters` and the flags SOLIDUS, DELETE and HTML, which name entries of the library's own
     * table.
     */
    const quern_replacement *table;
} quern_style_options;

/** A style; the caller places it, the members are private. It owns nothing. */
typedef struct quern_style {
    uint8_t low_[16];  /* bit h of low_[l]: the byte 16 h + l is replaced */
    uint8_t high_[16]; /* bit h of high_[h], for h < 8 */
    const quern_replacement *table_;
    uint32_t long_; /* bit c: the control character c has no short escape */
    uint8_t looks_; /* at what */
    uint8_t ill_formed_;
    uint8_t upper_;
    uint8_t mark_fffd_;
    void *reserved_[4];
} quern_style;

/**
 * Makes a style. `options` may be NULL, and is not needed after the call; a table in it is.
 * @return QUERN_OK, or QUERN_ERROR_RANGE for an unknown flag, policy or letter, an entry that is too long or stands
 * from 0x80 on, or members that exclude each other; the style is then that of NULL.
 */
QUERN_API quern_status quern_style_init(quern_style *style, const quern_style_options *options);

/**
 * Finds a ready-made style by its name, as quern_style_name lists them (docs/dialects.md). It lives as long as the
 * library.
 * @return NULL if there is none of that name.
 */
QUERN_API const quern_style *quern_style_named(const char *name);

/** The names of the ready-made styles, `i` from 0 on; NULL behind the last. `*summary`, if not NULL: what it writes. */
QUERN_API const char *quern_style_name(size_t i, const char **summary);

#ifdef __cplusplus
}
#endif
#endif
