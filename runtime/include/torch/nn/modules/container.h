// Modules of modules.
#pragma once
#pragma GCC system_header

#include "torch/nn/modules/any.h"

namespace torch::nn {

/// A function as a module.
class FunctionalImpl : public Cloneable<FunctionalImpl> {
public:
  using Function = std::function<Tensor(Tensor)>;
  explicit FunctionalImpl(Function function) : function_(std::move(function)) {}
  template <class SomeFunction, class... Args, class = std::enable_if_t<(sizeof...(Args) > 0)>>
  explicit FunctionalImpl(SomeFunction original_function, Args &&...args)
      : function_([original_function, args...](Tensor input) { return original_function(input, args...); }) {}
  void reset() override {}
  Tensor forward(Tensor input) { return function_(std::move(input)); }
  Tensor operator()(Tensor input) { return forward(std::move(input)); }

private:
  Function function_;
};
TORCH_MODULE(Functional);

class SequentialImpl : public Cloneable<SequentialImpl> {
public:
  using Iterator = std::vector<AnyModule>::iterator;
  using ConstIterator = std::vector<AnyModule>::const_iterator;

  SequentialImpl() = default;
  template <class... Modules> explicit SequentialImpl(Modules &&...modules) {
    modules_.reserve(sizeof...(Modules));
    (push_back(std::forward<Modules>(modules)), ...);
  }
  explicit SequentialImpl(OrderedDict<std::string, AnyModule> &&ordered_dict) {
    for (auto &item : ordered_dict)
      push_back(item.key(), item.value());
  }
  explicit SequentialImpl(std::initializer_list<NamedAnyModule> named_modules) {
    for (const auto &named : named_modules)
      push_back(named.name(), named.module());
  }
  void reset() override {}
  std::shared_ptr<Module> clone(const optional<Device> &device = nullopt) const override {
    auto clone = std::make_shared<SequentialImpl>();
    for (const auto &module : modules_)
      clone->push_back(module.clone(device));
    return clone;
  }

  template <class ReturnType = Tensor, class... InputTypes> ReturnType forward(InputTypes &&...inputs) {
    TORCH_CHECK(!is_empty(), "Cannot call forward() on an empty Sequential");
    auto iterator = modules_.begin();
    AnyValue input = iterator->any_forward(std::forward<InputTypes>(inputs)...);
    for (++iterator; iterator != modules_.end(); ++iterator)
      input = iterator->any_forward(std::move(input));
    return input.get<ReturnType>();
  }

  template <class ModuleType> void push_back(std::shared_ptr<ModuleType> module_ptr) {
    push_back(std::to_string(modules_.size()), std::move(module_ptr));
  }
  template <class ModuleType> void push_back(std::string name, std::shared_ptr<ModuleType> module_ptr) {
    push_back(std::move(name), AnyModule(std::move(module_ptr)));
  }
  template <class M, class = torch::detail::enable_if_module_t<M>> void push_back(M &&module) {
    push_back(std::to_string(modules_.size()), std::forward<M>(module));
  }
  template <class M, class = torch::detail::enable_if_module_t<M>> void push_back(std::string name, M &&module) {
    push_back(std::move(name), std::make_shared<std::remove_reference_t<M>>(std::forward<M>(module)));
  }
  template <class M> void push_back(const ModuleHolder<M> &module_holder) {
    push_back(std::to_string(modules_.size()), module_holder);
  }
  template <class M> void push_back(std::string name, const ModuleHolder<M> &module_holder) {
    push_back(std::move(name), module_holder.ptr());
  }
  void push_back(AnyModule any_module) { push_back(std::to_string(modules_.size()), std::move(any_module)); }
  void push_back(std::string name, AnyModule any_module) {
    modules_.push_back(std::move(any_module));
    register_module(std::move(name), modules_.back().ptr());
  }
  template <class Container> void extend(const Container &container) {
    for (const auto &module : container)
      push_back(module);
  }

  Iterator begin() { return modules_.begin(); }
  ConstIterator begin() const { return modules_.begin(); }
  Iterator end() { return modules_.end(); }
  ConstIterator end() const { return modules_.end(); }
  template <class T> T &at(size_t index) { return modules_.at(index).get<T>(); }
  std::shared_ptr<Module> ptr(size_t index) const { return modules_.at(index).ptr(); }
  template <class T> std::shared_ptr<T> ptr(size_t index) const { return modules_.at(index).ptr<T>(); }
  std::shared_ptr<Module> operator[](size_t index) const { return ptr(index); }
  size_t size() const noexcept { return modules_.size(); }
  bool is_empty() const noexcept { return modules_.empty(); }

private:
  std::vector<AnyModule> modules_;
};

class Sequential : public ModuleHolder<SequentialImpl> {
public:
  using ModuleHolder<SequentialImpl>::ModuleHolder;
  Sequential() = default;
  Sequential(std::initializer_list<NamedAnyModule> named_modules)
      : ModuleHolder(std::make_shared<SequentialImpl>(named_modules)) {}
};

class ModuleListImpl : public Cloneable<ModuleListImpl> {
public:
  using Iterator = std::vector<std::shared_ptr<Module>>::iterator;
  using ConstIterator = std::vector<std::shared_ptr<Module>>::const_iterator;

