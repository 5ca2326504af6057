// torch::tensor and the factories.
#pragma once
#pragma GCC system_header

#include "ATen/ATen.h"

namespace torch {

#define SD_FUNCTION(result, name, params) result name params;
#include "ATen/operators/factories.def"
#undef SD_FUNCTION

namespace detail {

/// Nested braces of numbers.
struct TensorDataContainer {
  template <class T, std::enable_if_t<std::is_constructible_v<at::Scalar, T>, int> = 0>
  TensorDataContainer(T value);
  TensorDataContainer(std::initializer_list<TensorDataContainer> init_list);
  template <class T>
  TensorDataContainer(at::ArrayRef<T> values);
  template <class T>
  TensorDataContainer(const std::vector<T> &values);

  at::Tensor convert_to_tensor(at::TensorOptions options) const;
};

} // namespace detail

at::Tensor tensor(detail::TensorDataContainer tensor_data_container, const at::TensorOptions &options = {});

at::Tensor from_blob(void *data, at::IntArrayRef sizes, const at::TensorOptions &options = at::TensorOptions());
at::Tensor from_blob(void *data, at::IntArrayRef sizes, at::IntArrayRef strides,
                            const at::TensorOptions &options = at::TensorOptions());
template <class Deleter, std::enable_if_t<std::is_invocable_v<Deleter, void *>, int> = 0>
at::Tensor from_blob(void *data, at::IntArrayRef sizes, const Deleter &deleter,
                            const at::TensorOptions &options = at::TensorOptions());

} // namespace torch
