/* SPDX-License-Identifier: MIT */
/* Making a style from options. */
#include <quern/style.h>

#include "common/style.h"

#include <assert.h>
#include <string.h>

const quern_style quern_style_minimum = {
    .low_ = STYLE_MINIMUM_LOW, .high_ = STYLE_HIGH, .table_ = quern_style_table[0]};

enum {
    TABLE_FLAGS = QUERN_STYLE_SOLIDUS | QUERN_STYLE_DELETE | QUERN_STYLE_HTML,
    POINT_FLAGS = QUERN_STYLE_ASCII | QUERN_STYLE_LINES | QUERN_STYLE_HTML | QUERN_STYLE_UTF8,
    ALL_FLAGS = TABLE_FLAGS | POINT_FLAGS | QUERN_STYLE_UPPER | QUERN_STYLE_MARK_FFFD
};

static void replace(quern_style *style, unsigned char byte)
{
    style->low_[byte & 15] |= (uint8_t)(1u << (byte >> 4));
}

/* The control characters that have no short escape, given the letters of those that have; false: an unknown letter. */
static bool read_letters(quern_style *style, const char *letters)
{
    static const char known[] = "bfnrt", controls[] = "\b\f\n\r\t";
    for (size_t i = 0; i < sizeof known - 1; i++)
        style->long_ |= (uint32_t)1 << controls[i];
    for (; *letters; letters++) {
        size_t i = 0;
        while (i < sizeof known - 1 && known[i] != *letters)
            i++;
        if (i == sizeof known - 1)
            return false;
        style->long_ &= ~((uint32_t)1 << controls[i]);
    }
    return true;
}

static bool read_table(quern_style *style, const quern_replacement *table)
{
    memset(style->low_, 0, sizeof style->low_);
    for (unsigned byte = 0; byte < 256; byte++) {
        if (table[byte].length > sizeof table[byte].text || (byte >= 0x80 && table[byte].length > 0))
            return false;
        if (table[byte].length > 0)
            replace(style, (unsigned char)byte);
    }
    style->table_ = table;
    return true;
}

static bool read_options(quern_style *style, const quern_style_options *o)
{
    if (o->flags & ~(unsigned)ALL_FLAGS || (unsigned)o->ill_formed > QUERN_ILL_FORMED_KEEP)
        return false;
    if (o->table) {
        if (o->letters || o->flags & TABLE_FLAGS || !read_table(style, o->table))
            return false;
    } else {
        style->table_ = quern_style_table[(o->flags & QUERN_STYLE_UPPER) != 0];
        if (o->letters && !read_letters(style, o->letters))
            return false;
        if (o->flags & QUERN_STYLE_SOLIDUS)
            replace(style, '/');
        if (o->flags & QUERN_STYLE_DELETE)
            replace(style, 0x7F);
        if (o->flags & QUERN_STYLE_HTML) {
            replace(style, '<');
            replace(style, '>');
            replace(style, '&');
        }
    }
    const bool replaces = o->ill_formed != QUERN_ILL_FORMED_STOP && o->ill_formed != QUERN_ILL_FORMED_KEEP;
    if (o->flags & POINT_FLAGS || replaces)
        style->looks_ |= STYLE_POINTS;
    if (o->flags & (QUERN_STYLE_LINES | QUERN_STYLE_HTML))
        style->looks_ |= STYLE_LINES;
    if (o->flags & QUERN_STYLE_ASCII)
        style->looks_ |= STYLE_ASCII;
    if (memcmp(style->low_, quern_style_minimum.low_, sizeof style->low_) != 0)
        style->looks_ |= STYLE_OWN_SET;
    if (style->table_ != quern_style_table[0] || style->long_)
        style->looks_ |= STYLE_OWN_TEXT;
    style->ill_formed_ = (uint8_t)o->ill_formed;
    style->upper_ = (o->flags & QUERN_STYLE_UPPER) != 0;
    style->mark_fffd_ = (o->flags & QUERN_STYLE_MARK_FFFD) != 0;
    return true;
}

quern_status quern_style_init(quern_style *style, const quern_style_options *options)
{
    assert(style);
    *style = quern_style_minimum;
    if (!options || read_options(style, options))
        return QUERN_OK;
    *style = quern_style_minimum;
    return QUERN_ERROR_RANGE;
}
