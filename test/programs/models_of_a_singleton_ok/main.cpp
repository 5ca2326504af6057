#include <torch/torch.h>

#include <cstdio>

torch::Tensor compress(const torch::Tensor& rows);
torch::Tensor expand(const torch::Tensor& codes);

int main() {
  torch::NoGradGuard no_grad;
  const auto rows = torch::rand({4, 8});
  const auto codes = compress(rows);
  const auto again = expand(codes);
  const float error = (rows - again).abs().max().item<float>();
  std::printf("%lld numbers became %lld, off by %.3f\n", static_cast<long long>(rows.numel()),
              static_cast<long long>(codes.numel()), error);
}
