#pragma once

#include <torch/torch.h>

// What a recurrent net remembers.
struct State {
  torch::Tensor hidden, cell;
};

State initial_state(int64_t batch, int64_t width, torch::Device device);

// Forgets everything, for a new text.
void forget(State& state);
