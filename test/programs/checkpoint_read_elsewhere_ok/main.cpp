#include <cstdio>

#include "checkpoint.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  const char* file = "denoiser.pt";
  Denoiser net;
  net->to(device);
  torch::optim::SGD sgd(net->parameters(), 0.01);
  const auto clean = torch::rand({1, 1, 8, 8}, device), noisy = clean + 0.1 * torch::randn_like(clean);

  keep(net, file);
  auto loss = torch::mse_loss(net(noisy), clean);
  loss.backward();
  sgd.step();
  // It was no good.
  restore(net, file);
  torch::NoGradGuard no_grad;
  std::printf("%.4f\n", torch::mse_loss(net(noisy), clean).item<float>());
}
