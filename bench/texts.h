/* SPDX-License-Identifier: MIT */
/* Reproducible texts to work on, and plain loops whose results the contenders must give. */
#ifndef QUERN_BENCH_TEXTS_H
#define QUERN_BENCH_TEXTS_H

#include "bench.h"

/* More than a branch predictor learns, however often the text is repeated. */
enum { TEXT_SIZE = 8 << 20 };

typedef struct text_script {
    const char *name;
    uint32_t first, count; /* code points */
    unsigned bytes;        /* of each */
    unsigned letters;      /* of eight characters, ASCII letters; 0: one of seven is a blank */
} text_script;

extern const text_script text_scripts[];
enum { TEXT_SCRIPTS = 6, TEXT_ASCII = 0 };

/* Printable ASCII without anything to escape. */
void text_fill_clean(char *text, size_t size);

/* Characters of one script, with a blank after every few. */
void text_fill_script(char *text, size_t size, const text_script *script);

/* Printable ASCII, of which so many per cent are quotation marks, and control bytes U+0001 to U+001F, both at random.
 */
void text_fill_escapes(char *text, size_t size, unsigned quotes, unsigned controls);

/* What Open vSwitch's benchmark of json_serialize_string writes: size - 1 bytes, a NUL behind them. Of a hundred,
 * `controls` are 1 to 31, `quotes` are quotation marks, the others are any from 32 to 255: not UTF-8. */
void text_fill_ovs(char *text, size_t size, unsigned quotes, unsigned controls);

/* Printable ASCII in lines of `length` bytes, line feed included. */
void text_fill_lines(char *text, size_t size, size_t length);

/* One piece of `size` bytes, less if that would cut a character. */
bench_input text_whole(const char *text, size_t size);

/* `count` pieces of `size` bytes. `begin` has room for count + 1 offsets. */
bench_input text_equal(const char *text, uint32_t *begin, size_t size, size_t count);

/* Pieces of random lengths from `least` to `most`, as many as `text` of `size` bytes has, cut at characters: a piece
 * may be up to three bytes shorter. `begin` has room for TEXT_SIZE / 2 offsets. */
bench_input text_random(const char *text, size_t size, uint32_t *begin, size_t least, size_t most);

/* Writes characters of a script, at most `size` bytes, at random from `state`; returns how many bytes. */
size_t text_put(char *to, size_t size, const text_script *script, uint64_t *state);

size_t plain_escape_find(const char *src, size_t len);
size_t plain_newlines(const char *src, size_t len);

/* Writes `src` escaped as the minimum of RFC 8259 asks, with lower-case digits; returns how many bytes. */
size_t plain_escape_write(char *dst, const char *src, size_t len);

#endif
