// Part of THC, which libtorch had until 1.11, in the words of its successors.
#pragma once
#include <ATen/ceil_div.h>
#include <ATen/cuda/DeviceUtils.cuh>
