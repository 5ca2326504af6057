// Arithmetic on tensors with C++ operators.
#pragma once
#pragma GCC system_header

#include "ATen/Functions.h"

namespace at {

// A number on the left takes part as a CPU scalar, or through the expression given.
#define SD_BINARY_OPERATORS(_)                                                                                         \
  _(+, x.add(y), x.add(y), y.add(x))                                                                                   \
  _(*, x.mul(y), x.mul(y), y.mul(x))                                                                                   \
  _(-, x.sub(y), x.sub(y), scalar_tensor(x, y.options().device(kCPU)).sub(y))                                          \
  _(/, x.div(y), x.div(y), scalar_tensor(x, y.options().device(kCPU)).div(y))                                          \
  _(%, x.remainder(y), x.remainder(y), scalar_tensor(x, y.options().device(kCPU)).remainder(y))                        \
  _(&, x.bitwise_and(y), x.bitwise_and(y), y.bitwise_and(x))                                                           \
  _(|, x.bitwise_or(y), x.bitwise_or(y), y.bitwise_or(x))                                                              \
  _(^, x.bitwise_xor(y), x.bitwise_xor(y), y.bitwise_xor(x))                                                           \
  _(<, x.lt(y), x.lt(y), y.gt(x))                                                                                      \
  _(<=, x.le(y), x.le(y), y.ge(x))                                                                                     \
  _(>, x.gt(y), x.gt(y), y.lt(x))                                                                                      \
  _(>=, x.ge(y), x.ge(y), y.le(x))                                                                                     \
  _(==, x.eq(y), x.eq(y), y.eq(x))                                                                                     \
  _(!=, x.ne(y), x.ne(y), y.ne(x))

#define SD_BINARY_OPERATOR(op, two_tensors, scalar_right, scalar_left)                                                 \
  inline Tensor operator op(const Tensor &x, const Tensor &y) { return two_tensors; }                                  \
  inline Tensor operator op(const Tensor &x, const Scalar &y) { return scalar_right; }                                 \
  inline Tensor operator op(const Scalar &x, const Tensor &y) { return scalar_left; }
SD_BINARY_OPERATORS(SD_BINARY_OPERATOR)
#undef SD_BINARY_OPERATOR
#undef SD_BINARY_OPERATORS

} // namespace at
