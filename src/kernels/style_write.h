/* SPDX-License-Identifier: MIT */
/*
 * escape_write and escape_size for styles other than NULL's. A block of 64 bytes is stored whole; then, for each of its
 * candidates, what stands for it, and the text behind it again: nothing is scanned twice, and no copy has a length that
 * depends on the text.
 */
#ifndef QUERN_KERNELS_STYLE_WRITE_H
#define QUERN_KERNELS_STYLE_WRITE_H

#include "kernels/style_scan.h"

#include <string.h>

/* Room for the longest output of a block in any style, and for a store of 64 bytes behind it. */
enum { WALK_ROOM = BLOCK_BYTES * 7 + QUERN_ESCAPE_MAX + 64, WALK_SOURCE = 2 * BLOCK_BYTES };

typedef struct style_walk {
    size_t in, out; /* offsets so far */
    quern_stop why; /* not END: the kernel stops here */
} style_walk;

/* Writes the units of a block's candidates. False if a piece ends within the block, or the kernel stops. */
QUERN_INLINE bool style_walk_block(const quern_style *style, style_piece piece, style_walk *w, uint64_t mask, char *dst,
                                   const char *src, size_t len, unsigned flags)
{
    size_t at = w->in, out = w->out;
    const size_t end = at + BLOCK_BYTES;
    do {
        const size_t next = w->in + bits_trailing_zeros(mask);
        out += next - at;
        at = next;
        const unsigned char byte = (unsigned char)src[at];
        if (byte < 0x80) {
            const quern_replacement *r = style_replacement(style, byte);
            memcpy(dst + out, r, sizeof *r);
            out += r->length;
            at++;
        } else {
            if (style_ends_piece(style, piece, src[at])) {
                *w = (style_walk){at, out, QUERN_STOP_END};
                return false;
            }
            char text[QUERN_ESCAPE_MAX];
            const style_unit unit = style_next(style, (const unsigned char *)src + at, len - at, flags, text);
            if (unit.why != QUERN_STOP_END) {
                *w = (style_walk){at, out, unit.why};
                return false;
            }
            if (unit.same)
                memcpy(dst + out, src + at, 4); /* no unit is longer */
            else
                memcpy(dst + out, text, sizeof text);
            out += unit.length;
            at += unit.used;
        }
        if (at >= end) {
            *w = (style_walk){at, out, QUERN_STOP_END};
            return true;
        }
        copy_64(dst + out, src + at);
        mask &= ~UINT64_C(0) << (at - w->in);
    } while (mask);
    *w = (style_walk){end, out + (end - at), QUERN_STOP_END};
    return true;
}

/* As much of a text of `length` bytes, `checked` as in style_piece, as fits in the room without cutting a character. */
QUERN_INLINE size_t style_fitting(const char *src, size_t length, size_t room, bool checked)
{
    if (length <= room)
        return length;
    while (checked && room > 0 && ((unsigned char)src[room] & 0xC0) == 0x80)
        room--;
    return room;
}

static QUERN_NOINLINE quern_span styled_write(const quern_style *style, char *dst, size_t room, const char *src,
                                              size_t len, size_t *used, unsigned flags)
{
    style_walk w = {0, 0, QUERN_STOP_END};
    while (w.in < len && w.why == QUERN_STOP_END) {
        const style_piece piece = style_next_piece(style, src + w.in, len - w.in);
        const style_set set = style_load_for(style, piece.checked);
        const size_t end = w.in + piece.length;
        do {
            bool whole = true;
            while (whole && w.in + BLOCK_BYTES <= end && len - w.in >= WALK_SOURCE && room - w.out >= WALK_ROOM) {
                const uint64_t mask = style_block_mask(&set, src + w.in, piece.checked);
                copy_64(dst + w.out, src + w.in);
                if (mask) {
                    whole = style_walk_block(style, piece, &w, mask, dst, src, len, flags);
                } else {
                    w.in += BLOCK_BYTES;
                    w.out += BLOCK_BYTES;
                }
            }
            if (!whole)
                break;
            /* Near an end of the text or the room: candidate by candidate. */
            const size_t part = style_fitting(src + w.in, end - w.in, room - w.out, piece.checked);
            const size_t clean = part ? style_candidate(&set, dst + w.out, src + w.in, part, piece.checked) : 0;
            w.in += clean;
            w.out += clean;
            if ((w.in == end && piece.length > 0) || style_ends_piece(style, piece, src[w.in]))
                break;
            char text[QUERN_ESCAPE_MAX];
            const style_unit unit = style_next(style, (const unsigned char *)src + w.in, len - w.in, flags, text);
            w.why = unit.why;
            if (unit.why == QUERN_STOP_END && unit.length > room - w.out)
                w.why = QUERN_STOP_ROOM;
            if (w.why != QUERN_STOP_END)
                break;
            const char *from = unit.same ? src + w.in : text;
            for (size_t k = 0; k < unit.length; k++)
                dst[w.out++] = from[k];
            w.in += unit.used;
        } while (w.in < end);
    }
    *used = w.in;
    return (quern_span){w.out, w.why};
}

static QUERN_NOINLINE size_t styled_size(const quern_style *style, const char *src, size_t len, unsigned flags)
{
    uint64_t size = 0;
    size_t i = 0;
    while (i < len) {
        const style_piece piece = style_next_piece(style, src + i, len - i);
        const style_set set = style_load_for(style, piece.checked);
        const size_t end = i + piece.length;
        do {
            const size_t clean = style_candidate(&set, NULL, src + i, end - i, piece.checked);
            i += clean;
            size += clean;
            if ((i == end && piece.length > 0) || style_ends_piece(style, piece, src[i]))
                break;
            char text[QUERN_ESCAPE_MAX];
            const style_unit unit = style_next(style, (const unsigned char *)src + i, len - i, flags, text);
            if (unit.why != QUERN_STOP_END)
                return style_size_of(size);
            size += unit.length;
            i += unit.used;
        } while (i < end);
    }
    return style_size_of(size);
}

#endif
