/* SPDX-License-Identifier: MIT */
/*
 * The dispatcher: made-up machines against a written table of picks; the environment; forcing; use before the
 * library's constructor has run.
 */
#include "support/support.h"

#include "dispatch/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *program;

/* ---- made-up machines ---- */

enum {
    /* leaf 1, ECX */
    PCLMULQDQ = 1 << 1,
    SSSE3 = 1 << 9,
    SSE41 = 1 << 19,
    SSE42 = 1 << 20,
    POPCNT = 1 << 23,
    OSXSAVE = 1 << 27,
    AVX = 1 << 28,
    NEHALEM_1 = SSSE3 | SSE41 | SSE42 | POPCNT,
    WESTMERE_1 = NEHALEM_1 | PCLMULQDQ,
    HASWELL_1 = WESTMERE_1 | OSXSAVE | AVX,
    /* leaf 7, ECX */
    VBMI = 1 << 1,
    VBMI2 = 1 << 6,
    ICELAKE_7C = VBMI | VBMI2,
    /* leaf 0x80000001, ECX */
    LZCNT = 1 << 5
};

/* leaf 7, EBX */
#define BMI1 (1u << 3)
#define AVX2 (1u << 5)
#define BMI2 (1u << 8)
#define AVX512F (1u << 16)
#define AVX512DQ (1u << 17)
#define AVX512PF (1u << 26)
#define AVX512ER (1u << 27)
#define AVX512CD (1u << 28)
#define AVX512BW (1u << 30)
#define AVX512VL (1u << 31)
#define HASWELL_7 (BMI1 | AVX2 | BMI2)
#define SKYLAKE_X_7 (HASWELL_7 | AVX512F | AVX512DQ | AVX512CD | AVX512BW | AVX512VL)

typedef struct machine {
    const char *name;
    uint32_t max_leaf, leaf1_ecx, leaf7_ebx, leaf7_ecx, max_extended, extended_ecx;
    uint64_t xcr0;
    const char *pick;
    /* what the probe must not do */
    bool no_xgetbv, no_leaf_7;
} machine;

#define EXT 0x80000008u, LZCNT

