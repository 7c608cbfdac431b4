#!/bin/bash
# Measures what recording and exploring cost, as ratios of runs made side by side on this machine.
# Prints the ratios, their limits and the medians behind them; exits with 1 if a limit is exceeded.
set -eu
cd "$(dirname "$0")/.."

scripts/install-deps.sh --tests
log=build/measure.log
mkdir -p build
if ! { cmake --preset release && cmake --build --preset release; } >"$log" 2>&1; then
  tail -n 40 "$log"
  exit 1
fi
exec fixtures/measure/measure.py --build build/release "$@"
