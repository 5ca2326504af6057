// Guards for CUDA devices and streams. A device of another kind is an error, not a no-op.
#pragma once
#pragma GCC system_header

#include "c10/cuda/CUDAStream.h"

namespace c10::cuda {

struct CUDAGuard {
  explicit CUDAGuard(DeviceIndex device_index);
  explicit CUDAGuard(Device device);
  CUDAGuard(const CUDAGuard &) = delete;
  CUDAGuard &operator=(const CUDAGuard &) = delete;
  ~CUDAGuard();
  void set_device(Device device);
  void reset_device(Device device);
  void set_index(DeviceIndex device_index);
  Device original_device() const;
  Device current_device() const;

private:
  DeviceIndex original_;
};

struct OptionalCUDAGuard {
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(optional<Device> device_opt);
  explicit OptionalCUDAGuard(optional<DeviceIndex> device_index_opt);
  void set_device(Device device);
  void reset_device(Device device);
  void set_index(DeviceIndex device_index);
  void reset();

private:
  optional<CUDAGuard> guard_;
};

struct CUDAStreamGuard {
  explicit CUDAStreamGuard(CUDAStream stream);
  CUDAStreamGuard(const CUDAStreamGuard &) = delete;
  CUDAStreamGuard &operator=(const CUDAStreamGuard &) = delete;
  ~CUDAStreamGuard();
  CUDAStream original_stream() const;
  CUDAStream current_stream() const;

private:
  CUDAGuard guard_;
  CUDAStream original_;
};

struct OptionalCUDAStreamGuard {
  OptionalCUDAStreamGuard() = default;
  explicit OptionalCUDAStreamGuard(CUDAStream stream);
  explicit OptionalCUDAStreamGuard(optional<CUDAStream> stream_opt);
  void reset_stream(CUDAStream stream);

private:
  optional<CUDAStreamGuard> guard_;
};

} // namespace c10::cuda

namespace at::cuda {
using c10::cuda::CUDAGuard;
using c10::cuda::CUDAStreamGuard;
using c10::cuda::OptionalCUDAGuard;
using c10::cuda::OptionalCUDAStreamGuard;
} // namespace at::cuda
