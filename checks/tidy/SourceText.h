// From source ids back to what the user wrote, and to places where a fix can go.
#pragma once

#include "TuAnalysis.h"

#include "../report/Names.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>

namespace samedevice::tidy {

class SourceText : public report::Names {
public:
  /// `program`: what was analysed; more than what is lowered where files were linked. There the sources of this file
  /// come behind some of others.
  SourceText(clang::ASTContext &context, const clangfront::Lowered &lowered, const facts::Program &program,
             facts::SourceId sourcesBefore = 0)
      : context_(context), lowered_(lowered), program_(program), sourcesBefore_(sourcesBefore) {}

  const clangfront::SourceEntry *entry(facts::SourceId id) const;
  clang::SourceLocation location(facts::SourceId id) const;
  /// As written, on one line; empty when it has no text of its own (macros, generated code).
  std::string text(facts::SourceId id) const;
  std::string text(const clang::Expr *expression) const;
  std::string text(clang::SourceRange range) const;
  std::string name(facts::SourceId id) const override;
  std::string label(facts::SourceId id) const override;
  std::string madeAs(facts::SourceId id) const override;
  std::string callee(facts::SourceId id) const override;
  bool isLaunch(facts::SourceId id) const override;
  bool isSeenFrom(facts::SourceId named, facts::SourceId line) const override;
  const clang::Expr *expression(facts::SourceId id) const;
  /// What stands in a file of which only the facts are known; nullptr for what Clang has read.
  const facts::Source *elsewhere(facts::SourceId id) const;

  /// The variable or member that an expression is put into; neither, when it has none.
  struct Label {
    const clang::NamedDecl *declared = nullptr;
    const clang::Expr *assigned = nullptr;
  };
  using Labels = llvm::DenseMap<const clang::Expr *, Label>;

  /// The whole statement around `id`, as a child of a compound statement: where another can stand before or after it.
  const clang::Stmt *statement(facts::SourceId id) const;
  /// The statement around `id`, or the branch or body without braces that is one.
  struct Room {
    const clang::Stmt *statement = nullptr;
    bool isLone = false; ///< braces are needed for another
  };
  Room room(facts::SourceId id) const;
  /// The child of the innermost compound statement around `id`, a loop for one.
  const clang::Stmt *wholeStatement(facts::SourceId id) const;
  /// Whether `inner` stands in the block that has `statement`, or in one within it.
  bool isInBlockOf(const clang::Stmt *statement, const clang::Stmt *inner, const clang::FunctionDecl *function) const;
  /// The outermost statement of `function` around `id`, but within the branch that is taken on a device, if there is
  /// one: what stands before it holds for all that follows.
  const clang::Stmt *outermostStatement(facts::SourceId id, const clang::FunctionDecl *function) const;
  std::string indentation(clang::SourceLocation location) const;
  bool isFirstOfLine(clang::SourceLocation location) const;
  std::optional<clang::SourceLocation> afterStatement(const clang::Stmt *statement) const;
  /// Behind a loop or a branch, braces or not.
  std::optional<clang::SourceLocation> afterBlock(const clang::Stmt *statement) const;
  clang::SourceLocation endOf(const clang::Expr *expression) const;

  /// Whether the expression `id` means the same at `place`: literals, members of one class, and variables in scope.
  bool usableAt(facts::SourceId id, facts::SourceId place) const;
  /// The same for a part of one; and it has no other value by then.
  bool usableAt(const clang::Expr *wanted, facts::SourceId place) const;
  /// Whether a device may be asked for at `place` where it may be at `id`: a constant in a branch, `torch::kCUDA`, is
  /// right for that branch alone. What has a name of its own is as right elsewhere.
  bool isAskedForAt(facts::SourceId id, facts::SourceId place) const;

  /// Whether it stands in the statement of `place`: what it is there, it is here.
  bool isBeside(const clang::Expr *written, facts::SourceId place) const;

  /// What declares a variable; 0 where nobody asked after it.
  facts::SourceId declarationOf(const clang::ValueDecl *variable) const;
  facts::SourceId idOf(const clang::Stmt *statement) const;
  /// The member that a constructor's list makes at `at`; nullptr when that stands elsewhere.
  const clang::FieldDecl *initializedAt(facts::SourceId at) const;
  /// Whether a variable, `orPart` of it, gets another value behind the statement at `place`, or behind `since`, if that
  /// comes earlier.
  bool isAssignedBehind(const clang::ValueDecl *variable, facts::SourceId place, clang::SourceLocation since = {},
                        bool orPart = false) const;

  /// The variable or member that `id` declares, as it can be written at `place`; empty where it cannot, or where it is
  /// given another value after that.
  std::string declaredAt(facts::SourceId id, facts::SourceId place) const;

private:
  const Labels &labelsIn(const clang::Decl *function) const;
  std::string shortText(const clang::Expr *written) const;
  bool visible(const clang::Expr *expression, const clangfront::SourceEntry &at) const;
  bool isVisible(const clang::VarDecl *variable, const clangfront::SourceEntry &at) const;
  bool isSteady(const clang::Stmt *wanted, facts::SourceId place, clang::SourceLocation where,
                bool isWhole = true) const;
  bool isMemberAt(const clang::Decl *member, const clangfront::SourceEntry &at) const;

  clang::ASTContext &context_;
  const clangfront::Lowered &lowered_;
  const facts::Program &program_;
  facts::SourceId sourcesBefore_;
  mutable llvm::DenseMap<const clang::Decl *, Labels> labels_;
};

} // namespace samedevice::tidy
