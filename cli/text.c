/* SPDX-License-Identifier: MIT */
/*
 * Text by reads of 256 KiB. What the reader hands out is checked UTF-8; a sequence that the end of a read cuts is kept for
 * the next one. Lines are counted only as far as a fault or the end of a read asks for it.
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
    size_t begin, end;    /* bytes not handed out yet: [begin, end) of the buffer */
    uint64_t base;        /* offset of buffer[0] in the file */
    size_t located;       /* lines are counted up to here */
    uint64_t newlines;
    uint64_t line_start;  /* offset in the file */
} input;

bool text_open(text *t, const char *name)
{
    const bool standard = strcmp(name, "-") == 0;
    memset(&input, 0, sizeof input);
    *t = (text){.name = standard ? "standard input" : name};
    input.fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    if (input.fd < 0) {
        complain("%s: %s", t->name, strerror(errno));
        return false;
    }
    return true;
}

void text_close(text *t)
{
    (void)t;
    if (input.fd != STDIN_FILENO)
        close(input.fd);
}

static void locate(size_t upto)
{
    const quern_line line = quern_line_locate(buffer + input.located, upto - input.located);
    if (line.newlines) {
        input.newlines += line.newlines;
        input.line_start = input.base + input.located + line.start;
    }
    input.located = upto;
}

/* Moves what is left (at most CARRY bytes) to the front, and reads behind it. */
static bool refill(text *t)
{
    locate(input.begin);
    const size_t left = input.end - input.begin;
    memmove(buffer, buffer + input.begin, left);
    input.base += input.begin;
    input.begin = input.located = 0;
    input.end = left;
    ssize_t count;
    do
        count = read(input.fd, buffer + left, READ_SIZE);
    while (count < 0 && errno == EINTR);
    if (count < 0) {
        complain("%s: %s", t->name, strerror(errno));
        return false;
    }
    input.ended = count == 0;
    input.end += (size_t)count;
    return true;
}

static text_event deliver(text *t, size_t length, text_event event)
{
    t->data = buffer + input.begin;
    t->length = length;
    if (event == TEXT_FAULT) {
        locate(input.begin);
        t->offset = input.base + input.begin;
        t->line = input.newlines + 1;
        t->column = t->offset - input.line_start + 1;
    }
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

text_event text_next(text *t)
{
    for (;;) {
        const size_t left = input.end - input.begin;
        if (left > 0) {
            const quern_span span = quern_utf8_prefix(buffer + input.begin, left);
            if (span.length > 0)
                return deliver(t, span.length, TEXT_RUN);
            if (span.why == QUERN_STOP_ILL_FORMED || input.ended) {
                t->truncated = span.why == QUERN_STOP_TRUNCATED;
                return deliver(t, t->truncated ? left : maximal_subpart(buffer + input.begin, left), TEXT_FAULT);
            }
        } else if (input.ended) {
            return TEXT_END;
        }
        if (!refill(t))
            return TEXT_ERROR;
    }
}

const char *text_bytes(const text *t, char out[12])
{
    int at = 0;
    out[0] = 0;
    for (size_t i = 0; i < t->length && i < 3; i++)
        at += snprintf(out + at, 12 - (size_t)at, "%s%02x", i ? " " : "", (unsigned char)t->data[i]);
    return out;
}

void text_complain(const text *t)
{
    char bytes[12];
    complain("%s: offset %llu, line %llu, column %llu: %s UTF-8: %s", t->name, (unsigned long long)t->offset,
             (unsigned long long)t->line, (unsigned long long)t->column, t->truncated ? "truncated" : "ill-formed",
             text_bytes(t, bytes));
}
