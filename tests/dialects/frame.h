/* SPDX-License-Identifier: MIT */
/**
 * @file
 * How the programs of this folder get strings and give back what their library makes of them: on standard input and
 * output, each string behind its length, a little-endian number of 32 bits; ~0 and no bytes for one that is refused.
 *
 *     PROGRAM --version   prints the library's version
 *     PROGRAM DIALECT     answers all of standard input
 */
#ifndef QUERN_TESTS_DIALECTS_FRAME_H
#define QUERN_TESTS_DIALECTS_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text, with a NUL behind it; the next call changes it. */
static char *frame_text;
static size_t frame_length;

/* Whether there is one more text. */
static inline bool frame_next(void)
{
    static size_t size;
    unsigned char head[4];
    if (fread(head, 1, 4, stdin) != 4)
        return false;
    frame_length = (size_t)head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16 | (size_t)head[3] << 24;
    if (frame_length + 1 > size) {
        size = 2 * frame_length + 64;
        frame_text = (char *)realloc(frame_text, size);
    }
    if (frame_text == NULL || fread(frame_text, 1, frame_length, stdin) != frame_length)
        exit(3);
    frame_text[frame_length] = 0;
    return true;
}

static inline void frame_head(size_t length)
{
    for (int i = 0; i < 4; i++)
        putchar((int)(length >> (8 * i) & 0xFF));
}

static inline void frame_answer(const char *data, size_t length)
{
    frame_head(length);
    fwrite(data, 1, length, stdout);
}

static inline void frame_refuse(void)
{
    frame_head(0xFFFFFFFF);
}

/* The dialect that is asked for; ends the program if it is the version. */
static inline const char *frame_dialect(int argc, char **argv, const char *version)
{
    if (argc != 2)
        exit(2);
    if (strcmp(argv[1], "--version") == 0) {
        puts(version);
        exit(0);
    }
    return argv[1];
}

#endif
