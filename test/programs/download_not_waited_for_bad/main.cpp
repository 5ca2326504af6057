#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

void report(std::ostream& out, const torch::Tensor& logits, const std::vector<std::string>& names);

int main() {
  const torch::Device device(torch::kCUDA);
  const std::vector<std::string> names{"cat", "dog", "fish"};
  torch::nn::Linear classify(5, 3);
  classify->to(device);
  torch::NoGradGuard no_grad;
  for (int i = 0; i < 2; ++i) report(std::cout, classify(torch::rand({4, 5}, device)), names);
}
