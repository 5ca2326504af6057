// Argument checks with names, as kernels write them.
#pragma once
#pragma GCC system_header

#include "ATen/core/Tensor.h"

namespace at {
struct TensorArg {
  const Tensor &tensor;
  const char *name;
  int pos;
  TensorArg(const Tensor &tensor, const char *name, int pos);
  const Tensor *operator->() const;
  const Tensor &operator*() const;
};
using CheckedFrom = const char *;
void checkSameGPU(CheckedFrom c, const TensorArg &t1, const TensorArg &t2);
void checkAllSameGPU(CheckedFrom c, ArrayRef<TensorArg> tensors);
} // namespace at
