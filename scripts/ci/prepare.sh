#!/bin/bash
# What each job of the workflows beside this file does first, in a fresh Debian 12: everycrash from
# $EVERYCRASH_SOURCE (a folder with its sources; default: this checkout), and the program under
# test, by its own CMake build where it has one.
set -eu

source=${EVERYCRASH_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
"$source/scripts/install-deps.sh"
if ! command -v everycrash >/dev/null; then
  cmake -S "$source" -B "$source/build/ci" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DEVERYCRASH_TESTS=OFF
  cmake --build "$source/build/ci"
  cmake --install "$source/build/ci" --prefix /usr/local
fi
if [ -e CMakeLists.txt ] && [ ! CMakeLists.txt -ef "$source/CMakeLists.txt" ]; then
  cmake -S . -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo
  cmake --build build
fi
everycrash doctor
