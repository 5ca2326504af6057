// Device memory by the byte.
#pragma once
#pragma GCC system_header

#include "c10/cuda/CUDAStream.h"

namespace c10::cuda::CUDACachingAllocator {
void *raw_alloc(size_t nbytes);
void *raw_alloc_with_stream(size_t nbytes, cudaStream_t stream);
void raw_delete(void *ptr);
void emptyCache();
} // namespace c10::cuda::CUDACachingAllocator
