#pragma once
#pragma GCC system_header

#include "ATen/ATen.h"
#include "c10/cuda/CUDAStream.h"
#if __has_include(<cuda_runtime_api.h>)
#include "c10/cuda/CUDAException.h"
#endif

namespace at::cuda {
inline bool is_available() { return c10::cuda::device_count() > 0; }
inline int64_t getNumGPUs() { return c10::cuda::device_count(); }
} // namespace at::cuda
