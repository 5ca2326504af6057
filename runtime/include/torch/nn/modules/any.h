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
  explicit AnyValue(T &&value) : content_(std::decay_t<T>(std::forward<T>(value))) {}
  template <class T> T get() const {
    const T *value = std::any_cast<T>(&content_);
    TORCH_CHECK(value, "Attempted to cast AnyValue to another type than it holds");
    return *value;
  }

private:
  std::any content_;
};

class AnyModule {
public:
  AnyModule() = default;
  template <class ModuleType, class = std::enable_if_t<std::is_base_of_v<Module, ModuleType>>>
  explicit AnyModule(std::shared_ptr<ModuleType> module) : module_(module) {
    forward_ = makeForward<ModuleType>(0);
  }
  template <class ModuleType, class = torch::detail::enable_if_module_t<ModuleType>>
  explicit AnyModule(ModuleType &&module)
      : AnyModule(std::make_shared<std::decay_t<ModuleType>>(std::forward<ModuleType>(module))) {}
  template <class ModuleType>
  explicit AnyModule(const ModuleHolder<ModuleType> &module_holder) : AnyModule(module_holder.ptr()) {}

  AnyModule clone(optional<Device> device = nullopt) const {
    AnyModule copy;
    copy.module_ = module_->clone(device);
    copy.forward_ = forward_;
    return copy;
  }
  template <class ModuleType> AnyModule &operator=(std::shared_ptr<ModuleType> module) {
    return *this = AnyModule(std::move(module));
  }

  template <class... ArgumentTypes> AnyValue any_forward(ArgumentTypes &&...arguments) {
    TORCH_CHECK(!is_empty(), "Cannot call forward() on an empty AnyModule");
    std::vector<AnyValue> values;
    (values.push_back(AnyValue(std::forward<ArgumentTypes>(arguments))), ...);
    return forward_(*module_, std::move(values));
  }
  AnyValue any_forward(AnyValue argument) { return forward_(*module_, {std::move(argument)}); }
  template <class ReturnType = torch::Tensor, class... ArgumentTypes> ReturnType forward(ArgumentTypes &&...arguments) {
    return any_forward(std::forward<ArgumentTypes>(arguments)...).template get<ReturnType>();
  }

  template <class T> T &get() { return dynamic_cast<T &>(*module_); }
  template <class T> T get() const { return T(ptr<typename T::ContainedType>()); }
  std::shared_ptr<Module> ptr() const { return module_; }
  template <class T> std::shared_ptr<T> ptr() const { return std::dynamic_pointer_cast<T>(module_); }
  bool is_empty() const noexcept { return module_ == nullptr; }

private:
  using Forward = std::function<AnyValue(Module &, std::vector<AnyValue>)>;

  /// Arguments that were left out take their type's default, as forward's own defaults are written.
  template <class T> static std::decay_t<T> argument(const std::vector<AnyValue> &values, size_t i) {
    if (i < values.size())
      return values[i].get<std::decay_t<T>>();
    if constexpr (std::is_default_constructible_v<std::decay_t<T>>)
      return std::decay_t<T>();
    TORCH_CHECK(false, "forward() was called with too few arguments");
  }
  /// A container's forward is a template, and takes whatever its first module takes: here, one tensor.
  template <class M> static auto makeForward(int) -> decltype(&M::forward, Forward()) { return unpack<M>(&M::forward); }
  template <class M> static Forward makeForward(long) {
    return [](Module &module, std::vector<AnyValue> values) {
      return AnyValue(dynamic_cast<M &>(module).template forward<Tensor>(values.at(0).get<Tensor>()));
    };
  }
  template <class M, class Class, class R, class... Args> static Forward unpack(R (Class::*method)(Args...)) {
    return bind<M>(method, std::index_sequence_for<Args...>());
  }
  template <class M, class Class, class R, class... Args, size_t... I>
  static Forward bind(R (Class::*method)(Args...), std::index_sequence<I...>) {
    return [method](Module &module, std::vector<AnyValue> values) {
      return AnyValue((dynamic_cast<M &>(module).*method)(argument<Args>(values, I)...));
    };
  }
  std::shared_ptr<Module> module_;
  Forward forward_;
};

class NamedAnyModule {
public:
  template <class ModuleType>
  NamedAnyModule(std::string name, std::shared_ptr<ModuleType> module_ptr)
      : name_(std::move(name)), module_(std::move(module_ptr)) {}
  template <class M, class = torch::detail::enable_if_module_t<M>>
  NamedAnyModule(std::string name, M &&module) : name_(std::move(name)), module_(std::forward<M>(module)) {}
  template <class M>
  NamedAnyModule(std::string name, const ModuleHolder<M> &module_holder)
      : name_(std::move(name)), module_(module_holder) {}
  const std::string &name() const noexcept { return name_; }
  AnyModule &module() noexcept { return module_; }
  const AnyModule &module() const noexcept { return module_; }

private:
  std::string name_;
  AnyModule module_;
};

} // namespace nn
} // namespace torch
