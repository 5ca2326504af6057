// A call with its syntax taken off: methods, operators and functions alike.
#pragma once

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace samedevice::clangfront {

struct CallSite {
  const clang::Expr *expr = nullptr;
  const clang::FunctionDecl *callee = nullptr;
  const clang::Expr *object = nullptr; ///< what the method is called on
  llvm::SmallVector<const clang::Expr *, 8> args;
  bool isQualified = false; ///< Base::method(): no virtual dispatch

  static CallSite of(const clang::CallExpr *expr);

  llvm::StringRef name() const;
  std::string paramName(unsigned index) const;
  clang::QualType paramType(unsigned index) const;
  /// What overrides it may be what runs.
  bool isVirtual() const;
  const clang::Expr *arg(unsigned index) const { return index < args.size() ? args[index] : nullptr; }
};

/// Its arguments from this one on.
inline llvm::ArrayRef<const clang::Expr *> restOf(const CallSite &site, unsigned from) {
  return llvm::ArrayRef(site.args).drop_front(std::min<size_t>(from, site.args.size()));
}

} // namespace samedevice::clangfront