static const machine machines[] = {
    {"Zen 5", 16, HASWELL_1, SKYLAKE_X_7, ICELAKE_7C, EXT, 0xe7, "avx512", false, false},
    {"Zen 4, PKRU state on", 16, HASWELL_1, SKYLAKE_X_7, ICELAKE_7C, EXT, 0x2e7, "avx512", false, false},
    {"Ice Lake", 27, HASWELL_1, SKYLAKE_X_7, ICELAKE_7C, EXT, 0xe7, "avx512", false, false},
    {"Skylake-X: no VBMI", 22, HASWELL_1, SKYLAKE_X_7, 0, EXT, 0xe7, "avx2", false, false},
    {"Cannon Lake: no VBMI2", 22, HASWELL_1, SKYLAKE_X_7, VBMI, EXT, 0xe7, "avx2", false, false},
    {"Knights Landing: F CD ER PF only", 13, HASWELL_1, HASWELL_7 | AVX512F | AVX512CD | AVX512ER | AVX512PF, 0, EXT,
     0xe7, "avx2", false, false},
    {"Alder Lake, AVX-512 fused off", 32, HASWELL_1, HASWELL_7, 0, EXT, 0x7, "avx2", false, false},
    {"Ice Lake without BW", 27, HASWELL_1, SKYLAKE_X_7 & ~AVX512BW, ICELAKE_7C, EXT, 0xe7, "avx2", false, false},
    {"Ice Lake without VL", 27, HASWELL_1, SKYLAKE_X_7 & ~AVX512VL, ICELAKE_7C, EXT, 0xe7, "avx2", false, false},
    {"Ice Lake without DQ", 27, HASWELL_1, SKYLAKE_X_7 & ~AVX512DQ, ICELAKE_7C, EXT, 0xe7, "avx2", false, false},
    {"Ice Lake without CD", 27, HASWELL_1, SKYLAKE_X_7 & ~AVX512CD, ICELAKE_7C, EXT, 0xe7, "avx2", false, false},
    {"Ice Lake without BMI2", 27, HASWELL_1, SKYLAKE_X_7 & ~BMI2, ICELAKE_7C, EXT, 0xe7, "avx2", false, false},
    /* B045, simdutf issue #242: CPUID has the bits, the system does not save ZMM */
    {"B045: AVX-512 in CPUID, XCR0 = 7", 27, HASWELL_1, SKYLAKE_X_7, ICELAKE_7C, EXT, 0x7, "avx2", false, false},
    {"opmask state alone (XCR0 = 27)", 27, HASWELL_1, SKYLAKE_X_7, ICELAKE_7C, EXT, 0x27, "avx2", false, false},
    {"ZMM16 to 31 not saved (XCR0 = 67)", 27, HASWELL_1, SKYLAKE_X_7, ICELAKE_7C, EXT, 0x67, "avx2", false, false},
    /* B046, Halide PR #9017: a hypervisor masks XCR0 only */
    {"B046: AVX-512 in CPUID, XCR0 = 3", 27, HASWELL_1, SKYLAKE_X_7, ICELAKE_7C, EXT, 0x3, "sse42", false, false},
    {"XCR0 = 1", 27, HASWELL_1, SKYLAKE_X_7, ICELAKE_7C, EXT, 0x1, "sse42", false, false},
    {"XCR0 = e3: ZMM without YMM", 27, HASWELL_1, SKYLAKE_X_7, ICELAKE_7C, EXT, 0xe3, "sse42", false, false},
    {"XCR0 = e4: ZMM without XMM", 27, HASWELL_1, SKYLAKE_X_7, ICELAKE_7C, EXT, 0xe4, "sse42", false, false},
    /* B047, ispc issue #1026: XGETBV without OSXSAVE faults */
    {"B047: AVX without OSXSAVE", 27, HASWELL_1 & ~OSXSAVE, SKYLAKE_X_7, ICELAKE_7C, EXT, 0xe7, "sse42", true, false},
    /* B048, numpy issue #15342: a virtual machine that shows a Westmere */
    {"B048: Westmere, leaf 7 missing", 2, WESTMERE_1, SKYLAKE_X_7, ICELAKE_7C, EXT, 0xe7, "sse42", true, true},
    {"Haswell", 13, HASWELL_1, HASWELL_7, 0, EXT, 0x7, "avx2", false, false},
    {"Zen 1", 13, HASWELL_1, HASWELL_7, 0, EXT, 0x7, "avx2", false, false},
    {"Haswell without LZCNT", 13, HASWELL_1, HASWELL_7, 0, 0x80000008u, 0, 0x7, "sse42", false, false},
    {"Haswell without extended leaves", 13, HASWELL_1, HASWELL_7, 0, 0x80000000u, LZCNT, 0x7, "sse42", false, false},
    {"Haswell without BMI1", 13, HASWELL_1, HASWELL_7 & ~BMI1, 0, EXT, 0x7, "sse42", false, false},
    {"Haswell without PCLMULQDQ", 13, HASWELL_1 & ~PCLMULQDQ, HASWELL_7, 0, EXT, 0x7, "sse42", false, false},
    {"Haswell without AVX", 13, HASWELL_1 & ~AVX, HASWELL_7, 0, EXT, 0x7, "sse42", false, false},
    {"Sandy Bridge: AVX, no AVX2", 13, HASWELL_1, 0, 0, 0x80000008u, 0, 0x7, "sse42", false, false},
    {"Nehalem", 11, NEHALEM_1, 0, 0, 0x80000008u, 0, 0, "sse42", true, false},
    {"Nehalem without POPCNT", 11, NEHALEM_1 & ~POPCNT, 0, 0, 0x80000008u, 0, 0, "swar", true, false},
    {"Penryn: SSE4.1", 10, SSSE3 | SSE41, 0, 0, 0x80000008u, 0, 0, "swar", true, false},
    {"Core 2 (Conroe): SSSE3", 10, SSSE3, 0, 0, 0x80000008u, 0, 0, "swar", true, false},
    {"K8: SSE2", 1, 0, 0, 0, 0x80000018u, 0, 0, "swar", true, true},
    {"80486 with CPUID leaf 0 alone", 0, ~0u, ~0u, ~0u, 0, 0, 0xe7, "swar", true, true},
};

