// Which units make a program together. A unit may be part of several.
#pragma once

#include "Program.h"

#include <vector>

namespace samedevice::facts {

/// What a build makes of units: an executable, a library, a module. As indices.
struct Product {
  std::vector<std::size_t> own; ///< those that it is made of
  std::vector<std::size_t>
      linked;            ///< those of the libraries that it is linked with: a part of it where it reaches them
  bool isLinked = false; ///< into another product
};

/// As indices, in their order. Each product that is no part of another is a program, with what it reaches; so is, of
/// libraries, what no such program reaches. Of units that no product has: each `main` with all that it reaches, and of
/// the rest those that hang together.
std::vector<std::vector<std::size_t>> programsAmong(const std::vector<const Program *> &units,
                                                    const std::vector<Product> &products = {});

} // namespace samedevice::facts
