#include "reader.h"

double train_epoch(torch::nn::Sequential& net, torch::optim::Optimizer& optimizer, TableReader& reader,
                   torch::Device device) {
  double total = 0;
  reader.rewind();
  while (auto sample = reader.next()) {
    optimizer.zero_grad();
    auto prediction = net->forward(sample->input.to(device));
    auto loss = torch::mse_loss(prediction, sample->target);  // expect: device-mixed-operands // fails: "same device"
    loss.backward();
    optimizer.step();
    total += loss.item<double>();
  }
  return total;
}
