/* SPDX-License-Identifier: MIT */
/*
 * The rows, the pointer to the one in use, the constructor that moves it, and the public functions that go through it.
 *
 * Pointer and constructor share this file: a constructor alone in an object of a static archive is never linked.
 * The pointer is initialised to a row that the build's own flags allow, so that it is right before any constructor has
 * run. No ifunc: resolvers run before relocations and sanitizers are ready, and musl has none.
 */
#if !defined(_GNU_SOURCE)
#    define _GNU_SOURCE /* secure_getenv */
#endif
#include "dispatch/table.h"
#include "dispatch/cpu.h"
#include "dispatch/kernels.def"

#include <quern/variant.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/*
 * ---- the rows of the variants that this build has ----
 *
 * It defines QUERN_BUILT_<variant> as 1 or 0, and QUERN_EMULATED_<variant>, which is 0 outside of test builds.
 */

#define IF_1(...) __VA_ARGS__
#define IF_0(...)
#define IF_(condition) IF_##condition
#define IF(condition) IF_(condition)

#define DECLARE_ROW(variant, kernel, type) extern quern_##type##_function quern_##kernel##_##variant;
#define DECLARE_ENTRY(variant, kernel, result, parameters, arguments) DECLARE_ROW(variant, kernel, kernel)
#define CELL_ROW(variant, kernel, type) .kernels.kernel = quern_##kernel##_##variant,
#define CELL_ENTRY(variant, kernel, result, parameters, arguments) CELL_ROW(variant, kernel, kernel)
#define CELL_PRIVATE(variant, kernel, type) .kernel = quern_##kernel##_##variant,

/* clang-format off */
#define DEFINE_ROW(variant)                                         \
    QUERN_KERNELS(DECLARE_ENTRY, DECLARE_ROW, DECLARE_ROW, variant) \
    static const quern_row row_##variant = {                        \
        .kernels.size = sizeof(quern_kernels),                      \
        QUERN_KERNELS(CELL_ENTRY, CELL_ROW, CELL_PRIVATE, variant)  \
    };
