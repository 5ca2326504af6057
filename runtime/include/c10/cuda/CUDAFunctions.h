#pragma once
#pragma GCC system_header

#include "c10/core/DeviceGuard.h"

namespace c10::cuda {
inline DeviceIndex device_count() noexcept { return static_cast<DeviceIndex>(samedevice::runtime::deviceCount()); }
inline DeviceIndex current_device() { return static_cast<DeviceIndex>(samedevice::runtime::currentDevice()); }
inline void set_device(DeviceIndex device) { samedevice::runtime::setDevice(device); }
inline void device_synchronize() { samedevice::runtime::synchronizeDevice(-1); }
} // namespace c10::cuda
