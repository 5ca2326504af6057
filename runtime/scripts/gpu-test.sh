#!/bin/sh
# On a machine with a GPU: builds the runtime with nvcc (no LLVM, no network), runs its tests, replays the recorded
# witnesses on every backend there is, and ends with a table of who says what.
set -eu
cd "$(dirname "$0")/../.."
build=${SAMEDEVICE_GPU_BUILD:-build-gpu}

need() { command -v "$1" >/dev/null || { echo "gpu-test: $2" >&2; exit 2; }; }
[ -n "${CUDACXX:-}" ] || command -v nvcc >/dev/null || PATH=$PATH:/usr/local/cuda/bin
need "${CUDACXX:-nvcc}" "nvcc is not in PATH, and CUDACXX does not name it"
need cmake "CMake is needed"
need python3 "Python 3 is needed"
tests=OFF
[ -e /usr/include/gtest/gtest.h ] && tests=ON
if gpus=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null) && [ -n "$gpus" ]; then
  architectures=$(echo "$gpus" | tr -d . | sort -u | paste -sd ';' -)
  date -u +%Y-%m-%d
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
else
  architectures=90
  echo "No GPU here: the CUDA backend is built, for sm_90, but not run. What follows says nothing about it."
fi

mkdir -p "$build"
echo "Building in $build"
{
  cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DSAMEDEVICE_CHECKS=OFF -DSAMEDEVICE_TESTS=$tests \
    "-DCMAKE_CUDA_ARCHITECTURES=$architectures" &&
    cmake --build "$build" -j "$(nproc)"
} >"$build/build.log" 2>&1 || {
  tail -n 40 "$build/build.log" >&2
  exit 1
}

failed=0
if [ $tests = ON ]; then
  "$build"/bin/samedevice-runtime-test --gtest_brief=1 || failed=1
else
  echo "GoogleTest is not here: the runtime's own tests are left out"
fi
exec python3 runtime/scripts/parity.py "$build" $failed
