/* SPDX-License-Identifier: MIT */
/* What every kernel file includes: the public types, and the name of a kernel in the variant being compiled. */
#ifndef QUERN_COMMON_KERNEL_H
#define QUERN_COMMON_KERNEL_H

#include <quern/kernels.h>

/* The build defines QUERN_VARIANT_NAME (scalar, avx2, …) for each variant's objects. */
#define QUERN_PASTE_(kernel, variant) quern_##kernel##_##variant
#define QUERN_PASTE(kernel, variant) QUERN_PASTE_(kernel, variant)

/* QUERN_KERNEL(copy) is quern_copy_avx2 in the avx2 objects. */
#define QUERN_KERNEL(kernel) QUERN_PASTE(kernel, QUERN_VARIANT_NAME)

#if defined(__GNUC__)
#    define QUERN_LIKELY(condition) __builtin_expect(!!(condition), 1)
#    define QUERN_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#    define QUERN_INLINE static inline __attribute__((always_inline))
#    define QUERN_COLD __attribute__((cold, noinline))
#    define QUERN_NOINLINE __attribute__((noinline))
#else
#    define QUERN_LIKELY(condition) (condition)
#    define QUERN_UNLIKELY(condition) (condition)
#    define QUERN_INLINE static inline
#    define QUERN_COLD
#    define QUERN_NOINLINE
#endif

#endif
