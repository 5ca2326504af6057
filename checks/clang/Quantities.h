// Numbers that count something, by what is done with them: no GPU's number is the size of a tensor, the bound of a loop
// or half of a fraction. What is kept under such a key is kept for all devices alike.
#pragma once

#include "AstVisitor.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class Expr;
class FunctionDecl;
class ValueDecl;
} // namespace clang

namespace samedevice::clangfront {

class Quantities : private AstVisitor {
public:
  /// Looks at what a function does with its numbers, and hands on to others.
  void survey(const clang::FunctionDecl *function);
  /// Asked when all functions were looked at: whether a parameter or a member is one.
  bool has(const clang::ValueDecl *number);

private:
  bool VisitBinaryOperator(clang::BinaryOperator *op) override;
  bool VisitCallExpr(clang::CallExpr *call) override;
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) override;
  bool VisitInitListExpr(clang::InitListExpr *list) override;
  bool VisitForStmt(clang::ForStmt *loop) override;
  bool VisitVarDecl(clang::VarDecl *variable) override;

  void note(const clang::Expr *expr);
  void handOn(const clang::Expr *given, const clang::ValueDecl *to);
  void handOver(const clang::FunctionDecl *callee, llvm::ArrayRef<clang::Expr *> arguments);

  llvm::DenseMap<const clang::ValueDecl *, llvm::SmallVector<const clang::ValueDecl *, 2>> from_; ///< by who got it
  llvm::DenseSet<const clang::ValueDecl *> known_;
  bool isSettled_ = false;
};

} // namespace samedevice::clangfront
