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

/* ---- the rows of the variants that this build has: it defines QUERN_BUILT_<variant> as 1 or 0 ---- */

#define IF_1(...) __VA_ARGS__
#define IF_0(...)
#define IF_(condition) IF_##condition
#define IF(condition) IF_(condition)

#define DECLARE_ROW(variant, kernel, type) extern quern_##type##_function quern_##kernel##_##variant;
#define DECLARE_ENTRY(variant, kernel, result, parameters, arguments) DECLARE_ROW(variant, kernel, kernel)
#define CELL_ROW(variant, kernel, type) .kernel = quern_##kernel##_##variant,
#define CELL_ENTRY(variant, kernel, result, parameters, arguments) CELL_ROW(variant, kernel, kernel)

/* clang-format off */
#define VARIANT(variant, architecture, needs, flags)    \
    IF(QUERN_BUILT_##variant) (                         \
    QUERN_KERNELS(DECLARE_ENTRY, DECLARE_ROW, variant)  \
    static const quern_kernels row_##variant = {        \
        .size = sizeof(quern_kernels),                  \
        QUERN_KERNELS(CELL_ENTRY, CELL_ROW, variant)    \
    };)
/* clang-format on */
#include "dispatch/variants.def"
#undef VARIANT

/* ---- the variants ---- */

static const struct {
    const char *name;
    const char *architecture;
    uint32_t needs;
    const quern_kernels *row; /* NULL: not built */
} variants[] = {
#define ROW_1(variant) &row_##variant
#define ROW_0(variant) NULL
#define ROW_(built) ROW_##built
#define ROW(built) ROW_(built)
#define VARIANT(variant, architecture, needs, flags) \
    {#variant, #architecture, needs, ROW(QUERN_BUILT_##variant)(variant)},
#include "dispatch/variants.def"
#undef VARIANT
};

enum { VARIANT_COUNT = sizeof variants / sizeof variants[0] };

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
    while (i < VARIANT_COUNT - 1 && !(built[i] && (variants[i].needs & ~have) == 0))
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

#if QUERN_STATIC_DISPATCH

const quern_kernels *quern_table_active(void)
{
    return &BASELINE;
}

#    define ACTIVE (&BASELINE)

static const char *why_not(size_t i)
{
    return variants[i].row == &BASELINE ? NULL : "this build calls another variant directly (QUERN_DISPATCH=static)";
}

const char *quern_variant_refused(void)
{
    return NULL;
}

quern_status quern_variant_force(const char *name)
{
    for (size_t i = 0; i < VARIANT_COUNT; i++) {
        if (strcmp(name, variants[i].name) == 0 && !why_not(i))
            return QUERN_OK;
    }
    return QUERN_ERROR_RANGE;
}

#else

/* The only state of the library that changes. Rows are constant, so a relaxed load of the pointer is all it takes. */
static const quern_kernels *_Atomic active = &BASELINE;
static const char *_Atomic refused = NULL;

const quern_kernels *quern_table_active(void)
{
    return atomic_load_explicit(&active, memory_order_relaxed);
}

#    define ACTIVE (atomic_load_explicit(&active, memory_order_relaxed))

static const char *why_not(size_t i)
{
    if (variants[i].row)
        return quern_cpu_lacks(variants[i].needs, quern_cpu_features());
    return strcmp(variants[i].architecture, "ARM") == 0 ? "not in this build: it is for little-endian ARM"
                                                        : "not in this build: it is for x86";
}

const char *quern_variant_refused(void)
{
    return atomic_load_explicit(&refused, memory_order_relaxed);
}

quern_status quern_variant_force(const char *name)
{
    for (size_t i = 0; i < VARIANT_COUNT; i++) {
        if (strcmp(name, variants[i].name) == 0 && !why_not(i)) {
            atomic_store_explicit(&active, variants[i].row, memory_order_relaxed);
            return QUERN_OK;
        }
    }
    return QUERN_ERROR_RANGE;
}

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

#    if defined(__GNUC__)
__attribute__((constructor)) static void pick_at_load(void)
{
    bool built[VARIANT_COUNT];
    for (size_t i = 0; i < VARIANT_COUNT; i++)
        built[i] = variants[i].row != NULL;
    atomic_store_explicit(&active, variants[quern_variant_pick(quern_cpu_features(), built)].row, memory_order_relaxed);

    const char *name = environment_name();
    if (name && *name && quern_variant_force(name) != QUERN_OK)
        atomic_store_explicit(&refused, name, memory_order_relaxed);
}
#    else
/* Without constructors the baseline's row stays until quern_variant_force is called. */
#    endif

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
        .why_not = lacks,
        .row = lacks ? NULL : variants[i].row,
    };
    return true;
}

size_t quern_variant_active(void)
{
    const quern_kernels *row = quern_table_active();
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
#define PUBLIC_ENTRY(variant, kernel, result, parameters, arguments) \
    result quern_##kernel parameters                                 \
    {                                                                \
        RETURN_##result ACTIVE->kernel arguments;                    \
    }
QUERN_KERNELS(PUBLIC_ENTRY, PUBLIC_ROW, active)
