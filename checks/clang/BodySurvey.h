// What stands around each expression of a function's body: read once, before anything is lowered, and never changed.
// Where there is no body, nothing stands around anything.
#pragma once

#include "Unit.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace samedevice::clangfront {

class BodySurvey {
public:
  BodySurvey(Unit &unit, const clang::FunctionDecl *function);

  const clang::FunctionDecl *function() const { return function_; }
  const clang::Stmt *parent(const clang::Stmt *stmt) const { return parents_.lookup(stmt); }
  /// Whether what it does is done each time the function is run.
  bool isAlwaysDone(const clang::Expr *expr) const;
  bool hasTry() const { return hasTry_; }
  /// The classes of what the user's macros for guards declare.
  const std::vector<const clang::CXXRecordDecl *> &guards() const { return guards_; }

  // What becomes of a value.
  bool isDiscarded(const clang::Expr *expr) const { return discarded_.count(expr) != 0; }
  /// A temporary that nobody keeps: gone at the end of its statement.
  bool isPassing(const clang::Expr *expr) const { return passing_.count(expr) != 0; }
  bool isWrittenTo(const clang::Expr *expr) const;
  bool isAddressOnly(const clang::Expr *expr) const;
  bool pointerOutlives(const clang::Expr *expr) const;
  bool isNeverRead(const clang::Expr *initializer) const;
  bool isKeptInMember(const clang::Expr *made) const;
  bool isGivenAway(const clang::VarDecl *owner) const;
  bool isAnswerPassedOn(const clang::ValueDecl *attributes) const;

  // Conditions.
  /// The ternary or the short circuit that an expression is an arm of.
  const clang::Expr *armOf(const clang::Expr *expr) const { return armOf_.lookup(expr); }
  /// Whether what a call makes is one of the two that a ternary chooses from.
  bool isChosenFrom(const clang::Expr *made) const;
  const clang::BinaryOperator *decidedBy(const clang::BinaryOperator *logical) const;
  /// What an answer to a part of a condition says of the whole; nothing where the rest decides.
  struct Part {
    const clang::Stmt *whole;
    std::optional<bool> ifTrue = true, ifFalse = false;
  };
  Part partOf(const clang::Expr *condition) const;
  /// Whether a condition asks for it.
  bool isAsked(const clang::ValueDecl *variable) const { return asked_.count(variable->getCanonicalDecl()) != 0; }
  /// Whether it decides, alone or with others, if a loop goes on.
  bool isOfLoop(const clang::Expr *condition) const;

  // Loops.
  /// `for (i = 0; i < list.size(); ++i)`: i is an iterator over this list.
  const clang::Expr *listOf(const clang::ValueDecl *index) const { return indexLoops_.lookup(index); }
  bool isLoopIndex(const clang::Expr *expr) const;
  /// `for (i = 0; i < 2; ++i)`: so few turns that each is followed.
  bool isCounter(const clang::Expr *expr) const;
  /// A counter of GPUs: two turns stand for all.
  bool countsGpus(const clang::Expr *expr) const;

private:
  void survey(const clang::Stmt *stmt);
  void surveyStatement(const clang::Stmt *stmt);
  void noteAsked(const clang::Stmt *condition);
  void surveyIndexLoop(const clang::ForStmt *loop);

  Unit &unit_;
  const clang::FunctionDecl *function_;
  bool hasTry_ = false;
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> parents_;
  llvm::DenseMap<const clang::Expr *, const clang::Expr *> armOf_;
  llvm::DenseSet<const clang::Expr *> discarded_, passing_;
  llvm::DenseMap<const clang::ValueDecl *, const clang::Expr *> indexLoops_;
  llvm::DenseSet<const clang::ValueDecl *> counters_, gpuCounters_;
  llvm::DenseSet<const clang::Decl *> asked_;
  std::vector<const clang::CXXRecordDecl *> guards_;
};

} // namespace samedevice::clangfront
