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
  std::unique_ptr<OptimizerOptions> clone() const override;
  double get_lr() const override;
  void set_lr(const double lr) override;
};

class OptimizerParamGroup {
public:
  OptimizerParamGroup(const OptimizerParamGroup &other);
  OptimizerParamGroup(std::vector<Tensor> params);
  OptimizerParamGroup(std::vector<Tensor> params, std::unique_ptr<OptimizerOptions> options);
  bool has_options() const;
  OptimizerOptions &options();
  const OptimizerOptions &options() const;
  void set_options(std::unique_ptr<OptimizerOptions> options);
  std::vector<Tensor> &params();
  const std::vector<Tensor> &params() const;

private:
  std::vector<Tensor> params_;
  std::unique_ptr<OptimizerOptions> options_;
};

class Optimizer {
public:
  using LossClosure = std::function<Tensor()>;
  Optimizer(std::vector<OptimizerParamGroup> param_groups, std::unique_ptr<OptimizerOptions> defaults);
  Optimizer(std::vector<Tensor> parameters, std::unique_ptr<OptimizerOptions> defaults);
  Optimizer(const Optimizer &optimizer) = delete;
  Optimizer(Optimizer &&optimizer) = default;
  virtual ~Optimizer() = default;

  virtual Tensor step(LossClosure closure = nullptr);
  void zero_grad(bool set_to_none = false);
  void add_param_group(const OptimizerParamGroup &param_group);
  const std::vector<OptimizerParamGroup> &param_groups() const noexcept;
  std::vector<OptimizerParamGroup> &param_groups() noexcept;
  const std::vector<Tensor> &parameters() const noexcept;
  std::vector<Tensor> &parameters() noexcept;
  size_t size() const noexcept;
  const OptimizerOptions &defaults() const noexcept;

  virtual void save(serialize::OutputArchive &archive) const;
  virtual void load(serialize::InputArchive &archive);
};

serialize::OutputArchive &operator<<(serialize::OutputArchive &archive, const Optimizer &optimizer);
serialize::InputArchive &operator>>(serialize::InputArchive &archive, Optimizer &optimizer);

#define SD_OPTIMIZER_CONSTRUCTORS(Name)                                                                                \
  explicit Name(std::vector<OptimizerParamGroup> param_groups, Name##Options defaults = {});                           \
  explicit Name(std::vector<Tensor> params, Name##Options defaults = {});

struct SGDOptions : public OptimizerCloneableOptions<SGDOptions> {
  SGDOptions(double lr);
  TORCH_ARG(double, lr);
  TORCH_ARG(double, momentum) = 0;
  TORCH_ARG(double, dampening) = 0;
  TORCH_ARG(double, weight_decay) = 0;
  TORCH_ARG(bool, nesterov) = false;
};
class SGD : public Optimizer {
public:
  explicit SGD(std::vector<OptimizerParamGroup> param_groups, SGDOptions defaults);
  explicit SGD(std::vector<Tensor> params, SGDOptions defaults);
};

/// Adam's two moments serve its relatives too.
#define SD_ADAPTIVE_OPTIONS(Name, learningRate, decay)                                                                 \
  struct Name##Options : public OptimizerCloneableOptions<Name##Options> {                                             \
    using betas_t = std::tuple<double, double>;                                                                        \
    Name##Options(double lr = learningRate);                                                                           \
    TORCH_ARG(double, lr);                                                                                             \
    TORCH_ARG(betas_t, betas) = std::make_tuple(0.9, 0.999);                                                           \
    TORCH_ARG(double, eps) = 1e-8;                                                                                     \
    TORCH_ARG(double, weight_decay) = decay;                                                                           \
    TORCH_ARG(bool, amsgrad) = false;                                                                                  \
  };                                                                                                                   \
  class Name : public Optimizer {                                                                                      \
  public:                                                                                                              \
    SD_OPTIMIZER_CONSTRUCTORS(Name)                                                                                    \
  };
SD_ADAPTIVE_OPTIONS(Adam, 1e-3, 0)
SD_ADAPTIVE_OPTIONS(AdamW, 1e-3, 1e-2)
#undef SD_ADAPTIVE_OPTIONS

struct RMSpropOptions : public OptimizerCloneableOptions<RMSpropOptions> {
  RMSpropOptions(double lr = 1e-2);
  TORCH_ARG(double, lr);
  TORCH_ARG(double, alpha) = 0.99;
  TORCH_ARG(double, eps) = 1e-8;
  TORCH_ARG(double, weight_decay) = 0;
  TORCH_ARG(double, momentum) = 0;
  TORCH_ARG(bool, centered) = false;
};
class RMSprop : public Optimizer {
public:
  SD_OPTIMIZER_CONSTRUCTORS(RMSprop)};

struct AdagradOptions : public OptimizerCloneableOptions<AdagradOptions> {
  AdagradOptions(double lr = 1e-2);
  TORCH_ARG(double, lr);
  TORCH_ARG(double, lr_decay) = 0;
  TORCH_ARG(double, weight_decay) = 0;
  TORCH_ARG(double, eps) = 1e-10;
};
class Adagrad : public Optimizer {
public:
  explicit Adagrad(std::vector<OptimizerParamGroup> param_groups, AdagradOptions defaults = {});
  explicit Adagrad(std::vector<Tensor> params, AdagradOptions defaults = {});
};
#undef SD_OPTIMIZER_CONSTRUCTORS

class LRScheduler {
public:
  explicit LRScheduler(Optimizer &optimizer);
  virtual ~LRScheduler() = default;
  void step();

protected:
  virtual double next(double lr) const = 0;
  Optimizer &optimizer_;
  unsigned step_count_ = 1;
};
class StepLR : public LRScheduler {
public:
  StepLR(Optimizer &optimizer, const unsigned step_size, const double gamma = 0.1);
};

} // namespace torch::optim
