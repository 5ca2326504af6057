// Carries out a witness with real libtorch: its tensors, modules, optimizers and errors.
#pragma once

#include "Gpus.h"
#include "replay/Interpreter.h"
#include "replay/StreamOrder.h"

#include <torch/script.h>
#include <torch/torch.h>

#include <map>
#include <variant>

namespace samedevice::runtime {

class TorchInterpreter final : public Interpreter {
public:
  void run(const Step &step) override;

private:
  struct ModuleValue {
    std::string name; ///< of its class
    std::shared_ptr<torch::nn::Module> module;
  };
  using Optimizer = std::shared_ptr<torch::optim::Adam>;
  /// The address of memory, which may die before the pointer.
  struct Pointer {
    void *address;
    c10::weak_intrusive_ptr<c10::TensorImpl> tensor;
  };
  struct StreamNumber {
    Stream number = 0;
  };
  using Value = std::variant<at::Tensor, ModuleValue, torch::jit::Module, Optimizer, Pointer, StreamNumber>;

  void perform(const Step &step);
  void runOperator(const Step &step);
  void makeModule(const Step &step);
  void forward(const Step &step);
  void loadState(const Step &step);
  void stepOptimizer(const Step &step);
  void touch(int id, bool write);
  void launch(const std::vector<int> &arguments, Stream stream, bool writes = false);
  void *addressOf(int id) const;

  template <class T> const T &get(int id, const char *what) const;
  at::Tensor tensor(int id) const { return get<at::Tensor>(id, "tensor"); }
  const ModuleValue &module(int id) const { return get<ModuleValue>(id, "module"); }
  void define(int id, Value value);

  std::map<int, Value> values_;
  StreamOrder order_;
};

} // namespace samedevice::runtime
