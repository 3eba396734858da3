/* SPDX-License-Identifier: MIT */
#include <check.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct entry {
    const check_test *test;
    int start, end;
    struct entry *next;
} entry;

struct TCase {
    const char *name;
    entry *first, **last;
    TCase *next;
};

struct Suite {
    const char *name;
    TCase *first, **last;
};

struct SRunner {
    Suite *suite;
    int run, failed;
};

static struct {
    const char *tcase, *test;
    int i;
} now;

/* Set in the thread that runs tests: no other one can leave a test. */
static _Thread_local jmp_buf *after_failure;

static void *allocate(size_t size)
{
    void *block = calloc(1, size);
    if (block == NULL)
        abort();
    return block;
}

Suite *suite_create(const char *name)
{
    Suite *suite = allocate(sizeof *suite);
    *suite = (Suite){.name = name, .last = &suite->first};
    return suite;
}

void suite_add_tcase(Suite *suite, TCase *tcase)
{
    *suite->last = tcase;
    suite->last = &tcase->next;
}

TCase *tcase_create(const char *name)
{
    TCase *tcase = allocate(sizeof *tcase);
    *tcase = (TCase){.name = name, .last = &tcase->first};
    return tcase;
}

void tcase_add_loop_test(TCase *tcase, const check_test *test, int start, int end)
{
    entry *added = allocate(sizeof *added);
    *added = (entry){.test = test, .start = start, .end = end};
    *tcase->last = added;
    tcase->last = &added->next;
}

SRunner *srunner_create(Suite *suite)
{
    SRunner *runner = allocate(sizeof *runner);
    runner->suite = suite;
    return runner;
}

static bool passes(const check_test *test, int i)
{
    jmp_buf here;
    const bool first = setjmp(here) == 0;
    if (first) {
        after_failure = &here;
        test->run(i);
    }
    after_failure = NULL;
    return first;
}

void srunner_run_all(SRunner *runner, enum print_output how)
{
    (void)how;
    printf("Running suite(s): %s\n", runner->suite->name);
    for (const TCase *tcase = runner->suite->first; tcase != NULL; tcase = tcase->next) {
        for (const entry *e = tcase->first; e != NULL; e = e->next) {
            for (int i = e->start; i < e->end; i++) {
                now.tcase = tcase->name;
                now.test = e->test->name;
                now.i = i;
                runner->run++;
                runner->failed += !passes(e->test, i);
            }
        }
    }
    printf("stand-in for Check: %d tests, %d failed\n", runner->run, runner->failed);
    fflush(stdout);
}

int srunner_ntests_failed(SRunner *runner)
{
    return runner->failed;
}

int srunner_ntests_run(SRunner *runner)
{
    return runner->run;
}

void srunner_free(SRunner *runner)
{
    for (TCase *tcase = runner->suite->first, *next; tcase != NULL; tcase = next) {
        for (entry *e = tcase->first, *following; e != NULL; e = following) {
            following = e->next;
            free(e);
        }
        next = tcase->next;
        free(tcase);
    }
    free(runner->suite);
    free(runner);
}

void check_fail(const char *file, int line, const char *format, ...)
{
    printf("%s:%d:F:%s:%s:%d: ", file, line, now.tcase, now.test, now.i);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    fflush(stdout);
    if (after_failure == NULL)
        abort();
    longjmp(*after_failure, 1);
}
