#include "agent.h"

void Agent::to(torch::Device device) {
  policy_->to(device);
  device_ = device;
}
