/* SPDX-License-Identifier: MIT */
#include "support/ranges.h"

#include <stdlib.h>
#include <string.h>

unsigned char *ranges_place(size_t align, unsigned char around)
{
    static unsigned char room[64 + 64 + 64 + RANGES_ROOM + 64];
    memset(room, around, sizeof room);
    return room + 64 + (64 - (uintptr_t)room % 64) % 64 + align;
}

void ranges_aligned(const support_variant *v, const char *name, size_t most, unsigned char before, unsigned char behind,
                    ranges_test *test)
{
    support_random random = support_random_named(name);
    for (size_t len = 0; len <= most; len++) {
        for (size_t align = 0; align < 64; align++) {
            if (support_thinned())
                continue;
            unsigned char *src = ranges_place(align, before);
            memset(src + len, behind, 64);
            test(v, &random, src, len, RANGES_ALIGNED, align);
        }
    }
}

enum { RANGES_ALL = 320 }; /* lengths up to this one are never thinned: several steps of every kernel */

void ranges_guarded(const support_variant *v, const char *name, size_t most, ranges_test *test)
{
    support_random random = support_random_named(name);
    support_guarded pages = support_guarded_new(most);
    for (size_t len = 0; len <= most; len++) {
        for (size_t above = 0; above < 2; above++) {
            if (len > RANGES_ALL && support_thinned())
                continue;
            support_note(name, len, above);
            test(v, &random, above ? support_guarded_tail(&pages, len) : pages.start, len, RANGES_GUARDED, above);
        }
    }
    support_guarded_free(&pages);
}

void ranges_blocks(const support_variant *v, const char *name, size_t most, ranges_test *test)
{
    support_random random = support_random_named(name);
    for (size_t len = 0; len <= most; len++) {
        unsigned char *src = support_allocate(len);
        test(v, &random, src, len, RANGES_BLOCK, 0);
        free(src);
    }
}

size_t ranges_target(support_random *random, ranges_kind kind)
{
    switch (kind) {
    case RANGES_GUARDED: return support_random_below(random, 2) == 0 ? SUPPORT_ABOVE : SUPPORT_BELOW;
    case RANGES_BLOCK: return SUPPORT_BLOCK;
    default: return support_random_below(random, 64);
    }
}
