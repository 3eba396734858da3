/* SPDX-License-Identifier: MIT */
/*
 * What the processor and the operating system offer, as a set of bits.
 *
 * The answers of the machine come through a struct of functions, so that a test can make them up; what is made of
 * them compiles on every architecture.
 */
#ifndef QUERN_DISPATCH_CPU_H
#define QUERN_DISPATCH_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* FEATURE(name, text): the text completes "this machine lacks …". */
#define CPU_FEATURES(FEATURE)                                    \
    FEATURE(SSSE3, "SSSE3")                                      \
    FEATURE(SSE41, "SSE4.1")                                     \
    FEATURE(SSE42, "SSE4.2")                                     \
    FEATURE(POPCNT, "POPCNT")                                    \
    FEATURE(YMM, "an operating system that saves YMM registers") \
    FEATURE(AVX, "AVX")                                          \
    FEATURE(AVX2, "AVX2")                                        \
    FEATURE(BMI1, "BMI1")                                        \
    FEATURE(LZCNT, "LZCNT")                                      \
    FEATURE(PCLMULQDQ, "PCLMULQDQ")                              \
    FEATURE(ZMM, "an operating system that saves ZMM registers") \
    FEATURE(AVX512F, "AVX512F")                                  \
    FEATURE(AVX512BW, "AVX512BW")                                \
    FEATURE(AVX512VL, "AVX512VL")                                \
    FEATURE(AVX512DQ, "AVX512DQ")                                \
    FEATURE(AVX512CD, "AVX512CD")                                \
    FEATURE(AVX512VBMI, "AVX512VBMI")                            \
    FEATURE(AVX512VBMI2, "AVX512VBMI2")                          \
    FEATURE(BMI2, "BMI2")                                        \
    FEATURE(NEON, "NEON")

enum cpu_feature_index {
#define FEATURE(name, text) CPU_INDEX_##name,
    CPU_FEATURES(FEATURE)
#undef FEATURE
};

enum cpu_feature {
#define FEATURE(name, text) CPU_##name = 1 << CPU_INDEX_##name,
    CPU_FEATURES(FEATURE)
#undef FEATURE
};

/* What a variant needs, all of it. */
enum cpu_bundle {
    CPU_SSE42_BUNDLE = CPU_SSSE3 | CPU_SSE41 | CPU_SSE42 | CPU_POPCNT,
    CPU_AVX2_BUNDLE = CPU_SSE42_BUNDLE | CPU_YMM | CPU_AVX | CPU_AVX2 | CPU_BMI1 | CPU_LZCNT | CPU_PCLMULQDQ,
    CPU_AVX512_BUNDLE = CPU_AVX2_BUNDLE | CPU_ZMM | CPU_AVX512F | CPU_AVX512BW | CPU_AVX512VL | CPU_AVX512DQ |
                        CPU_AVX512CD | CPU_AVX512VBMI | CPU_AVX512VBMI2 | CPU_BMI2
};

/* The x86 machine: CPUID, and XGETBV of register 0, which is called only if CPUID says that it exists. */
typedef struct quern_cpu_x86 {
    void (*cpuid)(void *context, uint32_t leaf, uint32_t subleaf, uint32_t eax_ebx_ecx_edx[4]);
    uint64_t (*xgetbv)(void *context);
    void *context;
} quern_cpu_x86;

/* The CPU_ bits of an x86 machine. A bit whose registers the operating system does not save is left out. */
uint32_t quern_cpu_features_x86(const quern_cpu_x86 *machine);

/* The CPU_ bits that Linux's AT_HWCAP tells on ARM. */
uint32_t quern_cpu_features_arm(uint64_t hwcap, bool aarch64);

/* The CPU_ bits of this machine: of cpu_x86.c or cpu_arm.c, or none. */
uint32_t quern_cpu_features(void);

/* "this machine lacks …" about the first bit of `needs` that `have` does not contain, or NULL. */
const char *quern_cpu_lacks(uint32_t needs, uint32_t have);

/*
 * The best variant for a machine with the bits `have`, as an index into variants.def, out of those for which
 * `built[index]` is set. (swar and scalar need nothing.)
 */
size_t quern_variant_pick(uint32_t have, const bool built[]);

#endif
