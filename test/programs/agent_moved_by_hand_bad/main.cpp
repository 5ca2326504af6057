#include <iostream>

#include "agent.h"

int main() {
  Agent agent(4, 2);
  agent.to(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  for (int i = 0; i < 2; ++i) {
    const auto observation = torch::rand({4});
    std::cout << "action " << agent.act(observation).item<int64_t>();
    std::cout << " worth " << agent.future(observation, 0.9).item<float>() << '\n';
    agent.follow(0.1);
  }
}
