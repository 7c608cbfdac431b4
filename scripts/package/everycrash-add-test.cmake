# everycrash_add_test(NAME name WORKLOAD target [ARG...] [CHECK target [ARG...]]
#                     [INIT target-or-command [ARG...]] [RECOVER target-or-command [ARG...]]
#                     [CRASH kind...] [FS model...] [BUDGET time] [SEED n] [BASELINE file]
#                     [SHARDS n] [OPTIONS option...] [LABELS label...] [TIMEOUT seconds]
#                     [RESUME] [CHECK_SERVER] [EXPECT_FINDING])
#
# A test of ctest, label "crash", that crashes the workload everywhere and holds what is left
# against the check (without one, against the general rules). It is skipped where this machine
# cannot do that (exit status 77). With SHARDS the states are split: the workload is recorded once
# (test name.record), each part is a test of its own (name.shard1of4), and they run side by side
# under ctest -j. EXPECT_FINDING turns it round: it passes exactly if there is a finding, for a
# mistake that was planted.
#
# The result of each test is name.json beside the build, JUnit name.xml; a failed test ends with the
# command that brings its state back.

# The words of a command: a target stands for its program.
function(everycrash_command_words result first)
  if(TARGET ${first})
    set(words $<TARGET_FILE:${first}>)
  else()
    set(words ${first})
  endif()
  set(${result} ${words} ${ARGN} PARENT_SCOPE)
endfunction()

# Appends "OPTION words", the words as one argument.
function(everycrash_append_command list option)
  if(ARGN)
    everycrash_command_words(words ${ARGN})
    list(JOIN words " " command)
    set(${list} ${${list}} ${option} "${command}" PARENT_SCOPE)
  endif()
endfunction()

function(everycrash_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "RESUME;CHECK_SERVER;EXPECT_FINDING"
    "NAME;BUDGET;SEED;BASELINE;SHARDS;TIMEOUT"
    "WORKLOAD;CHECK;INIT;RECOVER;CRASH;FS;OPTIONS;LABELS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "everycrash_add_test: what is \"${ARG_UNPARSED_ARGUMENTS}\"?")
  endif()
  if(NOT ARG_NAME OR NOT ARG_WORKLOAD)
    message(FATAL_ERROR "everycrash_add_test needs NAME and WORKLOAD")
  endif()
  everycrash_command_words(workload ${ARG_WORKLOAD})
  set(judging)
  everycrash_append_command(judging --check ${ARG_CHECK})
  everycrash_append_command(judging --recover ${ARG_RECOVER})
  foreach(list CRASH FS)
    if(ARG_${list})
      string(TOLOWER ${list} option)
      list(JOIN ARG_${list} "," values)
      list(APPEND judging --${option} ${values})
    endif()
  endforeach()
  foreach(value BUDGET SEED)
    if(ARG_${value})
      string(TOLOWER ${value} option)
      list(APPEND judging --${option} ${ARG_${value}})
    endif()
  endforeach()
  if(ARG_BASELINE)
    get_filename_component(baseline ${ARG_BASELINE} ABSOLUTE)
    list(APPEND judging --baseline ${baseline})
  endif()
  if(ARG_RESUME)
    list(APPEND judging --resume)
  endif()
  if(ARG_CHECK_SERVER)
    list(APPEND judging --check-server)
  endif()
  if(ARG_EXPECT_FINDING)
    list(APPEND judging --expect finding)
  endif()
  list(APPEND judging ${ARG_OPTIONS})
  set(recording)
  everycrash_append_command(recording --init ${ARG_INIT})

  if(NOT ARG_SHARDS OR ARG_SHARDS EQUAL 1)
    set(tests ${ARG_NAME})
    add_test(NAME ${ARG_NAME} COMMAND everycrash::everycrash test ${recording} ${judging}
      --json ${ARG_NAME}.json --junit ${ARG_NAME}.xml -- ${workload})
  else()
    set(tests ${ARG_NAME}.record)
    add_test(NAME ${ARG_NAME}.record COMMAND everycrash::everycrash record ${recording}
      --trace ${ARG_NAME}.trace -- ${workload})
    set_tests_properties(${ARG_NAME}.record PROPERTIES FIXTURES_SETUP ${ARG_NAME}.trace)
    foreach(number RANGE 1 ${ARG_SHARDS})
      set(name ${ARG_NAME}.shard${number}of${ARG_SHARDS})
      list(APPEND tests ${name})
      add_test(NAME ${name} COMMAND everycrash::everycrash explore ${ARG_NAME}.trace ${judging}
        --shard ${number}/${ARG_SHARDS} --json ${name}.json --junit ${name}.xml)
      set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED ${ARG_NAME}.trace)
    endforeach()
  endif()
  set_tests_properties(${tests} PROPERTIES LABELS "crash;${ARG_LABELS}" SKIP_RETURN_CODE 77)
  if(ARG_TIMEOUT)
    set_tests_properties(${tests} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
  endif()
endfunction()