  ModuleListImpl() = default;
  template <class... Modules> explicit ModuleListImpl(Modules &&...modules) {
    (push_back(std::forward<Modules>(modules)), ...);
  }
  void reset() override {}
  std::shared_ptr<Module> clone(const optional<Device> &device = nullopt) const override {
    auto clone = std::make_shared<ModuleListImpl>();
    for (const auto &module : modules_)
      clone->push_back(module->clone(device));
    return clone;
  }
  void push_back(std::shared_ptr<Module> module) {
    modules_.push_back(std::move(module));
    register_module(std::to_string(modules_.size() - 1), modules_.back());
  }
  template <class M, class = torch::detail::enable_if_module_t<M>> void push_back(M &&module) {
    push_back(std::make_shared<std::remove_reference_t<M>>(std::forward<M>(module)));
  }
  template <class M> void push_back(const ModuleHolder<M> &module_holder) { push_back(module_holder.ptr()); }
  template <class Container> void extend(const Container &container) {
    for (const auto &module : container)
      push_back(module);
  }
  void insert(size_t index, std::shared_ptr<Module> module) {
    modules_.insert(modules_.begin() + static_cast<int64_t>(index), std::move(module));
    for (size_t i = index; i < modules_.size() - 1; ++i)
      replace_module(std::to_string(i), modules_[i]);
    register_module(std::to_string(modules_.size() - 1), modules_.back());
  }
  template <class M> void insert(size_t index, const ModuleHolder<M> &module_holder) {
    insert(index, module_holder.ptr());
  }

  Iterator begin() { return modules_.begin(); }
  ConstIterator begin() const { return modules_.begin(); }
  Iterator end() { return modules_.end(); }
  ConstIterator end() const { return modules_.end(); }
  template <class T> T &at(size_t index) { return dynamic_cast<T &>(*modules_.at(index)); }
  std::shared_ptr<Module> ptr(size_t index) const { return modules_.at(index); }
  template <class T> std::shared_ptr<T> ptr(size_t index) const {
    return std::dynamic_pointer_cast<T>(modules_.at(index));
  }
  std::shared_ptr<Module> operator[](size_t index) const { return ptr(index); }
  size_t size() const noexcept { return modules_.size(); }
  bool is_empty() const noexcept { return modules_.empty(); }

private:
  std::vector<std::shared_ptr<Module>> modules_;
};
TORCH_MODULE(ModuleList);

class ModuleDictImpl : public Cloneable<ModuleDictImpl> {
public:
  ModuleDictImpl() = default;
  explicit ModuleDictImpl(const std::vector<std::pair<std::string, std::shared_ptr<Module>>> &modules) {
    update(modules);
  }
  void reset() override {}
  auto items() const { return children_.pairs(); }
  std::vector<std::string> keys() const { return children_.keys(); }
  std::vector<std::shared_ptr<Module>> values() const { return children_.values(); }
  auto begin() { return children_.begin(); }
  auto end() { return children_.end(); }
  size_t size() const noexcept { return children_.size(); }
  bool empty() const noexcept { return children_.is_empty(); }
  bool contains(const std::string &key) const noexcept { return children_.contains(key); }
  void clear() { children_.clear(); }
  void update(const std::vector<std::pair<std::string, std::shared_ptr<Module>>> &modules) {
    for (const auto &[key, module] : modules)
      if (contains(key))
        replace_module(key, module);
      else
        register_module(key, module);
  }
  void update(const OrderedDict<std::string, std::shared_ptr<Module>> &modules) { update(modules.pairs()); }
  std::shared_ptr<Module> pop(const std::string &key) {
    auto module = children_[key];
    unregister_module(key);
    return module;
  }
  std::shared_ptr<Module> operator[](const std::string &key) const { return children_[key]; }
  template <class T> T &at(const std::string &key) { return dynamic_cast<T &>(*children_[key]); }
};
TORCH_MODULE(ModuleDict);

class ParameterListImpl : public Cloneable<ParameterListImpl> {
public:
  ParameterListImpl() = default;
  template <class... Tensors> explicit ParameterListImpl(Tensors &&...params) {
    (append(std::forward<Tensors>(params)), ...);
  }
  void reset() override {}
  void append(torch::Tensor &&param) { append(static_cast<const torch::Tensor &>(param)); }
  void append(const torch::Tensor &param) {
    const bool requires_grad = param.requires_grad();
    register_parameter(std::to_string(parameters_.size()), param, requires_grad);
  }
  template <class Container> void extend(const Container &container) {
    for (const auto &param : container)
      append(param);
  }
  auto begin() { return parameters_.begin(); }
  auto end() { return parameters_.end(); }
  size_t size() const noexcept { return parameters_.size(); }
  at::Tensor &at(size_t idx) { return parameters_[std::to_string(idx)]; }
  at::Tensor &operator[](size_t idx) { return at(idx); }
};
TORCH_MODULE(ParameterList);

class ParameterDictImpl : public Cloneable<ParameterDictImpl> {
public:
  void reset() override {}
  Tensor &insert(std::string key, Tensor param) {
    const bool requires_grad = param.requires_grad();
    return register_parameter(std::move(key), param, requires_grad);
  }
  Tensor &get(const std::string &key) { return parameters_[key]; }
  Tensor &operator[](const std::string &key) { return parameters_[key]; }
  bool contains(const std::string &key) const noexcept { return parameters_.contains(key); }
  std::vector<std::string> keys() const { return parameters_.keys(); }
  size_t size() const noexcept { return parameters_.size(); }
};
TORCH_MODULE(ParameterDict);

} // namespace torch::nn
