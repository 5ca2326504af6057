// Guards for CUDA devices and streams. A device of another kind is an error, not a no-op.
#pragma once
#pragma GCC system_header

#include "c10/cuda/CUDAStream.h"

namespace c10::cuda {

struct CUDAGuard {
  explicit CUDAGuard(DeviceIndex device_index) : CUDAGuard(Device(DeviceType::CUDA, device_index)) {}
  explicit CUDAGuard(Device device) : original_(c10::cuda::current_device()) { set_device(device); }
  CUDAGuard(const CUDAGuard &) = delete;
  CUDAGuard &operator=(const CUDAGuard &) = delete;
  ~CUDAGuard() { samedevice::runtime::setDevice(original_); }
  void set_device(Device device) {
    TORCH_CHECK(device.is_cuda(), "Expected a device of type cuda but got ", device);
    if (device.has_index())
      samedevice::runtime::setDevice(device.index());
  }
  void reset_device(Device device) { set_device(device); }
  void set_index(DeviceIndex device_index) { set_device(Device(DeviceType::CUDA, device_index)); }
  Device original_device() const { return Device(DeviceType::CUDA, original_); }
  Device current_device() const { return Device(DeviceType::CUDA, c10::cuda::current_device()); }

private:
  DeviceIndex original_;
};

struct OptionalCUDAGuard {
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(optional<Device> device_opt) {
    if (device_opt)
      set_device(*device_opt);
  }
  explicit OptionalCUDAGuard(optional<DeviceIndex> device_index_opt) {
    if (device_index_opt)
      set_index(*device_index_opt);
  }
  void set_device(Device device) { guard_.emplace(device); }
  void reset_device(Device device) { guard_.emplace(device); }
  void set_index(DeviceIndex device_index) { guard_.emplace(device_index); }
  void reset() { guard_.reset(); }

private:
  optional<CUDAGuard> guard_;
};

struct CUDAStreamGuard {
  explicit CUDAStreamGuard(CUDAStream stream)
      : guard_(stream.device()), original_(getCurrentCUDAStream(stream.device_index())) {
    setCurrentCUDAStream(stream);
  }
  CUDAStreamGuard(const CUDAStreamGuard &) = delete;
  CUDAStreamGuard &operator=(const CUDAStreamGuard &) = delete;
  ~CUDAStreamGuard() { setCurrentCUDAStream(original_); }
  CUDAStream original_stream() const { return original_; }
  CUDAStream current_stream() const { return getCurrentCUDAStream(original_.device_index()); }

private:
  CUDAGuard guard_;
  CUDAStream original_;
};

struct OptionalCUDAStreamGuard {
  OptionalCUDAStreamGuard() = default;
  explicit OptionalCUDAStreamGuard(CUDAStream stream) : guard_(in_place, stream) {}
  explicit OptionalCUDAStreamGuard(optional<CUDAStream> stream_opt) {
    if (stream_opt)
      guard_.emplace(*stream_opt);
  }
  void reset_stream(CUDAStream stream) { guard_.emplace(stream); }

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
