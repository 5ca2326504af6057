#include <torch/torch.h>

#include "camera.h"

torch::Tensor frame_tensor(Camera& camera, torch::Device device) {
  auto* pixels = const_cast<float*>(camera.grab());
  const auto options = torch::dtype(torch::kFloat).device(device);
  return torch::from_blob(pixels, {camera.height(), camera.width()}, options);  // expect: device-raw-pointer // fails: "pointer resides on host memory"
}
