#!/bin/bash
# Draws the picture of the HTML report that README.md shows, reports/html/report.png:
#
#   scripts/screenshot.sh [EVERYCRASH]
#
# from a run on a small program that forgets an fsync. Needs chromium and npm, as
# `scripts/install-deps.sh --tests` installs them.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
everycrash=$(realpath "${1:-$root/build/bin/everycrash}")
[ -x "$everycrash" ] || {
  echo "There is no $everycrash: build first, or name another one." >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cd "$folder"
cat >settings.c <<'END'
// Saves its settings through a temporary file, as one should, and forgets the fsync.
#include <stdio.h>

static void save(const char *settings) {
  FILE *out = fopen("settings.tmp", "w");
  fputs(settings, out);
  fclose(out);
  rename("settings.tmp", "settings");
}

int main(void) {
  save("colour = blue\nsize = 10\n");
  puts("saved");
  return 0;
}
END
cc -g -fno-omit-frame-pointer -o settings settings.c
"$everycrash" test --crash power --fs posix,ext4,xfs,btrfs \
  --init 'printf "colour = red\nsize = 8\n" >settings' --expect finding --quiet \
  --json result.json --report report -- ./settings >/dev/null
cp "$root"/reports/html/browser_test/package*.json .
PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund >npm.log 2>&1 || {
  tail -n 5 npm.log >&2
  exit 1
}
cp "$root/reports/html/browser_test/picture.mjs" .
CHROMIUM=$(command -v chromium) node picture.mjs report/report.html result.json \
  "$root/reports/html/report.png"
echo "reports/html/report.png"