/* clang-format on */
#define VARIANT(variant, architecture, needs, emulation, flags) IF(QUERN_BUILT_##variant)(DEFINE_ROW(variant))
#include "dispatch/variants.def"
#undef VARIANT
#define VARIANT(variant, architecture, needs, emulation, flags) \
    IF(QUERN_EMULATED_##variant)(DEFINE_ROW(variant##_emulated))
#include "dispatch/variants.def"
#undef VARIANT

/* ---- the variants ---- */

static const struct {
    const char *name;
    const char *architecture;
    uint32_t needs;
    bool emulated;
    const quern_row *row; /* NULL: not built */
} variants[] = {
#define ROW_1(variant) &row_##variant
#define ROW_0(variant) NULL
#define ROW_(built) ROW_##built
#define ROW(built) ROW_(built)
#define VARIANT(variant, architecture, needs, emulation, flags) \
    {#variant, #architecture, needs, false, ROW(QUERN_BUILT_##variant)(variant)},
#include "dispatch/variants.def"
#undef VARIANT
/* Behind the others, where no pick finds them. */
#define VARIANT(variant, architecture, needs, emulation, flags) \
    IF(QUERN_EMULATED_##variant)({#variant "_emulated", #architecture, 0, true, &row_##variant##_emulated}, )
#include "dispatch/variants.def"
#undef VARIANT
};

enum {
    VARIANT_COUNT = sizeof variants / sizeof variants[0],
#define VARIANT(variant, architecture, needs, emulation, flags) +1
    NATIVE_COUNT = 0
#include "dispatch/variants.def"
#undef VARIANT
};

/* The best row that the flags of this very file allow: right on every machine that can run the rest of the library. */
#if QUERN_BUILT_avx512 && defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) &&          \
    defined(__AVX512DQ__) && defined(__AVX512CD__) && defined(__AVX512VBMI__) && defined(__AVX512VBMI2__) && \
    defined(__BMI2__) && defined(__PCLMUL__)
#    define BASELINE row_avx512
#elif QUERN_BUILT_avx2 && defined(__AVX2__) && defined(__BMI__) && defined(__LZCNT__) && defined(__POPCNT__) && \
    defined(__PCLMUL__)
#    define BASELINE row_avx2
#elif QUERN_BUILT_sse42 && defined(__SSE4_2__) && defined(__POPCNT__)
#    define BASELINE row_sse42
#elif QUERN_BUILT_neon && defined(__ARM_NEON)
#    define BASELINE row_neon
#else
#    define BASELINE row_swar
#endif

size_t quern_variant_pick(uint32_t have, const bool built[])
{
    size_t i = 0;
    while (i < NATIVE_COUNT - 1 && !(built[i] && (variants[i].needs & ~have) == 0))
        i++;
    return i;
}

const char *quern_cpu_lacks(uint32_t needs, uint32_t have)
{
    static const char *const texts[] = {
#define FEATURE(name, text) "this machine lacks " text,
        CPU_FEATURES(FEATURE)
#undef FEATURE
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (needs & ~have & (uint32_t)1 << i)
            return texts[i];
    }
    return NULL;
}

/* CPUID leaves a virtual machine, which takes many microseconds: it is asked once. */
static uint32_t features(void)
{
    enum { KNOWN = INT32_MIN };
    static _Atomic uint32_t known = 0;
    uint32_t have = atomic_load_explicit(&known, memory_order_relaxed);
    if (!have) {
        have = quern_cpu_features() | (uint32_t)KNOWN;
        atomic_store_explicit(&known, have, memory_order_relaxed);
    }
    return have & ~(uint32_t)KNOWN;
}

static const char *why_not(size_t i)
{
    if (variants[i].row)
        return quern_cpu_lacks(variants[i].needs, features());
    return strcmp(variants[i].architecture, "ARM") == 0 ? "not in this build: it is for little-endian ARM"
                                                        : "not in this build: it is for x86";
}

#if QUERN_STATIC_DISPATCH

#    define ACTIVE (&BASELINE)

static quern_status use(const quern_row *row)
{
    return row == &BASELINE ? QUERN_OK : QUERN_ERROR_RANGE;
}

const char *quern_variant_refused(void)
{
    return NULL;
}

#else

/* The only state of the library that changes, but for what is found once and stays. Rows are constant, so a relaxed
 * load of the pointer is all it takes. */
static const quern_row *_Atomic active = &BASELINE;
static const char *_Atomic refused = NULL;

#    define ACTIVE (atomic_load_explicit(&active, memory_order_relaxed))

static quern_status use(const quern_row *row)
{
    atomic_store_explicit(&active, row, memory_order_relaxed);
    return QUERN_OK;
}

const char *quern_variant_refused(void)
{
    return atomic_load_explicit(&refused, memory_order_relaxed);
}

#endif

const quern_row *quern_table_active(void)
{
    return ACTIVE;
}

quern_status quern_variant_force(const char *name)
{
    for (size_t i = 0; i < VARIANT_COUNT; i++) {
        if (strcmp(name, variants[i].name) == 0 && !why_not(i))
            return use(variants[i].row);
    }
    return QUERN_ERROR_RANGE;
}

#if !QUERN_STATIC_DISPATCH && defined(__GNUC__)

static const char *environment_name(void)
{
#    if !QUERN_ENVIRONMENT
    return NULL;
#    elif defined(__GLIBC__) || defined(__FreeBSD__)
    return secure_getenv("QUERN_VARIANT");
#    else
    return getenv("QUERN_VARIANT");
#    endif
}

/* Without constructors the baseline's row stays until quern_variant_force is called. */
__attribute__((constructor)) static void pick_at_load(void)
{
    bool built[NATIVE_COUNT];
    for (size_t i = 0; i < NATIVE_COUNT; i++)
        built[i] = variants[i].row != NULL;
    use(variants[quern_variant_pick(features(), built)].row);

    const char *name = environment_name();
    if (name && *name && quern_variant_force(name) != QUERN_OK)
        atomic_store_explicit(&refused, name, memory_order_relaxed);
}

#endif

size_t quern_variant_count(void)
{
    return VARIANT_COUNT;
}

bool quern_variant_get(size_t i, quern_variant *out)
{
    if (i >= VARIANT_COUNT)
        return false;
    const char *lacks = why_not(i);
    *out = (quern_variant){
        .size = sizeof *out,
        .name = variants[i].name,
        .supported = lacks == NULL,
        .emulated = variants[i].emulated,
        .why_not = lacks,
        .row = lacks ? NULL : &variants[i].row->kernels,
    };
    return true;
}

size_t quern_variant_active(void)
{
    const quern_row *row = quern_table_active();
    size_t i = 0;
    while (variants[i].row != row)
        i++;
    return i;
}

/* ---- the public kernels ---- */

#define RETURN_size_t return
#define RETURN_quern_span return
#define RETURN_quern_line return
#define RETURN_void

#define PUBLIC_ROW(variant, kernel, type)
#define PUBLIC_PRIVATE(variant, kernel, type)
#define PUBLIC_ENTRY(variant, kernel, result, parameters, arguments) \
    result quern_##kernel parameters                                 \
    {                                                                \
        RETURN_##result ACTIVE->kernels.kernel arguments;            \
    }
QUERN_KERNELS(PUBLIC_ENTRY, PUBLIC_ROW, PUBLIC_PRIVATE, active)
