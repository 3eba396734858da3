# cmake -DPROGRAM=QUERN -DEXPECTED=NAMES [-DEMULATOR=COMMAND] -P expect_variants.cmake: runs `quern variants`. NAMES are the
# variants that must run, in order, * before the one in use; no other may.
execute_process(COMMAND ${EMULATOR} ${PROGRAM} variants OUTPUT_VARIABLE printed RESULT_VARIABLE code)
message("${printed}")
string(REGEX MATCHALL "[* ] [a-z0-9_]+ +yes" rows "${printed}")
list(TRANSFORM rows REPLACE " +yes" "")
list(TRANSFORM rows REPLACE " " "")
list(JOIN rows " " rows)
if(NOT code EQUAL 0 OR NOT rows STREQUAL EXPECTED)
  message(FATAL_ERROR "exit ${code}; these run: ${rows}; these should: ${EXPECTED}")
endif()
