/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The variants of the kernels: which there are, which run here, which is in use.
 *
 * When the library is loaded, it takes the best variant that this processor and operating system support.
 * `QUERN_VARIANT=name` in the environment, read once at that moment, asks for another one (not when the
 * program runs with raised privileges, nor in a build with QUERN_ENVIRONMENT=OFF). Calls made before
 * the library's constructor has run, from another constructor say, take the best variant that the build
 * itself may assume, and are right as well.
 */
#ifndef QUERN_VARIANT_H
#define QUERN_VARIANT_H

#include <quern/kernels.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One variant. All strings are constant. */
typedef struct quern_variant {
    size_t size;              /**< how many bytes of this struct the library knows */
    const char *name;         /**< "avx2", for instance */
    bool supported;           /**< whether it runs here */
    bool emulated;            /**< whether it stands on an emulation of its instructions (test builds only) */
    const char *why_not;      /**< what is missing if it does not run here, else NULL */
    const quern_kernels *row; /**< its kernels, or NULL if it does not run here */
    const void *reserved[4];  /**< NULL */
} quern_variant;

/** How many variants quern has, those included that this build or this machine lacks. */
QUERN_API size_t quern_variant_count(void);

/**
 * Describes variant `i`; 0 is the best one.
 * @return false, with `*out` untouched, if `i` is not below quern_variant_count().
 */
QUERN_API bool quern_variant_get(size_t i, quern_variant *out);

/** The index of the variant that is in use. */
QUERN_API size_t quern_variant_active(void);

/** The name in the environment's QUERN_VARIANT that could not be had at load, or NULL. */
QUERN_API const char *quern_variant_refused(void);

/**
 * Makes `name` the variant in use, for tests and benchmarks. Writers and sinks that are open keep the
 * variant that they were opened with. Other threads may be inside kernels meanwhile: rows are swapped whole.
 * @return QUERN_OK, or QUERN_ERROR_RANGE if there is no such variant, or it does not run here, or the build calls
 * another one directly (QUERN_DISPATCH=static; the row can be had all the same); then nothing changes.
 */
QUERN_API quern_status quern_variant_force(const char *name);

#ifdef __cplusplus
}
#endif
#endif
