#pragma once

#include "net.h"

class Trainer {
 public:
  Trainer(Tagger net, double rate);
  float step(const torch::Tensor& x, const torch::Tensor& tags);
  void restart(double rate);

 private:
  Tagger net_;
  torch::optim::Adam optimizer_;
};
