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

  ModuleHolder();
  /* implicit */ ModuleHolder(std::nullptr_t);
  template <class Head, class... Tail,
            class = std::enable_if_t<!(torch::detail::is_module_holder_of<Head, ContainedType>::value &&
                                       sizeof...(Tail) == 0)>>
  explicit ModuleHolder(Head &&head, Tail &&...tail);
  /* implicit */ ModuleHolder(std::shared_ptr<Contained> module);

  explicit operator bool() const noexcept;
  Contained *operator->();
  const Contained *operator->() const;
  Contained &operator*();
  const Contained &operator*() const;
  const std::shared_ptr<Contained> &ptr() const;
  Contained *get();
  const Contained *get() const;
  template <class... Args>
  auto operator()(Args &&...args) -> torch::detail::return_type_of_forward_t<Contained, Args...>;
  template <class Arg> decltype(auto) operator[](Arg &&arg) { return (*impl_)[::std::forward<Arg>(arg)]; }
  bool is_empty() const noexcept;
};

template <class ModuleType> std::ostream &operator<<(std::ostream &stream, const ModuleHolder<ModuleType> &module);

} // namespace nn
} // namespace torch

#define TORCH_MODULE_IMPL(Name, ImplType)                                                                              \
  class Name : public torch::nn::ModuleHolder<ImplType> { /* NOLINT */                                                 \
  public:                                                                                                              \
    using torch::nn::ModuleHolder<ImplType>::ModuleHolder;                                                             \
    using Impl [[maybe_unused]] = ImplType;                                                                            \
  }
#define TORCH_MODULE(Name) TORCH_MODULE_IMPL(Name, Name##Impl)
