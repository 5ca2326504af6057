#include "reader.h"

Reader::Reader(torch::Device device) : cell_(torch::nn::LSTMCellOptions(4, 6)) {
  cell_->to(device);
}

void Reader::read(const torch::Tensor& letter, State& state) {
  std::tie(state.hidden, state.cell) = cell_->forward(letter, std::make_tuple(state.hidden, state.cell));  // fails: "same device"
}
