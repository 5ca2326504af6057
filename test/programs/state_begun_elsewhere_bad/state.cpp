#include "state.h"

State initial_state(int64_t batch, int64_t width, torch::Device device) {
  State state;
  state.hidden = torch::zeros({batch, width}, device);
  state.cell = torch::zeros({batch, width}, device);
  return state;
}

void forget(State& state) {
  state.hidden = torch::zeros_like(state.hidden);
  state.cell = torch::zeros(state.cell.sizes());  // expect: device-default-factory
}
