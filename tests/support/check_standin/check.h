/* SPDX-License-Identifier: MIT */
/*
 * As much of Check's face as the tests use, for machines that Check cannot be had for: one process, no forks, no
 * timeouts. A failed assertion ends its test; a signal ends the program, which is a failure as well.
 */
#ifndef QUERN_TESTS_CHECK_STANDIN_H
#define QUERN_TESTS_CHECK_STANDIN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct check_test {
    const char *name;
    void (*run)(int i);
} check_test;

typedef struct TCase TCase;
typedef struct Suite Suite;
typedef struct SRunner SRunner;
enum print_output { CK_NORMAL };

Suite *suite_create(const char *name);
void suite_add_tcase(Suite *suite, TCase *tcase);
TCase *tcase_create(const char *name);
void tcase_add_loop_test(TCase *tcase, const check_test *test, int start, int end);
#define tcase_add_test(tcase, test) tcase_add_loop_test(tcase, test, 0, 1)
#define tcase_set_timeout(tcase, seconds) ((void)(tcase))

SRunner *srunner_create(Suite *suite);
void srunner_run_all(SRunner *runner, enum print_output how);
int srunner_ntests_failed(SRunner *runner);
int srunner_ntests_run(SRunner *runner);
void srunner_free(SRunner *runner);

/* A test is a pointer, as with Check; its body follows the macro. */
#define START_TEST(test)                                        \
    static void test##_run(int i);                              \
    static const check_test test##_entry = {#test, test##_run}; \
    static const check_test *const test = &test##_entry;        \
    static void test##_run(int _i __attribute__((unused)))
#define END_TEST

/* Says what failed, and leaves the test. */
_Noreturn void check_fail(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

#define ck_abort_msg(...) check_fail(__FILE__, __LINE__, __VA_ARGS__)
#define ck_assert_msg(condition, ...) ((condition) ? (void)0 : check_fail(__FILE__, __LINE__, __VA_ARGS__))
#define ck_assert(condition) ck_assert_msg(condition, "%s", #condition)

#define CHECK_NUMBERS_(type, format, a, operator, b)                                                 \
    do {                                                                                             \
        const type a_ = (a), b_ = (b);                                                               \
        ck_assert_msg(a_ operator b_, "%s: " format " and " format, #a " " #operator" " #b, a_, b_); \
    } while (0)
#define CHECK_INTS_(a, operator, b) CHECK_NUMBERS_(intmax_t, "%jd", a, operator, b)
#define CHECK_UINTS_(a, operator, b) CHECK_NUMBERS_(uintmax_t, "%ju", a, operator, b)
#define ck_assert_int_eq(a, b) CHECK_INTS_(a, ==, b)
#define ck_assert_int_ne(a, b) CHECK_INTS_(a, !=, b)
#define ck_assert_int_lt(a, b) CHECK_INTS_(a, <, b)
#define ck_assert_int_le(a, b) CHECK_INTS_(a, <=, b)
#define ck_assert_int_gt(a, b) CHECK_INTS_(a, >, b)
#define ck_assert_int_ge(a, b) CHECK_INTS_(a, >=, b)
#define ck_assert_uint_eq(a, b) CHECK_UINTS_(a, ==, b)
#define ck_assert_uint_ne(a, b) CHECK_UINTS_(a, !=, b)
#define ck_assert_uint_lt(a, b) CHECK_UINTS_(a, <, b)
#define ck_assert_uint_le(a, b) CHECK_UINTS_(a, <=, b)
#define ck_assert_uint_gt(a, b) CHECK_UINTS_(a, >, b)
#define ck_assert_uint_ge(a, b) CHECK_UINTS_(a, >=, b)
#define ck_assert_ptr_eq(a, b) ck_assert((const void *)(a) == (const void *)(b))
#define ck_assert_ptr_ne(a, b) ck_assert((const void *)(a) != (const void *)(b))
#define ck_assert_ptr_null(a) ck_assert((a) == NULL)
#define ck_assert_ptr_nonnull(a) ck_assert((a) != NULL)
#define ck_assert_mem_eq(a, b, size) ck_assert(memcmp(a, b, size) == 0)
#define ck_assert_str_eq(a, b)                                                                 \
    do {                                                                                       \
        const char *a_ = (a), *b_ = (b);                                                       \
        ck_assert_msg(strcmp(a_, b_) == 0, "%s: \"%s\" and \"%s\"", #a " equals " #b, a_, b_); \
    } while (0)

#endif
