#!/bin/sh
# On a machine with a GPU: builds the runtime with nvcc (no LLVM, no network), runs its tests, replays the recorded
# witnesses on every backend there is, and ends with a table of who says what.
set -eu
cd "$(dirname "$0")/.."
build=${SAMEDEVICE_GPU_BUILD:-build-gpu}

command -v nvcc >/dev/null || [ -n "${CUDACXX:-}" ] || PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null || [ -n "${CUDACXX:-}" ] || { echo "nvcc is not in PATH, and CUDACXX does not name it" >&2; exit 2; }
tests=OFF
[ -e /usr/include/gtest/gtest.h ] && tests=ON
architecture=native
if ! nvidia-smi >/dev/null 2>&1; then
  architecture=90
  echo "No GPU here: the CUDA backend is built, for sm_$architecture, but not run. What follows says nothing about it."
fi

cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DSAMEDEVICE_CHECKS=OFF -DSAMEDEVICE_TESTS=$tests \
  -DCMAKE_CUDA_ARCHITECTURES=$architecture
cmake --build "$build" -j "$(nproc)"

failed=0
if [ $tests = ON ]; then
  "$build"/bin/samedevice-runtime-test || failed=1
fi
exec python3 runtime/parity.py "$build" $failed
