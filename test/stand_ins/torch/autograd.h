// Gradient modes, gradients by hand, and functions with a backward of their own.
#pragma once
#pragma GCC system_header

#include "torch/types.h"

#include <unordered_map>

namespace at {
struct GradMode {
  static bool is_enabled();
  static void set_enabled(bool enabled);
};
struct AutoGradMode {
  explicit AutoGradMode(bool enabled);
  ~AutoGradMode();
  bool prev_mode;
};
struct NoGradGuard : AutoGradMode {
  NoGradGuard();
};
} // namespace at
namespace c10 {
struct InferenceMode : at::AutoGradMode {
  explicit InferenceMode(bool enabled = true);
};
} // namespace c10

namespace torch {
using at::AutoGradMode;
using at::GradMode;
using at::NoGradGuard;
using c10::InferenceMode;

namespace autograd {

void backward(const variable_list &tensors, const variable_list &grad_tensors = {}, optional<bool> = nullopt,
                     bool = false, const variable_list & = {});
variable_list grad(const variable_list &outputs, const variable_list &inputs,
                          const variable_list &grad_outputs = {}, optional<bool> = nullopt, bool = false,
                          bool allow_unused = false);

/// What a function's forward leaves for its backward.
struct AutogradContext {
  std::unordered_map<std::string, at::IValue> saved_data;
  void save_for_backward(variable_list to_save);
  variable_list get_saved_variables() const;
  void mark_dirty(const variable_list &);
  void mark_non_differentiable(const variable_list &);
  void set_materialize_grads(bool);
};

template <class T> struct Function {
  template <class X = T, class... Args>
  static auto apply(Args &&...args) -> decltype(X::forward(nullptr, std::forward<Args>(args)...));
};

} // namespace autograd
} // namespace torch
