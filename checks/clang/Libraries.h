// Which files are libraries': what comes from torch, CUDA, Python and the standard library, however the compiler found
// it. Extensions are built with plain -I as often as with -isystem, in folders called cuda, inside a checkout of
// PyTorch.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>
#include <vector>

namespace samedevice::clangfront {

class Libraries {
public:
  explicit Libraries(const clang::ASTContext &context) : context_(context), sources_(context.getSourceManager()) {}

  /// Whether the code at this place is a library's. The file that is compiled is always the user's.
  bool own(clang::SourceLocation location);

private:
  bool isLibrary(clang::FileID file);
  bool isIncludedAsLibrary(clang::FileID file);
  bool isInFolders(const std::string &path);
  void findFolders();
  std::string pathOf(clang::FileID file) const;
  std::string pathOfDeclaring(llvm::StringRef scope, llvm::StringRef name) const;

  const clang::ASTContext &context_;
  const clang::SourceManager &sources_;
  std::optional<std::vector<std::string>> folders_; ///< where torch and CUDA are installed; found when first asked for
  llvm::DenseMap<clang::FileID, bool> known_;
};

} // namespace samedevice::clangfront
