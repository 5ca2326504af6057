#pragma once

#include <torch/extension.h>

// Launchers: on the current GPU, which whoever calls them has chosen.
void launch_count(const at::Tensor &ids, at::Tensor &count);
void launch_sum(const at::Tensor &values, const at::Tensor &ids, at::Tensor &sum);

at::Tensor bucket_counts(const at::Tensor &ids, int64_t buckets);
at::Tensor bucket_sums(const at::Tensor &values, const at::Tensor &ids, int64_t buckets);
