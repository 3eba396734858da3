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
int run_bench(const command *self, int argc, char **argv);
int run_styles(const command *self, int argc, char **argv);

/* Prints a line on standard error: "quern: …", in place of the progress bar if that is there. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void complain(const char *format, ...);

/* Ends a command that printed on standard output by stdio. */
int flush_standard_output(void);

/* ---- options ---- */

/* What becomes of text that is not well-formed UTF-8. */
typedef enum invalid {
    INVALID_STOP,
    INVALID_REPLACE, /* U+FFFD for each maximal subpart */
    INVALID_DROP
} invalid;

typedef struct options {
    const char *output; /* NULL: standard output */
    char **files;       /* at least one, if the command reads any; "-" is standard input */
    int file_count;
    bool crlf;
    bool compact;
    bool to_cbor;
    const quern_style *style; /* NULL: not asked for */
    bool list_styles;         /* --style help */
    invalid invalid;
    invalid repair; /* STOP: not asked for */
} options;

enum options_allowed { ALLOW_FILES = 1, ALLOW_LINES = 2, ALLOW_JSON = 4, ALLOW_REPAIR = 8 };

/* Reads the command line; returns -1 to go on, else the exit code to return at once. */
int options_read(options *o, const command *self, int argc, char **argv, unsigned allowed);

/* What `quern styles` and `--style help` print, to o->output; returns an exit code. */
int print_styles(const options *o);

/* ---- progress: a bar on standard error, if that is a terminal and the reading takes more than a second ---- */

/* Called by output_open. The length is known if all files are regular. */
void progress_start(const options *o);

/* Counts bytes that were read, and draws the bar if it is time to. */
void progress_read(size_t length);

/* Takes the bar away, for a second at least: to be called before a terminal is written to. */
void progress_pause(void);

/* Takes it away for good; called by output_close. */
void progress_end(void);

/* ---- output: a callback sink on a file descriptor ---- */

typedef struct output {
    quern_callback_sink sink;
    const char *name;
    int fd;
    bool terminal;
    int error; /* errno of the first write that failed */
} output;

/* Returns -1 or an exit code, after a message. Refuses to write to one of the input files. */
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
    TEXT_FAULT, /* `data` is a maximal ill-formed subpart: at most 3 bytes. Only with INVALID_STOP */
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
    uint64_t size;                 /* bytes of the files delivered so far */
} text;

#define TEXT_FFFD "\xEF\xBF\xBD"

/* `count` is at least 1. False, after a message, if the first file cannot be opened. */
bool text_open(text *t, char **files, int count, invalid policy);
text_event text_next(text *t);
void text_close(text *t);

/* The exit code for the event that ended the reading; tells a fault on standard error. */
int text_code(const text *t, text_event event);

/* What is said of a fault behind the file's name: place, kind, `of_what` it is one, bytes. */
enum { TEXT_FAULT_ROOM = 128 };
const char *text_fault(const text *t, const char *of_what, char out[TEXT_FAULT_ROOM]);

#endif
