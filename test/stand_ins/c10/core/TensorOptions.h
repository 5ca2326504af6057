// How to make a tensor: what is not said stays open, and an open device means CPU.
#pragma once
#pragma GCC system_header

#include "c10/core/Device.h"
#include "c10/core/ScalarType.h"
#include "c10/util/Optional.h"

namespace c10 {

struct TensorOptions {
  TensorOptions() = default;
  /* implicit */ TensorOptions(Layout layout);
  template <class T, std::enable_if_t<std::is_same_v<std::decay_t<T>, Device>, int> = 0>
  /* implicit */ TensorOptions(T &&device);
  /// Whatever a Device can be made from: a DeviceType, a string.
  template <class... Args, std::enable_if_t<std::is_constructible_v<Device, Args &&...>, int> = 0>
  /* implicit */ TensorOptions(Args &&...args);
  /* implicit */ TensorOptions(caffe2::TypeMeta dtype);
  /* implicit */ TensorOptions(ScalarType dtype);
  /* implicit */ TensorOptions(MemoryFormat memory_format);

  [[nodiscard]] TensorOptions device(optional<Device> device) const;
  template <class... Args> [[nodiscard]] TensorOptions device(Args &&...args) const;
  [[nodiscard]] TensorOptions device_index(int16_t device_index) const;
  [[nodiscard]] TensorOptions dtype(optional<caffe2::TypeMeta> dtype) const;
  [[nodiscard]] TensorOptions dtype(optional<ScalarType> dtype) const;
  template <class T> TensorOptions &dtype();
  [[nodiscard]] TensorOptions layout(optional<Layout> layout) const;
  [[nodiscard]] TensorOptions requires_grad(optional<bool> requires_grad) const;
  [[nodiscard]] TensorOptions pinned_memory(optional<bool> pinned_memory) const;
  [[nodiscard]] TensorOptions memory_format(optional<MemoryFormat> memory_format) const;
  [[nodiscard]] TensorOptions merge_in(TensorOptions other) const;

  Device device() const noexcept;
  bool has_device() const noexcept;
  optional<Device> device_opt() const noexcept;
  int32_t device_index() const noexcept;
  caffe2::TypeMeta dtype() const noexcept;
  bool has_dtype() const noexcept;
  optional<ScalarType> dtype_opt() const noexcept;
  Layout layout() const noexcept;
  bool requires_grad() const noexcept;
  bool pinned_memory() const noexcept;
  optional<MemoryFormat> memory_format_opt() const noexcept;

private:
  template <class Field> TensorOptions with(optional<Field> TensorOptions::*member, optional<Field> value) const;

  optional<Device> device_;
  optional<ScalarType> dtype_;
  optional<Layout> layout_;
  optional<bool> requires_grad_, pinned_memory_;
  optional<MemoryFormat> memory_format_;
};

TensorOptions dtype(caffe2::TypeMeta dtype);
TensorOptions dtype(ScalarType dtype);
TensorOptions layout(Layout layout);
TensorOptions device(Device device);
TensorOptions device_index(int16_t device_index);
TensorOptions requires_grad(bool requires_grad = true);
TensorOptions memory_format(MemoryFormat memory_format);
template <class T> TensorOptions dtype();

} // namespace c10
