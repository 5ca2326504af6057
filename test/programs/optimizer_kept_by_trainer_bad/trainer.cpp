#include "trainer.h"

Trainer::Trainer(Tagger net, double rate) : net_(net), optimizer_(net->parameters(), torch::optim::AdamOptions(rate)) {}

float Trainer::step(const torch::Tensor& x, const torch::Tensor& tags) {
  optimizer_.zero_grad();
  auto loss = torch::nll_loss(torch::log_softmax(net_(x), 1), tags);
  loss.backward();
  optimizer_.step();
  return loss.item<float>();
}

void Trainer::restart(double rate) {
  optimizer_.param_groups().clear();
  optimizer_.add_param_group(
      torch::optim::OptimizerParamGroup(net_->parameters(), std::make_unique<torch::optim::AdamOptions>(rate)));
}
