// Arithmetic on tensors with C++ operators.
#pragma once
#pragma GCC system_header

#include "ATen/Functions.h"

namespace at {

#define SD_BINARY_OPERATOR(op)                                                                                         \
  Tensor operator op(const Tensor &x, const Tensor &y);                                                                \
  Tensor operator op(const Tensor &x, const Scalar &y);                                                                \
  Tensor operator op(const Scalar &x, const Tensor &y);
#define SD_BINARY_OPERATORS(_) _(+) _(*) _(-) _(/) _(%) _(&) _(|) _(^) _(<) _(<=) _(>) _(>=) _(==) _(!=)
SD_BINARY_OPERATORS(SD_BINARY_OPERATOR)
#undef SD_BINARY_OPERATOR
#undef SD_BINARY_OPERATORS

} // namespace at
