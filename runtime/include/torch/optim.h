// Optimizers over parameter groups. State is made at the first step, where the parameter lives then.
#pragma once
#pragma GCC system_header

#include "torch/arg.h"
#include "torch/nn/module.h"

#include <memory>

namespace torch::optim {

class OptimizerOptions {
public:
  virtual ~OptimizerOptions() = default;
  virtual std::unique_ptr<OptimizerOptions> clone() const = 0;
  virtual double get_lr() const = 0;
  virtual void set_lr(const double lr) = 0;
};
template <class Derived> class OptimizerCloneableOptions : public OptimizerOptions {
public:
  std::unique_ptr<OptimizerOptions> clone() const override {
    return std::make_unique<Derived>(static_cast<const Derived &>(*this));
  }
  double get_lr() const override { return static_cast<const Derived &>(*this).lr(); }
  void set_lr(const double lr) override { static_cast<Derived &>(*this).lr(lr); }
};

class OptimizerParamGroup {
public:
  OptimizerParamGroup(const OptimizerParamGroup &other)
      : params_(other.params_), options_(other.options_ ? other.options_->clone() : nullptr) {}
  OptimizerParamGroup(std::vector<Tensor> params) : params_(std::move(params)) {}
  OptimizerParamGroup(std::vector<Tensor> params, std::unique_ptr<OptimizerOptions> options)
      : params_(std::move(params)), options_(std::move(options)) {}
  bool has_options() const { return options_ != nullptr; }
  OptimizerOptions &options() { return *options_; }
  const OptimizerOptions &options() const { return *options_; }
  void set_options(std::unique_ptr<OptimizerOptions> options) { options_ = std::move(options); }
  std::vector<Tensor> &params() { return params_; }
  const std::vector<Tensor> &params() const { return params_; }

private:
  std::vector<Tensor> params_;
  std::unique_ptr<OptimizerOptions> options_;
};

class Optimizer {
public:
  using LossClosure = std::function<Tensor()>;
  Optimizer(std::vector<OptimizerParamGroup> param_groups, std::unique_ptr<OptimizerOptions> defaults)
      : defaults_(std::move(defaults)) {
    for (const auto &group : param_groups)
      add_param_group(group);
  }
  Optimizer(std::vector<Tensor> parameters, std::unique_ptr<OptimizerOptions> defaults)
      : Optimizer({OptimizerParamGroup(std::move(parameters))}, std::move(defaults)) {}
  Optimizer(const Optimizer &optimizer) = delete;
  Optimizer(Optimizer &&optimizer) = default;
  virtual ~Optimizer() = default;

  virtual Tensor step(LossClosure closure = nullptr) {
    const Tensor loss = closure ? closure() : Tensor();
    NoGradGuard no_grad;
    for (auto &group : param_groups_)
      for (const Tensor &parameter : group.params())
        if (parameter.grad().defined())
          update(parameter, state_[parameter.unsafeGetTensorImpl()], group.options());
    return loss;
  }
  void zero_grad(bool set_to_none = false) {
    for (auto &group : param_groups_)
      for (const Tensor &parameter : group.params())
        if (parameter.grad().defined()) {
          if (set_to_none)
            parameter.mutable_grad().reset();
          else
            parameter.mutable_grad() = parameter.grad().detach().zero_();
        }
  }
  void add_param_group(const OptimizerParamGroup &param_group) {
    param_groups_.push_back(param_group);
    if (!param_group.has_options())
      param_groups_.back().set_options(defaults_->clone());
  }
  const std::vector<OptimizerParamGroup> &param_groups() const noexcept { return param_groups_; }
  std::vector<OptimizerParamGroup> &param_groups() noexcept { return param_groups_; }
  const std::vector<Tensor> &parameters() const noexcept { return param_groups_.at(0).params(); }
  std::vector<Tensor> &parameters() noexcept { return param_groups_.at(0).params(); }
  size_t size() const noexcept {
    size_t count = 0;
    for (const auto &group : param_groups_)
      count += group.params().size();
    return count;
  }
  const OptimizerOptions &defaults() const noexcept { return *defaults_; }

