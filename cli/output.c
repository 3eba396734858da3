/* SPDX-License-Identifier: MIT */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint8_t output_buffer[64 * 1024];

static ptrdiff_t write_fd(void *context, const void *data, size_t length)
{
    output *out = context;
    if (out->terminal)
        progress_pause();
    for (;;) {
        const ssize_t written = write(out->fd, data, length);
        if (written >= 0)
            return written;
        if (errno != EINTR) {
            out->error = errno;
            return -1;
        }
    }
}

/* Opening for writing would empty the file before it is read; and what is appended to it would be read in its turn. */
static bool is_an_input(const options *o, const struct stat *target)
{
    struct stat source;
    if (!S_ISREG(target->st_mode))
        return false;
    for (int i = 0; i < o->file_count; i++) {
        const int failed = strcmp(o->files[i], "-") == 0 ? fstat(STDIN_FILENO, &source) : stat(o->files[i], &source);
        if (!failed && source.st_dev == target->st_dev && source.st_ino == target->st_ino)
            return true;
    }
    return false;
}

int output_open(output *out, const options *o)
{
    out->error = 0;
    out->fd = STDOUT_FILENO;
    out->name = "standard output";
    const bool opens = o->output && strcmp(o->output, "-") != 0;
    if (opens)
        out->name = o->output;
    struct stat target;
    if ((opens ? stat(o->output, &target) : fstat(out->fd, &target)) == 0 && is_an_input(o, &target)) {
        complain("%s: is an input as well as the output", out->name);
        return EXIT_CODE_USAGE;
    }
    if (opens) {
        out->fd = open(o->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (out->fd < 0) {
            complain("%s: %s", o->output, strerror(errno));
            return EXIT_CODE_IO;
        }
    }
    out->terminal = isatty(out->fd) == 1;
    progress_start(o);
    quern_callback_sink_init(&out->sink, write_fd, out, output_buffer, sizeof output_buffer);
    return -1;
}

void output_print(output *out, const char *format, ...)
{
    char piece[256];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length > 0)
        quern_sink_write(&out->sink.sink, piece, (size_t)length < sizeof piece ? (size_t)length : sizeof piece - 1);
}

void output_end_on_terminal(output *out)
{
    if (out->terminal)
        quern_sink_write(&out->sink.sink, "\n", 1);
}

int output_close(output *out, int code)
{
    progress_end();
    bool failed = quern_sink_finish(&out->sink.sink) != QUERN_OK;
    if (close(out->fd) != 0 && !failed) {
        out->error = errno;
        failed = true;
    }
    if (failed) {
        complain("%s: %s", out->name, strerror(out->error));
        return EXIT_CODE_IO;
    }
    return code;
}
