/* SPDX-License-Identifier: MIT */
#include "support/styles.h"

#include <stdio.h>
#include <string.h>

/* ---- tables of one's own ------------------------------------------------------------------------- */

static void replace(quern_replacement *table, unsigned char byte, const char *text, size_t length)
{
    memset(&table[byte], 0, sizeof table[byte]);
    memcpy(table[byte].text, text, length);
    table[byte].length = (unsigned char)length;
}

/* Replacements of 1 to 7 bytes for what JSON escapes, and for others that share nibbles with it. */
static void table_of_all_lengths(quern_replacement *table)
{
    static const unsigned char others[] = "ABb23=M@`\x7F\x50";
    for (size_t i = 0; i < 32; i++)
        replace(table, (unsigned char)i, "<3456>!", i % 7 + 1);
    replace(table, '"', "\\'", 2);
    replace(table, '\\', "\\x5c", 4);
    for (size_t i = 0; i < sizeof others - 1; i++)
        replace(table, others[i], "{abcd};", 1 + i % 7);
}

/* A byte for a byte, another one or the same. */
static void table_of_single_bytes(quern_replacement *table)
{
    for (unsigned char c = 'A'; c <= 'Z'; c++)
        replace(table, c, &"abcdefghijklmnopqrstuvwxyz"[c - 'A'], 1);
    for (unsigned char c = '0'; c <= '9'; c++)
        replace(table, c, (const char *)&c, 1);
    replace(table, 0, "0", 1);
}

static void table_of_everything(quern_replacement *table)
{
    for (unsigned char c = 0; c < 0x80; c++)
        replace(table, c, "<12345>", 7);
}

static void table_of_nothing(quern_replacement *table)
{
    (void)table;
}

/* A set that lacks NUL, whose unused slots might match it, and the set of NUL alone. */
static void table_of_two(quern_replacement *table)
{
    replace(table, '"', "\\\"", 2);
    replace(table, '\\', "\\\\", 2);
}

static void table_of_nul(quern_replacement *table)
{
    replace(table, 0, "\\0", 2);
}

/* The last byte of ASCII, and the first of the next rows of 16. */
static void table_of_borders(quern_replacement *table)
{
    for (unsigned char c = 0; c < 0x80; c += 16) {
        replace(table, c, "%first", 6);
        replace(table, c + 15, "%l", 2);
    }
}

/* ---- the list -------------------------------------------------------------------------------------- */

enum {
    S = QUERN_STYLE_SOLIDUS,
    D = QUERN_STYLE_DELETE,
    U = QUERN_STYLE_UPPER,
    A = QUERN_STYLE_ASCII,
    L = QUERN_STYLE_LINES,
    H = QUERN_STYLE_HTML,
    W = QUERN_STYLE_UTF8, /* well-formed */
    M = QUERN_STYLE_MARK_FFFD
};

#define STOP QUERN_ILL_FORMED_STOP
#define REPLACE QUERN_ILL_FORMED_REPLACE
#define BYTES QUERN_ILL_FORMED_REPLACE_BYTES
#define DROP QUERN_ILL_FORMED_DROP
#define KEEP QUERN_ILL_FORMED_KEEP

