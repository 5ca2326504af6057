// Guards: the current device of a scope.
#pragma once
#pragma GCC system_header

#include "ATen/core/Tensor.h"

namespace c10 {

/// Sets the current device; CPU and index-less devices change nothing.
class DeviceGuard {
public:
  explicit DeviceGuard(Device device);
  DeviceGuard(const DeviceGuard &) = delete;
  DeviceGuard &operator=(const DeviceGuard &) = delete;
  ~DeviceGuard();
  void reset_device(Device device);
  void set_index(DeviceIndex index);
  Device original_device() const;
  Device current_device() const;

private:
  void set_device(Device device);
  Device original_;
};

class OptionalDeviceGuard {
public:
  OptionalDeviceGuard() = default;
  explicit OptionalDeviceGuard(Device device);
  explicit OptionalDeviceGuard(optional<Device> device);
  void reset_device(Device device);

private:
  optional<DeviceGuard> guard_;
};

} // namespace c10

namespace at {
using c10::DeviceGuard;
using c10::OptionalDeviceGuard;
optional<Device> device_of(const Tensor &t);
optional<Device> device_of(const optional<Tensor> &t);
optional<Device> device_of(TensorList t);
} // namespace at
