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
  CUDAStream(DeviceIndex device, uint64_t id) : device_(device), id_(id) {}
  operator cudaStream_t() const { return stream(); }
  cudaStream_t stream() const { return reinterpret_cast<cudaStream_t>(id_); }
  DeviceType device_type() const { return DeviceType::CUDA; }
  DeviceIndex device_index() const { return device_; }
  Device device() const { return Device(DeviceType::CUDA, device_); }
  uint64_t id() const { return id_; }
  bool query() const { return samedevice::runtime::streamIsIdle(device_, id_); }
  void synchronize() const { samedevice::runtime::synchronizeStream(device_, id_); }
  bool operator==(const CUDAStream &other) const noexcept { return device_ == other.device_ && id_ == other.id_; }
  bool operator!=(const CUDAStream &other) const noexcept { return !(*this == other); }

private:
  DeviceIndex device_;
  uint64_t id_;
};

inline DeviceIndex resolveIndex(DeviceIndex index) { return index < 0 ? current_device() : index; }
inline CUDAStream getStreamFromPool(const bool isHighPriority = false, DeviceIndex device = -1) {
  (void)isHighPriority;
  return CUDAStream(resolveIndex(device), samedevice::runtime::newStream(resolveIndex(device)));
}
inline CUDAStream getDefaultCUDAStream(DeviceIndex device_index = -1) {
  return CUDAStream(resolveIndex(device_index), 0);
}
inline CUDAStream getCurrentCUDAStream(DeviceIndex device_index = -1) {
  return CUDAStream(resolveIndex(device_index), samedevice::runtime::currentStream(resolveIndex(device_index)));
}
inline void setCurrentCUDAStream(CUDAStream stream) {
  samedevice::runtime::setCurrentStream(stream.device_index(), stream.id());
}

} // namespace c10::cuda

namespace at::cuda {
using c10::cuda::CUDAStream;
using c10::cuda::getCurrentCUDAStream;
using c10::cuda::getDefaultCUDAStream;
using c10::cuda::getStreamFromPool;
using c10::cuda::setCurrentCUDAStream;
} // namespace at::cuda