  virtual void save(serialize::OutputArchive &archive) const {
    const auto all = states();
    for (size_t i = 0; i < all.size(); ++i)
      for (size_t j = 0; j < all[i].size(); ++j)
        archive.write(std::to_string(i) + "." + std::to_string(j), all[i][j]);
  }
  virtual void load(serialize::InputArchive &archive) {
    size_t i = 0;
    for (auto &group : param_groups_)
      for (const Tensor &parameter : group.params()) {
        std::vector<Tensor> &state = state_[parameter.unsafeGetTensorImpl()];
        state.clear();
        Tensor tensor;
        for (size_t j = 0; archive.try_read(std::to_string(i) + "." + std::to_string(j), tensor); ++j, tensor.reset())
          state.push_back(tensor);
        ++i;
      }
  }

protected:
  using State = std::vector<Tensor>;
  virtual void update(const Tensor &parameter, State &state, const OptimizerOptions &options) = 0;
  static void prepare(State &state, const Tensor &parameter, size_t count) {
    while (state.size() < count)
      state.push_back(torch::zeros_like(parameter));
  }

  State &stateOf(const Tensor &parameter) { return state_[parameter.unsafeGetTensorImpl()]; }

private:
  std::vector<State> states() const {
    std::vector<State> all;
    for (const auto &group : param_groups_)
      for (const Tensor &parameter : group.params()) {
        const auto found = state_.find(parameter.unsafeGetTensorImpl());
        all.push_back(found == state_.end() ? State() : found->second);
      }
    return all;
  }
  std::vector<OptimizerParamGroup> param_groups_;
  std::unordered_map<void *, State> state_;
  std::unique_ptr<OptimizerOptions> defaults_;
};

inline serialize::OutputArchive &operator<<(serialize::OutputArchive &archive, const Optimizer &optimizer) {
  optimizer.save(archive);
  return archive;
}
inline serialize::InputArchive &operator>>(serialize::InputArchive &archive, Optimizer &optimizer) {
  optimizer.load(archive);
  return archive;
}

#define SD_OPTIMIZER_CONSTRUCTORS(Name)                                                                                \
  explicit Name(std::vector<OptimizerParamGroup> param_groups, Name##Options defaults = {})                            \
      : Optimizer(std::move(param_groups), std::make_unique<Name##Options>(defaults)) {}                               \
  explicit Name(std::vector<Tensor> params, Name##Options defaults = {})                                               \
      : Optimizer(std::move(params), std::make_unique<Name##Options>(defaults)) {}

struct SGDOptions : public OptimizerCloneableOptions<SGDOptions> {
  SGDOptions(double lr) : lr_(lr) {}
  TORCH_ARG(double, lr);
  TORCH_ARG(double, momentum) = 0;
  TORCH_ARG(double, dampening) = 0;
  TORCH_ARG(double, weight_decay) = 0;
  TORCH_ARG(bool, nesterov) = false;
};
class SGD : public Optimizer {
public:
  explicit SGD(std::vector<OptimizerParamGroup> param_groups, SGDOptions defaults)
      : Optimizer(std::move(param_groups), std::make_unique<SGDOptions>(defaults)) {}
  explicit SGD(std::vector<Tensor> params, SGDOptions defaults)
      : Optimizer(std::move(params), std::make_unique<SGDOptions>(defaults)) {}

protected:
  void update(const Tensor &p, State &state, const OptimizerOptions &o) override {
    const auto &options = static_cast<const SGDOptions &>(o);
    Tensor step = p.grad();
    if (options.weight_decay() != 0)
      step = step.add(p.detach(), options.weight_decay());
    if (options.momentum() != 0) {
      prepare(state, p, 1);
      step = state[0].mul_(options.momentum()).add_(step);
    }
    p.detach().add_(step, -options.lr());
  }
};

/// Adam's two moments serve its relatives too.
#define SD_ADAPTIVE_OPTIONS(Name, learningRate, decay)                                                                 \
  struct Name##Options : public OptimizerCloneableOptions<Name##Options> {                                             \
    using betas_t = std::tuple<double, double>;                                                                        \
    Name##Options(double lr = learningRate) : lr_(lr) {}                                                               \
    TORCH_ARG(double, lr);                                                                                             \
    TORCH_ARG(betas_t, betas) = std::make_tuple(0.9, 0.999);                                                           \
    TORCH_ARG(double, eps) = 1e-8;                                                                                     \
    TORCH_ARG(double, weight_decay) = decay;                                                                           \
    TORCH_ARG(bool, amsgrad) = false;                                                                                  \
  };                                                                                                                   \
  class Name : public Optimizer {                                                                                      \
  public:                                                                                                              \
    SD_OPTIMIZER_CONSTRUCTORS(Name)                                                                                    \
  protected:                                                                                                           \
    void update(const Tensor &p, State &state, const OptimizerOptions &o) override {                                   \
      const auto &options = static_cast<const Name##Options &>(o);                                                     \
      const auto [beta1, beta2] = options.betas();                                                                     \
      prepare(state, p, 2);                                                                                            \
      const Tensor grad = p.grad();                                                                                    \
      state[0].mul_(beta1).add_(grad, 1 - beta1);                                                                      \
      state[1].mul_(beta2).addcmul_(grad, grad, 1 - beta2);                                                            \
      p.detach().addcdiv_(state[0], state[1].sqrt().add_(options.eps()), -options.lr());                               \
    }                                                                                                                  \
  };
SD_ADAPTIVE_OPTIONS(Adam, 1e-3, 0)
SD_ADAPTIVE_OPTIONS(AdamW, 1e-3, 1e-2)
#undef SD_ADAPTIVE_OPTIONS

struct RMSpropOptions : public OptimizerCloneableOptions<RMSpropOptions> {
  RMSpropOptions(double lr = 1e-2) : lr_(lr) {}
  TORCH_ARG(double, lr);
  TORCH_ARG(double, alpha) = 0.99;
  TORCH_ARG(double, eps) = 1e-8;
  TORCH_ARG(double, weight_decay) = 0;
  TORCH_ARG(double, momentum) = 0;
  TORCH_ARG(bool, centered) = false;
};
class RMSprop : public Optimizer {
public:
  SD_OPTIMIZER_CONSTRUCTORS(RMSprop)
protected:
  void update(const Tensor &p, State &state, const OptimizerOptions &o) override {
    const auto &options = static_cast<const RMSpropOptions &>(o);
    prepare(state, p, 1);
    state[0].mul_(options.alpha()).addcmul_(p.grad(), p.grad(), 1 - options.alpha());
    p.detach().addcdiv_(p.grad(), state[0].sqrt().add_(options.eps()), -options.lr());
  }
};

struct AdagradOptions : public OptimizerCloneableOptions<AdagradOptions> {
  AdagradOptions(double lr = 1e-2) : lr_(lr) {}
  TORCH_ARG(double, lr);
  TORCH_ARG(double, lr_decay) = 0;
  TORCH_ARG(double, weight_decay) = 0;
  TORCH_ARG(double, eps) = 1e-10;
};
class Adagrad : public Optimizer {
public:
  explicit Adagrad(std::vector<OptimizerParamGroup> param_groups, AdagradOptions defaults = {})
      : Optimizer(std::move(param_groups), std::make_unique<AdagradOptions>(defaults)) {
    begin();
  }
  explicit Adagrad(std::vector<Tensor> params, AdagradOptions defaults = {})
      : Optimizer(std::move(params), std::make_unique<AdagradOptions>(defaults)) {
    begin();
  }

protected:
  /// Unlike its relatives it makes its sums at once.
  void begin() {
    for (const auto &group : param_groups())
      for (const Tensor &parameter : group.params())
        prepare(stateOf(parameter), parameter, 1);
  }
  void update(const Tensor &p, State &state, const OptimizerOptions &o) override {
    const auto &options = static_cast<const AdagradOptions &>(o);
    prepare(state, p, 1);
    state[0].addcmul_(p.grad(), p.grad(), 1.0);
    p.detach().addcdiv_(p.grad(), state[0].sqrt().add_(options.eps()), -options.lr());
  }
};
#undef SD_OPTIMIZER_CONSTRUCTORS

class LRScheduler {
public:
  explicit LRScheduler(Optimizer &optimizer) : optimizer_(optimizer) {}
  virtual ~LRScheduler() = default;
  void step() {
    ++step_count_;
    for (auto &group : optimizer_.param_groups())
      group.options().set_lr(next(group.options().get_lr()));
  }

protected:
  virtual double next(double lr) const = 0;
  Optimizer &optimizer_;
  unsigned step_count_ = 1;
};
class StepLR : public LRScheduler {
public:
  StepLR(Optimizer &optimizer, const unsigned step_size, const double gamma = 0.1)
      : LRScheduler(optimizer), step_size_(step_size), gamma_(gamma) {}

private:
  double next(double lr) const override { return step_count_ % step_size_ == 0 ? lr * gamma_ : lr; }
  unsigned step_size_;
  double gamma_;
};

} // namespace torch::optim
