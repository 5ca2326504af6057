// What PyTorch had before 1.11, in the words of its successors.
#pragma once

#include <ATen/ceil_div.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/Exceptions.h>
#include <c10/cuda/CUDACachingAllocator.h>

struct THCState;
#define THCudaCheck(call) C10_CUDA_CHECK(call)
template <typename T> constexpr T THCCeilDiv(T a, T b) { return at::ceil_div(a, b); }
inline void *THCudaMalloc(THCState *, std::size_t size) { return c10::cuda::CUDACachingAllocator::raw_alloc(size); }
inline void THCudaFree(THCState *, void *memory) { c10::cuda::CUDACachingAllocator::raw_delete(memory); }
