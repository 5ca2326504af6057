// What a build makes of its objects, as far as it says so: which sources are linked together.
#pragma once

#include "Source.h"

#include "facts/Programs.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace samedevice::check {

/// An executable or a library, by whole names.
struct Linked {
  std::string name;
  std::vector<std::string> objects; ///< one that ends in a slash is a folder of them
  std::vector<std::string> libraries;
};

/// From the answer of CMake's file API, if somebody has asked; else from build.ninja, else from the link.txt that CMake
/// writes for make.
std::vector<Linked> linkedIn(llvm::StringRef buildDirectory);

/// The same by the sources' indices.
std::vector<facts::Product> productsOf(llvm::ArrayRef<Linked> linked,
                                       llvm::ArrayRef<std::reference_wrapper<const Source>> sources);

} // namespace samedevice::check
