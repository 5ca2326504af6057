#include "net.h"

// As many outputs as the new task has tags.
void replace_head(Tagger& net, int64_t tags) {
  torch::nn::Linear fresh(net->head->options.in_features(), tags);
  fresh->to(net->body->weight.device());
  net->head = net->replace_module("head", fresh);  // expect: device-stale-optimizer // fails: never
}
