#include "heads.h"

torch::nn::Sequential make_head(int64_t in, int64_t classes, torch::Device device) {
  torch::nn::Linear last(in, classes);
  torch::nn::init::xavier_uniform_(last->weight);
  torch::nn::init::zeros_(last->bias);
  torch::nn::Sequential head(torch::nn::Dropout(0.1), last);
  head->to(device);
  return head;
}
