// Registration with the dispatcher.
#pragma once
#pragma GCC system_header

#include "torch/autograd.h"

namespace c10 {
template <class Func, Func *f> struct CompileTimeFunctionPointer {};
} // namespace c10
#define TORCH_FN(f) c10::CompileTimeFunctionPointer<std::remove_pointer_t<std::decay_t<decltype(f)>>, f>()

namespace torch {

class CppFunction {
public:
  template <class Func> CppFunction(Func *);
  template <class Lambda, class = decltype(&std::decay_t<Lambda>::operator())> CppFunction(Lambda &&);
};
enum class DispatchKey { CPU, CUDA, Autograd, CompositeImplicitAutograd, Meta };
template <class Func> CppFunction dispatch(DispatchKey, Func &&raw_f);

class Library final {
public:
  template <class Schema> Library &def(Schema &&) &;
  template <class NameOrSchema, class Func> Library &def(NameOrSchema &&, Func &&raw_f) &;
  template <class Name, class Func> Library &impl(Name, Func &&raw_f) &;
};

namespace detail {
struct TorchLibraryInit {
  explicit TorchLibraryInit(void (*fn)(Library &));
};
} // namespace detail

} // namespace torch

#define SD_JOIN_(a, b) a##b
#define SD_JOIN(a, b) SD_JOIN_(a, b)
#define SD_TORCH_LIBRARY(function, m)                                                                                  \
  static void function(torch::Library &);                                                                              \
  static const torch::detail::TorchLibraryInit SD_JOIN(function, _registration)(&function);                            \
  void function(torch::Library &m)
#define TORCH_LIBRARY(ns, m) SD_TORCH_LIBRARY(TORCH_LIBRARY_init_##ns, m)
#define TORCH_LIBRARY_FRAGMENT(ns, m) SD_TORCH_LIBRARY(TORCH_LIBRARY_FRAGMENT_init_##ns, m)
#define TORCH_LIBRARY_IMPL(ns, k, m) SD_TORCH_LIBRARY(TORCH_LIBRARY_IMPL_init_##ns##_##k, m)
