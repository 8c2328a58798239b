include(GoogleTest)

# chuhe_add_test(NAME name SOURCES file... LIBS target... [LABELS slow|gpu])
#
# One GoogleTest executable; each of its cases becomes a ctest test of its own, named after the
# case. A case that calls GTEST_SKIP() counts as skipped. Tests without a label are the default set.
function(chuhe_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;LABELS" "SOURCES;LIBS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_SOURCES)
    message(FATAL_ERROR "chuhe_add_test: needs NAME and SOURCES; not understood: "
                        "'${arg_UNPARSED_ARGUMENTS}'")
  endif()
  add_executable(${arg_NAME} ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PRIVATE chuhe_options ${arg_LIBS} GTest::gmock_main)
  chuhe_test_properties(properties "${arg_LABELS}")
  gtest_discover_tests(${arg_NAME} DISCOVERY_MODE PRE_TEST PROPERTIES ${properties})
endfunction()

# chuhe_add_script_test(NAME name SCRIPT file.py [ARGS argument...] [LABELS slow|gpu])
#
# A Python script that ends with status 0 when all is well, as one ctest test.
function(chuhe_add_script_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;SCRIPT;LABELS" "ARGS")
  add_test(NAME ${arg_NAME}
    COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_SOURCE_DIR}/${arg_SCRIPT}" ${arg_ARGS})
  chuhe_test_properties(properties "${arg_LABELS}")
  set_tests_properties(${arg_NAME} PROPERTIES ${properties})
endfunction()

# Time limits (seconds) far above what a test may need, so that one that hangs ends.
function(chuhe_test_properties out label)
  if(label STREQUAL "slow")
    set(${out} LABELS slow TIMEOUT 900 PARENT_SCOPE)
  elseif(label)
    set(${out} LABELS ${label} TIMEOUT 120 PARENT_SCOPE)
  else()
    set(${out} TIMEOUT 120 PARENT_SCOPE)
  endif()
endfunction()
