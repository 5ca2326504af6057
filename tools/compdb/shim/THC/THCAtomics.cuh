// The last header of THC, which older extensions include; a CPU-only build of PyTorch does not have it.
#pragma once

#include <ATen/cuda/Atomic.cuh>
