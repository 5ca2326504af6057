// The few functions of cuBLAS, cuSPARSE, cuFFT, cuRAND and NCCL that programs of ours call. As with kernels, only
// pointers are looked at.
#include "Machine.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

using samedevice::runtime::machine;

namespace {

using Result = int;
using Handle = void *;

constexpr Result kInvalidValue = 1;
constexpr Result kExecutionFailed = 13;

/// A handle belongs to the device that was current when it was made; handles are device numbers from 1.
Handle handleOf(int device) { return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(device) + 1); }
int deviceOf(Handle handle) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(handle)) - 1; }

using Buffers = std::vector<const void *>;

/// The library makes the handle's device current for what it does.
Result use(Handle handle, const Buffers &buffers) {
  const int before = machine().currentDevice();
  machine().setDevice(deviceOf(handle));
  for (const void *buffer : buffers)
    machine().useInKernel(buffer);
  const bool failed = machine().setDevice(before) != samedevice::runtime::Error::None;
  return failed ? kExecutionFailed : 0;
}

/// cuSPARSE's descriptors of matrices and vectors.
const Buffers &buffersOf(const void *descriptor) { return *static_cast<const Buffers *>(descriptor); }

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Result cublasCreate_v2(Handle *handle) {
  *handle = handleOf(machine().currentDevice());
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
  for (int i = 0; i < count; ++i, values += step)
    sum += *values * *values;
  *static_cast<float *>(machine().kernelView(result)) = std::sqrt(sum);
  return 0;
}

Result cusparseCreate(Handle *handle) { return cublasCreate_v2(handle); }
Result cusparseDestroy(Handle) { return 0; }
Result cusparseSetStream(Handle, void *) { return 0; }
Result cusparseCreateCsr(Handle *matrix, std::int64_t, std::int64_t, std::int64_t, void *rows, void *columns,
                         void *values, int, int, int, int) {
  *matrix = new Buffers{rows, columns, values};
  return 0;
}
Result cusparseCreateDnVec(Handle *vector, std::int64_t, void *values, int) {
  *vector = new Buffers{values};
  return 0;
}
Result cusparseDestroySpMat(Handle matrix) {
  delete static_cast<Buffers *>(matrix);
  return 0;
}
Result cusparseDestroyDnVec(Handle vector) { return cusparseDestroySpMat(vector); }
Result cusparseSpMV_bufferSize(Handle, int, const void *, Handle, Handle, const void *, Handle, int, int,
                               std::size_t *bytes) {
  *bytes = 256;
  return 0;
}
Result cusparseSpMV(Handle handle, int, const void *, Handle matrix, Handle x, const void *, Handle y, int, int,
                    void *scratch) {
  Buffers buffers{scratch};
  for (const Handle descriptor : {matrix, x, y})
    buffers.insert(buffers.end(), buffersOf(descriptor).begin(), buffersOf(descriptor).end());
  return use(handle, buffers);
}

/// Plans are numbers: the device they were made on.
Result cufftPlan1d(int *plan, int, int, int) {
  *plan = machine().currentDevice();
  return 0;
}
Result cufftExecC2C(int plan, const void *in, void *out, int) { return use(handleOf(plan), {in, out}); }
Result cufftDestroy(int) { return 0; }

/// A generator without a device makes its numbers on the host.
Result curandCreateGenerator(Handle *generator, int) { return cublasCreate_v2(generator); }
Result curandCreateGeneratorHost(Handle *generator, int) {
  *generator = nullptr;
  return 0;
}
Result curandSetPseudoRandomGeneratorSeed(Handle, unsigned long long) { return 0; }
Result curandGenerateUniform(Handle generator, float *numbers, std::size_t count) {
  if (generator)
    return use(generator, {numbers});
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = static_cast<float>(i + 1) / static_cast<float>(count);
  return 0;
}
Result curandDestroyGenerator(Handle) { return 0; }

Result ncclCommInitAll(Handle *communicators, int count, const int *devices) {
  if (count > machine().deviceCount())
    return kInvalidValue;
  for (int i = 0; i < count; ++i)
    communicators[i] = handleOf(devices ? devices[i] : i);
  return 0;
}
Result ncclCommDestroy(Handle) { return 0; }
Result ncclAllReduce(const void *from, void *to, std::size_t, int, int, Handle communicator, void *) {
  return use(communicator, {from, to});
}

} // extern "C"
#pragma GCC visibility pop
