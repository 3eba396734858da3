/* SPDX-License-Identifier: MIT */
/* What the commands of quern share: options, input, output, exit codes. */
#ifndef QUERN_CLI_H
#define QUERN_CLI_H

#include <quern/quern.h>

#include <stdbool.h>

enum exit_code {
    EXIT_CODE_OK = 0,
    EXIT_CODE_DATA = 1,  /* the input is at fault */
    EXIT_CODE_USAGE = 2, /* the command line is */
    EXIT_CODE_IO = 3     /* a file or pipe is */
};

/* ---- commands: each gets its own arguments, its name first, and returns an exit code ---- */

typedef struct command {
    const char *name;
    const char *summary;
    const char *usage; /* what follows "usage: quern " */
    int (*run)(const struct command *self, int argc, char **argv);
} command;

int run_variants(const command *self, int argc, char **argv);
int run_utf8(const command *self, int argc, char **argv);
int run_escape(const command *self, int argc, char **argv);
int run_lines(const command *self, int argc, char **argv);

/* Prints a line on standard error: "quern: …". */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void complain(const char *format, ...);

/* Ends a command that printed on standard output by stdio. */
int flush_standard_output(void);

/* ---- options ---- */

typedef struct options {
    const char *output; /* NULL: standard output */
    char **files;       /* at least one; "-" is standard input */
    int file_count;
    bool crlf;
    bool compact;
} options;

enum options_allowed { ALLOW_FILES = 1, ALLOW_LINES = 2 };

/* Reads the command line; returns -1 to go on, else the exit code to return at once. */
int options_read(options *o, const command *self, int argc, char **argv, int allowed);

/* ---- output: a callback sink on a file descriptor ---- */

typedef struct output {
    quern_callback_sink sink;
    const char *name;
    int fd;
    int error; /* errno of the first write that failed */
} output;

/* Returns -1 or an exit code, after a message. Refuses to write over one of the input files. */
int output_open(output *out, const options *o);

/* Finishes the sink and closes the file. Returns `code`, or EXIT_CODE_IO, after a message, if that failed. */
int output_close(output *out, int code);

/* Appends text, formatted; each piece at most 256 bytes. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void output_print(output *out, const char *format, ...);

/* Appends a newline if the output is a terminal, so that the prompt stands on a line of its own. */
void output_end_on_terminal(output *out);

/* ---- input: text, checked ---- */

typedef enum text_event {
    TEXT_RUN,   /* `data` is well-formed UTF-8, ends at a character */
    TEXT_FAULT, /* `data` is a maximal ill-formed subpart: at most 3 bytes */
    TEXT_END,
    TEXT_ERROR /* the file cannot be read; the message is printed */
} text_event;

/* The text of files and pipes, joined, read 256 KiB at a time. One at once: it lives in static memory. */
typedef struct text {
    const char *name; /* the file that is being read; of a fault: where it begins */
    const char *data;
    size_t length;
    bool truncated;                /* of a fault: the end of the file cuts the sequence */
    uint64_t offset, line, column; /* of a fault; line and column (in bytes) count from 1 */
    uint64_t size;                 /* bytes delivered so far */
} text;

/* `count` is at least 1. False, after a message, if the first file cannot be opened. */
bool text_open(text *t, char **files, int count);
text_event text_next(text *t);
void text_close(text *t);

/* The exit code for the event that ended the reading; tells a fault on standard error. */
int text_code(const text *t, text_event event);

/* The bytes of a fault, in hexadecimal, as "e2 28"; `out` has room for 12. */
const char *text_bytes(const text *t, char out[12]);

#endif
