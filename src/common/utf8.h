/* SPDX-License-Identifier: MIT */
/* UTF-8 one sequence at a time, after table 3-7 of the Unicode Standard. */
#ifndef QUERN_COMMON_UTF8_H
#define QUERN_COMMON_UTF8_H

#include "common/kernel.h"

/*
 * The sequence that starts at p, with `room` >= 1 bytes there: its length and QUERN_STOP_END if it is
 * well-formed, else why not, and the length of the maximal subpart: as much as could begin a well-formed sequence, at
 * least 1.
 */
static inline quern_span utf8_sequence(const unsigned char *p, size_t room)
{
    const quern_span ill_formed = {1, QUERN_STOP_ILL_FORMED};
    unsigned char lead = p[0];
    size_t length;
    /* Only the second byte's range depends on the lead. */
    unsigned char second_low = 0x80, second_high = 0xBF;

    if (lead < 0x80)
        return (quern_span){1, QUERN_STOP_END};
    if (lead < 0xC2 || lead > 0xF4)
        return ill_formed;
    if (lead < 0xE0) {
        length = 2;
    } else if (lead < 0xF0) {
        length = 3;
        if (lead == 0xE0)
            second_low = 0xA0; /* overlong */
        else if (lead == 0xED)
            second_high = 0x9F; /* surrogates */
    } else {
        length = 4;
        if (lead == 0xF0)
            second_low = 0x90; /* overlong */
        else if (lead == 0xF4)
            second_high = 0x8F; /* above U+10FFFF */
    }

    if (room < 2)
        return (quern_span){1, QUERN_STOP_TRUNCATED};
    if (p[1] < second_low || p[1] > second_high)
        return ill_formed;
    for (size_t i = 2; i < length; i++) {
        if (i >= room)
            return (quern_span){i, QUERN_STOP_TRUNCATED};
        if ((p[i] & 0xC0) != 0x80)
            return (quern_span){i, QUERN_STOP_ILL_FORMED};
    }
    return (quern_span){length, QUERN_STOP_END};
}

/* The code point of a well-formed sequence of `length` bytes. */
static inline uint32_t utf8_decode(const unsigned char *p, size_t length)
{
    /* The lead's own bits: 7 of one byte, 5 of two, 4 of three, 3 of four. */
    uint32_t c = length == 1 ? p[0] : p[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++)
        c = c << 6 | (p[i] & 0x3Fu);
    return c;
}

/* quern_utf8_prefix of [src, src + len), where [src, src + from) is known to be well-formed. */
static inline quern_span utf8_walk(const char *src, size_t len, size_t from)
{
    while (from < len) {
        quern_span sequence = utf8_sequence((const unsigned char *)src + from, len - from);
        if (sequence.why != QUERN_STOP_END)
            return (quern_span){from, sequence.why};
        from += sequence.length;
    }
    return (quern_span){len, QUERN_STOP_END};
}

/*
 * The last character boundary at or before `offset` that is certain: everything before `offset` was found free of
 * faults, but for a sequence that may go on behind it.
 */
static inline size_t utf8_boundary(const char *src, size_t offset)
{
    for (size_t back = 1; back <= 3 && back <= offset; back++) {
        unsigned char byte = (unsigned char)src[offset - back];
        if (byte >= 0xC0)
            return offset - back;
        if (byte < 0x80)
            break;
    }
    return offset;
}

#endif
