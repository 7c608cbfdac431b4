# What every folder's CMakeLists.txt is written with.

# Where scripts/install-deps.sh unpacks what cannot be installed beside other packages.
set(EVERYCRASH_PRIVATE_DEPS ${PROJECT_SOURCE_DIR}/build/deps/usr)
list(PREPEND CMAKE_PREFIX_PATH ${EVERYCRASH_PRIVATE_DEPS})

find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(DW REQUIRED IMPORTED_TARGET libdw)

add_library(everycrash_flags INTERFACE)
target_compile_options(everycrash_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Werror -fno-omit-frame-pointer
  -Wno-missing-field-initializers)
target_include_directories(everycrash_flags INTERFACE ${PROJECT_SOURCE_DIR})
if(EXISTS ${EVERYCRASH_PRIVATE_DEPS}/include)
  target_include_directories(everycrash_flags SYSTEM INTERFACE ${EVERYCRASH_PRIVATE_DEPS}/include)
endif()

# Sanitizers suit the tool; the preload library lives inside other programs and stays without.
add_library(everycrash_sanitize INTERFACE)
if(EVERYCRASH_SANITIZE)
  target_compile_options(everycrash_sanitize INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all)
  target_link_options(everycrash_sanitize INTERFACE -fsanitize=address,undefined)
endif()

# The headers that nearly every file reads, compiled once: most of what a test takes to compile. A
# compiler cache does not know what is in them, so it is for builds without one (scripts/test.sh).
option(EVERYCRASH_PRECOMPILE "Precompile the headers that most files include" OFF)
set(EVERYCRASH_COMMON_HEADERS
  <algorithm> <array> <chrono> <cstdint> <filesystem> <fstream> <functional> <map> <memory>
  <optional> <set> <span> <sstream> <string> <string_view> <unordered_map> <utility> <variant>
  <vector> <fmt/format.h> <tl/expected.hpp>)

# everycrash_headers(NAME HEADER... [LIBS target...]): what everycrash_precompile() then gives.
function(everycrash_headers name)
  if(NOT EVERYCRASH_PRECOMPILE)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
  set(empty ${CMAKE_BINARY_DIR}/${name}.cc)
  file(CONFIGURE OUTPUT ${empty} CONTENT "")
  add_library(${name} OBJECT ${empty})
  target_link_libraries(${name} PRIVATE
    everycrash_flags everycrash_sanitize fmt::fmt ${ARG_LIBS})
  target_precompile_headers(${name} PRIVATE ${ARG_UNPARSED_ARGUMENTS})
endfunction()

function(everycrash_precompile target name)
  if(EVERYCRASH_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

everycrash_headers(everycrash_stage_headers ${EVERYCRASH_COMMON_HEADERS})

# Nobody waits for a test's own code, only for its compilation; what it tests is optimized.
add_library(everycrash_test_flags INTERFACE)
target_compile_options(everycrash_test_flags INTERFACE -O0)
if(EVERYCRASH_TESTS)
  find_package(GTest REQUIRED)
  everycrash_headers(everycrash_test_headers ${EVERYCRASH_COMMON_HEADERS} <gmock/gmock.h>
    <gtest/gtest.h> LIBS everycrash_test_flags GTest::gmock)
endif()

# everycrash_stage(NAME SOURCES... [USES stage...] [LIBS target...])
# One library a stage; USES names the stages to its left that it may include.
function(everycrash_stage name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LIBS" ${ARGN})
  add_library(everycrash_${name} STATIC ${ARG_SOURCES})
  list(TRANSFORM ARG_USES PREPEND everycrash_)
  target_link_libraries(everycrash_${name}
    PUBLIC everycrash_flags everycrash_sanitize fmt::fmt ${ARG_USES} ${ARG_LIBS})
  everycrash_precompile(everycrash_${name} everycrash_stage_headers)
endfunction()

# everycrash_test(FILE.cc... USES stage... [LIBS target...] [LABELS label...]): one GoogleTest
# binary a file.
function(everycrash_test)
  if(NOT EVERYCRASH_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "USES;LIBS;LABELS" ${ARGN})
  include(GoogleTest)
  list(TRANSFORM ARG_USES PREPEND everycrash_)
  set(labels)
  if(ARG_LABELS)
    set(labels LABELS ${ARG_LABELS})
  endif()
  foreach(file ${ARG_UNPARSED_ARGUMENTS})
    get_filename_component(name ${file} NAME_WE)
    add_executable(${name} ${file})
    target_link_libraries(${name} PRIVATE ${ARG_USES} ${ARG_LIBS}
      everycrash_flags everycrash_sanitize everycrash_test_flags GTest::gtest_main GTest::gmock)
    everycrash_precompile(${name} everycrash_test_headers)
    if(NOT EVERYCRASH_UNIT_TESTS)
      set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
      continue()
    endif()
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60
      PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77 ${labels})
  endforeach()
endfunction()

# everycrash_bench(FILE.cc USES stage...): a Google Benchmark binary; never a test.
function(everycrash_bench file)
  if(NOT EVERYCRASH_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "USES;LIBS" ${ARGN})
  find_package(benchmark REQUIRED)
  list(TRANSFORM ARG_USES PREPEND everycrash_)
  get_filename_component(name ${file} NAME_WE)
  add_executable(${name} ${file})
  target_link_libraries(${name} PRIVATE ${ARG_USES} ${ARG_LIBS}
    everycrash_flags everycrash_sanitize benchmark::benchmark_main)
  if(EVERYCRASH_SANITIZE)  # what it measured would say nothing
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()
