#include <iostream>

#include "reader.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Reader reader(device);
  torch::NoGradGuard no_grad;
  auto state = initial_state(2, 6, device);
  for (int text = 0; text < 2; ++text) {
    for (int i = 0; i < 3; ++i) reader.read(torch::rand({2, 4}, device), state);
    std::cout << "text " << text << ": " << state.hidden.norm().item<float>() << '\n';
    forget(state);
  }
}
