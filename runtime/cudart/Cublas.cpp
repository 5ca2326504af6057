// The few cuBLAS functions that programs of ours call. As with kernels, only pointers are looked at.
#include "Machine.h"

#include <cmath>
#include <cstdint>
#include <initializer_list>

using samedevice::runtime::machine;

namespace {

using Result = int;
using Handle = void *;

/// A handle belongs to the device that was current when it was made; handles are device numbers from 1.
Result use(Handle handle, std::initializer_list<const void *> matrices) {
  constexpr Result kExecutionFailed = 13;
  const int before = machine().currentDevice();
  machine().setDevice(static_cast<int>(reinterpret_cast<std::uintptr_t>(handle)) - 1);
  for (const void *matrix : matrices)
    machine().useInKernel(matrix);
  const bool failed = machine().setDevice(before) != samedevice::runtime::Error::None;
  return failed ? kExecutionFailed : 0;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Result cublasCreate_v2(Handle *handle) {
  *handle = reinterpret_cast<Handle>(static_cast<std::uintptr_t>(machine().currentDevice()) + 1);
  return 0;
}
Result cublasDestroy_v2(Handle) { return 0; }
Result cublasSetStream_v2(Handle, void *) { return 0; }
Result cublasSgemm_v2(Handle handle, int, int, int, int, int, const float *, const float *a, int, const float *b, int,
                      const float *, float *c, int) {
  return use(handle, {a, b, c});
}
Result cublasSgemv_v2(Handle handle, int, int, int, const float *, const float *a, int, const float *x, int,
                      const float *, float *y, int) {
  return use(handle, {a, x, y});
}
Result cublasSnrm2_v2(Handle handle, int count, const float *x, int step, float *result) {
  if (const Result error = use(handle, {x}))
    return error;
  const auto *values = static_cast<const float *>(machine().kernelView(x));
  float sum = 0;
  for (int i = 0; i < count; ++i)
    sum += values[i * step] * values[i * step];
  *static_cast<float *>(machine().kernelView(result)) = std::sqrt(sum);
  return 0;
}

} // extern "C"
#pragma GCC visibility pop
