#include "agent.h"

torch::Tensor Agent::act(const torch::Tensor& observation) {
  return policy_->forward(observation.to(device_)).argmax(-1);
}

torch::Tensor Agent::future(const torch::Tensor& observation, double discount) {
  torch::NoGradGuard no_grad;
  return discount * std::get<0>(target_->forward(observation.to(device_)).max(-1));
}
