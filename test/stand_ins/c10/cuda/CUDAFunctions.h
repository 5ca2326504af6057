#pragma once
#pragma GCC system_header

#include "c10/core/DeviceGuard.h"

namespace c10::cuda {
DeviceIndex device_count() noexcept;
DeviceIndex current_device();
void set_device(DeviceIndex device);
void device_synchronize();
} // namespace c10::cuda
