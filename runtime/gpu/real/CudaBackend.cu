// Real GPUs through the CUDA runtime.
#include "gpu/Backend.h"

#include <cuda_runtime.h>

#include <mutex>
#include <vector>

namespace samedevice::runtime {

namespace {

constexpr unsigned kThreads = 256;

__global__ void fillKernel(float *out, float value, std::size_t count) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < count)
    out[i] = value;
}

__global__ void copyKernel(float *out, const float *a, std::size_t count) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < count)
    out[i] = a[i];
}

__global__ void addKernel(float *out, const float *a, const float *b, std::size_t count) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < count)
    out[i] = a[i] + b[i];
}

__global__ void multiplyKernel(float *out, const float *a, const float *b, std::size_t count) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < count)
    out[i] = a[i] * b[i];
}

__global__ void matMulKernel(float *out, const float *a, const float *b, std::size_t rows, std::size_t inner,
                             std::size_t columns) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i >= rows * columns)
    return;
  float sum = 0;
  for (std::size_t k = 0; k < inner; ++k)
    sum += a[i / columns * inner + k] * b[k * columns + i % columns];
  out[i] = sum;
}

/// An index outside of its buffer ends the launch, as PyTorch's kernels assert.
__device__ std::size_t checkedIndex(std::int64_t index, std::size_t size) {
  if (index < 0 || static_cast<std::size_t>(index) >= size)
    __trap();
  return static_cast<std::size_t>(index);
}

__global__ void gatherKernel(float *out, const float *a, const std::int64_t *index, std::size_t count,
                             std::size_t size) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < count)
    out[i] = a[checkedIndex(index[i], size)];
}

__global__ void scatterKernel(float *out, const float *a, const std::int64_t *index, std::size_t count,
                              std::size_t size) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < count)
    out[checkedIndex(index[i], size)] = a[i];
}

__global__ void sumKernel(float *out, const float *a, std::size_t count) {
  __shared__ float partial[kThreads];
  float sum = 0;
  for (std::size_t i = threadIdx.x; i < count; i += blockDim.x)
    sum += a[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[0] = partial[0];
}

/// The read must not be optimized away, yet leave nothing behind.
__global__ void touchKernel(const float *a, std::size_t count) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < count)
    static_cast<void>(*static_cast<const volatile float *>(a + i));
}

