// What extensions call of libc10_cuda 1.13 by names of its own.
#include "Pretend.h"

#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>

namespace pretend = samedevice::runtime::pretend;

namespace c10::cuda {

void c10_cuda_check_implementation(const std::string &, const std::string &, const int, const bool) {
  pretend::throwLastError();
}

namespace CUDACachingAllocator {

Allocator *get() { return pretend::deviceAllocator(); }
void *raw_alloc(size_t bytes) { return get()->raw_allocate(bytes); }
void *raw_alloc_with_stream(size_t bytes, cudaStream_t) { return raw_alloc(bytes); }
void raw_delete(void *address) { get()->raw_deallocate(address); }
void emptyCache() {}
void recordStream(const DataPtr &, CUDAStream) {}

} // namespace CUDACachingAllocator

} // namespace c10::cuda
