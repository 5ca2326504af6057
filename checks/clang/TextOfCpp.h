// The text of a C++ file, as words: for what is read of files that are not compiled.
#pragma once

#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace samedevice::clangfront {

struct Piece {
  clang::tok::TokenKind kind;
  llvm::StringRef text;
};
using Pieces = llvm::ArrayRef<Piece>;

/// Without comments and directives.
std::vector<Piece> wordsOfCpp(llvm::StringRef text);

/// What a body is written under: `f` of `template <class T> void A::f(int) const`; where in the head that stands.
/// Nothing where it is no function's.
const Piece *nameOfBody(Pieces head);

/// `const at::cuda::OptionalCUDAGuard`, `cudaSetDevice`, `MY_DEVICE_GUARD`, `torch.cuda.device`: by their names alone.
bool isGuardName(llvm::StringRef name);
/// What makes a device current for good, as against an object that ends with its block.
bool setsDevice(llvm::StringRef name);

} // namespace samedevice::clangfront
