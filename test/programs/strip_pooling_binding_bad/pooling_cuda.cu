#include <c10/cuda/CUDAStream.h>

#include "pooling.h"

__global__ void strip_pool_kernel(const float *image, float *pooled, int *winners, int height, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= height)
    return;
  int best = 0;
  for (int i = 1; i < width; ++i)
    if (image[row * width + i] > image[row * width + best])
      best = i;
  pooled[row] = image[row * width + best];
  winners[row] = best;
}

__global__ void strip_unpool_kernel(const float *pooled, const int *winners, float *image, int height, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < height)
    image[row * width + winners[row]] = pooled[row];
}

void strip_pool_launcher(const at::Tensor &image, at::Tensor pooled, at::Tensor winners) {
  const int height = int(image.size(0)), width = int(image.size(1));
  cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  strip_pool_kernel<<<(height + 63) / 64, 64, 0, stream>>>(image.data_ptr<float>(), pooled.data_ptr<float>(),
                                                           winners.data_ptr<int>(), height, width);
}

void strip_unpool_launcher(const at::Tensor &pooled, const at::Tensor &winners, at::Tensor image) {
  const int height = int(image.size(0)), width = int(image.size(1));
  cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  strip_unpool_kernel<<<(height + 63) / 64, 64, 0, stream>>>(pooled.data_ptr<float>(), winners.data_ptr<int>(),
                                                             image.data_ptr<float>(), height, width);
}
