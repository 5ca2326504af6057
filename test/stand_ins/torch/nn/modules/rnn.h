// Recurrent layers and cells. A state that is left out is made where the input lives.
#pragma once
#pragma GCC system_header

#include "torch/nn/cloneable.h"
#include "torch/nn/functional.h"
#include "torch/nn/utils.h"

namespace torch::nn {
namespace detail {

template <class Derived, class Options, int gates> class RNNImplBase : public Cloneable<Derived> {
public:
  explicit RNNImplBase(const Options &options_);
  void reset() override;
  void flatten_parameters();
  std::vector<Tensor> all_weights() const;

  Options options;

protected:
  int64_t directions() const;
  Tensor initial(const Tensor &input) const;
  void add(const std::string &name, std::vector<int64_t> shape);
  std::vector<Tensor> flat_weights_;
};

template <class Derived, class Options, int gates> class RNNCellImplBase : public Cloneable<Derived> {
public:
  explicit RNNCellImplBase(const Options &options_);
  void reset() override;
  Options options;
  Tensor weight_ih;
  Tensor weight_hh;
  Tensor bias_ih;
  Tensor bias_hh;

protected:
  Tensor initial(const Tensor &input) const;
};

} // namespace detail

#define SD_RNN_CONSTRUCTORS(Name, base)                                                                                \
  Name##Impl(int64_t input_size, int64_t hidden_size) : Name##Impl(Name##Options(input_size, hidden_size)) {}          \
  explicit Name##Impl(const Name##Options &options_) : base(options_) {}

class RNNImpl : public detail::RNNImplBase<RNNImpl, RNNOptions, 1> {
public:
  SD_RNN_CONSTRUCTORS(RNN, RNNImplBase)
  std::tuple<Tensor, Tensor> forward(const Tensor &input, Tensor hx = {});
};
class GRUImpl : public detail::RNNImplBase<GRUImpl, GRUOptions, 3> {
public:
  SD_RNN_CONSTRUCTORS(GRU, RNNImplBase)
  std::tuple<Tensor, Tensor> forward(const Tensor &input, Tensor hx = {});
  std::tuple<utils::rnn::PackedSequence, Tensor> forward_with_packed_input(const utils::rnn::PackedSequence &packed,
                                                                           Tensor hx = {});
};
class LSTMImpl : public detail::RNNImplBase<LSTMImpl, LSTMOptions, 4> {
public:
  SD_RNN_CONSTRUCTORS(LSTM, RNNImplBase)
  std::tuple<Tensor, std::tuple<Tensor, Tensor>> forward(const Tensor &input,
                                                         torch::optional<std::tuple<Tensor, Tensor>> hx_opt = {});
};

class RNNCellImpl : public detail::RNNCellImplBase<RNNCellImpl, RNNCellOptions, 1> {
public:
  SD_RNN_CONSTRUCTORS(RNNCell, RNNCellImplBase)
  Tensor forward(const Tensor &input, Tensor hx = {});
};
class GRUCellImpl : public detail::RNNCellImplBase<GRUCellImpl, GRUCellOptions, 3> {
public:
  SD_RNN_CONSTRUCTORS(GRUCell, RNNCellImplBase)
  Tensor forward(const Tensor &input, Tensor hx = {});
};
class LSTMCellImpl : public detail::RNNCellImplBase<LSTMCellImpl, LSTMCellOptions, 4> {
public:
  SD_RNN_CONSTRUCTORS(LSTMCell, RNNCellImplBase)
  std::tuple<Tensor, Tensor> forward(const Tensor &input, torch::optional<std::tuple<Tensor, Tensor>> hx_opt = {});
};
#undef SD_RNN_CONSTRUCTORS
TORCH_MODULE(RNN);
TORCH_MODULE(GRU);
TORCH_MODULE(LSTM);
TORCH_MODULE(RNNCell);
TORCH_MODULE(GRUCell);
TORCH_MODULE(LSTMCell);

} // namespace torch::nn
