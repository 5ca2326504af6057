// Argument checks with names, as kernels write them.
#pragma once
#pragma GCC system_header

#include "ATen/core/Tensor.h"

namespace at {
struct TensorArg {
  const Tensor &tensor;
  const char *name;
  int pos;
  TensorArg(const Tensor &tensor, const char *name, int pos) : tensor(tensor), name(name), pos(pos) {}
  const Tensor *operator->() const { return &tensor; }
  const Tensor &operator*() const { return tensor; }
};
using CheckedFrom = const char *;
inline void checkSameGPU(CheckedFrom c, const TensorArg &t1, const TensorArg &t2) {
  TORCH_CHECK(t1->is_cuda() && t2->is_cuda() && t1->get_device() == t2->get_device(), "Expected tensor for argument #",
              t1.pos, " '", t1.name, "' to have the same device as tensor for argument #", t2.pos, " '", t2.name,
              "'; but device ", t1->get_device(), " does not equal ", t2->get_device(),
              " (while checking arguments for ", c, ")");
}
inline void checkAllSameGPU(CheckedFrom c, ArrayRef<TensorArg> tensors) {
  for (const TensorArg &t : tensors)
    checkSameGPU(c, tensors.front(), t);
}
} // namespace at
