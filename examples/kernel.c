/* SPDX-License-Identifier: MIT */
/* Kernels alone, under a parser or serializer that is there already. */
#include <quern/kernels.h>
#include <quern/variant.h>

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const char text[] = "caf\xC3\xA9 \"noir\"\nand a fault: \xE2\x28";
    const size_t length = sizeof text - 1;

    /* Every call below runs the variant that was picked at load. */
    size_t clean = quern_escape_find(NULL, text, length);
    quern_span valid = quern_utf8_prefix(text, length);
    quern_line line = quern_line_locate(text, valid.length);
    printf("first byte to escape: %zu\n", clean);
    printf("well-formed up to: %zu (line %zu, column %zu)\n", valid.length, line.newlines + 1,
           valid.length - line.start + 1);

    /* Escaped as Python's json.dumps does it, into a buffer of one's own. */
    const quern_style *python = quern_style_named("python");
    size_t used, size = quern_escape_size(python, text, valid.length, QUERN_ESCAPE_FINAL);
    char *json = malloc(size);
    if (!json)
        return 1;
    quern_span written = quern_escape_write(python, json, size, text, valid.length, &used, QUERN_ESCAPE_FINAL);
    printf("%zu of %zu bytes escaped: %.*s\n", used, valid.length, (int)written.length, json);
    free(json);

    /* A hot loop may hold the row itself. This lists what runs here, and asks each for the same answer. */
    quern_variant variant;
    size_t equal = 0, supported = 0;
    for (size_t i = 0; quern_variant_get(i, &variant); i++) {
        if (variant.supported) {
            supported++;
            equal += variant.row->escape_find(NULL, text, length) == clean;
        }
    }
    printf("%s\n", equal == supported ? "all variants agree" : "variants differ");
    return 0;
}
