// Members of Tensor that need the free functions.
#pragma once
#pragma GCC system_header

#include "ATen/TensorIndexing.h"

#include <iostream>

namespace at {

inline bool TensorBase::is_contiguous(MemoryFormat) const {
  int64_t expected = 1;
  for (int64_t d = dim() - 1; d >= 0; --d) {
    if (size(d) != 1 && stride(d) != expected)
      return false;
    expected *= size(d);
  }
  return true;
}
inline void TensorBase::print() const { std::cout << '[' << toString() << ' ' << sizes() << "]\n"; }

inline void Tensor::backward(const Tensor &gradient, optional<bool>, bool, optional<TensorList>) const {
  samedevice::runtime::backward(*this, gradient.defined() ? TensorList(gradient) : TensorList());
}
inline std::ostream &operator<<(std::ostream &out, const Tensor &t) {
  samedevice::runtime::print(out, t);
  return out;
}

} // namespace at
