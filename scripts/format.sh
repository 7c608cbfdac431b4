#!/bin/bash
# Formats the C and C++ sources; with --check only says which are not formatted (exit 1).
# Exits with 77, which test frameworks read as skipped, where clang-format is not installed.
set -eu
cd "$(dirname "$0")/.."

if ! command -v clang-format >/dev/null 2>&1; then
  echo "clang-format is not installed; scripts/install-deps.sh --tests installs it"
  exit 77
fi
# Programs made after public reports keep the manners of the projects they imitate.
sources() {
  find harness reports scenarios fixtures \( -name '*.cc' -o -name '*.h' -o -name '*.c' \) \
    -not -path 'fixtures/cases/*' -print0
}

if [ "${1:-}" = --check ]; then
  unformatted=$(sources | xargs -0 -P "$(nproc)" -I FILE \
    sh -c 'clang-format --dry-run -Werror "$1" 2>/dev/null || echo "$1"' sh FILE)
  [ -z "$unformatted" ] && exit 0
  printf 'Not formatted; scripts/format.sh does it:\n%s\n' "$unformatted"
  exit 1
fi
sources | xargs -0 --no-run-if-empty clang-format -i
