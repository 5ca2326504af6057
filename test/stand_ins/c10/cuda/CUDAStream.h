// Queues of work on one device.
#pragma once
#pragma GCC system_header

#include "c10/cuda/CUDAFunctions.h"

#if defined(__CUDACC__) || __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#else
using cudaStream_t = struct CUstream_st *;
#endif

namespace c10::cuda {

class CUDAStream {
public:
  CUDAStream(DeviceIndex device, uint64_t id);
  operator cudaStream_t() const;
  cudaStream_t stream() const;
  DeviceType device_type() const;
  DeviceIndex device_index() const;
  Device device() const;
  uint64_t id() const;
  bool query() const;
  void synchronize() const;
  bool operator==(const CUDAStream &other) const noexcept;
  bool operator!=(const CUDAStream &other) const noexcept;

private:
  DeviceIndex device_;
  uint64_t id_;
};

DeviceIndex resolveIndex(DeviceIndex index);
CUDAStream getStreamFromPool(const bool isHighPriority = false, DeviceIndex device = -1);
CUDAStream getDefaultCUDAStream(DeviceIndex device_index = -1);
CUDAStream getCurrentCUDAStream(DeviceIndex device_index = -1);
void setCurrentCUDAStream(CUDAStream stream);

} // namespace c10::cuda

namespace at::cuda {
using c10::cuda::CUDAStream;
using c10::cuda::getCurrentCUDAStream;
using c10::cuda::getDefaultCUDAStream;
using c10::cuda::getStreamFromPool;
using c10::cuda::setCurrentCUDAStream;
} // namespace at::cuda
