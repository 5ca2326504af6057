// Kernel launches as nvcc takes them and Clang does not, in Clang's spelling: `f<<<{m, n}, {32, 8}>>>(x)`, and `f<< <m,
// n>> >(x)`, which is what an editor that does not know CUDA makes of one.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace samedevice::clangfront {

/// The same text with such launches written otherwise, each character in its place; nothing where there are none.
/// The grid that `(m, n)` is, where it was `{m, n}`, is another one, which nobody asks for.
std::optional<std::string> launchesForClang(llvm::StringRef text);

} // namespace samedevice::clangfront
