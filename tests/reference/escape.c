/* SPDX-License-Identifier: MIT */
#include "reference/reference.h"

static bool must_be_escaped(unsigned char byte)
{
    return byte < 0x20 || byte == '"' || byte == '\\';
}

size_t reference_escape_find(const char *src, size_t len)
{
    size_t i = 0;
    while (i < len && !must_be_escaped((unsigned char)src[i]))
        i++;
    return i;
}

/* The letter of the short escape, or 0. By value, so that it does not depend on the execution character set. */
static char short_escape(unsigned char byte)
{
    switch (byte) {
    case 0x08: return 'b';
    case 0x09: return 't';
    case 0x0A: return 'n';
    case 0x0C: return 'f';
    case 0x0D: return 'r';
    case 0x22: return '"';
    case 0x5C: return '\\';
    default: return 0;
    }
}

size_t reference_json_string(char *dst, const char *src, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    size_t used = 0;
    dst[used++] = '"';
    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)src[i];
        char letter = short_escape(byte);
        if (letter != 0) {
            dst[used++] = '\\';
            dst[used++] = letter;
        } else if (byte < 0x20) {
            dst[used++] = '\\';
            dst[used++] = 'u';
            dst[used++] = '0';
            dst[used++] = '0';
            dst[used++] = digits[byte / 16];
            dst[used++] = digits[byte % 16];
        } else {
            dst[used++] = src[i];
        }
    }
    dst[used++] = '"';
    return used;
}