static const machine *current;
static bool asked_leaf_7, ran_xgetbv;

static void answer_cpuid(void *context, uint32_t leaf, uint32_t subleaf, uint32_t r[4])
{
    const machine *m = context;
    /* Leaves that are not there answer with anything. */
    r[0] = r[1] = r[2] = r[3] = 0xffffffffu;
    if (leaf == 0) {
        r[0] = m->max_leaf;
    } else if (leaf == 1 && m->max_leaf >= 1) {
        r[2] = m->leaf1_ecx;
    } else if (leaf == 7) {
        asked_leaf_7 = true;
        if (m->max_leaf >= 7 && subleaf == 0) {
            r[1] = m->leaf7_ebx;
            r[2] = m->leaf7_ecx;
        }
    } else if (leaf == 0x80000000u) {
        r[0] = m->max_extended;
    } else if (leaf == 0x80000001u && m->max_extended >= 0x80000001u) {
        r[2] = m->extended_ecx;
    }
}

static uint64_t answer_xgetbv(void *context)
{
    const machine *m = context;
    ran_xgetbv = true;
    return m->xcr0;
}

static const char *name_of(size_t i)
{
    quern_variant variant;
    return quern_variant_get(i, &variant) ? variant.name : "none";
}

static bool all_built[32];

START_TEST(made_up_x86_machines)
{
    memset(all_built, 1, sizeof all_built);
    for (size_t i = 0; i < SUPPORT_COUNT(machines); i++) {
        current = &machines[i];
        asked_leaf_7 = ran_xgetbv = false;
        machine answers = machines[i];
        const quern_cpu_x86 probe = {answer_cpuid, answer_xgetbv, &answers};
        const char *pick = name_of(quern_variant_pick(quern_cpu_features_x86(&probe), all_built));
        ck_assert_msg(strcmp(pick, current->pick) == 0, "%s: picked %s, expected %s", current->name, pick,
                      current->pick);
        ck_assert_msg(!(current->no_xgetbv && ran_xgetbv), "%s: XGETBV was run", current->name);
        ck_assert_msg(!(current->no_leaf_7 && asked_leaf_7), "%s: leaf 7 was used", current->name);
    }
    support_count(SUPPORT_COUNT(machines));
    printf("made-up x86 machines: %zu\n", SUPPORT_COUNT(machines));
}
END_TEST

START_TEST(made_up_arm_machines)
{
    static const struct {
        const char *name;
        uint64_t hwcap;
        bool aarch64;
        const char *pick;
    } arm[] = {
        {"Cortex-A53", 0xff, true, "neon"},
        {"Neoverse V1 with SVE", 0xffffffffu, true, "neon"},
        {"AArch64 kernel without ASIMD (nofpu)", 0xfffffffcu, true, "swar"},
        {"AArch64, nothing told", 0, true, "swar"},
        {"AArch64, the 32-bit NEON bit alone", 1u << 12, true, "swar"},
        {"Cortex-A9 with NEON", 0x9ff7, false, "neon"},
        {"Tegra 2: VFPv3-D16, no NEON", 0x20ff & ~(1u << 12), false, "swar"},
        {"ARMv7, the AArch64 bit alone", 1u << 1, false, "swar"},
        {"ARMv6", 0x97, false, "swar"},
    };
    memset(all_built, 1, sizeof all_built);
    for (size_t i = 0; i < SUPPORT_COUNT(arm); i++) {
        const char *pick = name_of(quern_variant_pick(quern_cpu_features_arm(arm[i].hwcap, arm[i].aarch64), all_built));
        ck_assert_msg(strcmp(pick, arm[i].pick) == 0, "%s: picked %s, expected %s", arm[i].name, pick, arm[i].pick);
    }
    support_count(SUPPORT_COUNT(arm));
    printf("made-up ARM machines: %zu\n", SUPPORT_COUNT(arm));
}
END_TEST

START_TEST(what_is_not_built_is_not_picked)
{
    const uint32_t everything = UINT32_MAX;
    /* Emulated rows stand behind the others and are never picked. */
    size_t count = quern_variant_count();
    quern_variant last;
    while (quern_variant_get(count - 1, &last) && last.emulated)
        count--;
    for (size_t missing = 0; missing < count; missing++) {
        memset(all_built, 1, sizeof all_built);
        for (size_t i = 0; i <= missing; i++)
            all_built[i] = false;
        ck_assert_uint_eq(quern_variant_pick(everything, all_built), missing + 1 < count ? missing + 1 : missing);
    }
    support_count(count);
}
END_TEST

