// TorchScript modules as their owner sees them: a tree of tensors and named methods.
#pragma once
#pragma GCC system_header

#include "torch/nn/module.h"

#include <algorithm>
#include <set>

namespace torch::jit {

using c10::IValue;
using Stack = std::vector<IValue>;
using ExtraFilesMap = std::unordered_map<std::string, std::string>;

struct NamedTensor {
  std::string name;
  at::Tensor value;
};

struct Module {
  explicit Module(std::string name = "Module");

  c10::IValue forward(std::vector<c10::IValue> inputs, const std::unordered_map<std::string, c10::IValue> & = {});
  c10::IValue operator()(std::vector<c10::IValue> inputs);
  template <class... Types> c10::IValue run_method(const std::string &, Types &&...args);

  void to(at::Device device, at::ScalarType dtype, bool non_blocking = false);
  void to(at::ScalarType dtype, bool non_blocking = false);
  void to(at::Device device, bool non_blocking = false);
  void eval();
  void train(bool on = true);
  bool is_training() const;

  void register_parameter(const std::string &name, at::Tensor v, bool is_buffer);
  void register_buffer(const std::string &name, at::Tensor v);
  void register_module(const std::string &name, const Module &module);
  std::vector<at::Tensor> parameters(bool recurse = true) const;
  std::vector<at::Tensor> buffers(bool recurse = true) const;
  c10::IValue attr(const std::string &name) const;
  void setattr(const std::string &name, c10::IValue v);
  bool hasattr(const std::string &name) const;

  Module copy() const;
  Module deepcopy() const;
  Module clone(bool = false) const;

  void save(const std::string &filename) const;
  void save(std::ostream &out) const;
  static Module load(std::istream &in, optional<at::Device> device);
  void define(const std::string &script);
};

namespace script {
using Module = torch::jit::Module;
}

Module load(std::istream &in, c10::optional<c10::Device> device = c10::nullopt);
Module load(const std::string &filename, c10::optional<c10::Device> device = c10::nullopt);
Module load(const std::string &filename, c10::optional<c10::Device> device, ExtraFilesMap &);
Module freeze(const Module &module);
Module optimize_for_inference(Module &module);

} // namespace torch::jit
