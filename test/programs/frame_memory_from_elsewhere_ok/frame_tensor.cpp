#include <torch/torch.h>

#include "camera.h"

torch::Tensor frame_tensor(Camera& camera, torch::Device device) {
  auto* pixels = const_cast<float*>(camera.grab());
  auto picture = torch::from_blob(pixels, {camera.height(), camera.width()}, torch::dtype(torch::kFloat));
  return picture.to(device);
}
