#pragma once

#include <torch/extension.h>

// The operations, as Python knows them.
at::Tensor strip_pool(const at::Tensor &image, at::Tensor winners);
at::Tensor strip_unpool(const at::Tensor &pooled, const at::Tensor &winners, int64_t width);

// Their kernels.
void strip_pool_launcher(const at::Tensor &image, at::Tensor pooled, at::Tensor winners);
void strip_unpool_launcher(const at::Tensor &pooled, const at::Tensor &winners, at::Tensor image);
