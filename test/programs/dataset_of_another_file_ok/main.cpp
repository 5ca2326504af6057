#include <cstdio>

#include "readings.h"

int64_t hits(const torch::Tensor& logits, const torch::Tensor& labels);

int main() {
  torch::manual_seed(3);
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Readings readings(12);
  const auto middle = readings.mean().to(device);
  auto loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
      readings.map(torch::data::transforms::Stack<>()), 4);
  torch::nn::Linear net(4, 2);
  net->to(device);
  torch::NoGradGuard no_grad;
  int64_t right = 0;
  for (auto& batch : *loader) {
    const auto logits = net(batch.data.to(device) - middle);
    right += hits(logits, batch.target.to(device));
  }
  std::printf("%lld of 12\n", static_cast<long long>(right));
}
