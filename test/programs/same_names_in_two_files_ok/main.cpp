#include <iostream>

#include "positions.h"

namespace {

// The host's own table; it never goes to the GPU.
torch::Tensor positions(int64_t n) { return torch::arange(n, torch::kFloat); }

}  // namespace

int main() {
  const torch::Device device(torch::kCUDA);
  torch::nn::Linear embed(4, 6);
  embed->to(device);
  auto rows = embed(torch::rand({5, 4}, device));
  auto numbered = rows + number_table(5, device);
  auto sum = numbered + wave_table(5, device);
  std::cout << sum.mean().item<float>() << " of " << positions(rows.size(0)).sum().item<float>() << '\n';
}
