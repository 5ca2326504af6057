// Modules of modules.
#pragma once
#pragma GCC system_header

#include "torch/nn/modules/any.h"

namespace torch::nn {

/// A function as a module.
class FunctionalImpl : public Cloneable<FunctionalImpl> {
public:
  using Function = std::function<Tensor(Tensor)>;
  explicit FunctionalImpl(Function function);
  template <class SomeFunction, class... Args, class = std::enable_if_t<(sizeof...(Args) > 0)>>
  explicit FunctionalImpl(SomeFunction original_function, Args &&...args);
  void reset() override;
  Tensor forward(Tensor input);
  Tensor operator()(Tensor input);
};
TORCH_MODULE(Functional);

class SequentialImpl : public Cloneable<SequentialImpl> {
public:
  using Iterator = std::vector<AnyModule>::iterator;
  using ConstIterator = std::vector<AnyModule>::const_iterator;

  SequentialImpl() = default;
  template <class... Modules> explicit SequentialImpl(Modules &&...modules);
  explicit SequentialImpl(OrderedDict<std::string, AnyModule> &&ordered_dict);
  explicit SequentialImpl(std::initializer_list<NamedAnyModule> named_modules);
  void reset() override;
  std::shared_ptr<Module> clone(const optional<Device> &device = nullopt) const override;

  template <class ReturnType = Tensor, class... InputTypes> ReturnType forward(InputTypes &&...inputs);

  template <class ModuleType> void push_back(std::shared_ptr<ModuleType> module_ptr);
  template <class ModuleType> void push_back(std::string name, std::shared_ptr<ModuleType> module_ptr);
  template <class M, class = torch::detail::enable_if_module_t<M>> void push_back(M &&module);
  template <class M, class = torch::detail::enable_if_module_t<M>> void push_back(std::string name, M &&module);
  template <class M> void push_back(const ModuleHolder<M> &module_holder);
  template <class M> void push_back(std::string name, const ModuleHolder<M> &module_holder);
  void push_back(AnyModule any_module);
  void push_back(std::string name, AnyModule any_module);
  template <class Container> void extend(const Container &container);

  Iterator begin();
  ConstIterator begin() const;
  Iterator end();
  ConstIterator end() const;
  template <class T> T &at(size_t index);
  std::shared_ptr<Module> ptr(size_t index) const;
  template <class T> std::shared_ptr<T> ptr(size_t index) const;
  std::shared_ptr<Module> operator[](size_t index) const;
  size_t size() const noexcept;
  bool is_empty() const noexcept;
};

class Sequential : public ModuleHolder<SequentialImpl> {
public:
  using ModuleHolder<SequentialImpl>::ModuleHolder;
  Sequential() = default;
  Sequential(std::initializer_list<NamedAnyModule> named_modules);
};

class ModuleListImpl : public Cloneable<ModuleListImpl> {
public:
  using Iterator = std::vector<std::shared_ptr<Module>>::iterator;
  using ConstIterator = std::vector<std::shared_ptr<Module>>::const_iterator;

  ModuleListImpl() = default;
  template <class... Modules> explicit ModuleListImpl(Modules &&...modules);
  void reset() override;
  std::shared_ptr<Module> clone(const optional<Device> &device = nullopt) const override;
  void push_back(std::shared_ptr<Module> module);
  template <class M, class = torch::detail::enable_if_module_t<M>> void push_back(M &&module);
  template <class M> void push_back(const ModuleHolder<M> &module_holder);
  template <class Container> void extend(const Container &container);
  void insert(size_t index, std::shared_ptr<Module> module);
  template <class M> void insert(size_t index, const ModuleHolder<M> &module_holder);

  Iterator begin();
  ConstIterator begin() const;
  Iterator end();
  ConstIterator end() const;
  template <class T> T &at(size_t index);
  template <class T> const T &at(size_t index) const;
  std::shared_ptr<Module> ptr(size_t index) const;
  template <class T> std::shared_ptr<T> ptr(size_t index) const;
  std::shared_ptr<Module> operator[](size_t index) const;
  size_t size() const noexcept;
  bool is_empty() const noexcept;
};
TORCH_MODULE(ModuleList);

class ModuleDictImpl : public Cloneable<ModuleDictImpl> {
public:
  ModuleDictImpl() = default;
  explicit ModuleDictImpl(const std::vector<std::pair<std::string, std::shared_ptr<Module>>> &modules);
  void reset() override;
  auto items() const { return children_.pairs(); }
  std::vector<std::string> keys() const;
  std::vector<std::shared_ptr<Module>> values() const;
  auto begin() { return children_.begin(); }
  auto end() { return children_.end(); }
  size_t size() const noexcept;
  bool empty() const noexcept;
  bool contains(const std::string &key) const noexcept;
  void clear();
  void update(const std::vector<std::pair<std::string, std::shared_ptr<Module>>> &modules);
  void update(const OrderedDict<std::string, std::shared_ptr<Module>> &modules);
  std::shared_ptr<Module> pop(const std::string &key);
  std::shared_ptr<Module> operator[](const std::string &key) const;
  template <class T> T &at(const std::string &key);
};
TORCH_MODULE(ModuleDict);

class ParameterListImpl : public Cloneable<ParameterListImpl> {
public:
  ParameterListImpl() = default;
  template <class... Tensors> explicit ParameterListImpl(Tensors &&...params);
  void reset() override;
  void append(torch::Tensor &&param);
  void append(const torch::Tensor &param);
  template <class Container> void extend(const Container &container);
  auto begin() { return parameters_.begin(); }
  auto end() { return parameters_.end(); }
  size_t size() const noexcept;
  at::Tensor &at(size_t idx);
  at::Tensor &operator[](size_t idx);
};
TORCH_MODULE(ParameterList);

class ParameterDictImpl : public Cloneable<ParameterDictImpl> {
public:
  void reset() override;
  Tensor &insert(std::string key, Tensor param);
  Tensor &get(const std::string &key);
  Tensor &operator[](const std::string &key);
  bool contains(const std::string &key) const noexcept;
  std::vector<std::string> keys() const;
  size_t size() const noexcept;
};
TORCH_MODULE(ParameterDict);

} // namespace torch::nn
