#!/bin/bash
# Tests the HTML report in Chromium: run.sh EVERYCRASH FOLDER
#
# The packages that package-lock.json names are installed into FOLDER once. Exits with 77 where the
# machine has no browser, or the packages cannot be had.
set -eu

everycrash=$1 folder=$2
here=$(cd "$(dirname "$0")" && pwd)

skip() {
  echo "skipped: $*"
  exit 77
}

for program in chromium node npm; do
  command -v "$program" >/dev/null ||
    skip "no $program; scripts/install-deps.sh --tests installs it"
done

mkdir -p "$folder"
cd "$folder"
# The lock file comes last: it says that all before it is done.
if ! cmp -s "$here/package-lock.json" installed-lock.json; then
  cp "$here/package.json" "$here/package-lock.json" .
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund >npm.log 2>&1 ||
    skip "npm cannot install the packages; see $folder/npm.log"
  cp package-lock.json installed-lock.json
fi

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
# explore FILE OPTION...: a run of the reference workload that has findings.
explore() {
  local file=$1
  shift
  "$everycrash" scenario run state_manager --quick --expect finding --quiet --json "$file" "$@" \
    >/dev/null
}
explore "$results/power.json" --crash power --fs ext4,xfs --break overwrite-in-place
explore "$results/kill.json" --crash kill --break overwrite-in-place
explore "$results/names.json" --crash power --fs posix --break no-dir-fsync --max-states 300

CHROMIUM=$(command -v chromium) node "$here/report_test.mjs" "$everycrash" \
  "$results/power.json" "$results/kill.json" "$results/names.json"
