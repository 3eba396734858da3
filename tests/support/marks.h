/* SPDX-License-Identifier: MIT */
/**
 * @file
 * A sink of any kind beside a model of it: an array of all bytes written, and the places of the open marks. What comes
 * to the target is compared at once: it must be the next bytes of the array, and none behind the oldest open mark.
 * Bytes are random, so that those taken back are not mistaken for those written in their place.
 */
#ifndef QUERN_TESTS_MARKS_H
#define QUERN_TESTS_MARKS_H

#include "support/sinks.h"

#include <quern/posix.h>

typedef enum subject_kind {
    OF_MEMORY,
    OF_FIXED,
    OF_CALLBACK,
    OF_FILE,
    OF_OWN,       /* blocks of random sizes, some of them none */
    OF_OWN_WRITE, /* the same with a write function */
    OF_FD,
    OF_IOVEC, /* its segments arrive when it is flushed */
    SUBJECT_KINDS
} subject_kind;

enum { SUBJECT_MOST = 1 << 16, MOST_MARKS = 12, SUBJECT_AREA = 1024 };

typedef struct subject {
    subject_kind kind;
    quern_sink *sink;
    quern_memory_sink memory;
    quern_fixed_sink fixed;
    quern_callback_sink callback;
    quern_sink own;
    quern_fd_sink fd;
    quern_iovec_sink iovec;
    FILE *file;
    bank bank; /* of the memory sink, or of what marks hold */

    unsigned char *buffer; /* the fixed sink's array, the callback sink's buffer */
    size_t size;
    unsigned char area[SUBJECT_AREA];
    unsigned char *block; /* the own sink's, in the area */
    size_t room;

    unsigned char bytes[SUBJECT_MOST]; /* all that was written and not taken back */
    size_t length;
    quern_mark marks[MOST_MARKS];
    size_t places[MOST_MARKS];
    size_t depth;
    bool full; /* the fixed sink has said so */

    size_t arrived;
    size_t calls; /* of the target */
    size_t fail_at;
    bool failed;
    bool blocks;           /* now and then, the descriptor */
    support_random random; /* of the target, and of the bytes */
} subject;

/**
 * Opens a sink. `end` is the end of FRONT + 512 bytes, whose last `size` bytes are its buffer. `limit` is that of what
 * marks hold, 0 for the usual one. Then bank and fail_at may be set to fail.
 */
void subject_open(subject *s, subject_kind kind, unsigned char *end, size_t size, size_t limit, size_t seed);

/** Gives back what the sink holds and checks that nothing else is allocated; whether it was finished or not. */
void subject_close(subject *s);

/** Each does the same to the sink and to the model, and checks what can be seen of it. */
void subject_write(subject *s, size_t length);
void subject_write_direct(subject *s, size_t asked, size_t length);
void subject_mark(subject *s);
void subject_rollback(subject *s, size_t i);
void subject_release(subject *s);
void subject_flush(subject *s);

/** Compares what mark `i` holds, and changes it in both places. */
void subject_held(subject *s, size_t i);

/** Finishes it, again as long as it says QUERN_AGAIN. */
quern_status subject_end(subject *s);

/** The bytes that have come to the target; those of an iovec sink are fetched first. */
size_t subject_arrived(subject *s);

/** Whether the sink has failed for good: not a fixed one that goes on counting. */
bool subject_failed(const subject *s);

/** One of the above at random. What is chosen does not depend on failures. */
void subject_step(subject *s, support_random *random);

/** Closes the marks in either way, finishes, and checks that all has arrived. */
void subject_finish(subject *s, support_random *random);

/** Finishes with the marks that are open: what they hold must not arrive. */
void subject_finish_open(subject *s);

/** A sink that has failed for good: the same failure from everything, and nothing of it changes any more. */
void subject_check_latched(subject *s, quern_status failure);

#endif
