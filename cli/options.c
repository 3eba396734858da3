/* SPDX-License-Identifier: MIT */
#include "cli.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { OPTION_CRLF = 256, OPTION_COMPACT, OPTION_TO, OPTION_STYLE, OPTION_INVALID, OPTION_REPAIR };

static unsigned allowed_with(int option)
{
    switch (option) {
    case OPTION_CRLF:
    case OPTION_COMPACT:
    case OPTION_TO: return ALLOW_LINES;
    case OPTION_STYLE:
    case OPTION_INVALID: return ALLOW_JSON;
    case OPTION_REPAIR: return ALLOW_REPAIR;
    default: return 0;
    }
}

static bool read_invalid(invalid *value, const char *word)
{
    static const char *const words[] = {
        [INVALID_STOP] = "stop", [INVALID_REPLACE] = "replace", [INVALID_DROP] = "drop"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(word, words[i]) == 0) {
            *value = (invalid)i;
            return true;
        }
    }
    return false;
}

/* An option with a long name alone; returns -1 or an exit code. */
static int read_long(options *o, const command *self, int option, const char *argument)
{
    switch (option) {
    case OPTION_CRLF: o->crlf = true; return -1;
    case OPTION_COMPACT: o->compact = true; return -1;
    case OPTION_TO:
        o->to_cbor = strcmp(argument, "cbor") == 0;
        if (o->to_cbor || strcmp(argument, "json") == 0)
            return -1;
        complain("%s: --to is json or cbor, not %s", self->name, argument);
        return EXIT_CODE_USAGE;
    case OPTION_STYLE:
        o->list_styles |= strcmp(argument, "help") == 0;
        o->style = quern_style_named(argument);
        if (o->style || o->list_styles)
            return -1;
        complain("%s: there is no style %s; quern styles lists them", self->name, argument);
        return EXIT_CODE_USAGE;
    case OPTION_INVALID:
        if (read_invalid(&o->invalid, argument))
            return -1;
        complain("%s: --invalid is stop, replace or drop, not %s", self->name, argument);
        return EXIT_CODE_USAGE;
    default: /* OPTION_REPAIR */
        if (read_invalid(&o->repair, argument) && o->repair != INVALID_STOP)
            return -1;
        complain("%s: --repair is replace or drop, not %s", self->name, argument);
        return EXIT_CODE_USAGE;
    }
}

int options_read(options *o, const command *self, int argc, char **argv, unsigned allowed)
{
    static char standard_input[] = "-";
    static char *default_files[] = {standard_input, NULL};
    static const struct option long_options[] = {
        {"help", no_argument, NULL, 'h'},
        {"output", required_argument, NULL, 'o'},
        {"crlf", no_argument, NULL, OPTION_CRLF},
        {"compact", no_argument, NULL, OPTION_COMPACT},
        {"to", required_argument, NULL, OPTION_TO},
        {"style", required_argument, NULL, OPTION_STYLE},
        {"invalid", required_argument, NULL, OPTION_INVALID},
        {"repair", required_argument, NULL, OPTION_REPAIR},
        {NULL, 0, NULL, 0},
    };

    *o = (options){0};
    opterr = 0; /* the messages are our own */
    for (;;) {
        int index = 0;
        const int option = getopt_long(argc, argv, ":ho:", long_options, &index);
        if (option == -1)
            break;
        if (option == 'h') {
            printf("usage: quern %s", self->usage);
            return flush_standard_output();
        } else if (option == 'o') {
            o->output = optarg;
        } else if (option >= OPTION_CRLF && allowed_with(option) & allowed) {
            const int code = read_long(o, self, option, optarg);
            if (code >= 0)
                return code;
        } else if (option >= OPTION_CRLF) {
            complain("%s: there is no option --%s; quern %s --help tells more", self->name, long_options[index].name,
                     self->name);
            return EXIT_CODE_USAGE;
        } else {
            complain("%s: %s %s; quern %s --help tells more", self->name,
                     option == ':' ? "an argument is missing behind" : "there is no option",
                     optopt == 0 || optopt > 255 ? argv[optind - 1] : (char[]){'-', (char)optopt, 0}, self->name);
            return EXIT_CODE_USAGE;
        }
    }

    if (o->list_styles)
        return print_styles(o);
    o->files = argv + optind;
    o->file_count = argc - optind;
    if (!(allowed & ALLOW_FILES) && o->file_count > 0) {
        complain("%s: takes no FILE", self->name);
        return EXIT_CODE_USAGE;
    }
    if (allowed & ALLOW_FILES && o->file_count == 0) {
        o->files = default_files;
        o->file_count = 1;
    }
    return -1;
}
