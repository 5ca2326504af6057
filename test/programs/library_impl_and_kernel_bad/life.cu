#include "life.h"

#include <ATen/cuda/CUDAContext.h>

__global__ void life_kernel(const uint8_t *board, uint8_t *next, int height, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy)
        alive += board[((y + dy + height) % height) * width + (x + dx + width) % width];
  next[y * width + x] = alive == 3 || (alive == 2 && board[y * width + x]);
}

void step_life(const at::Tensor &board, at::Tensor &next) {
  const int height = int(board.size(0)), width = int(board.size(1));
  const dim3 threads(16, 16), blocks((width + 15) / 16, (height + 15) / 16);
  life_kernel<<<blocks, threads, 0, at::cuda::getCurrentCUDAStream()>>>(  // expect: device-missing-guard
      board.data_ptr<uint8_t>(), next.data_ptr<uint8_t>(), height, width);
}