__global__ void delayKernel(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

/// The last error that has no name of ours.
thread_local cudaError_t unknownError = cudaSuccess;

Error errorOf(cudaError_t error) {
  switch (error) {
  case cudaSuccess:
    return Error::None;
  case cudaErrorInvalidValue:
  case cudaErrorInvalidMemcpyDirection:
    return Error::InvalidValue;
  case cudaErrorMemoryAllocation:
    return Error::OutOfMemory;
  case cudaErrorInvalidDevice:
    return Error::InvalidDevice;
  case cudaErrorInvalidResourceHandle:
    return Error::InvalidHandle;
  case cudaErrorPeerAccessAlreadyEnabled:
    return Error::PeerAlreadyEnabled;
  case cudaErrorIllegalAddress:
    return Error::IllegalAddress;
  case cudaErrorLaunchFailure:
    return Error::LaunchFailure;
  default:
    unknownError = error;
    return Error::Unknown;
  }
}

unsigned blocksFor(std::size_t count) { return static_cast<unsigned>((count + kThreads - 1) / kThreads); }

class CudaBackend final : public Backend {
public:
  explicit CudaBackend(int devices) : devices_(devices) {}

  std::string name() const override { return "cuda"; }
  std::string deviceName(int device) const override {
    cudaDeviceProp properties;
    return cudaGetDeviceProperties(&properties, device) == cudaSuccess ? properties.name : "unknown GPU";
  }
  int deviceCount() const override { return devices_; }
  bool reachesHostMemory() const override {
    int reaches = 0;
    cudaDeviceGetAttribute(&reaches, cudaDevAttrPageableMemoryAccess, currentDevice());
    return reaches != 0;
  }

  Error setDevice(int device) override { return errorOf(cudaSetDevice(device)); }
  int currentDevice() const override {
    int device = 0;
    cudaGetDevice(&device);
    return device;
  }
  Error enablePeer(int peer) override { return errorOf(cudaDeviceEnablePeerAccess(peer, 0)); }

  Error allocate(Memory memory, std::size_t bytes, void **address) override {
    switch (memory) {
    case Memory::Unregistered:
      return Error::InvalidValue;
    case Memory::Pinned:
      return errorOf(cudaMallocHost(address, bytes));
    case Memory::Managed:
      return errorOf(cudaMallocManaged(address, bytes));
    case Memory::Device:
      break;
    }
    return errorOf(cudaMalloc(address, bytes));
  }
  Error release(void *address) override {
    return placementOf(address).memory == Memory::Pinned ? errorOf(cudaFreeHost(address)) : errorOf(cudaFree(address));
  }
  Placement placementOf(const void *address) const override {
    cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, address) != cudaSuccess) {
      cudaGetLastError();
      return {};
    }
    switch (attributes.type) {
    case cudaMemoryTypeHost:
      return {Memory::Pinned, -1};
    case cudaMemoryTypeManaged:
      return {Memory::Managed, -1};
    case cudaMemoryTypeDevice:
      return {Memory::Device, attributes.device};
    default:
      return {};
    }
  }

  Error createStream(Stream *stream) override {
    cudaStream_t made = nullptr;
    const cudaError_t error = cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
    if (error == cudaSuccess) {
      const std::lock_guard<std::mutex> lock(mutex_);
      streams_.push_back({made, currentDevice()});
      *stream = static_cast<Stream>(streams_.size());
    }
    return errorOf(error);
  }
  int deviceOf(Stream stream) const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stream == 0)
      return currentDevice();
    return stream <= streams_.size() ? streams_[stream - 1].device : -1;
  }
  Error synchronizeStream(Stream stream) override {
    return deviceOf(stream) < 0 ? Error::InvalidHandle : errorOf(cudaStreamSynchronize(handleOf(stream)));
  }
  Error synchronizeDevice() override { return errorOf(cudaDeviceSynchronize()); }

  Error copy(void *to, const void *from, std::size_t bytes, CopyKind kind) override {
    return errorOf(cudaMemcpy(to, from, bytes, static_cast<cudaMemcpyKind>(kind)));
  }
  Error copyAsync(void *to, const void *from, std::size_t bytes, CopyKind kind, Stream stream) override {
    return errorOf(cudaMemcpyAsync(to, from, bytes, static_cast<cudaMemcpyKind>(kind), handleOf(stream)));
  }

  Error launch(const Kernel &k, Stream stream) override {
    const cudaStream_t on = handleOf(stream);
    const unsigned blocks = blocksFor(k.count);
    switch (k.kind) {
    case Kernel::Fill:
      fillKernel<<<blocks, kThreads, 0, on>>>(k.out, k.value, k.count);
      break;
    case Kernel::Copy:
      copyKernel<<<blocks, kThreads, 0, on>>>(k.out, k.a, k.count);
      break;
    case Kernel::Add:
      addKernel<<<blocks, kThreads, 0, on>>>(k.out, k.a, k.b, k.count);
      break;
    case Kernel::Multiply:
      multiplyKernel<<<blocks, kThreads, 0, on>>>(k.out, k.a, k.b, k.count);
      break;
    case Kernel::MatMul:
      matMulKernel<<<blocksFor(k.rows * k.columns), kThreads, 0, on>>>(k.out, k.a, k.b, k.rows, k.inner, k.columns);
      break;
    case Kernel::Gather:
      gatherKernel<<<blocks, kThreads, 0, on>>>(k.out, k.a, k.index, k.count, k.rows);
      break;
    case Kernel::Scatter:
      scatterKernel<<<blocks, kThreads, 0, on>>>(k.out, k.a, k.index, k.count, k.rows);
      break;
    case Kernel::Sum:
      sumKernel<<<1, kThreads, 0, on>>>(k.out, k.a, k.count);
      break;
    case Kernel::Touch:
      touchKernel<<<blocks, kThreads, 0, on>>>(k.a, k.count);
      break;
    case Kernel::Delay:
      delayKernel<<<1, 1, 0, on>>>(kDelayCycles);
      break;
    }
    return errorOf(cudaPeekAtLastError());
  }

  Error takeError() override { return errorOf(cudaGetLastError()); }
  std::string explain(Error error) const override {
    return error == Error::Unknown ? cudaGetErrorString(unknownError) : errorText(error);
  }

private:
  /// Some tens of milliseconds: the host looks long before that is over.
  static constexpr long long kDelayCycles = 100'000'000;

  struct OwnedStream {
    cudaStream_t handle;
    int device;
  };

  cudaStream_t handleOf(Stream stream) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return stream == 0 || stream > streams_.size() ? nullptr : streams_[stream - 1].handle;
  }

  int devices_;
  std::vector<OwnedStream> streams_;
  mutable std::mutex mutex_;
};

} // namespace

std::unique_ptr<Backend> makeCudaBackend(std::string &problem) {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error == cudaSuccess && devices > 0)
    return std::make_unique<CudaBackend>(devices);
  int driver = 0;
  cudaDriverGetVersion(&driver);
  problem = driver == 0            ? "there is no CUDA driver here, and so no GPU"
            : error == cudaSuccess ? "CUDA sees no GPU"
                                   : std::string("CUDA says: ") + cudaGetErrorString(error);
  return nullptr;
}

} // namespace samedevice::runtime
