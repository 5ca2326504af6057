#include <cmath>

#include "attention.h"

torch::Tensor AttentionImpl::forward(const torch::Tensor& x) {
  const auto length = x.size(1);
  auto scores = torch::matmul(query_(x), key_(x).transpose(1, 2)) / std::sqrt(double(width_));
  scores = scores + mask_.slice(0, 0, length).slice(1, 0, length);
  return torch::matmul(torch::softmax(scores, -1), value_(x));
}
