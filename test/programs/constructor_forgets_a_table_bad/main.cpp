#include <iostream>

#include "attention.h"

int main() {
  const torch::Device device(torch::kCUDA);
  torch::nn::Embedding words(20, 8);
  Attention attention(8, 32);
  words->to(device);
  attention->to(device);
  auto text = torch::randint(20, {2, 7}, torch::dtype(torch::kLong).device(device));
  auto out = attention(words(text));
  std::cout << out.sizes() << '\n';
}
