// Who declares a thing, and what it is called there. The torch family (at::, c10::, torch::) counts as one
// library: its headers alias names across these namespaces freely, and so do its users.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"

#include <string>

namespace samedevice::clangfront {

struct Name {
  enum Library { Torch, Std, Cuda, Other } library = Other;
  std::string path; ///< without the library's own namespace: "nn::Module", "vector", "cv::Mat"
};

class Names {
public:
  explicit Names(const clang::SourceManager &sources) : sources_(sources) {}

  const Name &of(const clang::NamedDecl *decl);

  /// Written by the user, not by torch, CUDA or the standard library.
  bool isUser(const clang::Decl *decl);

  /// As the user would say it, namespaces included.
  static std::string qualified(const clang::NamedDecl *decl);

private:
  const clang::SourceManager &sources_;
  llvm::DenseMap<const clang::Decl *, Name> names_;
  llvm::DenseMap<clang::FileID, bool> userFiles_;
};

} // namespace samedevice::clangfront
