#include <iostream>

#include "heads.h"
#include "net.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? "cuda:0" : "cpu");
  Backbone net;
  net->to(device);

  // The new task has five classes.
  net->head = net->replace_module("head", make_head(4, 5));  // expect: device-module-after-to
  torch::optim::AdamW optimizer(net->parameters(), torch::optim::AdamWOptions(1e-3));
  for (int i = 0; i < 2; ++i) {
    optimizer.zero_grad();
    auto logits = net(torch::rand({3, 1, 12}, device));
    auto loss = torch::cross_entropy_loss(logits, torch::zeros({3}, torch::dtype(torch::kLong).device(device)));
    loss.backward();
    optimizer.step();
    std::cout << loss.item<double>() << "\n";
  }
}
