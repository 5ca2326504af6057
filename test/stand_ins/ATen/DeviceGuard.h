#pragma once
#pragma GCC system_header

#include "c10/core/DeviceGuard.h"
