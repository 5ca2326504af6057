// The kernels of the simulated GPU, and what each of them touches.
#pragma once

#include "gpu/Backend.h"

#include <vector>

namespace samedevice::runtime {

struct KernelBuffer {
  const void *address;
  std::size_t bytes;
};

std::vector<KernelBuffer> buffersOf(const Kernel &kernel);

/// Runs on memory the host can read. False where an index leads outside of its buffer.
bool run(const Kernel &kernel);

} // namespace samedevice::runtime
