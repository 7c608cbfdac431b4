#!/bin/bash
# Installs what everycrash needs on Debian 12, and only what is missing: nothing happens, and no
# network is needed, where all is there.
#
#   scripts/install-deps.sh           what building (-DEVERYCRASH_TESTS=OFF) and running needs
#   scripts/install-deps.sh --tests   and what the tests run everycrash on (Node.js, Java, ...)
set -eu

tests=no
case "${1:-}" in
  "") ;;
  --tests) tests=yes ;;
  *) echo "usage: install-deps.sh [--tests]" >&2; exit 2 ;;
esac
root=$(cd "$(dirname "$0")/.." && pwd)

missing=()

# A program may come from anywhere, so any one on the PATH will do.
need_program() {  # PROGRAM PACKAGE
  command -v "$1" >/dev/null 2>&1 || missing+=("$2")
}
need_package() {  # PACKAGE...
  local package status
  for package; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || true
    [ "$status" = installed ] || missing+=("$package")
  done
}

need_program cmake cmake
need_program ninja ninja-build
need_program g++ g++
need_program pkg-config pkg-config
need_program git git
need_program sqlite3 sqlite3
need_package python3 libfmt-dev libexpected-dev libxxhash-dev libzstd-dev libdw-dev libcli11-dev \
  nlohmann-json3-dev libtomlplusplus-dev libfiu-dev libboost1.81-dev libfuse3-dev

if [ "$tests" = yes ]; then
  need_package libgtest-dev libgmock-dev libbenchmark-dev libtinyxml2-dev
  need_program clang-format clang-format
  need_program strace strace
  need_program perl perl
  need_program make make
  need_program cc gcc
  need_program rustc rustc
  need_program node nodejs
  need_program javac default-jdk-headless
  need_program redis-server redis-server
  need_package libleveldb-dev
  need_program fiu-ctrl fiu-utils
  need_program npm npm
  need_program chromium chromium
  need_program setpriv util-linux
  need_program mkfs.ext4 e2fsprogs
  need_program mkfs.xfs xfsprogs
  need_program mkfs.btrfs btrfs-progs
  need_program ps procps
  need_program parallel parallel
  need_package python3-jsonschema
fi

# Boost 1.81 cannot be installed beside another Boost, which other work on this machine may need.
# It is then unpacked into the build folder, where the build looks first.
without_boost=()
for package in "${missing[@]}"; do
  [ "$package" = libboost1.81-dev ] || without_boost+=("$package")
done
private_boost=no
if [ ${#without_boost[@]} != ${#missing[@]} ] &&
  dpkg-query -W -f '${Package} ${db:Status-Status}\n' 'libboost1.*-dev' 2>/dev/null |
  grep -E '^libboost1\.[0-9]+-dev installed$' | grep -qv '^libboost1\.81-dev '; then
  missing=("${without_boost[@]}")
  [ -e "$root/build/deps/usr/include/boost/version.hpp" ] || private_boost=yes
fi

# The schema of SARIF is in no Debian package; this npm package holds it.
sarif_schema=$root/build/deps/sarif/sarif-schema-2.1.0.json
sarif=no
[ "$tests" = no ] || [ -e "$sarif_schema" ] || sarif=yes

[ ${#missing[@]} -gt 0 ] || [ "$private_boost" = yes ] || [ "$sarif" = yes ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
  echo "everycrash needs these Debian 12 packages, and this system has no apt-get:" \
    "${missing[*]}" >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" != 0 ] && [ ${#missing[@]} -gt 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "These packages are missing, and without sudo only root can install them:" >&2
    echo "  apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Runs a command of apt; its output, with addresses left out, is shown only where it fails.
quietly() {
  if ! "$@" >"$log" 2>&1; then
    echo "This failed: $*" >&2
    sed -E 's#[a-z+]+://[^ ]*#(address)#g; s#\[IP: [^]]*\]##g
      s#(resolve|[Cc]onnect(ing)? to) [^ ]+#\1 (address)#g' "$log" | tail -n 20 >&2
    exit 1
  fi
}
apt() {
  quietly "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
    -o Acquire::Retries=3 "$@"
}

if [ ${#missing[@]} -gt 0 ]; then
  echo "Installing: ${missing[*]}"
  apt update
  apt install --no-install-recommends "${missing[@]}"
fi

if [ "$private_boost" = yes ]; then
  echo "Another Boost is installed here; unpacking Boost 1.81 into build/deps beside it."
  mkdir -p "$root/build/deps"
  cd "$root/build/deps"
  quietly apt-get -q download libboost1.81-dev
  dpkg-deb -x libboost1.81-dev_*.deb .
  rm -f libboost1.81-dev_*.deb
fi

if [ "$sarif" = yes ]; then
  mkdir -p "${sarif_schema%/*}"
  cd "${sarif_schema%/*}"
  # Without it one test is skipped, which is no reason to stop.
  if npm pack --silent @microsoft/jest-sarif@1.0.0-beta.0 >"$log" 2>&1; then
    tar -xzOf microsoft-jest-sarif-*.tgz package/lib/schemas/sarif-2.1.0-rtm.5.json \
      >"$sarif_schema.new"
    mv "$sarif_schema.new" "$sarif_schema"
    rm -f microsoft-jest-sarif-*.tgz
  else
    echo "The schema of SARIF could not be had from npm; its test will be skipped." >&2
  fi
fi