START_TEST(says_what_is_missing)
{
    ck_assert_ptr_null(quern_cpu_lacks(CPU_AVX2_BUNDLE, CPU_AVX2_BUNDLE));
    ck_assert_str_eq(quern_cpu_lacks(CPU_AVX2_BUNDLE, CPU_AVX2_BUNDLE & ~(uint32_t)CPU_BMI1),
                     "this machine lacks BMI1");
    ck_assert_str_eq(quern_cpu_lacks(CPU_AVX512_BUNDLE, CPU_AVX2_BUNDLE | CPU_AVX512F),
                     "this machine lacks an operating system that saves ZMM registers");
    support_count(3);
}
END_TEST

/* ---- this machine ---- */

START_TEST(rows_are_whole)
{
    size_t supported = 0;
    const size_t active = quern_variant_active();
    quern_variant variant;
    for (size_t i = 0; i < quern_variant_count(); i++) {
        memset(&variant, 0xee, sizeof variant);
        ck_assert(quern_variant_get(i, &variant));
        ck_assert_uint_eq(variant.size, sizeof variant);
        ck_assert_int_eq(variant.supported, variant.why_not == NULL);
        ck_assert_int_eq(variant.supported, variant.row != NULL);
        if (!variant.supported)
            continue;
        supported++;
        ck_assert_uint_eq(variant.row->size, sizeof(quern_kernels));
        ck_assert(variant.row->escape_find && variant.row->escape_copy && variant.row->escape_copy_slack);
        ck_assert(variant.row->utf8_prefix && variant.row->copy && variant.row->copy_slack && variant.row->line_locate);
        ck_assert_int_eq(variant.emulated, strstr(variant.name, "_emulated") != NULL);
        if (QUERN_TEST_STATIC_DISPATCH) {
            /* The rows are there, but one of them is called directly. */
            ck_assert_int_eq(quern_variant_force(variant.name), i == active ? QUERN_OK : QUERN_ERROR_RANGE);
            ck_assert_uint_eq(quern_variant_active(), active);
        } else {
            /* Forcing a row puts that very row to use. */
            ck_assert_int_eq(quern_variant_force(variant.name), QUERN_OK);
            ck_assert_uint_eq(quern_variant_active(), i);
        }
    }
    quern_variant untouched = variant;
    ck_assert(!quern_variant_get(quern_variant_count(), &variant));
    ck_assert(!quern_variant_get(SIZE_MAX, &variant));
    ck_assert_mem_eq(&untouched, &variant, sizeof variant);
    ck_assert_uint_ge(supported, 2);
    support_count(supported);
}
END_TEST

START_TEST(unknown_names_are_refused)
{
    const size_t before = quern_variant_active();
    ck_assert_int_eq(quern_variant_force("sse9"), QUERN_ERROR_RANGE);
    ck_assert_int_eq(quern_variant_force(""), QUERN_ERROR_RANGE);
    ck_assert_int_eq(quern_variant_force("AVX2"), QUERN_ERROR_RANGE);
    quern_variant variant;
    for (size_t i = 0; quern_variant_get(i, &variant); i++) {
        if (!variant.supported)
            ck_assert_int_eq(quern_variant_force(variant.name), QUERN_ERROR_RANGE);
    }
    ck_assert_uint_eq(quern_variant_active(), before);
    support_count(3);
}
END_TEST

START_TEST(the_best_supported_one_is_active)
{
    if (getenv("QUERN_VARIANT")) {
        printf("skipped: QUERN_VARIANT is set\n");
        return;
    }
    if (QUERN_TEST_STATIC_DISPATCH) {
        printf("skipped: the build calls one variant directly, the best of its flags\n");
        return;
    }
    quern_variant variant;
    size_t i = 0;
    while (quern_variant_get(i, &variant) && !variant.supported)
        i++;
    ck_assert_uint_eq(quern_variant_active(), i);
    ck_assert_ptr_null(quern_variant_refused());
    support_count(1);
}
END_TEST

