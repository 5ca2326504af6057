#include "stage.h"

namespace {

class Scale : public Stage {
 public:
  torch::Tensor run(const torch::Tensor& x) override { return x / (x.abs().max() + 1e-6); }
};

// Singular values are taken on the host: for small matrices that is quicker.
class Whiten : public Stage {
 public:
  torch::Tensor run(const torch::Tensor& x) override {
    auto [u, s, v] = torch::svd((x - x.mean(0)).cpu());
    return torch::matmul(u, v.t());
  }
};

}  // namespace

std::unique_ptr<Stage> make_stage(const std::string& name) {
  if (name == "whiten") return std::make_unique<Whiten>();
  return std::make_unique<Scale>();
}
