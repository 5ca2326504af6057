// Module holders: shared pointers that build their module themselves.
#pragma once
#pragma GCC system_header

#include "c10/util/Exception.h"

#include <memory>
#include <type_traits>
#include <utility>

namespace torch {
namespace detail {
struct ModuleHolderIndicator {};
template <class T> using is_module_holder = std::is_base_of<ModuleHolderIndicator, std::decay_t<T>>;
template <class T, class C, class = void> struct is_module_holder_of : std::false_type {};
template <class T, class C>
struct is_module_holder_of<T, C, std::enable_if_t<is_module_holder<T>::value>>
    : std::is_same<typename std::decay_t<T>::ContainedType, C> {};
/// void where there is no forward(): the holder of such a module exists, but cannot be called.
template <class Void, class C, class... Args> struct return_type_of_forward {
  using type = void;
};
template <class C, class... Args>
struct return_type_of_forward<std::void_t<decltype(std::declval<C &>().forward(std::declval<Args>()...))>, C, Args...> {
  using type = decltype(std::declval<C &>().forward(std::declval<Args>()...));
};
template <class C, class... Args>
using return_type_of_forward_t = typename return_type_of_forward<void, C, Args...>::type;
} // namespace detail

namespace nn {

template <class Contained> class ModuleHolder : torch::detail::ModuleHolderIndicator {
protected:
  std::shared_ptr<Contained> impl_;

public:
  using ContainedType = Contained;

  ModuleHolder() : impl_(default_construct()) {}
  /* implicit */ ModuleHolder(std::nullptr_t) : impl_(nullptr) {}
  template <class Head, class... Tail,
            class = std::enable_if_t<!(torch::detail::is_module_holder_of<Head, ContainedType>::value &&
                                       sizeof...(Tail) == 0)>>
  explicit ModuleHolder(Head &&head, Tail &&...tail)
      : impl_(new Contained(std::forward<Head>(head), std::forward<Tail>(tail)...)) {}
  /* implicit */ ModuleHolder(std::shared_ptr<Contained> module) : impl_(std::move(module)) {}

  explicit operator bool() const noexcept { return !is_empty(); }
  Contained *operator->() { return get(); }
  const Contained *operator->() const { return get(); }
  Contained &operator*() { return *get(); }
  const Contained &operator*() const { return *get(); }
  const std::shared_ptr<Contained> &ptr() const {
    TORCH_CHECK(!is_empty(), "Accessing empty ModuleHolder");
    return impl_;
  }
  Contained *get() {
    TORCH_CHECK(!is_empty(), "Accessing empty ModuleHolder");
    return impl_.get();
  }
  const Contained *get() const {
    TORCH_CHECK(!is_empty(), "Accessing empty ModuleHolder");
    return impl_.get();
  }
  template <class... Args>
  auto operator()(Args &&...args) -> torch::detail::return_type_of_forward_t<Contained, Args...> {
    return impl_->forward(::std::forward<Args>(args)...);
  }
  template <class Arg> decltype(auto) operator[](Arg &&arg) { return (*impl_)[::std::forward<Arg>(arg)]; }
  bool is_empty() const noexcept { return impl_ == nullptr; }

private:
  template <class T = Contained> std::shared_ptr<Contained> default_construct() {
    if constexpr (std::is_default_constructible_v<T>)
      return std::make_shared<Contained>();
    else
      static_assert(sizeof(T) == 0, "You are trying to default construct a module which has no default constructor.");
  }
};

template <class ModuleType> std::ostream &operator<<(std::ostream &stream, const ModuleHolder<ModuleType> &module) {
  return stream << *module;
}

} // namespace nn
} // namespace torch

#define TORCH_MODULE_IMPL(Name, ImplType)                                                                              \
  class Name : public torch::nn::ModuleHolder<ImplType> { /* NOLINT */                                                 \
  public:                                                                                                              \
    using torch::nn::ModuleHolder<ImplType>::ModuleHolder;                                                             \
    using Impl [[maybe_unused]] = ImplType;                                                                            \
  }
#define TORCH_MODULE(Name) TORCH_MODULE_IMPL(Name, Name##Impl)