static const struct {
    const char *name;
    unsigned flags;
    quern_ill_formed ill_formed;
    const char *letters;
    void (*table)(quern_replacement *table);
} list[] = {
    {"all options 0", 0, STOP, NULL, NULL},
    {"solidus", S, STOP, NULL, NULL},
    {"delete", D, STOP, NULL, NULL},
    {"upper", U, STOP, NULL, NULL},
    {"ascii", A, STOP, NULL, NULL},
    {"lines", L, STOP, NULL, NULL},
    {"html", H, STOP, NULL, NULL},
    {"utf8", W, STOP, NULL, NULL},
    {"mark", M, STOP, NULL, NULL},
    {"solidus, delete, upper", S | D | U, STOP, NULL, NULL},
    {"all flags", S | D | U | A | L | H | W | M, STOP, NULL, NULL},
    {"all flags, replace", S | D | U | A | L | H | W | M, REPLACE, NULL, NULL},
    {"replace", 0, REPLACE, NULL, NULL},
    {"replace bytes", 0, BYTES, NULL, NULL},
    {"drop", 0, DROP, NULL, NULL},
    {"keep", 0, KEEP, NULL, NULL},
    {"ascii, replace", A, REPLACE, NULL, NULL},
    {"ascii, upper, replace bytes", A | U, BYTES, NULL, NULL},
    {"ascii, drop", A, DROP, NULL, NULL},
    {"ascii, keep", A, KEEP, NULL, NULL},
    {"lines, replace, mark", L | M, REPLACE, NULL, NULL},
    {"lines, replace bytes", L, BYTES, NULL, NULL},
    {"lines, drop", L, DROP, NULL, NULL},
    {"lines, keep", L, KEEP, NULL, NULL},
    {"html, solidus, replace", H | S, REPLACE, NULL, NULL},
    {"html, replace bytes, mark, upper", H | M | U, BYTES, NULL, NULL},
    {"html, drop", H, DROP, NULL, NULL},
    {"html, keep", H, KEEP, NULL, NULL},
    {"utf8, replace", W, REPLACE, NULL, NULL},
    {"utf8, replace bytes, mark", W | M, BYTES, NULL, NULL},
    {"utf8, drop", W, DROP, NULL, NULL},
    {"utf8, keep", W, KEEP, NULL, NULL},
    {"no letters", 0, STOP, "", NULL},
    {"letters n", U, STOP, "n", NULL},
    {"letters bf", D, STOP, "bf", NULL},
    {"letters trn, ascii", A, REPLACE, "trn", NULL},
    {"letters bfnrt", L, STOP, "bfnrt", NULL},
    {"table, 1 to 7 bytes", 0, STOP, NULL, table_of_all_lengths},
    {"table, 1 to 7 bytes, lines, replace", L, REPLACE, NULL, table_of_all_lengths},
    {"table, 1 to 7 bytes, ascii, keep", A, KEEP, NULL, table_of_all_lengths},
    {"table, single bytes", 0, STOP, NULL, table_of_single_bytes},
    {"table, single bytes, drop", 0, DROP, NULL, table_of_single_bytes},
    {"table, everything", 0, STOP, NULL, table_of_everything},
    {"table, everything, ascii, upper, replace", A | U, REPLACE, NULL, table_of_everything},
    {"table, nothing", 0, STOP, NULL, table_of_nothing},
    {"table, nothing, utf8", W, STOP, NULL, table_of_nothing},
    {"table, quotes alone", 0, STOP, NULL, table_of_two},
    {"table, NUL alone", 0, STOP, NULL, table_of_nul},
    {"table, borders", W, BYTES, NULL, table_of_borders},
};

typedef struct slot {
    quern_style_options options;
    quern_style style;
    quern_replacement table[256];
    char name[96];
    char letters[8];
    escaping_style made;
} slot;

static const escaping_style *make(slot *s)
{
    s->options.size = sizeof s->options;
    const quern_status status = quern_style_init(&s->style, &s->options);
    ck_assert_msg(status == QUERN_OK, "style %s: status %d", s->name, (int)status);
    s->made = (escaping_style){s->name, &s->style, &s->options};
    return &s->made;
}

static slot slots[SUPPORT_COUNT(list)];

size_t styles_count(void)
{
    return SUPPORT_COUNT(list) + 1; /* and that of NULL */
}

const escaping_style *styles_get(size_t i)
{
    if (i == SUPPORT_COUNT(list))
        return &escaping_null;
    slot *s = &slots[i];
    if (s->made.style != NULL)
        return &s->made;
    snprintf(s->name, sizeof s->name, "%s", list[i].name);
    s->options.flags = list[i].flags;
    s->options.ill_formed = list[i].ill_formed;
    s->options.letters = list[i].letters;
    if (list[i].table != NULL) {
        list[i].table(s->table);
        s->options.table = s->table;
    }
    return make(s);
}

static const escaping_style *made_at_random(support_random *random)
{
    static slot s;
    memset(&s, 0, sizeof s);
    s.options.flags = (unsigned)support_random_below(random, 256);
    s.options.ill_formed = (quern_ill_formed)support_random_below(random, KEEP + 1);
    const char *kind = "";
    if (support_random_below(random, 3) == 0) {
        kind = ", table";
        s.options.flags &= ~(unsigned)(S | D | H);
        s.options.table = s.table;
        const size_t apart = 1 + support_random_below(random, 20);
        for (unsigned char c = 0; c < 0x80; c++) {
            if (support_random_below(random, apart) == 0)
                replace(s.table, c, "\\ABCDEF", 1 + support_random_below(random, 7));
        }
    } else if (support_random_below(random, 2) == 0) {
        for (size_t i = 0, n = 0; i < 5; i++) {
            if (support_random_below(random, 2) == 0)
                s.letters[n++] = "bfnrt"[i];
        }
        s.options.letters = s.letters;
    }
    snprintf(s.name, sizeof s.name, "flags 0x%x, policy %d, letters %s%s", s.options.flags, (int)s.options.ill_formed,
             s.options.letters != NULL ? s.options.letters : "NULL", kind);
    return make(&s);
}

const escaping_style *styles_any(support_random *random)
{
    if (support_random_below(random, 3) == 0)
        return made_at_random(random);
    return styles_get(support_random_below(random, styles_count()));
}
