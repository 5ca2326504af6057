// torch::tensor and the factories.
#pragma once
#pragma GCC system_header

#include "ATen/ATen.h"

namespace torch {

#define SD_FUNCTION(schema, result, name, params, args)                                                                \
  inline result name params { return samedevice::runtime::call<result>(schema, #args, {SD_UNPACK args}); }
#include "ATen/operators/factories.def"
#undef SD_FUNCTION

namespace detail {

/// Nested braces of numbers.
struct TensorDataContainer {
  template <class T, std::enable_if_t<std::is_constructible_v<at::Scalar, T>, int> = 0>
  TensorDataContainer(T value) : values_{at::Scalar(value)}, type_(typeOf<T>()) {}
  TensorDataContainer(std::initializer_list<TensorDataContainer> init_list) {
    sizes_.push_back(static_cast<int64_t>(init_list.size()));
    for (const TensorDataContainer &element : init_list) {
      if (values_.empty()) {
        sizes_.insert(sizes_.end(), element.sizes_.begin(), element.sizes_.end());
        type_ = element.type_;
      }
      values_.insert(values_.end(), element.values_.begin(), element.values_.end());
    }
  }
  template <class T>
  TensorDataContainer(at::ArrayRef<T> values) : sizes_{static_cast<int64_t>(values.size())}, type_(typeOf<T>()) {
    for (const T &value : values)
      values_.push_back(at::Scalar(value));
  }
  template <class T>
  TensorDataContainer(const std::vector<T> &values) : sizes_{static_cast<int64_t>(values.size())}, type_(typeOf<T>()) {
    for (const T value : values)
      values_.push_back(at::Scalar(value));
  }

  at::Tensor convert_to_tensor(at::TensorOptions options) const {
    const auto type = options.dtype_opt().value_or(type_);
    return samedevice::runtime::fromValues(values_, sizes_, type)
        .to(options.device())
        .requires_grad_(options.requires_grad());
  }

private:
  /// As libtorch: integers are long, real numbers have the default type.
  template <class T> static at::ScalarType typeOf() {
    if constexpr (std::is_same_v<T, bool>)
      return at::kBool;
    else if constexpr (std::is_integral_v<T>)
      return at::kLong;
    else
      return at::kFloat;
  }
  std::vector<at::Scalar> values_;
  std::vector<int64_t> sizes_;
  at::ScalarType type_ = at::kFloat;
};

} // namespace detail

inline at::Tensor tensor(detail::TensorDataContainer tensor_data_container, const at::TensorOptions &options = {}) {
  return tensor_data_container.convert_to_tensor(options);
}

inline at::Tensor from_blob(void *data, at::IntArrayRef sizes, const at::TensorOptions &options = at::TensorOptions()) {
  return at::from_blob(data, sizes, options);
}
inline at::Tensor from_blob(void *data, at::IntArrayRef sizes, at::IntArrayRef strides,
                            const at::TensorOptions &options = at::TensorOptions()) {
  return at::from_blob(data, sizes, strides, options);
}
template <class Deleter, std::enable_if_t<std::is_invocable_v<Deleter, void *>, int> = 0>
inline at::Tensor from_blob(void *data, at::IntArrayRef sizes, const Deleter &deleter,
                            const at::TensorOptions &options = at::TensorOptions()) {
  return at::from_blob(data, sizes, deleter, options);
}

} // namespace torch
