// Who declares a thing, and what it is called there. The torch family (at::, c10::, torch::) counts as one
// library: its headers alias names across these namespaces freely, and so do its users.
#pragma once

#include "Libraries.h"

#include "clang/AST/Decl.h"

#include <string>
#include <unordered_map>

namespace samedevice::clangfront {

struct Name {
  enum Library { Torch, Std, Cuda, Other } library = Other;
  std::string path; ///< without the library's own namespace: "nn::Module", "vector", "cv::Mat"
};

class Names {
public:
  explicit Names(const clang::ASTContext &context) : libraries_(context) {}

  const Name &of(const clang::NamedDecl *decl);

  /// Written by the user, not by torch, CUDA or the standard library.
  bool isUser(const clang::Decl *decl) { return decl->getLocation().isValid() && !libraries_.own(decl->getLocation()); }

  /// As the user would say it, namespaces included.
  static std::string qualified(const clang::NamedDecl *decl);
  /// `Net` of `models::Net`.
  static llvm::StringRef unqualified(llvm::StringRef qualified);

private:
  Libraries libraries_;
  std::unordered_map<const clang::Decl *, Name> names_; // a name stays where it is when others come
};

} // namespace samedevice::clangfront
