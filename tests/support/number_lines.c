/* SPDX-License-Identifier: MIT */
/** @file Reads the bits of doubles, 16 hexadecimal digits a line, and writes them as text, one a line; for
 * test_number.py. */
#include "number/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        const uint64_t bits = strtoull(line, NULL, 16);
        double value;
        memcpy(&value, &bits, sizeof value);
        char text[QUERN_NUMBER_ROOM];
        const size_t length = quern_number_from_double(text, value);
        text[length] = '\n';
        fwrite(text, 1, length + 1, stdout);
    }
    return fflush(stdout) != 0;
}
