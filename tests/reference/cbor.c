/* SPDX-License-Identifier: MIT */
#include "reference/cbor.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t put_number(unsigned char *dst, unsigned major, uint64_t n)
{
    unsigned bytes = 0, code = (unsigned)n;
    if (n >= 24) {
        code = 24;
        bytes = 1;
        while (bytes < 8 && n >> (8 * bytes) != 0) {
            bytes *= 2;
            code++;
        }
    }
    dst[0] = (unsigned char)(major * 32 + code);
    for (unsigned i = 0; i < bytes; i++)
        dst[1 + i] = (unsigned char)(n >> 8 * (bytes - 1 - i));
    return 1 + bytes;
}

typedef struct entry {
    unsigned char *text;
    size_t key, whole;
} entry;

static int by_key(const void *a, const void *b)
{
    const entry *p = a, *q = b;
    const int order = memcmp(p->text, q->text, p->key < q->key ? p->key : q->key);
    return order ? order : (p->key > q->key) - (p->key < q->key);
}

static size_t sorted_map(unsigned char *dst, const cbor_item *item)
{
    entry *entries = calloc(item->length + 1, sizeof *entries);
    size_t length = put_number(dst, 5, item->length), count = 0, body = length;
    bool wrong = false;
    for (const cbor_item *i = item->first; i; i = i->next->next) {
        const size_t key = reference_cbor_encode(dst + length, i, true);
        const size_t value = reference_cbor_encode(dst + length + key, i->next, true);
        wrong |= key == 0 || value == 0;
        unsigned char *copy = malloc(key + value + 1);
        memcpy(copy, dst + length, key + value);
        entries[count++] = (entry){copy, key, key + value};
        length += key + value;
    }
    qsort(entries, count, sizeof *entries, by_key);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && by_key(&entries[i - 1], &entries[i]) == 0)
            wrong = true;
        memcpy(dst + body, entries[i].text, entries[i].whole);
        body += entries[i].whole;
    }
    for (size_t i = 0; i < count; i++)
        free(entries[i].text);
    free(entries);
    return wrong ? 0 : length;
}

size_t reference_cbor_encode(unsigned char *dst, const cbor_item *item, bool deterministic)
{
    size_t length;
    if (item->major == 7 && item->width) {
        dst[0] = item->width == 16 ? 0xf9 : item->width == 32 ? 0xfa : 0xfb;
        for (unsigned i = 0; i < item->width / 8; i++)
            dst[1 + i] = (unsigned char)(item->number >> (item->width - 8 - 8 * i));
        return 1 + item->width / 8;
    }
    if (item->major == 5 && deterministic)
        return sorted_map(dst, item);
    if (item->unknown && !deterministic) {
        dst[0] = (unsigned char)(item->major * 32 + 31);
        length = 1;
    } else if (item->major >= 2 && item->major <= 5) {
        length = put_number(dst, item->major, item->length);
    } else {
        length = put_number(dst, item->major, item->number);
    }
    if ((item->major == 2 || item->major == 3) && !item->unknown) {
        memcpy(dst + length, item->data, item->length);
        return length + item->length;
    }
    for (const cbor_item *i = item->first; i; i = i->next) {
        const size_t inner = reference_cbor_encode(dst + length, i, deterministic);
        if (inner == 0)
            return 0;
        length += inner;
    }
    if (item->unknown && !deterministic)
        dst[length++] = 0xff;
    return length;
}

void reference_cbor_shortest(cbor_item *item, double value)
{
    item->major = 7;
    item->width = 16;
    const uint64_t sign = signbit(value) ? 0x8000 : 0;
    const double size = fabs(value);
    if (isnan(value)) {
        item->number = 0x7e00;
    } else if (isinf(value)) {
        item->number = sign | 0x7c00;
    } else if (size < 0x1p-14 && ldexp(size, 24) == floor(ldexp(size, 24))) {
        item->number = sign | (uint64_t)ldexp(size, 24);
    } else {
        int exponent; /* size = m * 2^(exponent - 11), 1024 <= m < 2048 */
        const double m = ldexp(frexp(size, &exponent), 11);
        if (size >= 0x1p-14 && size < 65536 && m == floor(m)) {
            item->number = sign | ((uint64_t)(exponent + 14) << 10) | ((uint64_t)m - 1024);
        } else if (size <= (double)FLT_MAX && (double)(float)value == value) {
            const float single = (float)value;
            uint32_t bits;
            memcpy(&bits, &single, sizeof bits);
            item->width = 32;
            item->number = bits;
        } else {
            memcpy(&item->number, &value, sizeof value);
            item->width = 64;
        }
    }
}

const unsigned char *reference_cbor_decode(const unsigned char *p, cbor_item *items, size_t *used, size_t room,
                                           bool *is_break)
{
    *is_break = *p == 0xff;
    if (*is_break)
        return p + 1;
    if (*used == room)
        return NULL;
    cbor_item *item = &items[(*used)++];
    const unsigned code = *p & 31, bytes = code < 24 || code > 27 ? 0 : 1u << (code - 24);
    *item = (cbor_item){.major = *p / 32, .unknown = code == 31};
    p++;
    uint64_t n = code < 24 ? code : 0;
    for (unsigned i = 0; i < bytes; i++)
        n = n << 8 | *p++;
    item->number = n;
    item->length = (size_t)n;
    if (item->major == 7)
        item->width = bytes > 1 ? bytes * 8 : 0;
    if ((item->major == 2 || item->major == 3) && !item->unknown) {
        item->data = p;
        return p + n;
    }
    uint64_t left = item->major == 6 ? 1 : item->major == 4 ? n : item->major == 5 ? 2 * n : 0;
    if (item->unknown)
        left = UINT64_MAX;
    for (cbor_item **link = &item->first; left > 0; left--) {
        cbor_item *child = &items[*used];
        bool end;
        p = reference_cbor_decode(p, items, used, room, &end);
        if (!p || end)
            break;
        *link = child;
        link = &child->next;
        if (item->unknown)
            item->length = (size_t)(UINT64_MAX - left) + 1;
    }
    if (item->unknown && item->major == 5)
        item->length /= 2;
    return p;
}
