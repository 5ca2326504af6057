// Gradient modes, gradients by hand, and functions with a backward of their own.
#pragma once
#pragma GCC system_header

#include "torch/types.h"

#include <unordered_map>

namespace at {
struct GradMode {
  static bool is_enabled() { return samedevice::runtime::gradEnabled(); }
  static void set_enabled(bool enabled) { samedevice::runtime::setGradEnabled(enabled); }
};
struct AutoGradMode {
  explicit AutoGradMode(bool enabled) : prev_mode(GradMode::is_enabled()) { GradMode::set_enabled(enabled); }
  ~AutoGradMode() { GradMode::set_enabled(prev_mode); }
  bool prev_mode;
};
struct NoGradGuard : AutoGradMode {
  NoGradGuard() : AutoGradMode(false) {}
};
} // namespace at
namespace c10 {
struct InferenceMode : at::AutoGradMode {
  explicit InferenceMode(bool enabled = true) : AutoGradMode(!enabled) {}
};
} // namespace c10

namespace torch {
using at::AutoGradMode;
using at::GradMode;
using at::NoGradGuard;
using c10::InferenceMode;

namespace autograd {

inline void backward(const variable_list &tensors, const variable_list &grad_tensors = {}, optional<bool> = nullopt,
                     bool = false, const variable_list & = {}) {
  samedevice::runtime::backward(tensors, grad_tensors);
}
inline variable_list grad(const variable_list &outputs, const variable_list &inputs,
                          const variable_list &grad_outputs = {}, optional<bool> = nullopt, bool = false,
                          bool allow_unused = false) {
  return samedevice::runtime::gradients(outputs, inputs, grad_outputs, allow_unused);
}

/// What a function's forward leaves for its backward.
struct AutogradContext {
  std::unordered_map<std::string, at::IValue> saved_data;
  void save_for_backward(variable_list to_save) { to_save_ = std::move(to_save); }
  variable_list get_saved_variables() const { return to_save_; }
  void mark_dirty(const variable_list &) {}
  void mark_non_differentiable(const variable_list &) {}
  void set_materialize_grads(bool) {}

private:
  variable_list to_save_;
};

namespace detail {
inline variable_list toList(const Variable &v) { return {v}; }
inline variable_list toList(const variable_list &v) { return v; }
template <class T> void addTensor(variable_list &tensors, const T &argument) {
  if constexpr (std::is_convertible_v<const T &, const at::Tensor &>)
    tensors.push_back(argument);
}
} // namespace detail

template <class T> struct Function {
  template <class X = T, class... Args> static auto apply(Args &&...args) {
    auto context = std::make_shared<AutogradContext>();
    variable_list inputs;
    (detail::addTensor(inputs, args), ...);
    auto outputs = [&] {
      at::AutoGradMode off(false);
      return X::forward(context.get(), std::forward<Args>(args)...);
    }();
    samedevice::runtime::recordFunction(detail::toList(outputs), inputs, [context](variable_list gradients) {
      return X::backward(context.get(), std::move(gradients));
    });
    return outputs;
  }
};

} // namespace autograd
} // namespace torch
