// A source of random numbers; its device must be that of the tensors it fills.
#pragma once
#pragma GCC system_header

#include "c10/core/Device.h"

namespace at {
class Generator {
public:
  explicit Generator(Device device = kCPU, uint64_t seed = 67280421310721) : device_(device), seed_(seed) {}
  Device device() const { return device_; }
  void set_current_seed(uint64_t seed) { seed_ = seed; }
  uint64_t current_seed() const { return seed_; }
  bool defined() const { return true; }

private:
  Device device_;
  uint64_t seed_;
};
namespace detail {
inline Generator createCPUGenerator(uint64_t seed = 67280421310721) { return Generator(kCPU, seed); }
} // namespace detail
namespace cuda::detail {
inline Generator createCUDAGenerator(DeviceIndex device_index = -1) { return Generator(Device(kCUDA, device_index)); }
} // namespace cuda::detail
template <class T> Generator make_generator(uint64_t seed) { return Generator(T::kDevice, seed); }
struct CPUGeneratorImpl {
  static constexpr DeviceType kDevice = DeviceType::CPU;
};
} // namespace at
