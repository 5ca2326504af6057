// Guards: the current device of a scope.
#pragma once
#pragma GCC system_header

#include "ATen/core/Tensor.h"

namespace c10 {

/// Sets the current device; CPU and index-less devices change nothing.
class DeviceGuard {
public:
  explicit DeviceGuard(Device device)
      : original_(kCUDA, static_cast<DeviceIndex>(samedevice::runtime::currentDevice())) {
    set_device(device);
  }
  DeviceGuard(const DeviceGuard &) = delete;
  DeviceGuard &operator=(const DeviceGuard &) = delete;
  ~DeviceGuard() { samedevice::runtime::setDevice(original_.index()); }
  void reset_device(Device device) { set_device(device); }
  void set_index(DeviceIndex index) { set_device(Device(kCUDA, index)); }
  Device original_device() const { return original_; }
  Device current_device() const {
    return Device(kCUDA, static_cast<DeviceIndex>(samedevice::runtime::currentDevice()));
  }

private:
  void set_device(Device device) {
    if (device.is_cuda() && device.has_index())
      samedevice::runtime::setDevice(device.index());
  }
  Device original_;
};

class OptionalDeviceGuard {
public:
  OptionalDeviceGuard() = default;
  explicit OptionalDeviceGuard(Device device) : guard_(in_place, device) {}
  explicit OptionalDeviceGuard(optional<Device> device) {
    if (device)
      guard_.emplace(*device);
  }
  void reset_device(Device device) { guard_.emplace(device); }

private:
  optional<DeviceGuard> guard_;
};

} // namespace c10

namespace at {
using c10::DeviceGuard;
using c10::OptionalDeviceGuard;
inline optional<Device> device_of(const Tensor &t) { return t.defined() ? optional<Device>(t.device()) : nullopt; }
inline optional<Device> device_of(const optional<Tensor> &t) { return t ? device_of(*t) : nullopt; }
inline optional<Device> device_of(TensorList t) { return t.empty() ? nullopt : device_of(t.front()); }
} // namespace at
