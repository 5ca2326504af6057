#include "agent.h"

Agent::Agent(int64_t observations, int64_t actions)
    : policy_(observations, actions), target_(observations, actions) {
  torch::NoGradGuard no_grad;
  target_->weight.copy_(policy_->weight);
  target_->bias.copy_(policy_->bias);
}

void Agent::follow(double speed) {
  torch::NoGradGuard no_grad;
  auto from = policy_->parameters(), to = target_->parameters();
  for (size_t i = 0; i < to.size(); ++i) to[i].lerp_(from[i].to(to[i].device()), speed);
}
