// Errors of the CUDA runtime as exceptions.
#pragma once
#pragma GCC system_header

#include "c10/util/Exception.h"

#include <cuda_runtime_api.h>

#define C10_CUDA_CHECK(EXPR)                                                                                           \
  do {                                                                                                                 \
    const cudaError_t __err = EXPR;                                                                                    \
    if (C10_UNLIKELY(__err != cudaSuccess))                                                                            \
      ::c10::detail::torchCheckFail<::c10::CUDAError>(__func__, __FILE__, static_cast<uint32_t>(__LINE__),             \
                                                      ::c10::str("CUDA error: ", cudaGetErrorString(__err)));          \
  } while (0)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define AT_CUDA_CHECK(EXPR) C10_CUDA_CHECK(EXPR)
