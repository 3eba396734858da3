/* SPDX-License-Identifier: MIT */
/*
 * Text by reads of 256 KiB. What the reader hands out is checked UTF-8; a sequence that the end of a read cuts is kept
 * for the next one, also over the end of a file. Lines are counted only as far as a fault or the end of a read asks for
 * it.
 */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { READ_SIZE = 256 * 1024, CARRY = 3 };

static char buffer[CARRY + READ_SIZE];

static struct {
    int fd;
    bool ended;
    size_t begin, end; /* bytes not handed out yet: [begin, end) of the buffer */
    uint64_t base;     /* offset of buffer[0] in the file */
    size_t located;    /* lines are counted up to here */
    uint64_t newlines;
    uint64_t line_start; /* offset in the file */
    char **files;        /* those that follow */
    int file_count;
    invalid policy;
    text cut; /* where the sequence at the buffer's start begins, if that is in the file before */
} input;

static void close_file(void)
{
    if (input.fd > STDIN_FILENO)
        close(input.fd);
    input.fd = -1;
}

/* Goes on to the next file; the `left` bytes at the buffer's start come from the one before. */
static bool open_next(text *t, size_t left)
{
    const char *name = *input.files++;
    const bool standard = strcmp(name, "-") == 0;
    close_file();
    input.file_count--;
    t->name = standard ? "standard input" : name;
    input.fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    if (input.fd < 0) {
        complain("%s: %s", t->name, strerror(errno));
        return false;
    }
    input.ended = false;
    input.base = 0 - (uint64_t)left;
    input.located = left;
    input.newlines = input.line_start = 0;
    return true;
}

bool text_open(text *t, char **files, int count, invalid policy)
{
    memset(&input, 0, sizeof input);
    input.fd = -1;
    input.files = files;
    input.file_count = count;
    input.policy = policy;
    *t = (text){0};
    return open_next(t, 0);
}

void text_close(text *t)
{
    (void)t;
    close_file();
}

static void locate(size_t upto)
{
    if (upto <= input.located)
        return;
    const quern_line line = quern_line_locate(buffer + input.located, upto - input.located);
    if (line.newlines) {
        input.newlines += line.newlines;
        input.line_start = input.base + input.located + line.start;
    }
    input.located = upto;
}

/* The place of the next byte. */
static void place(text *t)
{
    if (input.begin == 0 && input.cut.name) {
        t->name = input.cut.name;
        t->offset = input.cut.offset;
        t->line = input.cut.line;
        t->column = input.cut.column;
        return;
    }
    locate(input.begin);
    t->offset = input.base + input.begin;
    t->line = input.newlines + 1;
    t->column = t->offset - input.line_start + 1;
}

/* Moves what is left (at most CARRY bytes) to the front, and reads behind it: from the next file, if this one has
 * ended. */
static bool refill(text *t)
{
    const size_t left = input.end - input.begin;
    if (input.ended && left > 0) {
        place(t);
        input.cut = *t;
    } else if (input.begin > 0 || left == 0) {
        input.cut.name = NULL;
    }
    locate(input.begin);
    memmove(buffer, buffer + input.begin, left);
    input.base += input.begin;
    input.located -= input.begin;
    input.begin = 0;
    input.end = left;
    if (input.ended && !open_next(t, left))
        return false;
    ssize_t count;
    do
        count = read(input.fd, buffer + left, READ_SIZE);
    while (count < 0 && errno == EINTR);
    if (count < 0) {
        complain("%s: %s", t->name, strerror(errno));
        return false;
    }
    progress_read((size_t)count);
    input.ended = count == 0;
    input.end += (size_t)count;
    return true;
}

static text_event deliver(text *t, size_t length, text_event event)
{
    if (event == TEXT_FAULT)
        place(t);
    t->data = buffer + input.begin;
    t->length = length;
    input.begin += length;
    t->size += length;
    return event;
}

/* The maximal subpart of an ill-formed sequence: as much as could have been continued, at least a byte. */
static size_t maximal_subpart(const char *data, size_t length)
{
    size_t part = 1;
    while (part < 3 && part < length && quern_utf8_prefix(data, part + 1).why == QUERN_STOP_TRUNCATED)
        part++;
    return part;
}

static text_event next_checked(text *t)
{
    for (;;) {
        const size_t left = input.end - input.begin;
        if (left > 0) {
            const quern_span span = quern_utf8_prefix(buffer + input.begin, left);
            if (span.length > 0)
                return deliver(t, span.length, TEXT_RUN);
            if (span.why == QUERN_STOP_ILL_FORMED || (input.ended && input.file_count == 0)) {
                t->truncated = span.why == QUERN_STOP_TRUNCATED;
                return deliver(t, t->truncated ? left : maximal_subpart(buffer + input.begin, left), TEXT_FAULT);
            }
        } else if (input.ended && input.file_count == 0) {
            return TEXT_END;
        }
        if (!refill(t))
            return TEXT_ERROR;
    }
}

text_event text_next(text *t)
{
    text_event event;
    while ((event = next_checked(t)) == TEXT_FAULT && input.policy != INVALID_STOP) {
        if (input.policy == INVALID_REPLACE) {
            t->data = TEXT_FFFD;
            t->length = sizeof TEXT_FFFD - 1;
            return TEXT_RUN;
        }
    }
    return event;
}

const char *text_fault(const text *t, const char *of_what, char out[TEXT_FAULT_ROOM])
{
    int at = snprintf(out, TEXT_FAULT_ROOM, "offset %llu, line %llu, column %llu: %s%s:", (unsigned long long)t->offset,
                      (unsigned long long)t->line, (unsigned long long)t->column,
                      t->truncated ? "truncated" : "ill-formed", of_what);
    for (size_t i = 0; i < t->length && i < 3; i++)
        at += snprintf(out + at, TEXT_FAULT_ROOM - (size_t)at, " %02x", (unsigned char)t->data[i]);
    return out;
}

int text_code(const text *t, text_event event)
{
    if (event == TEXT_ERROR)
        return EXIT_CODE_IO;
    if (event != TEXT_FAULT)
        return EXIT_CODE_OK;
    char fault[TEXT_FAULT_ROOM];
    complain("%s: %s", t->name, text_fault(t, " UTF-8", fault));
    return EXIT_CODE_DATA;
}
