// Clang's visitor, compiled once: a class that derives from that by itself takes ten seconds to compile.
#pragma once

#include "clang/AST/ASTFwd.h"

// What somebody visits.
#define SAMEDEVICE_VISITED(NODE)                                                                                       \
  NODE(BinaryOperator)                                                                                                 \
  NODE(CXXConstructExpr)                                                                                               \
  NODE(CXXForRangeStmt)                                                                                                \
  NODE(CXXMemberCallExpr)                                                                                              \
  NODE(CXXOperatorCallExpr)                                                                                            \
  NODE(CallExpr)                                                                                                       \
  NODE(ConditionalOperator)                                                                                            \
  NODE(DeclRefExpr)                                                                                                    \
  NODE(DoStmt)                                                                                                         \
  NODE(ForStmt)                                                                                                        \
  NODE(IfStmt)                                                                                                         \
  NODE(InitListExpr)                                                                                                   \
  NODE(LambdaExpr)                                                                                                     \
  NODE(MemberExpr)                                                                                                     \
  NODE(RecoveryExpr)                                                                                                   \
  NODE(SwitchStmt)                                                                                                     \
  NODE(UnaryOperator)                                                                                                  \
  NODE(VarDecl)                                                                                                        \
  NODE(WhileStmt)

namespace samedevice::clangfront {

/// As clang::RecursiveASTVisitor, by virtual functions: whichever returns false ends the walk. What nobody has written
/// is not visited.
class AstVisitor {
public:
  virtual ~AstVisitor() = default;

  void walk(const clang::Stmt *statement);
  void walk(const clang::Decl *declaration);

#define SAMEDEVICE_NODE(node)                                                                                          \
  virtual bool Visit##node(clang::node *) { return true; }
  SAMEDEVICE_VISITED(SAMEDEVICE_NODE)
#undef SAMEDEVICE_NODE
};

} // namespace samedevice::clangfront
