/* SPDX-License-Identifier: MIT */
#include "cli.h"

#include <getopt.h>
#include <stdio.h>

enum { OPTION_CRLF = 256, OPTION_COMPACT };

int options_read(options *o, const command *self, int argc, char **argv, int allowed)
{
    static char standard_input[] = "-";
    static char *default_files[] = {standard_input, NULL};
    static const struct option long_options[] = {
        {"help", no_argument, NULL, 'h'},
        {"output", required_argument, NULL, 'o'},
        {"crlf", no_argument, NULL, OPTION_CRLF},
        {"compact", no_argument, NULL, OPTION_COMPACT},
        {NULL, 0, NULL, 0},
    };

    *o = (options){0};
    opterr = 0; /* the messages are our own */
    for (;;) {
        const int option = getopt_long(argc, argv, ":ho:", long_options, NULL);
        if (option == -1)
            break;
        const bool lines_only = option == OPTION_CRLF || option == OPTION_COMPACT;
        if (option == 'h') {
            printf("usage: quern %s", self->usage);
            return flush_standard_output();
        } else if (option == 'o') {
            o->output = optarg;
        } else if (option == OPTION_CRLF && allowed & ALLOW_LINES) {
            o->crlf = true;
        } else if (option == OPTION_COMPACT && allowed & ALLOW_LINES) {
            o->compact = true;
        } else {
            complain("%s: %s %s; quern %s --help tells more", self->name,
                     option == ':' ? "an argument is missing behind" : "there is no option",
                     lines_only || optopt == 0 || optopt > 255 ? argv[optind - 1] : (char[]){'-', (char)optopt, 0},
                     self->name);
            return EXIT_CODE_USAGE;
        }
    }

    o->files = argv + optind;
    o->file_count = argc - optind;
    if (!(allowed & ALLOW_FILES) && o->file_count > 0) {
        complain("%s: takes no FILE", self->name);
        return EXIT_CODE_USAGE;
    }
    if (o->file_count == 0) {
        o->files = default_files;
        o->file_count = 1;
    }
    return -1;
}
