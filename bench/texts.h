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
} text_script;

extern const text_script text_scripts[];
enum { TEXT_SCRIPTS = 5, TEXT_ASCII = 0 };

/* Printable ASCII without anything to escape. */
void text_fill_clean(char *text, size_t size);

/* Characters of one script, with a blank after every few. */
void text_fill_script(char *text, size_t size, const text_script *script);

/* Printable ASCII in lines of `length` bytes, line feed included. */
void text_fill_lines(char *text, size_t size, size_t length);

/* One piece of `size` bytes, less if that would cut a character. */
bench_input text_whole(const char *text, size_t size);

/* `count` pieces of `size` bytes. `begin` has room for count + 1 offsets. */
bench_input text_equal(const char *text, uint32_t *begin, size_t size, size_t count);

/* Pieces of random lengths from `least` to `most`, as many as `text` has, cut at characters: a piece may be up to three
 * bytes shorter. `begin` has room for TEXT_SIZE / 2 offsets. */
bench_input text_random(const char *text, uint32_t *begin, size_t least, size_t most);

size_t plain_escape_find(const char *src, size_t len);
size_t plain_newlines(const char *src, size_t len);

/* Whether `json` is the pieces as an array of strings; only for pieces without anything to escape. */
bool plain_is_json(const bench_input *input, const char *json, size_t length);

#endif
