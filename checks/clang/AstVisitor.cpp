#include "AstVisitor.h"

#include "clang/AST/RecursiveASTVisitor.h"

namespace samedevice::clangfront {

namespace {

class Walker : public clang::RecursiveASTVisitor<Walker> {
public:
  explicit Walker(AstVisitor &visitor) : visitor_(visitor) {}

#define SAMEDEVICE_NODE(node)                                                                                          \
  bool Visit##node(clang::node *visited) { return visitor_.Visit##node(visited); }
  SAMEDEVICE_VISITED(SAMEDEVICE_NODE)
#undef SAMEDEVICE_NODE

private:
  AstVisitor &visitor_;
};

} // namespace

void AstVisitor::walk(const clang::Stmt *statement) {
  Walker(*this).TraverseStmt(const_cast<clang::Stmt *>(statement));
}

void AstVisitor::walk(const clang::Decl *declaration) {
  Walker(*this).TraverseDecl(const_cast<clang::Decl *>(declaration));
}

} // namespace samedevice::clangfront
