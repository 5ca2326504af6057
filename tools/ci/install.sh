#!/usr/bin/env bash
# install.sh PREFIX: builds `samedevice check` and installs it, with what it needs from apt.llvm.org or the distribution.
set -euo pipefail
source_directory=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
prefix=$1
if command -v apt-get >/dev/null && ! command -v clang-tidy-19 >/dev/null; then
  as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
    cmake ninja-build g++ clang-19 clang-tidy-19 libclang-19-dev llvm-19-dev
fi
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cmake -S "$source_directory" -B "$build" -G Ninja -DSAMEDEVICE_RUNTIME=OFF -DSAMEDEVICE_TESTS=OFF \
  -DCMAKE_INSTALL_PREFIX="$prefix"
cmake --build "$build"
cmake --install "$build" --strip
