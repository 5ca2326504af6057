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
  using Forward = std::function<c10::IValue(Module &, std::vector<c10::IValue>)>;

  explicit Module(std::string name = "Module") : state_(std::make_shared<State>()) { state_->name = std::move(name); }

  c10::IValue forward(std::vector<c10::IValue> inputs, const std::unordered_map<std::string, c10::IValue> & = {}) {
    TORCH_CHECK(state_->forward, "Method 'forward' is not defined.");
    return state_->forward(*this, std::move(inputs));
  }
  c10::IValue operator()(std::vector<c10::IValue> inputs) { return forward(std::move(inputs)); }
  template <class... Types> c10::IValue run_method(const std::string &, Types &&...args) {
    return forward({c10::IValue(std::forward<Types>(args))...});
  }

  void to(at::Device device, at::ScalarType dtype, bool non_blocking = false) { move(device, dtype, non_blocking); }
  void to(at::ScalarType dtype, bool non_blocking = false) { move(nullopt, dtype, non_blocking); }
  void to(at::Device device, bool non_blocking = false) { move(device, nullopt, non_blocking); }
  void eval() { train(false); }
  void train(bool on = true) { state_->training = on; }
  bool is_training() const { return state_->training; }

  void register_parameter(const std::string &name, at::Tensor v, bool is_buffer) {
    state_->tensors[name] = v;
    if (is_buffer)
      state_->buffers.insert(name);
  }
  void register_buffer(const std::string &name, at::Tensor v) { register_parameter(name, v, true); }
  void register_module(const std::string &name, const Module &module) { state_->children.emplace_back(name, module); }
  std::vector<at::Tensor> parameters(bool recurse = true) const { return collect(false, recurse); }
  std::vector<at::Tensor> buffers(bool recurse = true) const { return collect(true, recurse); }
  c10::IValue attr(const std::string &name) const { return state_->tensors.at(name); }
  void setattr(const std::string &name, c10::IValue v) { state_->tensors[name] = v.toTensor(); }
  bool hasattr(const std::string &name) const { return state_->tensors.count(name) != 0; }

  Module copy() const { return *this; }
  Module deepcopy() const {
    Module copy(state_->name);
    *copy.state_ = *state_;
    for (auto &[name, tensor] : copy.state_->tensors)
      tensor = tensor.clone();
    return copy;
  }
  Module clone(bool = false) const { return deepcopy(); }

  void save(const std::string &filename) const {
    std::ofstream out(filename, std::ios::binary);
    save(out);
  }
  void save(std::ostream &out) const {
    serialize::OutputArchive archive;
    for (auto &[name, tensor] : state_->tensors)
      archive.write(name, tensor);
    archive.write(kResults, c10::IValue(state_->results));
    archive.save_to(out);
  }
  static Module load(std::istream &in, optional<at::Device> device) {
    serialize::InputArchive archive;
    archive.load_from(in, device);
    Module module;
    for (const std::string &name : archive.keys())
      if (name != kResults)
        archive.read(name, module.state_->tensors[name]);
    c10::IValue results;
    archive.read(kResults, results);
    module.defineSum(results.toInt());
    return module;
  }
  /// The facade runs no TorchScript: what forward does is said in C++,
  void define_forward(Forward forward) { state_->forward = std::move(forward); }
  /// or it is the sum of the input and the module's own tensors, once for each thing that the script returns.
  void define(const std::string &script) {
    const size_t last = script.rfind("return");
    defineSum(1 + std::count(script.begin() + static_cast<std::ptrdiff_t>(last), script.end(), ','));
  }

private:
  static constexpr const char *kResults = "number of results";

  struct State {
    std::string name;
    int64_t results = 1;
    std::map<std::string, at::Tensor> tensors;
    std::set<std::string> buffers;
    std::vector<std::pair<std::string, Module>> children;
    Forward forward;
    bool training = true;
  };
  void defineSum(int64_t results) {
    state_->results = results;
    state_->forward = [](Module &self, std::vector<c10::IValue> inputs) -> c10::IValue {
      at::Tensor sum = inputs.at(0).toTensor();
      for (auto &[name, tensor] : self.state_->tensors)
        sum = sum + tensor;
      if (self.state_->results == 1)
        return sum;
      return c10::ivalue::Tuple::create(std::vector<c10::IValue>(static_cast<size_t>(self.state_->results), sum));
    };
  }
  void move(optional<at::Device> device, optional<at::ScalarType> dtype, bool non_blocking) {
    for (auto &[name, tensor] : state_->tensors)
      tensor.set_data(tensor.to(device.value_or(tensor.device()), dtype.value_or(tensor.scalar_type()), non_blocking));
    for (auto &[name, child] : state_->children)
      child.move(device, dtype, non_blocking);
  }
  std::vector<at::Tensor> collect(bool buffers, bool recurse) const {
    std::vector<at::Tensor> found;
    for (auto &[name, tensor] : state_->tensors)
      if ((state_->buffers.count(name) != 0) == buffers)
        found.push_back(tensor);
    if (recurse)
      for (auto &[name, child] : state_->children)
        for (at::Tensor &tensor : child.collect(buffers, true))
          found.push_back(tensor);
    return found;
  }
  std::shared_ptr<State> state_;
};

namespace script {
using Module = torch::jit::Module;
}

inline Module load(std::istream &in, c10::optional<c10::Device> device = c10::nullopt) {
  return Module::load(in, device);
}
inline Module load(const std::string &filename, c10::optional<c10::Device> device = c10::nullopt) {
  std::ifstream in(filename, std::ios::binary);
  TORCH_CHECK(in.good(),
              "open file failed because of errno 2 on fopen: No such file or directory, file path: ", filename);
  return load(in, device);
}
inline Module load(const std::string &filename, c10::optional<c10::Device> device, ExtraFilesMap &) {
  return load(filename, device);
}
inline Module freeze(const Module &module) { return module.deepcopy(); }
inline Module optimize_for_inference(Module &module) { return freeze(module); }

} // namespace torch::jit
