/* SPDX-License-Identifier: MIT */
/*
 * Escaping at any density.
 *
 * Clean text is copied in large steps with one test a step (escape_scan.h). Where an escape turns up, the text is
 * written in blocks of 64 bytes without a branch on where in a block the escapes are (expand_block of each instruction
 * set's expand.h), until a few blocks in a row have none: a test for clean blocks alone would be mispredicted all the
 * time at the densities of real text. What that costs does not depend on how many escapes there are, but for \u00xx.
 *
 * expand_block may write up to 64 bytes behind what it returns, so it is used while there is that much room; near the
 * end of the room a block is first written aside.
 */
#include "kernels/escape_scan.h"
#include "kernels/style_write.h"

#include <string.h>

/* Room for the longest output of a block, and what expand_block may write behind it. */
enum { EXPAND_ROOM = BLOCK_BYTES * 6 + 64, QUIET_BLOCKS = 4 };

/* Writes what fits of at most a block. */
static QUERN_NOINLINE quern_span write_near_end(char *dst, size_t room, const char *src, size_t len, size_t *used)
{
    char aside[EXPAND_ROOM];
    unsigned found;
    const size_t length = expand_block(aside, src, len, &found);
    if (length > room)
        return units_fit(dst, room, src, len, used);
    copy_strict(dst, aside, length);
    *used = len;
    return (quern_span){length, QUERN_STOP_END};
}

QUERN_INLINE quern_span write_bytes(char *dst, size_t room, const char *src, size_t len, size_t *used, bool slack)
{
    size_t i = 0, out = 0;
    if (len <= BLOCK_BYTES && room >= EXPAND_ROOM) {
        unsigned found;
        *used = len;
        return (quern_span){expand_block(dst, src, len, &found), QUERN_STOP_END};
    }
    while (i < len) {
        const size_t part = len - i < room - out ? len - i : room - out;
        const size_t clean = part ? escape_scan(dst + out, src + i, part, slack) : 0;
        i += clean;
        out += clean;
        unsigned quiet = 0;
        while (len - i >= BLOCK_BYTES && room - out >= EXPAND_ROOM && quiet < QUIET_BLOCKS) {
            unsigned found;
            out += expand_block(dst + out, src + i, BLOCK_BYTES, &found);
            i += BLOCK_BYTES;
            quiet = (quiet + 1) & ((found & EXPAND_ESCAPES) - 1);
        }
        if (quiet == QUIET_BLOCKS || i == len)
            continue;
        const size_t n = len - i < BLOCK_BYTES ? len - i : BLOCK_BYTES;
        if (room - out >= EXPAND_ROOM) {
            unsigned found;
            out += expand_block(dst + out, src + i, n, &found);
            i += n;
            continue;
        }
        if (out == room) { /* dst may be NULL */
            *used = i;
            return (quern_span){out, QUERN_STOP_ROOM};
        }
        size_t near;
        const quern_span span = write_near_end(dst + out, room - out, src + i, n, &near);
        i += near;
        out += span.length;
        if (span.why == QUERN_STOP_ROOM) {
            *used = i;
            return (quern_span){out, QUERN_STOP_ROOM};
        }
    }
    *used = len;
    return (quern_span){out, QUERN_STOP_END};
}

quern_escape_write_function QUERN_KERNEL(escape_write), QUERN_KERNEL(escape_write_slack);
quern_span QUERN_KERNEL(escape_write)(const quern_style *style, char *dst, size_t room, const char *src, size_t len,
                                      size_t *used, unsigned flags)
{
    if (!style_writes_as_minimum(style))
        return styled_write(style, dst, room, src, len, used, flags);
    return write_bytes(dst, room, src, len, used, false);
}

quern_span QUERN_KERNEL(escape_write_slack)(const quern_style *style, char *dst, size_t room, const char *src,
                                            size_t len, size_t *used, unsigned flags)
{
    if (!style_writes_as_minimum(style))
        return styled_write(style, dst, room, src, len, used, flags);
    return write_bytes(dst, room, src, len, used, true);
}

quern_escape_size_function QUERN_KERNEL(escape_size);
size_t QUERN_KERNEL(escape_size)(const quern_style *style, const char *src, size_t len, unsigned flags)
{
    if (!style_writes_as_minimum(style))
        return styled_size(style, src, len, flags);
    /* One more for each byte that is escaped, and four more for each that becomes a \u00xx. */
    uint64_t size = len;
    while (len > BLOCK_BYTES) {
        size += expand_growth(src, BLOCK_BYTES);
        src += BLOCK_BYTES;
        len -= BLOCK_BYTES;
    }
    return style_size_of(size + expand_growth(src, len));
}
