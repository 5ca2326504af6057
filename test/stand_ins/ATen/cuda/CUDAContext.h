#pragma once
#pragma GCC system_header

#include "ATen/ATen.h"
#include "c10/cuda/CUDAFunctions.h"
#include "c10/cuda/CUDAStream.h"
#include <unordered_map>

#if __has_include(<cuda_runtime_api.h>)
#include "c10/cuda/CUDAException.h"
#include <cuda_runtime_api.h>
#endif
#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#endif

namespace at::cuda {
bool is_available();
int64_t getNumGPUs();
using c10::cuda::current_device;

#if __has_include(<cuda_runtime_api.h>)
cudaDeviceProp *getDeviceProperties(int64_t);
cudaDeviceProp *getCurrentDeviceProperties();
#endif
#if __has_include(<cublas_v2.h>)
/// Made where it is first asked for, as the real one: a handle belongs to the device that is current then.
cublasHandle_t getCurrentCUDABlasHandle();
#endif
} // namespace at::cuda
