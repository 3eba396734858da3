/* SPDX-License-Identifier: MIT */
/*
 * A kernel, called so many times on so many bytes and nothing else: for counting instructions under an emulator that
 * tells no time (bench/instructions.sh).
 *
 *     instructions VARIANT KERNEL SIZE REPEAT
 */
#include <quern/kernels.h>
#include <quern/variant.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16 };

static char text[MOST], copy[6 * MOST + QUERN_SLACK];

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    quern_variant variant;
    size_t i = 0;
    while (quern_variant_get(i, &variant) && strcmp(variant.name, argv[1]) != 0)
        i++;
    const size_t size = strtoul(argv[3], NULL, 10), repeat = strtoul(argv[4], NULL, 10);
    if (strcmp(variant.name, argv[1]) != 0 || !variant.supported || size > MOST)
        return 1;

    static const char *const names[] = {
        "escape_find", "escape_copy", "utf8_prefix",        "utf8_prefix_cyrillic", "copy",
        "line_locate", "text_copy",   "text_copy_cyrillic", "escape_write_quotes"};
    enum { FIND, COPY_TO_ESCAPE, UTF8, UTF8_CYRILLIC, COPY, LINE, TEXT, TEXT_CYRILLIC, WRITE, KERNELS };
    int kernel = 0;
    while (kernel < KERNELS && strcmp(names[kernel], argv[2]) != 0)
        kernel++;

    const quern_kernels *row = variant.row;
    for (size_t k = 0; k < size; k++)
        text[k] = kernel == UTF8_CYRILLIC || kernel == TEXT_CYRILLIC ? "\xD0\xB6"[k % 2]
                  : kernel == WRITE && k % 10 == 3                   ? '"'
                                                                     : (char)('a' + k % 26);
    size_t sum = 0;
    for (size_t r = 0; r < repeat; r++) {
        switch (kernel) {
        case FIND: sum += row->escape_find(NULL, text, size); break;
        case COPY_TO_ESCAPE: sum += row->escape_copy_slack(NULL, copy, text, size); break;
        case UTF8:
        case UTF8_CYRILLIC: sum += row->utf8_prefix(text, size).length; break;
        case COPY:
            row->copy_slack(copy, text, size);
            sum += size;
            break;
        case TEXT:
        case TEXT_CYRILLIC: sum += row->text_copy_slack(NULL, copy, text, size).length; break;
        case WRITE: {
            size_t used;
            row->escape_write_slack(NULL, copy, sizeof copy - QUERN_SLACK, text, size, &used, QUERN_ESCAPE_FINAL);
            sum += used;
            break;
        }
        case LINE: sum += row->line_locate(text, size).newlines + size; break;
        default: return 1;
        }
    }
    return sum == size * repeat ? 0 : 3; /* the work was done */
}
