# cmake -DPROGRAM=… -DEXPECTED=FILE [-DEMULATOR=COMMAND] -P expect_output.cmake: runs a program and compares what it prints with a file.
execute_process(COMMAND ${EMULATOR} ${PROGRAM} OUTPUT_VARIABLE printed RESULT_VARIABLE code)
file(READ ${EXPECTED} expected)
if(NOT code EQUAL 0 OR NOT printed STREQUAL expected)
  message(FATAL_ERROR "${PROGRAM}: exit ${code}, printed\n${printed}\nexpected\n${expected}")
endif()
