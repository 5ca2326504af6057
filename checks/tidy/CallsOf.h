// Who calls a function of this file.
#pragma once

#include "clang/AstVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

namespace samedevice::tidy {

class CallsOf : public clangfront::AstVisitor {
public:
  explicit CallsOf(const clang::FunctionDecl *function) : function_(function->getCanonicalDecl()) {}

  bool VisitDeclRefExpr(clang::DeclRefExpr *reference) override { return note(reference->getDecl()); }
  bool VisitMemberExpr(clang::MemberExpr *member) override { return note(member->getMemberDecl()); }
  bool VisitCallExpr(clang::CallExpr *call) override {
    if (call->getDirectCallee() && call->getDirectCallee()->getCanonicalDecl() == function_)
      call_ = call;
    return true;
  }
  /// The call, if nothing else names the function.
  const clang::CallExpr *only() const { return mentions_ == 1 ? call_ : nullptr; }

private:
  bool note(const clang::ValueDecl *named) {
    mentions_ += named->getCanonicalDecl() == function_;
    return true;
  }
  const clang::FunctionDecl *function_;
  const clang::CallExpr *call_ = nullptr;
  int mentions_ = 0;
};

/// The one call of a function in this file; nullptr where there are others, or its address is taken.
inline const clang::CallExpr *onlyCallOf(const clang::FunctionDecl *function, clang::ASTContext &context) {
  CallsOf calls(function);
  for (clang::Decl *decl : context.getTranslationUnitDecl()->decls())
    if (context.getSourceManager().isInMainFile(context.getSourceManager().getFileLoc(decl->getLocation())))
      calls.walk(decl);
  return calls.only();
}

} // namespace samedevice::tidy
