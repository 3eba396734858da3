/* SPDX-License-Identifier: MIT */
#include "cli.h"

#include <string.h>

int print_styles(const options *o)
{
    output out;
    const int code = output_open(&out, o);
    if (code >= 0)
        return code;
    const char *name, *summary;
    size_t width = 0;
    for (size_t i = 0; (name = quern_style_name(i, NULL)) != NULL; i++)
        width = strlen(name) > width ? strlen(name) : width;
    for (size_t i = 0; (name = quern_style_name(i, &summary)) != NULL; i++)
        output_print(&out, "%-*s  %s\n", (int)width, name, summary);
    return output_close(&out, EXIT_CODE_OK);
}

int run_styles(const command *self, int argc, char **argv)
{
    options o;
    const int code = options_read(&o, self, argc, argv, 0);
    return code >= 0 ? code : print_styles(&o);
}
