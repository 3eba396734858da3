/* SPDX-License-Identifier: MIT */
#include "support/sets.h"

#include <stdio.h>

bool sets_leave_out(sets_tally *t, uint64_t cases)
{
    if (!support_thinned())
        return false;
    t->left_out += cases;
    return true;
}

void sets_conclude(const char *name, const char *set, const sets_tally *t, uint64_t cases, const char *kind,
                   uint64_t of_kind)
{
    printf("%s: %s: %" PRIu64 " cases, %" PRIu64 " %s%s\n", name, set, t->cases, t->of_kind, kind,
           t->left_out == 0 ? "" : " (thinned)");
    fflush(stdout);
    ck_assert_msg(t->cases > 0, "%s: %s: no case", name, set);
    ck_assert_msg(t->cases + t->left_out == cases, "%s: %s: %" PRIu64 " cases, not %" PRIu64, name, set,
                  t->cases + t->left_out, cases);
    ck_assert_msg(t->left_out != 0 || t->of_kind == of_kind, "%s: %s: %" PRIu64 " %s, not %" PRIu64, name, set,
                  t->of_kind, kind, of_kind);
}

const unsigned char sets_edge_bytes[26] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF,
                                           0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
                                           0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF};

void sets_tuple(size_t number, unsigned char bytes[4])
{
    for (size_t i = 0; i < 4; i++, number /= 26)
        bytes[i] = sets_edge_bytes[number % 26];
}

uint8_t sets_pack(quern_span span)
{
    return (uint8_t)((size_t)span.why << 4 | span.length);
}

quern_span sets_unpack(uint8_t packed)
{
    return (quern_span){packed & 15, (quern_stop)(packed >> 4)};
}
