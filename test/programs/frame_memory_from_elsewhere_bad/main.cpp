#include <torch/torch.h>

#include <iostream>

#include "camera.h"

torch::Tensor frame_tensor(Camera& camera, torch::Device device);

// Reports how far the middle is from the mean.
static float contrast(const torch::Tensor& picture) {
  const auto middle = picture[picture.size(0) / 2][picture.size(1) / 2];
  return (middle - picture.mean()).abs().item<float>();
}

int main() {
  const torch::Device device(torch::kCUDA, 0);
  Camera camera(12, 8);
  torch::nn::Linear columns(12, 2);
  columns->to(device);
  for (int i = 0; i < 2; ++i) {
    auto picture = frame_tensor(camera, device);
    std::cout << "contrast " << contrast(picture) << ", features " << columns(picture).sizes() << '\n';
  }
}
