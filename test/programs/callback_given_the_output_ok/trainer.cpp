#include "trainer.h"

void Trainer::run(int steps) {
  torch::optim::SGD sgd(net_->parameters(), 0.01);
  for (int step = 0; step < steps; ++step) {
    auto output = net_->forward(torch::rand({4, 3}, device_));
    sgd.zero_grad();
    output.pow(2).mean().backward();
    sgd.step();
    if (watcher_) watcher_(step, output.detach().cpu());
  }
}
