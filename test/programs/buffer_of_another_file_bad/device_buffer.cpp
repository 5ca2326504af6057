#include "device_buffer.h"

#include <cuda_runtime.h>

#include <stdexcept>

Buffer::Buffer(size_t size) : size_(size) {
  if (cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(float)) != cudaSuccess)
    throw std::runtime_error("no memory left on the GPU");
}

Buffer::~Buffer() { cudaFree(data_); }

void Buffer::upload(const float* from) { cudaMemcpy(data_, from, size_ * sizeof(float), cudaMemcpyHostToDevice); }
