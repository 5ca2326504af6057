// Which arguments of a CUDA kernel are pointers, as far as its symbol tells.
#pragma once

#include <cstddef>
#include <vector>

namespace samedevice::runtime {

/// The positions of the pointers among a kernel's parameters. `function` is what a launch names the kernel by.
/// Parameters that are a tensor accessor count too: they begin with their pointer. Empty where the symbol does not
/// tell.
const std::vector<std::size_t> &pointerParameters(const void *function);

} // namespace samedevice::runtime
