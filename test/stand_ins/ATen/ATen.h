#pragma once
#pragma GCC system_header

#include "ATen/Context.h"
#include "ATen/Dispatch.h"
#include "ATen/Parallel.h"
#include "ATen/TensorMethods.h"
#include "ATen/TensorUtils.h"
#include "ATen/core/Reduction.h"
#include "ATen/core/ivalue.h"
#include "c10/core/DeviceGuard.h"
