/* SPDX-License-Identifier: MIT */
/*
 * CPUID and XCR0. Bits: Intel SDM volume 2A, CPUID; volume 1, 13.3 (XCR0) and 15.2 (detection of AVX-512).
 */
#include "dispatch/cpu.h"

enum { EAX, EBX, ECX, EDX };

static bool bit(uint32_t word, unsigned index)
{
    return word >> index & 1;
}

uint32_t quern_cpu_features_x86(const quern_cpu_x86 *machine)
{
    uint32_t r[4], features = 0;
    machine->cpuid(machine->context, 0, 0, r);
    const uint32_t max_leaf = r[EAX];
    if (max_leaf < 1)
        return 0;

    machine->cpuid(machine->context, 1, 0, r);
    features |= bit(r[ECX], 9) ? CPU_SSSE3 : 0;
    features |= bit(r[ECX], 19) ? CPU_SSE41 : 0;
    features |= bit(r[ECX], 20) ? CPU_SSE42 : 0;
    features |= bit(r[ECX], 23) ? CPU_POPCNT : 0;
    features |= bit(r[ECX], 1) ? CPU_PCLMULQDQ : 0;
    const bool avx = bit(r[ECX], 28), osxsave = bit(r[ECX], 27);

    /* XGETBV faults without OSXSAVE. XCR0 bits 1 and 2: XMM and YMM; 5 to 7: mask registers, both halves of ZMM. */
    const uint64_t xcr0 = osxsave ? machine->xgetbv(machine->context) : 0;
    features |= (xcr0 & 0x06) == 0x06 ? CPU_YMM : 0;
    features |= (xcr0 & 0xe6) == 0xe6 ? CPU_ZMM : 0;
    const bool ymm = features & CPU_YMM, zmm = features & CPU_ZMM;
    features |= avx && ymm ? CPU_AVX : 0;

    if (max_leaf >= 7) {
        machine->cpuid(machine->context, 7, 0, r);
        features |= bit(r[EBX], 3) ? CPU_BMI1 : 0;
        features |= bit(r[EBX], 8) ? CPU_BMI2 : 0;
        features |= bit(r[EBX], 5) && ymm ? CPU_AVX2 : 0;
        if (zmm) {
            features |= bit(r[EBX], 16) ? CPU_AVX512F : 0;
            features |= bit(r[EBX], 17) ? CPU_AVX512DQ : 0;
            features |= bit(r[EBX], 28) ? CPU_AVX512CD : 0;
            features |= bit(r[EBX], 30) ? CPU_AVX512BW : 0;
            features |= bit(r[EBX], 31) ? CPU_AVX512VL : 0;
            features |= bit(r[ECX], 1) ? CPU_AVX512VBMI : 0;
            features |= bit(r[ECX], 6) ? CPU_AVX512VBMI2 : 0;
        }
    }

    machine->cpuid(machine->context, 0x80000000u, 0, r);
    if (r[EAX] >= 0x80000001u) {
        machine->cpuid(machine->context, 0x80000001u, 0, r);
        features |= bit(r[ECX], 5) ? CPU_LZCNT : 0;
    }
    return features;
}

#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)

#    if defined(_MSC_VER) && !defined(__clang__)
#        include <intrin.h>
static void native_cpuid(void *context, uint32_t leaf, uint32_t subleaf, uint32_t r[4])
{
    (void)context;
    __cpuidex((int *)r, (int)leaf, (int)subleaf);
}
static uint64_t native_xgetbv(void *context)
{
    (void)context;
    return _xgetbv(0);
}
#    else
#        include <cpuid.h>
static void native_cpuid(void *context, uint32_t leaf, uint32_t subleaf, uint32_t r[4])
{
    (void)context;
    /* The header's macro keeps EBX, which is the PIC register on some 32-bit systems. */
    __cpuid_count(leaf, subleaf, r[EAX], r[EBX], r[ECX], r[EDX]);
}
static uint64_t native_xgetbv(void *context)
{
    (void)context;
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}
#    endif

uint32_t quern_cpu_features(void)
{
    const quern_cpu_x86 machine = {native_cpuid, native_xgetbv, NULL};
    return quern_cpu_features_x86(&machine);
}

#endif
