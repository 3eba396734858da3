/* SPDX-License-Identifier: MIT */
/*
 * The ready-made styles: what well-known producers of JSON write, byte for byte; tests/test_dialects.py compares them
 * with the producers. Where one takes well-formed text alone, its style looks for faults and stops; where one passes
 * whatever bytes it is given, its style is byte-only.
 */
#include "common/style.h"

#include <string.h>

typedef struct named_style {
    const char *name;
    const char *summary;
    quern_style style;
} named_style;

/* Short names of flags and policies, for the table alone. */
enum {
    SLASH = QUERN_STYLE_SOLIDUS,
    DEL = QUERN_STYLE_DELETE,
    UPPER = QUERN_STYLE_UPPER,
    ASCII = QUERN_STYLE_ASCII,
    LINES = QUERN_STYLE_LINES,
    HTML = QUERN_STYLE_HTML,
    UTF8 = QUERN_STYLE_UTF8,
    MARK = QUERN_STYLE_MARK_FFFD,
    STOP = QUERN_ILL_FORMED_STOP,
    REPLACE = QUERN_ILL_FORMED_REPLACE,
    REPLACE_BYTES = QUERN_ILL_FORMED_REPLACE_BYTES,
    KEEP = QUERN_ILL_FORMED_KEEP,
    NO_BF = 1 << '\b' | 1 << '\f' /* letters "nrt" */
};

/* What quern_style_init makes of these options, as a constant; `long` are the control characters without a letter. */
#define HAS(flags, flag) (((flags) & (flag)) != 0)
#define LOW(slash, del, html)                                                                           \
    {                                                                                                   \
        3, 3, 7, 3, 3, 3, 3 | (html) << 2, 3, 3, 3, 3, 3, 3 | 1 << 5 | (html) << 3, 3, 3 | (html) << 3, \
            3 | (slash) << 2 | (del) << 7                                                               \
    }
#define NAMED(name, summary, flags, policy, long)                                                                  \
    {                                                                                                              \
        name, summary,                                                                                             \
        {                                                                                                          \
            .low_ = LOW(HAS(flags, SLASH), HAS(flags, DEL), HAS(flags, HTML)), .high_ = STYLE_HIGH,                \
            .table_ = quern_style_table[HAS(flags, UPPER)], .long_ = (long),                                       \
            .looks_ = (HAS(flags, ASCII | LINES | HTML | UTF8) || (policy) == REPLACE || (policy) == REPLACE_BYTES \
                           ? STYLE_POINTS                                                                          \
                           : 0) |                                                                                  \
                      (HAS(flags, LINES | HTML) ? STYLE_LINES : 0) | (HAS(flags, ASCII) ? STYLE_ASCII : 0) |       \
                      (HAS(flags, SLASH | DEL | HTML) ? STYLE_OWN_SET : 0) |                                       \
                      (HAS(flags, UPPER) || (long) ? STYLE_OWN_TEXT : 0),                                          \
            .ill_formed_ = (policy), .upper_ = HAS(flags, UPPER), .mark_fffd_ = HAS(flags, MARK)                   \
        }                                                                                                          \
    }

/* clang-format off */
static const named_style styles[] = {
    NAMED("rfc8259", "the minimum of RFC 8259, which passes all bytes from 0x80 on", 0, STOP, 0),
    NAMED("python", "Python, json.dumps: ASCII only", ASCII | DEL, STOP, 0),
    NAMED("python-unicode", "Python, json.dumps(ensure_ascii=False)", UTF8, STOP, 0),
    NAMED("node", "JavaScript, JSON.stringify", UTF8, STOP, 0),
    NAMED("jq", "jq", UTF8 | DEL, REPLACE, 0),
    NAMED("jq-ascii", "jq --ascii-output", ASCII | DEL, REPLACE, 0),
    NAMED("jansson", "Jansson, json_dumps", UTF8 | UPPER, STOP, 0),
    NAMED("jansson-ascii", "Jansson with JSON_ENSURE_ASCII", ASCII | UPPER, STOP, 0),
    NAMED("jansson-slash", "Jansson with JSON_ESCAPE_SLASH", UTF8 | UPPER | SLASH, STOP, 0),
    NAMED("cjson", "cJSON, cJSON_Print", 0, KEEP, 0),
    NAMED("json-c", "json-c, json_object_to_json_string: / as \\/", SLASH, KEEP, 0),
    NAMED("json-c-noslash", "json-c with JSON_C_TO_STRING_NOSLASHESCAPE", 0, KEEP, 0),
    NAMED("yajl", "YAJL, yajl_gen_string", UPPER, KEEP, 0),
    NAMED("yajl-slash", "YAJL with yajl_gen_escape_solidus", UPPER | SLASH, KEEP, 0),
    NAMED("nlohmann", "nlohmann::json, dump", UTF8, STOP, 0),
    NAMED("nlohmann-ascii", "nlohmann::json, dump with ensure_ascii", ASCII | DEL, STOP, 0),
    NAMED("rapidjson", "RapidJSON, Writer", UPPER, KEEP, 0),
    NAMED("rapidjson-ascii", "RapidJSON, Writer to ASCII", ASCII | UPPER, STOP, 0),
    NAMED("serde-json", "Rust, serde_json::to_string", UTF8, STOP, 0),
    NAMED("postgresql", "PostgreSQL, to_json(text)", UTF8, STOP, 0),
    NAMED("go", "Go from 1.22 on, json.Marshal: safe within HTML", HTML | MARK, REPLACE_BYTES, 0),
    NAMED("go-nohtml", "Go from 1.22 on, SetEscapeHTML(false)", LINES | MARK, REPLACE_BYTES, 0),
    NAMED("go-1.21", "Go up to 1.21, json.Marshal: no \\b, no \\f", HTML | MARK, REPLACE_BYTES, NO_BF),
    NAMED("go-1.21-nohtml", "Go up to 1.21, SetEscapeHTML(false)", LINES | MARK, REPLACE_BYTES, NO_BF),
    NAMED("php", "PHP, json_encode: ASCII only, / as \\/", ASCII | SLASH, STOP, 0),
    NAMED("php-noslash", "PHP with JSON_UNESCAPED_SLASHES", ASCII, STOP, 0),
    NAMED("php-unicode", "PHP with JSON_UNESCAPED_UNICODE", LINES | SLASH, STOP, 0),
    NAMED("php-unicode-noslash", "PHP with JSON_UNESCAPED_UNICODE and _SLASHES", LINES, STOP, 0),
};
/* clang-format on */

enum { STYLE_COUNT = sizeof styles / sizeof styles[0] };

const quern_style *quern_style_named(const char *name)
{
    for (size_t i = 0; i < STYLE_COUNT; i++) {
        if (strcmp(name, styles[i].name) == 0)
            return &styles[i].style;
    }
    return NULL;
}

const char *quern_style_name(size_t i, const char **summary)
{
    if (i >= STYLE_COUNT)
        return NULL;
    if (summary)
        *summary = styles[i].summary;
    return styles[i].name;
}
