/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What every part of quern shares: the version, status codes, byte ranges, the allocator.
 */
#ifndef QUERN_BASE_H
#define QUERN_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The one place where the version is written; CMake reads it from here. */
#define QUERN_VERSION_MAJOR 0
#define QUERN_VERSION_MINOR 1
#define QUERN_VERSION_PATCH 0

#if defined(QUERN_SHARED) && defined(_WIN32)
#    ifdef QUERN_BUILD
#        define QUERN_API __declspec(dllexport)
#    else
#        define QUERN_API __declspec(dllimport)
#    endif
#elif defined(__GNUC__)
#    define QUERN_API __attribute__((visibility("default")))
#else
#    define QUERN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the library that is linked, "major.minor.patch"; a constant string. */
QUERN_API const char *quern_version(void);

/**
 * The outcome of a call. Values below 16 are no failure.
 *
 * Objects that can fail (sinks, writers) *latch* the first failure: it is what every later call on
 * the object returns, and those calls do nothing else.
 */
typedef enum quern_status {
    QUERN_OK = 0,    /**< done */
    QUERN_MORE = 1,  /**< the input fed so far is used up */
    QUERN_DONE = 2,  /**< nothing follows */
    QUERN_AGAIN = 3, /**< the target takes no more bytes now */

    QUERN_ERROR_SYNTAX = 16,    /**< the input breaks the grammar */
    QUERN_ERROR_UTF8 = 17,      /**< text that is not well-formed UTF-8 */
    QUERN_ERROR_ESCAPE = 18,    /**< an escape sequence that means nothing */
    QUERN_ERROR_NUMBER = 19,    /**< a malformed number */
    QUERN_ERROR_RANGE = 20,     /**< a value outside what the target can hold, or an unknown name */
    QUERN_ERROR_TYPE = 21,      /**< a value of another type than asked for */
    QUERN_ERROR_TRUNCATED = 22, /**< the input ends too early */
    QUERN_ERROR_DEPTH = 23,     /**< nested deeper than allowed */
    QUERN_ERROR_LIMIT = 24,     /**< larger than a limit that the caller set, or than any object can be */
    QUERN_ERROR_DUPLICATE = 25, /**< a key that was there before */
    QUERN_ERROR_MISUSE = 26,    /**< a call that is not allowed in this state */
    QUERN_ERROR_MEMORY = 27,    /**< the allocator gave nothing */
    QUERN_ERROR_ROOM = 28,      /**< the caller's buffer is full */
    QUERN_ERROR_IO = 29         /**< the target refused bytes; errno is as the target left it */
} quern_status;

/** Whether `status` is a failure. */
QUERN_API bool quern_failed(quern_status status);

/** One sentence about `status`, in English, for a log; a constant string, never NULL. */
QUERN_API const char *quern_status_text(quern_status status);

/** A failure and its place: `offset` counts bytes from the start of the range that the report names. */
typedef struct quern_error {
    quern_status status;
    uint64_t offset;
} quern_error;

/** A range of bytes that somebody else owns. `data` is not terminated by NUL and may be NULL when `length` is 0. */
typedef struct quern_string {
    const char *data;
    size_t length;
} quern_string;

/**
 * Where memory comes from. NULL instead of an allocator means malloc, realloc and free.
 *
 * `resize(context, block, old_size, new_size)`: `block` is NULL and `old_size` 0 to allocate;
 * `new_size` 0 frees and returns NULL; otherwise returns a block of `new_size` bytes that starts with
 * the first min(old_size, new_size) bytes of the old one, or NULL, and then the old block is untouched.
 * Called only from within calls on the object that it was given to, on the thread that makes them.
 */
typedef struct quern_allocator {
    void *(*resize)(void *context, void *block, size_t old_size, size_t new_size);
    void *context;
} quern_allocator;

#ifdef __cplusplus
}
#endif
#endif
