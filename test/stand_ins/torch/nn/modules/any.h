// A module of any type, callable with the arguments of its forward().
#pragma once
#pragma GCC system_header

#include "torch/nn/cloneable.h"

#include <any>

namespace torch {
namespace detail {
template <class T>
using enable_if_module_t =
    std::enable_if_t<std::is_base_of_v<nn::Module, std::decay_t<T>> && !is_module_holder<std::decay_t<T>>::value>;
} // namespace detail

namespace nn {

class AnyValue {
public:
  AnyValue() = default;
  template <class T, class = std::enable_if_t<!std::is_same_v<std::decay_t<T>, AnyValue>>>
  explicit AnyValue(T &&value);
  template <class T> T get() const;
};

class AnyModule {
public:
  AnyModule() = default;
  template <class ModuleType, class = std::enable_if_t<std::is_base_of_v<Module, ModuleType>>>
  explicit AnyModule(std::shared_ptr<ModuleType> module);
  template <class ModuleType, class = torch::detail::enable_if_module_t<ModuleType>>
  explicit AnyModule(ModuleType &&module);
  template <class ModuleType>
  explicit AnyModule(const ModuleHolder<ModuleType> &module_holder);

  AnyModule clone(optional<Device> device = nullopt) const;
  template <class ModuleType> AnyModule &operator=(std::shared_ptr<ModuleType> module);

  template <class... ArgumentTypes> AnyValue any_forward(ArgumentTypes &&...arguments);
  AnyValue any_forward(AnyValue argument);
  template <class ReturnType = torch::Tensor, class... ArgumentTypes> ReturnType forward(ArgumentTypes &&...arguments);

  template <class T> T &get();
  template <class T> T get() const;
  std::shared_ptr<Module> ptr() const;
  template <class T> std::shared_ptr<T> ptr() const;
  bool is_empty() const noexcept;
};

class NamedAnyModule {
public:
  template <class ModuleType>
  NamedAnyModule(std::string name, std::shared_ptr<ModuleType> module_ptr);
  template <class M, class = torch::detail::enable_if_module_t<M>>
  NamedAnyModule(std::string name, M &&module);
  template <class M>
  NamedAnyModule(std::string name, const ModuleHolder<M> &module_holder);
  const std::string &name() const noexcept;
  AnyModule &module() noexcept;
  const AnyModule &module() const noexcept;
};

} // namespace nn
} // namespace torch
