/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What the tests of sinks share. What is written is always the start of one fixed random text, so that whatever
 * arrives somewhere is right exactly if it is a prefix of that text: nothing lost, nothing twice, nothing in a wrong
 * place.
 */
#ifndef QUERN_TESTS_SINKS_H
#define QUERN_TESTS_SINKS_H

#include "support/checks.h"

#include <stdio.h>

enum { TEXT_SIZE = 1 << 20, MOST_STEPS = 4096, CANARY_BYTE = 0xc7, FRONT = 256 };

extern unsigned char text[TEXT_SIZE];

/** Fills the text and runs the suite. @return what main returns. */
int run_sink_suite(Suite *suite);

/* ---- an allocator that checks, counts and fails -------------------------------------------------- */

typedef struct bank {
    quern_allocator allocator;
    size_t calls;   /* that asked for memory */
    size_t fail_at; /* this one fails; 0: none */
    bool fail_on;   /* and so do all after it */
    size_t refuse;  /* longer blocks are refused; 0: none */
    size_t largest; /* size that was asked for */
    size_t blocks;  /* alive */
} bank;

void *bank_resize(void *context, void *block, size_t old_size, size_t new_size);
void bank_init(bank *b);

/** Opens a sink on it. */
void bank_sink(bank *b, quern_memory_sink *memory, size_t hint, size_t limit);

/** An allocator's function: blocks of pages that nobody has touched; growing moves them. `context`: a size_t. */
void *pages_resize(void *context, void *block, size_t old_size, size_t new_size);

/* ---- scripts of writes --------------------------------------------------------------------------- */

typedef struct step {
    size_t length;
    size_t asked; /* of quern_sink_reserve */
    bool direct;  /* through the window; else by quern_sink_write */
} step;

typedef struct script {
    step steps[MOST_STEPS];
    size_t count;
    size_t total;
} script;

/** `big`: now and then a write of up to 200 KiB. */
void make_script(script *s, support_random *random, size_t total, bool big);

/**
 * What a writer may do with its window at the worst: all of it is scribbled on, the slack included. A sink that has
 * failed need not give one, but then it has to say so.
 */
void write_direct(quern_sink *sink, size_t asked, size_t position, size_t length);

void take_step(quern_sink *sink, const step *s, size_t position);

/** A whole script into a sink that has room for it. */
void play(quern_sink *sink, const script *s);

/** A failed sink: the same failure from everything, and nothing counted any more. */
void check_latched(quern_sink *sink, quern_status failure);

/* ---- targets: what a callback or a FILE writes to ------------------------------------------------ */

typedef enum manner { TAKE_ALL, TAKE_ONE, TAKE_HALF, TAKE_SOME, MANNERS } manner;

typedef enum fault { FAULT_ZERO, FAULT_MINUS_ONE, FAULT_LEAST, FAULT_ONE_MORE, FAULT_MOST, FAULTS } fault;

typedef struct target {
    size_t arrived;
    size_t calls;
    size_t uncopied; /* bytes that came straight from the text */
    size_t fail_at;  /* call that fails; 0: none */
    manner manner;
    fault fault;
    bool failed;
    bool forgives; /* may be called after a failure */
    bool blind;    /* only counts */
    support_random random;
} target;

/** The function of a callback sink; `context` is the target. */
ptrdiff_t target_write(void *context, const void *data, size_t length);

#ifdef __GLIBC__
#    define HAVE_COOKIES 1
FILE *target_file(target *t);
#endif

#endif
