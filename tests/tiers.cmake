# The test programs once more under QEMU as processors that lack instructions: one above what the dispatcher's pick may use
# ends a program with SIGILL. Static programs, so that the C library of the machine itself is none of the matter.

# A processor, what must run there, and an instruction that it lacks, which shows that QEMU does refuse.
set(tier_core2duo "*swar scalar" "crc32l %eax, %eax")
set(tier_Nehalem "*sse42 swar scalar" "vpaddb %ymm0, %ymm0, %ymm0")
set(tier_Haswell "*avx2 sse42 swar scalar" "vpaddb %zmm0, %zmm0, %zmm0")

# QEMU 7.2's VPMASKMOV reads what is masked off as well, which processors do not. So guard pages are readable there, and so is
# the page of the null pointer: -B puts the program's address 0 where the machine lets it have a page.
set(tier_Haswell_options -B 0x100000000)
set(tier_Haswell_environment QUERN_TEST_READABLE_GUARDS=1)

foreach(processor core2duo Nehalem Haswell)
  set(emulator qemu-x86_64 -cpu ${processor} ${tier_${processor}_options})
  list(GET tier_${processor} 0 expected)
  list(GET tier_${processor} 1 instruction)
  add_test(NAME tier_${processor}_variants COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:quern_cli> "-DEMULATOR=${emulator}"
           "-DEXPECTED=${expected}" -P ${PROJECT_SOURCE_DIR}/cmake/expect_variants.cmake)

  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/lacks_${processor}.c CONTENT "int main(void)\n{\n    __asm__ volatile(\"${instruction}\");\n}\n")
  add_executable(lacks_${processor} ${CMAKE_CURRENT_BINARY_DIR}/lacks_${processor}.c)
  # 132: SIGILL
  add_test(NAME tier_${processor}_refuses COMMAND sh -c "\"$@\"; [ $? = 132 ]" sh ${emulator} $<TARGET_FILE:lacks_${processor}>)

  foreach(name IN LISTS quern_tests)
    add_test(NAME tier_${processor}_${name} COMMAND ${emulator} $<TARGET_FILE:test_${name}>)
    list(JOIN emulator " " words)
    set_tests_properties(tier_${processor}_${name} PROPERTIES TIMEOUT 900
                         ENVIRONMENT "QUERN_TEST_EMULATOR=${words};${tier_${processor}_environment}")
  endforeach()
endforeach()
