#!/bin/bash
# Builds everycrash and runs all of its tests: those of whole runs with the released build, as
# whoever calls this, some of them also as an ordinary user and as in a container; the unit tests
# with address and undefined-behaviour checks.
#
# Installs what is missing (scripts/install-deps.sh --tests). The last line is the sum of all runs:
#   N passed, N failed, N skipped
# and the exit status is 0 only if something passed and nothing failed.
set -eu
cd "$(dirname "$0")/.."

results=$PWD/build/test-results
broken=0

# Adds up the JUnit files of all runs; a step that broke before its tests ran counts as one failure.
summary() {
  python3 - "$results" "$broken" <<'END'
import sys
import xml.etree.ElementTree as tree
from pathlib import Path

passed, failed, skipped = 0, int(sys.argv[2]), 0
for path in sorted(Path(sys.argv[1]).glob("*.xml")):
    for case in tree.parse(path).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
            print(f"FAILED: {case.get('name')} ({path.stem})")
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            skipped += 1
        else:
            passed += 1
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(0 if passed and not failed else 1)
END
}

step() {
  printf '\n== %s\n' "$1"
  shift
  "$@" && return
  echo "This step failed: $*"
  broken=$((broken + 1))
  return 1
}

# Builds and tests one preset; ctest itself tells failed tests in its JUnit file.
build_and_test() {  # PRESET UNIT-TESTS CTEST-ARGUMENT...
  local preset=$1 unit_tests=$2
  shift 2
  step "configure $preset" \
    cmake --preset "$preset" "-DEVERYCRASH_UNIT_TESTS=$unit_tests" "${speedup[@]}" || return 1
  step "build $preset" cmake --build --preset "$preset" || return 1
  printf '\n== test %s\n' "$preset"
  # One more than there are processors: some tests wait for time limits.
  ctest --preset "$preset" --parallel "$(($(nproc) + 1))" \
    --output-junit "$results/$preset.xml" "$@" || true
  [ -s "$results/$preset.xml" ] || broken=$((broken + 1))
}

rm -rf "$results"
mkdir -p "$results"
scripts/install-deps.sh --tests
# What a sanitizer reports needs lines, not variables; the released build is not a Debug one.
speedup=(-DCMAKE_CXX_FLAGS_DEBUG=-g1)
if command -v ccache >/dev/null 2>&1; then
  speedup+=(-DEVERYCRASH_PRECOMPILE=OFF
    -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
else
  speedup+=(-DEVERYCRASH_PRECOMPILE=ON)
fi

build_and_test release OFF && build_and_test asan ON --label-exclude 'e2e|no-asan' || true
echo
summary
