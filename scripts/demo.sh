#!/bin/bash
# Installs what is missing, builds everycrash, and shows three runs of it:
#   1. a batch job that keeps its state in one file, correctly: every crash is survived;
#   2. the same job with one mistake, overwriting that file in place: the mistake is found;
#   3. the sqlite3 shell doing transactions, judged by its integrity check and by its promises.
# Fails if a verdict is not the expected one.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
log=$root/build/demo.log

scripts/install-deps.sh
mkdir -p build
echo "Building everycrash into build/demo (a few minutes the first time)."
launcher=()
if command -v ccache >/dev/null 2>&1; then
  launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi
if ! {
  cmake --preset release -B build/release-demo -DEVERYCRASH_TESTS=OFF "${launcher[@]}" &&
    cmake --build build/release-demo &&
    cmake --install build/release-demo --prefix build/demo
} >"$log" 2>&1; then
  tail -n 40 "$log"
  echo "The build failed; the whole output is in $log."
  exit 1
fi
PATH=$root/build/demo/bin:$PATH

unexpected=0
# show EXPECTED-STATUS TITLE COMMAND...: what is printed is what a person would see.
show() {
  local expected=$1 title=$2 status=0
  shift 2
  printf '\n=== %s\n$ %s\n' "$title" "${*//$root\//}"
  "$@" || status=$?
  echo "[exit status $status]"
  if [ "$status" != "$expected" ]; then
    echo "Unexpected: the exit status should have been $expected."
    unexpected=$((unexpected + 1))
  fi
}

show 0 "A job that saves its state correctly" \
  everycrash scenario run state_manager
show 1 "The same job, overwriting its state file in place" \
  everycrash scenario run state_manager --break overwrite-in-place
show 0 "The sqlite3 shell: every acknowledged transaction is there after every crash" \
  everycrash test --init fixtures/sqlite/init --check fixtures/sqlite/check \
  -- fixtures/sqlite/workload

echo
if [ "$unexpected" != 0 ]; then
  echo "$unexpected of 3 verdicts are not the expected ones."
  exit 1
fi
echo "All three verdicts are as expected."
