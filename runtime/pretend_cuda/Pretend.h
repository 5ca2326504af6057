// A CUDA device that a CPU-only libtorch believes in: linking samedevice-pretend-cuda is enough. Real libtorch code
// then decides what is accepted and throws its own messages; the kernels run on the CPU, on memory that the host
// itself cannot read.
#pragma once

#include "fake_cudart/Machine.h"

#include <ATen/ATen.h>
#include <torch/library.h>

namespace samedevice::runtime::pretend {

c10::Device currentCuda();
/// An index-less CUDA device is the current one.
c10::Device withIndex(c10::Device device);

/// Streams belong to the thread, as the current device does. A stream's id is the machine's number for it.
c10::Stream currentStream(c10::Device device);
c10::Stream setCurrentStream(c10::Stream stream);
c10::Stream newStream(c10::Device device);

/// Memory of a pretended GPU, as the CUDA caching allocator hands it out.
c10::Allocator *deviceAllocator();
c10::Allocator *pinnedAllocator();

/// While alive, what this thread's CPU kernels allocate lies in the memory of a GPU.
class AllocateOn {
public:
  explicit AllocateOn(int device);
  ~AllocateOn();
  AllocateOn(const AllocateOn &) = delete;

private:
  int previous_;
};

/// CPU generator that stands behind a generator of the pretended device.
at::Generator hostGenerator(const at::Generator &generator);
const at::Generator &cudaGenerator(int device);
at::Generator newGenerator(int device);

/// Registers a kernel for every operator that has one in a CUDA build.
void registerKernels();
/// Kernels that PyTorch has for CUDA alone.
void registerCudaOnlyKernels(torch::Library &library);

/// "CUDA error: ..." as C10_CUDA_CHECK throws it.
void check(Error error);
/// For an error that has been noticed already.
void throwLastError();

} // namespace samedevice::runtime::pretend
