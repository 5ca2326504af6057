// Members of Tensor that need the free functions.
#pragma once
#pragma GCC system_header

#include "ATen/TensorIndexing.h"

#include <iostream>

namespace at {

std::ostream &operator<<(std::ostream &out, const Tensor &t);

} // namespace at
