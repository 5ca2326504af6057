// How to make a tensor: what is not said stays open, and an open device means CPU.
#pragma once
#pragma GCC system_header

#include "c10/core/Device.h"
#include "c10/core/ScalarType.h"
#include "c10/util/Optional.h"

namespace c10 {

struct TensorOptions {
  TensorOptions() = default;
  /* implicit */ TensorOptions(Layout layout) : layout_(layout) {}
  template <class T, std::enable_if_t<std::is_same_v<std::decay_t<T>, Device>, int> = 0>
  /* implicit */ TensorOptions(T &&device) : device_(device) {}
  /// Whatever a Device can be made from: a DeviceType, a string.
  template <class... Args, std::enable_if_t<std::is_constructible_v<Device, Args &&...>, int> = 0>
  /* implicit */ TensorOptions(Args &&...args) : device_(Device(std::forward<Args>(args)...)) {}
  /* implicit */ TensorOptions(caffe2::TypeMeta dtype) : dtype_(dtype.toScalarType()) {}
  /* implicit */ TensorOptions(ScalarType dtype) : dtype_(dtype) {}
  /* implicit */ TensorOptions(MemoryFormat memory_format) : memory_format_(memory_format) {}

  [[nodiscard]] TensorOptions device(optional<Device> device) const { return with(&TensorOptions::device_, device); }
  template <class... Args> [[nodiscard]] TensorOptions device(Args &&...args) const {
    return device(optional<Device>(in_place, std::forward<Args>(args)...));
  }
  [[nodiscard]] TensorOptions device_index(int16_t device_index) const {
    return device(Device(DeviceType::CUDA, static_cast<DeviceIndex>(device_index)));
  }
  [[nodiscard]] TensorOptions dtype(optional<caffe2::TypeMeta> dtype) const {
    return with(&TensorOptions::dtype_, dtype ? optional<ScalarType>(dtype->toScalarType()) : nullopt);
  }
  [[nodiscard]] TensorOptions dtype(optional<ScalarType> dtype) const { return with(&TensorOptions::dtype_, dtype); }
  template <class T> TensorOptions &dtype() {
    dtype_ = CppTypeToScalarType<T>::value;
    return *this;
  }
  [[nodiscard]] TensorOptions layout(optional<Layout> layout) const { return with(&TensorOptions::layout_, layout); }
  [[nodiscard]] TensorOptions requires_grad(optional<bool> requires_grad) const {
    return with(&TensorOptions::requires_grad_, requires_grad);
  }
  [[nodiscard]] TensorOptions pinned_memory(optional<bool> pinned_memory) const {
    return with(&TensorOptions::pinned_memory_, pinned_memory);
  }
  [[nodiscard]] TensorOptions memory_format(optional<MemoryFormat> memory_format) const {
    return with(&TensorOptions::memory_format_, memory_format);
  }
  [[nodiscard]] TensorOptions merge_in(TensorOptions other) const {
    TensorOptions merged = *this;
    if (other.device_)
      merged.device_ = other.device_;
    if (other.dtype_)
      merged.dtype_ = other.dtype_;
    if (other.layout_)
      merged.layout_ = other.layout_;
    if (other.requires_grad_)
      merged.requires_grad_ = other.requires_grad_;
    if (other.pinned_memory_)
      merged.pinned_memory_ = other.pinned_memory_;
    if (other.memory_format_)
      merged.memory_format_ = other.memory_format_;
    return merged;
  }

  Device device() const noexcept { return device_.value_or(Device(kCPU)); }
  bool has_device() const noexcept { return device_.has_value(); }
  optional<Device> device_opt() const noexcept { return device_; }
  int32_t device_index() const noexcept { return device().index(); }
  caffe2::TypeMeta dtype() const noexcept { return caffe2::TypeMeta(dtype_.value_or(kFloat)); }
  bool has_dtype() const noexcept { return dtype_.has_value(); }
  optional<ScalarType> dtype_opt() const noexcept { return dtype_; }
  Layout layout() const noexcept { return layout_.value_or(kStrided); }
  bool requires_grad() const noexcept { return requires_grad_.value_or(false); }
  bool pinned_memory() const noexcept { return pinned_memory_.value_or(false); }
  optional<MemoryFormat> memory_format_opt() const noexcept { return memory_format_; }

private:
  template <class Field> TensorOptions with(optional<Field> TensorOptions::*member, optional<Field> value) const {
    TensorOptions changed = *this;
    changed.*member = value;
    return changed;
  }

  optional<Device> device_;
  optional<ScalarType> dtype_;
  optional<Layout> layout_;
  optional<bool> requires_grad_, pinned_memory_;
  optional<MemoryFormat> memory_format_;
};

inline TensorOptions dtype(caffe2::TypeMeta dtype) { return TensorOptions().dtype(dtype); }
inline TensorOptions dtype(ScalarType dtype) { return TensorOptions().dtype(dtype); }
inline TensorOptions layout(Layout layout) { return TensorOptions().layout(layout); }
inline TensorOptions device(Device device) { return TensorOptions().device(device); }
inline TensorOptions device_index(int16_t device_index) { return TensorOptions().device_index(device_index); }
inline TensorOptions requires_grad(bool requires_grad = true) { return TensorOptions().requires_grad(requires_grad); }
inline TensorOptions memory_format(MemoryFormat memory_format) { return TensorOptions().memory_format(memory_format); }
template <class T> TensorOptions dtype() { return dtype(CppTypeToScalarType<T>::value); }

} // namespace c10
