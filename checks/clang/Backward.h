// Functions that compute gradients. Whether C++ or Python calls them, it does so from a `backward`, which the autograd
// engine runs with the device of its tensors current.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <vector>

namespace clang {
class Decl;
class FunctionDecl;
} // namespace clang

namespace samedevice::clangfront {

/// A name alone proves nothing (`backward_warp` warps images). What counts is a name of a gradient together with its
/// forward twin, declared or bound in the same file, or with gradients among the parameters.
class Backward {
public:
  /// Every function that the file declares.
  void declared(const clang::FunctionDecl *function);
  /// `m.def("name", &function)`: what Python or the dispatcher calls it. A schema, or a name with a namespace, will do.
  void bound(const clang::FunctionDecl *function, llvm::StringRef name);
  /// To be asked when all of the file was seen.
  bool includes(const clang::FunctionDecl *function) const;

private:
  void addForward(llvm::StringRef name);
  bool computesGradient(llvm::StringRef name, bool takesGradient) const;

  llvm::StringSet<> forward_; ///< subjects of the functions that are not backward
  llvm::DenseMap<const clang::Decl *, std::vector<std::string>> names_;
};

/// Whether the name alone says so; where nothing else is known of a function.
bool isNameOfBackward(llvm::StringRef name);

/// `op` of `ns::op.overload(Tensor x) -> Tensor`.
llvm::StringRef nameInSchema(llvm::StringRef schema);

} // namespace samedevice::clangfront
