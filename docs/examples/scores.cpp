// Scores come from the GPU; the loop that counts them runs on the host.
#include <torch/torch.h>

#include <array>
#include <iostream>

std::array<int, 10> countScores(const torch::Tensor &scores) {
  std::array<int, 10> counts{};
  auto score = scores.accessor<float, 1>();
  for (int64_t i = 0; i < scores.size(0); ++i)
    ++counts[static_cast<int>(score[i] * 9.99f)];
  return counts;
}

int main() {
  torch::Tensor logits = torch::randn({256}, torch::kCUDA);
  for (int count : countScores(torch::sigmoid(logits)))
    std::cout << count << " ";
  std::cout << "\n";
}
