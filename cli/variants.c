/* SPDX-License-Identifier: MIT */
#include "cli.h"

#include <string.h>

int run_variants(const command *self, int argc, char **argv)
{
    options o;
    output out;
    int code = options_read(&o, self, argc, argv, 0);
    if (code >= 0 || (code = output_open(&out, &o)) >= 0)
        return code;
    quern_variant variant;
    size_t width = strlen("variant");
    for (size_t i = 0; quern_variant_get(i, &variant); i++)
        width = strlen(variant.name) > width ? strlen(variant.name) : width;
    output_print(&out, "  %-*s   runs  why not\n", (int)width, "variant");
    for (size_t i = 0; quern_variant_get(i, &variant); i++) {
        output_print(&out, "%c %-*s   %s%s\n", i == quern_variant_active() ? '*' : ' ', (int)width, variant.name,
                     variant.supported ? "yes" : "no    ", variant.why_not ? variant.why_not : "");
    }
    return output_close(&out, EXIT_CODE_OK);
}
