/* SPDX-License-Identifier: MIT */
/* The stand-in for Check counts what fails: a stand-in that passes everything would hide all the rest. */
#include <check.h>

#include <stdio.h>
#include <stdlib.h>

static int reached, behind_failure;

START_TEST(passes)
{
    ck_assert(_i >= 2 && _i < 5);
    ck_assert_int_eq(-1, -1);
    ck_assert_uint_ge(UINTMAX_MAX, 1);
    ck_assert_str_eq("a", "a");
    reached += 1 << _i;
}
END_TEST

START_TEST(fails)
{
    if (_i == 0)
        ck_assert_int_eq(1, 2);
    if (_i == 1)
        ck_assert_str_eq("a", "b");
    if (_i == 2)
        ck_abort_msg("%s", "on purpose");
    if (_i == 3)
        ck_assert_uint_lt(2, 2);
    if (_i == 4)
        ck_assert_mem_eq("ab", "ac", 2);
    if (_i == 5)
        ck_assert_ptr_null("");
    behind_failure++;
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stand-in");
    TCase *good = tcase_create("good"), *bad = tcase_create("bad, on purpose");
    tcase_add_loop_test(good, passes, 2, 5);
    tcase_add_loop_test(bad, fails, 0, 6);
    tcase_add_loop_test(bad, fails, 0, 0);
    suite_add_tcase(suite, good);
    suite_add_tcase(suite, bad);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int run = srunner_ntests_run(runner), failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    printf("checks executed: 4\n");
    return run == 9 && failed == 6 && reached == 28 && behind_failure == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
