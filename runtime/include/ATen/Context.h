// Process-wide settings.
#pragma once
#pragma GCC system_header

#include "samedevice/runtime.h"

namespace at {
class Context {
public:
  bool hasCUDA() const { return samedevice::runtime::deviceCount() > 0; }
  void setBenchmarkCuDNN(bool) {}
  void setDeterministicCuDNN(bool) {}
  void setDeterministicAlgorithms(bool, bool) {}
  void setAllowTF32CuBLAS(bool) {}
};
inline Context &globalContext() {
  static Context context;
  return context;
}
inline bool hasCUDA() { return globalContext().hasCUDA(); }
inline void manual_seed(uint64_t seed) { samedevice::runtime::manualSeed(seed); }
} // namespace at
namespace torch {
using at::manual_seed;
}
