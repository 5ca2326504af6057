// Where the versions of libtorch that we know declare the same thing in different words. The names that only one of
// them has are in C10Cuda_1.13.cpp and C10Cuda_2.6.cpp.
#pragma once

#include <c10/core/Allocator.h>
#include <torch/version.h>

#if TORCH_VERSION_MAJOR >= 2
#define OVERRIDES_SINCE_2 override
#define OVERRIDES_UNTIL_2
#define CONST_UNTIL_2
#else
#define OVERRIDES_SINCE_2
#define OVERRIDES_UNTIL_2 override
#define CONST_UNTIL_2 const
#endif

namespace samedevice::runtime::pretend {

#if TORCH_VERSION_MAJOR >= 2
using HookedDevice = c10::DeviceIndex;
using HookedAddress = const void *;
#else
using HookedDevice = int64_t;
using HookedAddress = void *;
#endif

} // namespace samedevice::runtime::pretend
