/* SPDX-License-Identifier: MIT */
/**
 * @file
 * swap_copy16, swap_copy32 and swap_copy64, in each variant.
 */
#include "support/ranges.h"

#include "reference/reference.h"

#include <string.h>

enum { MOST = 600 };

static void expect(const support_variant *v, const char *what, const unsigned char *src, size_t len, size_t align)
{
    static const size_t widths[] = {2, 4, 8};
    quern_swap_copy16_function *const swaps[] = {v->row.swap_copy16, v->row.swap_copy32, v->row.swap_copy64};
    unsigned char wanted[MOST + 8];
    for (size_t i = 0; i < SUPPORT_COUNT(widths); i++) {
        const size_t bytes = len / widths[i] * widths[i];
        unsigned char *dst = support_target(bytes, false, align);
        reference_swap(wanted, src, bytes / widths[i], widths[i]);
        swaps[i](dst, src, bytes / widths[i]);
        ++*v->checks;
        const char *fault = support_target_fault();
        if (fault == NULL && bytes != 0 && memcmp(dst, wanted, bytes) != 0)
            fault = "wrong bytes";
        if (fault != NULL)
            ck_abort_msg("%s swap_copy%zu, %s: %zu elements, alignment %zu, to %zu: %s", v->name, widths[i] * 8, what,
                         bytes / widths[i], (size_t)((uintptr_t)src % 64), align, fault);
    }
}

START_TEST(literals)
{
    support_variant v;
    if (!support_variant_open(&v, _i))
        return;
    static const char src[] = "abcdefghijklmnopqrstuvwxyz012345ABCDEFGH";
    char dst[sizeof src] = "";
    v.row.swap_copy16(dst, src, 20);
    ck_assert_str_eq(dst, "badcfehgjilknmporqtsvuxwzy103254BADCFEHG");
    v.row.swap_copy32(dst, src, 10);
    ck_assert_str_eq(dst, "dcbahgfelkjiponmtsrqxwvu10zy5432DCBAHGFE");
    v.row.swap_copy64(dst, src, 5);
    ck_assert_str_eq(dst, "hgfedcbaponmlkjixwvutsrq543210zyHGFEDCBA");
    v.row.swap_copy16(NULL, NULL, 0);
    v.row.swap_copy32(NULL, NULL, 0);
    v.row.swap_copy64(NULL, NULL, 0);
    *v.checks += 6;
}
END_TEST

START_TEST(public_functions)
{
    char dst[9] = "";
    quern_swap_copy16(dst, "abcdefgh", 4);
    ck_assert_str_eq(dst, "badcfehg");
    quern_swap_copy32(dst, "abcdefgh", 2);
    ck_assert_str_eq(dst, "dcbahgfe");
    quern_swap_copy64(dst, "abcdefgh", 1);
    ck_assert_str_eq(dst, "hgfedcba");
}
END_TEST

static void check_range(const support_variant *v, support_random *random, unsigned char *src, size_t len,
                        ranges_kind kind, size_t where)
{
    (void)where;
    for (size_t i = 0; i < len; i++)
        src[i] = (unsigned char)(2 + support_random_below(random, 254)); /* a target has 1 where nothing was written */
    expect(v, "range", src, len, ranges_target(random, kind));
    if (kind == RANGES_GUARDED) {
        expect(v, "range", src, len, SUPPORT_ABOVE);
        expect(v, "range", src, len, SUPPORT_BELOW);
    }
}

START_TEST(alignments)
{
    support_variant v;
    if (support_variant_open(&v, _i))
        ranges_aligned(&v, "swap at alignments", 288, 0x55, 0xAA, check_range);
}
END_TEST

START_TEST(guard_pages)
{
    support_variant v;
    if (support_variant_open(&v, _i))
        ranges_guarded(&v, "swap at guards", MOST, check_range);
}
END_TEST

START_TEST(exact_blocks)
{
    support_variant v;
    if (support_variant_open(&v, _i))
        ranges_blocks(&v, "swap in blocks", MOST, check_range);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("swap");
    TCase *small = tcase_create("small");
    SUPPORT_ADD(small, literals);
    tcase_add_test(small, public_functions);
    suite_add_tcase(suite, small);

    TCase *big = tcase_create("big");
    tcase_set_timeout(big, 600);
    SUPPORT_ADD(big, alignments);
    SUPPORT_ADD(big, guard_pages);
    SUPPORT_ADD(big, exact_blocks);
    suite_add_tcase(suite, big);
    return support_main(suite);
}
