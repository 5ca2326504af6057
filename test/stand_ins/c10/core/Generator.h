// A source of random numbers; its device must be that of the tensors it fills.
#pragma once
#pragma GCC system_header

#include "c10/core/Device.h"

namespace at {
class Generator {
public:
  explicit Generator(Device device = kCPU, uint64_t seed = 67280421310721);
  Device device() const;
  void set_current_seed(uint64_t seed);
  uint64_t current_seed() const;
  bool defined() const;

private:
  Device device_;
  uint64_t seed_;
};
namespace detail {
Generator createCPUGenerator(uint64_t seed = 67280421310721);
} // namespace detail
namespace cuda::detail {
Generator createCUDAGenerator(DeviceIndex device_index = -1);
} // namespace cuda::detail
template <class T> Generator make_generator(uint64_t seed);
struct CPUGeneratorImpl {
  static constexpr DeviceType kDevice = DeviceType::CPU;
};
} // namespace at
