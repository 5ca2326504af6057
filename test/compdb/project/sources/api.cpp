#include "reductions.h"

#include <cuda_runtime.h>

const char *banner() { return BANNER; }

bool hasDevice() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}
