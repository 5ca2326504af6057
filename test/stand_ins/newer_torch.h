// What newer versions of libtorch declare, for fixtures that are to run with an older one as well.
#pragma once
#pragma GCC system_header

#include <c10/core/Device.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#if __has_include(<torch/version.h>)
#include <torch/version.h>
#else
#define TORCH_VERSION_MAJOR 1
#define TORCH_VERSION_MINOR 13
#endif

#define SD_TORCH (TORCH_VERSION_MAJOR * 100 + TORCH_VERSION_MINOR)

#if SD_TORCH < 201
namespace c10::cuda {
inline DeviceIndex ExchangeDevice(DeviceIndex device) {
  int before = 0;
  cudaGetDevice(&before);
  cudaSetDevice(device);
  return DeviceIndex(before);
}
inline DeviceIndex MaybeExchangeDevice(DeviceIndex device) { return ExchangeDevice(device); }
inline cudaError_t MaybeSetDevice(DeviceIndex device) { return cudaSetDevice(device); }
} // namespace c10::cuda
#endif

#if SD_TORCH < 207
namespace at::accelerator {
inline void setDeviceIndex(c10::DeviceIndex index) { cudaSetDevice(index); }
inline c10::DeviceIndex getDeviceIndex() {
  int index = 0;
  cudaGetDevice(&index);
  return c10::DeviceIndex(index);
}
} // namespace at::accelerator
#else
#include <ATen/DeviceAccelerator.h>
#endif

#if SD_TORCH < 209
namespace torch::stable::accelerator {
class DeviceGuard {
public:
  explicit DeviceGuard(int32_t index) {
    cudaGetDevice(&before_);
    cudaSetDevice(index);
  }
  ~DeviceGuard() { cudaSetDevice(before_); }
  void set_index(int32_t index) { cudaSetDevice(index); }

private:
  int before_ = 0;
};
} // namespace torch::stable::accelerator
#else
#include <torch/csrc/stable/accelerator.h>
#endif

#undef SD_TORCH
