#include "prepare.h"

void prepare_for_inference(torch::nn::Module& module) {
  module.eval();
  for (auto& p : module.parameters()) p.set_requires_grad(false);
  module.to(torch::kFloat);
}

void prepare_for_training(torch::nn::Module& module, torch::Device device) {
  module.train();
  for (auto& p : module.parameters()) p.set_requires_grad(true);
  module.to(device);
}
