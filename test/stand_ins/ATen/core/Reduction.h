// How a loss is reduced.
#pragma once
#pragma GCC system_header

#include "c10/macros.h"

namespace at::Reduction {
enum Reduction { None, Mean, Sum, END };
}
namespace torch {
namespace Reduction = at::Reduction;
}
