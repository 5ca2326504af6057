// What a function whose body is in another file does to its tensors, as far as the text of that body says: which of
// them a kernel reads, and on whose device the result is. Read, not compiled; what is not plain stays unknown.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace samedevice::clangfront {

struct BodyInText {
  /// Memory of a parameter, or of a member of one, that a kernel is given.
  struct Use {
    unsigned parameter;
    std::string member; ///< empty: the parameter's own
    std::string kernel;

    friend bool operator==(const Use &a, const Use &b) = default;
  };
  std::vector<Use> uses;
  std::vector<unsigned> readOnHost;   ///< parameters whose elements the host reads, wherever they are
  std::vector<bool> isRebound;        ///< per parameter: it is assigned to
  std::optional<unsigned> resultLike; ///< the result is where this parameter is
  bool isGuarded = false;             ///< it makes a device current itself

  friend bool operator==(const BodyInText &a, const BodyInText &b) = default;
};

/// A function that the file calls and does not have, "f" or "Solver::f"; nullptr where nobody knows it.
using BodyElsewhere = llvm::function_ref<const BodyInText *(llvm::StringRef name, unsigned parameters)>;

/// The function of that name and so many parameters in the text of a C++ file; nothing where there is none, or several.
std::optional<BodyInText> bodyInCpp(llvm::StringRef text, llvm::StringRef name, unsigned parameters,
                                    BodyElsewhere elsewhere = nullptr);

} // namespace samedevice::clangfront
