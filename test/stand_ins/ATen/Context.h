// Process-wide settings.
#pragma once
#pragma GCC system_header

#include "ATen/core/Tensor.h"

namespace at {
class Context {
public:
  bool hasCUDA() const;
  void setBenchmarkCuDNN(bool);
  void setDeterministicCuDNN(bool);
  void setDeterministicAlgorithms(bool, bool);
  void setAllowTF32CuBLAS(bool);
};
Context &globalContext();
bool hasCUDA();
void manual_seed(uint64_t seed);
} // namespace at
namespace torch {
using at::manual_seed;
}
