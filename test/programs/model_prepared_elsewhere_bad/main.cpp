#include <cstdio>

#include "net.h"
#include "prepare.h"

int main() {
  torch::manual_seed(1);
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Classifier student(8, 3);
  prepare_for_training(*student, device);
  Classifier teacher(8, 3);  // expect: device-unmoved-module
  prepare_for_inference(*teacher);

  auto x = torch::rand({4, 8}, device);
  auto target = torch::softmax(teacher(x), 1);
  auto loss = torch::mse_loss(torch::softmax(student(x), 1), target);
  loss.backward();
  std::printf("distance to the teacher: %.4f\n", loss.item<float>());
}
