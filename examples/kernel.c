/* SPDX-License-Identifier: MIT */
/* Kernels alone, under a parser or serializer that is there already. */
#include <quern/kernels.h>
#include <quern/variant.h>

#include <stdio.h>
#include <string.h>

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
