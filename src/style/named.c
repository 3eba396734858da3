/* SPDX-License-Identifier: MIT */
/* The ready-made styles: what well-known producers of JSON write. */
#include "common/style.h"

#include <string.h>

typedef struct named_style {
    const char *name;
    const char *summary;
    quern_style style;
} named_style;

static const named_style styles[] = {
    {"rfc8259",
     "the minimum of RFC 8259",
     {.low_ = STYLE_MINIMUM_LOW, .high_ = STYLE_HIGH, .table_ = quern_style_table[0]}},
};

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
