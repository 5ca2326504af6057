// Loops over ranges, here on one thread.
#pragma once
#pragma GCC system_header

#include "c10/macros.h"

namespace at {
template <class F> void parallel_for(const int64_t begin, const int64_t end, const int64_t, const F &f);
int get_num_threads();
void set_num_threads(int);
} // namespace at
namespace torch {
using at::get_num_threads;
using at::set_num_threads;
} // namespace torch
