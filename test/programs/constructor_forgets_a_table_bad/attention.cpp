#include "attention.h"

AttentionImpl::AttentionImpl(int64_t width, int64_t longest) : width_(width) {
  query_ = register_module("query", torch::nn::Linear(width, width));
  key_ = register_module("key", torch::nn::Linear(width, width));
  value_ = register_module("value", torch::nn::Linear(width, width));
  mask_ = torch::triu(torch::full({longest, longest}, -1e9), 1);  // expect: device-unregistered-member
}
