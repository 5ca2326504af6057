// CUDA devices as a whole.
#pragma once
#pragma GCC system_header

#include "torch/types.h"

namespace torch::cuda {
inline size_t device_count() { return static_cast<size_t>(samedevice::runtime::deviceCount()); }
inline bool is_available() { return device_count() > 0; }
inline bool cudnn_is_available() { return is_available(); }
inline void manual_seed(uint64_t seed) { samedevice::runtime::manualSeed(seed); }
inline void manual_seed_all(uint64_t seed) { samedevice::runtime::manualSeed(seed); }
inline void synchronize(int64_t device_index = -1) {
  samedevice::runtime::synchronizeDevice(static_cast<int>(device_index));
}
} // namespace torch::cuda
