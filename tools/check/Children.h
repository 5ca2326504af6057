// Work in child processes: one that crashes or hangs takes nothing else along.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <chrono>
#include <cstddef>
#include <string>

namespace samedevice::check {

struct ChildResult {
  std::string output;  ///< what the child made
  bool isLate = false; ///< it was not done in time
  std::string failure; ///< what became of a child that did not get to its end; else empty
};

/// Does `count` pieces of work, `width` at the same time, each in a child process. `finished` is called here, in the
/// order in which they end. This process must have no other threads.
void runInChildren(size_t count, unsigned width, std::chrono::seconds limit,
                   llvm::function_ref<std::string(size_t)> work,
                   llvm::function_ref<void(size_t, ChildResult)> finished);

} // namespace samedevice::check
