/* SPDX-License-Identifier: MIT */
/* The quern command. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILES_HELP                                                                          \
    "\n"                                                                                    \
    "FILE is read in pieces of 256 KiB; without one, or when it is -, the command reads\n"  \
    "standard input. What takes more than a second shows its progress, if standard error\n" \
    "is a terminal.\n"

/* Of what writes JSON. */
#define JSON_HELP                                                                               \
    "      --style NAME    write strings as NAME does, say python, go, php; help or\n"          \
    "                      quern styles lists the names. The default is rfc8259\n"              \
    "      --invalid HOW   text that is not well-formed UTF-8: stop (the default), replace:\n"  \
    "                      U+FFFD for each maximal ill-formed subpart, or drop. That is done\n" \
    "                      first, so a style has no fault left to find\n"

static const command commands[] = {
    {"variants", "list the kernel variants, and which one is in use",
     "variants [-o FILE]\n"
     "\n"
     "Lists the variants of the kernels, best first: whether each runs here, and why not.\n"
     "The one in use is marked with *. QUERN_VARIANT=name in the environment picks another.\n"
     "\n"
     "  -o, --output FILE   write there instead of standard output\n"
     "  -h, --help          show this\n",
     run_variants},
    {"styles", "list the styles in which strings can be written",
     "styles [-o FILE]\n"
     "\n"
     "Lists what --style takes, and whose way of writing strings it is.\n"
     "\n"
     "  -o, --output FILE   write there instead of standard output\n"
     "  -h, --help          show this\n",
     run_styles},
    {"utf8", "check files for well-formed UTF-8, and place every fault; repair them",
     "utf8 [--repair HOW] [-o FILE] [FILE...]\n"
     "\n"
     "Says of each file that it is valid UTF-8, or, a line for each fault, its offset, line\n"
     "and column (in bytes; line and column count from 1) and the bytes at fault.\n"
     "The exit code is 1 if there was a fault.\n"
     "\n"
     "With --repair it writes the text of all files instead, without faults, and tells those\n"
     "that it found on standard error. Each file is repaired by itself. The exit code is 0\n"
     "then, with faults or without, once all is written.\n"
     "\n"
     "      --repair HOW    replace: U+FFFD for each maximal ill-formed subpart, as browsers\n"
     "                      do; drop: leave it out\n"
     "  -o, --output FILE   write there instead of standard output\n"
     "  -h, --help          show this\n" FILES_HELP,
     run_utf8},
    {"escape", "write text as one JSON string",
     "escape [--style NAME] [--invalid HOW] [-o FILE] [FILE...]\n"
     "\n"
     "Writes the text of all files, joined, as one JSON string (RFC 8259). Text that is not\n"
     "well-formed UTF-8 is refused, with its place; what comes before it is written already.\n"
     "\n" JSON_HELP "  -o, --output FILE   write there instead of standard output\n"
     "  -h, --help          show this\n" FILES_HELP,
     run_escape},
    {"lines", "write the lines of text as an array of strings, JSON or CBOR",
     "lines [--crlf] [--to FORMAT] [--compact] [--style NAME] [--invalid HOW] [-o FILE] [FILE...]\n"
     "\n"
     "Writes an array with a string for each line of all files, joined. A line ends at LF; a\n"
     "last line without one counts. The elements are separated by \", \", as Python's\n"
     "json.dumps does it. Text that is not well-formed UTF-8 is refused, with its place; what\n"
     "comes before it is written already.\n"
     "\n"
     "      --crlf          a CR before the LF belongs to the line's end\n"
     "      --to FORMAT     json, the default, or cbor (RFC 8949): an array of unknown length; a\n"
     "                      line of more than 64 KiB is a string in chunks. Without --compact\n"
     "                      and --style\n"
     "      --compact       separate by \",\" alone\n" JSON_HELP
     "  -o, --output FILE   write there instead of standard output\n"
     "  -h, --help          show this\n" FILES_HELP,
     run_lines},
    {"bench", "time the kernels of each variant on this machine, in two seconds",
     "bench [-o FILE]\n"
     "\n"
     "Prints, for each variant that runs here, how many gigabytes of input some of its kernels\n"
     "take a second: text of words in several scripts, 256 KiB, which caches hold, or for\n"
     "escape_write the same with an escape in about 30 bytes. The best of many rounds, in which\n"
     "the variants take turns; a program beside it may still spoil them. What a kernel makes of\n"
     "the text is checked first: if it is wrong, the exit code is 1.\n"
     "The one in use is marked with *. In full, and against other libraries: ./run bench.\n"
     "\n"
     "  -o, --output FILE   write there instead of standard output\n"
     "  -h, --help          show this\n",
     run_bench},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    progress_pause();
    fputs("quern: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

int flush_standard_output(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_CODE_OK;
    complain("standard output: %s", strerror(errno));
    return EXIT_CODE_IO;
}

static void help(FILE *to)
{
    fputs("usage: quern COMMAND [OPTION...] [FILE...]\n\n", to);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(to, "  %-10s%s\n", commands[i].name, commands[i].summary);
    fputs("\n"
          "quern COMMAND --help tells more. --version shows the version.\n"
          "Exit codes: 0 done, 1 the input is at fault, 2 the command line is, 3 a file or pipe is.\n",
          to);
}

/*
 * A file that is opened in the place of a closed standard stream would get what is meant for that: messages, say. So
 * these places are taken, for the wrong direction: reading or writing there fails as it did.
 */
static void take_closed_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            return;
    }
}

int main(int argc, char **argv)
{
    take_closed_streams();
    if (quern_variant_refused()) {
        quern_variant active;
        quern_variant_get(quern_variant_active(), &active);
        complain("QUERN_VARIANT=%s cannot be had here; %s is used", quern_variant_refused(), active.name);
    }
    if (argc < 2) {
        help(stderr);
        return EXIT_CODE_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        help(stdout);
        return flush_standard_output();
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("quern %s\n", quern_version());
        return flush_standard_output();
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(&commands[i], argc - 1, argv + 1);
    }
    complain("there is no command %s; quern --help lists them", argv[1]);
    return EXIT_CODE_USAGE;
}
