/* SPDX-License-Identifier: MIT */
/* AT_HWCAP. Bits: Linux, arch/arm64/include/uapi/asm/hwcap.h and arch/arm/include/uapi/asm/hwcap.h. */
#include "dispatch/cpu.h"

uint32_t quern_cpu_features_arm(uint64_t hwcap, bool aarch64)
{
    const unsigned asimd = 1, neon = 12;
    return hwcap >> (aarch64 ? asimd : neon) & 1 ? CPU_NEON : 0;
}

#if defined(__aarch64__) || defined(_M_ARM64) || defined(__arm__)

#    if defined(__linux__)
#        include <sys/auxv.h>
uint32_t quern_cpu_features(void)
{
#        if defined(__aarch64__)
    return quern_cpu_features_arm(getauxval(AT_HWCAP), true);
#        else
    return quern_cpu_features_arm(getauxval(AT_HWCAP), false);
#        endif
}
#    else
uint32_t quern_cpu_features(void)
{
    /* AdvSIMD belongs to the AArch64 baseline of the other systems; on 32 bit, only what the build assumes. */
#        if defined(__aarch64__) || defined(_M_ARM64) || defined(__ARM_NEON)
    return CPU_NEON;
#        else
    return 0;
#        endif
}
#    endif

#elif !(defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86))

uint32_t quern_cpu_features(void)
{
    return 0;
}

#endif
