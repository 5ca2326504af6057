#pragma once
#pragma GCC system_header

#include "ATen/ATen.h"
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
inline bool is_available() { return c10::cuda::device_count() > 0; }
inline int64_t getNumGPUs() { return c10::cuda::device_count(); }

#if __has_include(<cuda_runtime_api.h>)
inline cudaDeviceProp *getDeviceProperties(int64_t) {
  static cudaDeviceProp properties = [] {
    cudaDeviceProp simulated = {};
    simulated.warpSize = 32;
    simulated.multiProcessorCount = 132;
    simulated.maxThreadsPerBlock = 1024;
    simulated.maxThreadsPerMultiProcessor = 2048;
    simulated.sharedMemPerBlock = 48 << 10;
    simulated.major = 9;
    return simulated;
  }();
  return &properties;
}
inline cudaDeviceProp *getCurrentDeviceProperties() { return getDeviceProperties(c10::cuda::current_device()); }
#endif
#if __has_include(<cublas_v2.h>)
/// Made where it is first asked for, as the real one: a handle belongs to the device that is current then.
inline cublasHandle_t getCurrentCUDABlasHandle() {
  static thread_local std::unordered_map<int, cublasHandle_t> handles;
  cublasHandle_t &handle = handles[c10::cuda::current_device()];
  if (!handle)
    cublasCreate(&handle);
  cublasSetStream(handle, getCurrentCUDAStream());
  return handle;
}
#endif
} // namespace at::cuda