/* ---- the environment: this program again, which tells what is active and what was refused ---- */

static int tell(void)
{
    quern_variant variant;
    quern_variant_get(quern_variant_active(), &variant);
    printf("%s %s\n", variant.name, quern_variant_refused() ? quern_variant_refused() : "-");
    return 0;
}

/* Runs a program in place of this one; under an emulator, which QUERN_TEST_EMULATOR names, through it. */
_Noreturn static void execute(const char *path, const char *argument)
{
    static char words[256];
    const char *arguments[16];
    size_t count = 0;
    const char *emulator = getenv("QUERN_TEST_EMULATOR");
    snprintf(words, sizeof words, "%s", emulator ? emulator : "");
    for (char *word = strtok(words, " "); word && count < 13; word = strtok(NULL, " "))
        arguments[count++] = word;
    arguments[count++] = path;
    arguments[count++] = argument;
    arguments[count] = NULL;
    execvp(arguments[0], (char *const *)arguments);
    _exit(127);
}

static void told_with(const char *value, char out[64])
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    fflush(stdout);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (value)
            setenv("QUERN_VARIANT", value, 1);
        else
            unsetenv("QUERN_VARIANT");
        execute(program, "--tell");
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t count;
    while (length < 63 && (count = read(ends[0], out + length, 63 - length)) > 0)
        length += (size_t)count;
    out[length] = 0;
    close(ends[0]);
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

START_TEST(the_environment_picks)
{
    char told[64], expected[64], best[64];
    told_with(NULL, best);
    ck_assert_ptr_nonnull(strstr(best, " -\n"));
    quern_variant variant;
    for (size_t i = 0; quern_variant_get(i, &variant); i++) {
        told_with(variant.name, told);
        if (QUERN_TEST_STATIC_DISPATCH)
            snprintf(expected, sizeof expected, "%s", best);
        else if (variant.supported)
            snprintf(expected, sizeof expected, "%s -\n", variant.name);
        else
            snprintf(expected, sizeof expected, "%.*s %s\n", (int)strcspn(best, " "), best, variant.name);
        ck_assert_str_eq(told, expected);
    }
    told_with("mmx", told);
    if (!QUERN_TEST_STATIC_DISPATCH)
        snprintf(expected, sizeof expected, "%.*s mmx\n", (int)strcspn(best, " "), best);
    ck_assert_str_eq(told, expected);
    /* An empty value asks for nothing. */
    told_with("", told);
    ck_assert_str_eq(told, best);
    support_count(quern_variant_count() + 3);
}
END_TEST

/* ---- before the library's constructor ---- */

#if defined(__GNUC__) && !defined(__APPLE__)
static size_t early_find = SIZE_MAX, early_active = SIZE_MAX;

__attribute__((constructor(101))) static void use_early(void)
{
    early_find = quern_escape_find(NULL, "0123456789abcdef0123456789abcdef0123\"", 37);
    early_active = quern_variant_active();
}

START_TEST(right_before_constructors_run)
{
    quern_variant variant;
    ck_assert_uint_eq(early_find, 36);
    ck_assert(quern_variant_get(early_active, &variant));
    ck_assert(variant.supported);
    support_count(2);
}
END_TEST
#endif

int main(int argc, char **argv)
{
    program = argv[0];
    if (argc > 1 && strcmp(argv[1], "--tell") == 0)
        return tell();
    Suite *suite = suite_create("dispatch");
    TCase *tcase = tcase_create("dispatch");
    tcase_add_test(tcase, the_best_supported_one_is_active);
    tcase_add_test(tcase, made_up_x86_machines);
    tcase_add_test(tcase, made_up_arm_machines);
    tcase_add_test(tcase, what_is_not_built_is_not_picked);
    tcase_add_test(tcase, says_what_is_missing);
    tcase_add_test(tcase, the_environment_picks);
    tcase_add_test(tcase, unknown_names_are_refused);
    tcase_add_test(tcase, rows_are_whole);
#if defined(__GNUC__) && !defined(__APPLE__)
    tcase_add_test(tcase, right_before_constructors_run);
#endif
    suite_add_tcase(suite, tcase);
    return support_main(suite);
}
