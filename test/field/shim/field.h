// In front of every source of the field: what the compilers and the versions of PyTorch that these were written for
// bring along, and ours do not.
#pragma once

#include <cfloat>
#include <climits>
#include <optional>

#ifndef AT_CHECK
#define AT_CHECK TORCH_CHECK
#endif

namespace c10::cuda {
void MaybeSetDevice(int device);
}
