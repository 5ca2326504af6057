// Recurrent layers and cells. A state that is left out is made where the input lives.
#pragma once
#pragma GCC system_header

#include "torch/nn/cloneable.h"
#include "torch/nn/functional.h"

namespace torch::nn {
namespace detail {

template <class Derived, class Options, int gates> class RNNImplBase : public Cloneable<Derived> {
public:
  explicit RNNImplBase(const Options &options_) : options(options_) { RNNImplBase::reset(); }
  void reset() override {
    flat_weights_.clear();
    for (int64_t layer = 0; layer < options.num_layers(); ++layer)
      for (int64_t direction = 0; direction < directions(); ++direction) {
        const std::string suffix = "_l" + std::to_string(layer) + (direction ? "_reverse" : "");
        const int64_t in = layer == 0 ? options.input_size() : options.hidden_size() * directions();
        add("weight_ih" + suffix, {gates * options.hidden_size(), in});
        add("weight_hh" + suffix, {gates * options.hidden_size(), options.hidden_size()});
        if (!options.bias())
          continue;
        add("bias_ih" + suffix, {gates * options.hidden_size()});
        add("bias_hh" + suffix, {gates * options.hidden_size()});
      }
  }
  void flatten_parameters() {}
  std::vector<Tensor> all_weights() const { return flat_weights_; }

  Options options;

protected:
  int64_t directions() const { return options.bidirectional() ? 2 : 1; }
  Tensor initial(const Tensor &input) const {
    const int64_t batch = input.size(options.batch_first() ? 0 : 1);
    return torch::zeros({options.num_layers() * directions(), batch, options.hidden_size()}, input.options());
  }
  void add(const std::string &name, std::vector<int64_t> shape) {
    flat_weights_.push_back(this->register_parameter(name, torch::empty(shape).uniform_(-0.1, 0.1)));
  }
  std::vector<Tensor> flat_weights_;
};

template <class Derived, class Options, int gates> class RNNCellImplBase : public Cloneable<Derived> {
public:
  explicit RNNCellImplBase(const Options &options_) : options(options_) { RNNCellImplBase::reset(); }
  void reset() override {
    const int64_t rows = gates * options.hidden_size();
    weight_ih = this->register_parameter("weight_ih", torch::empty({rows, options.input_size()}).uniform_(-0.1, 0.1));
    weight_hh = this->register_parameter("weight_hh", torch::empty({rows, options.hidden_size()}).uniform_(-0.1, 0.1));
    bias_ih = this->register_parameter("bias_ih", options.bias() ? torch::zeros({rows}) : Tensor(), options.bias());
    bias_hh = this->register_parameter("bias_hh", options.bias() ? torch::zeros({rows}) : Tensor(), options.bias());
  }
  Options options;
  Tensor weight_ih;
  Tensor weight_hh;
  Tensor bias_ih;
  Tensor bias_hh;

protected:
  Tensor initial(const Tensor &input) const {
    return torch::zeros({input.size(0), options.hidden_size()}, input.options());
  }
};

} // namespace detail

#define SD_RNN_CONSTRUCTORS(Name, base)                                                                                \
  Name##Impl(int64_t input_size, int64_t hidden_size) : Name##Impl(Name##Options(input_size, hidden_size)) {}          \
  explicit Name##Impl(const Name##Options &options_) : base(options_) {}

class RNNImpl : public detail::RNNImplBase<RNNImpl, RNNOptions, 1> {
public:
  SD_RNN_CONSTRUCTORS(RNN, RNNImplBase)
  std::tuple<Tensor, Tensor> forward(const Tensor &input, Tensor hx = {}) {
    const Tensor state = hx.defined() ? hx : initial(input);
    const auto run = [&](auto layer) {
      return layer(input, state, flat_weights_, options.bias(), options.num_layers(), options.dropout(), is_training(),
                   options.bidirectional(), options.batch_first());
    };
    if (options.nonlinearity().index() == 0)
      return run([](auto &&...args) { return at::rnn_tanh(args...); });
    return run([](auto &&...args) { return at::rnn_relu(args...); });
  }
};
class GRUImpl : public detail::RNNImplBase<GRUImpl, GRUOptions, 3> {
public:
  SD_RNN_CONSTRUCTORS(GRU, RNNImplBase)
  std::tuple<Tensor, Tensor> forward(const Tensor &input, Tensor hx = {}) {
    return at::gru(input, hx.defined() ? hx : initial(input), flat_weights_, options.bias(), options.num_layers(),
                   options.dropout(), is_training(), options.bidirectional(), options.batch_first());
  }
};
class LSTMImpl : public detail::RNNImplBase<LSTMImpl, LSTMOptions, 4> {
public:
  SD_RNN_CONSTRUCTORS(LSTM, RNNImplBase)
  std::tuple<Tensor, std::tuple<Tensor, Tensor>> forward(const Tensor &input,
                                                         torch::optional<std::tuple<Tensor, Tensor>> hx_opt = {}) {
    const std::vector<Tensor> state = hx_opt ? std::vector<Tensor>{std::get<0>(*hx_opt), std::get<1>(*hx_opt)}
                                             : std::vector<Tensor>{initial(input), initial(input)};
    const auto result = at::lstm(input, state, flat_weights_, options.bias(), options.num_layers(), options.dropout(),
                                 is_training(), options.bidirectional(), options.batch_first());
    return {std::get<0>(result), {std::get<1>(result), std::get<2>(result)}};
  }
};

class RNNCellImpl : public detail::RNNCellImplBase<RNNCellImpl, RNNCellOptions, 1> {
public:
  SD_RNN_CONSTRUCTORS(RNNCell, RNNCellImplBase)
  Tensor forward(const Tensor &input, Tensor hx = {}) {
    return at::rnn_tanh_cell(input, hx.defined() ? hx : initial(input), weight_ih, weight_hh, bias_ih, bias_hh);
  }
};
class GRUCellImpl : public detail::RNNCellImplBase<GRUCellImpl, GRUCellOptions, 3> {
public:
  SD_RNN_CONSTRUCTORS(GRUCell, RNNCellImplBase)
  Tensor forward(const Tensor &input, Tensor hx = {}) {
    return at::gru_cell(input, hx.defined() ? hx : initial(input), weight_ih, weight_hh, bias_ih, bias_hh);
  }
};
class LSTMCellImpl : public detail::RNNCellImplBase<LSTMCellImpl, LSTMCellOptions, 4> {
public:
  SD_RNN_CONSTRUCTORS(LSTMCell, RNNCellImplBase)
  std::tuple<Tensor, Tensor> forward(const Tensor &input, torch::optional<std::tuple<Tensor, Tensor>> hx_opt = {}) {
    const std::vector<Tensor> state = hx_opt ? std::vector<Tensor>{std::get<0>(*hx_opt), std::get<1>(*hx_opt)}
                                             : std::vector<Tensor>{initial(input), initial(input)};
    return at::lstm_cell(input, state, weight_ih, weight_hh, bias_ih, bias_hh);
  }
};
#undef SD_RNN_CONSTRUCTORS
TORCH_MODULE(RNN);
TORCH_MODULE(GRU);
TORCH_MODULE(LSTM);
TORCH_MODULE(RNNCell);
TORCH_MODULE(GRUCell);
TORCH_MODULE(LSTMCell);

} // namespace torch::nn
