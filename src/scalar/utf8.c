/* SPDX-License-Identifier: MIT */
/* UTF-8 validation, a sequence at a time: the specification of what the other variants compute. */
#include "common/utf8.h"

quern_utf8_prefix_function QUERN_KERNEL(utf8_prefix);
quern_span QUERN_KERNEL(utf8_prefix)(const char *src, size_t len)
{
    return utf8_walk(src, len, 0);
}
