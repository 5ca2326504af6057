// From source ids back to what the user wrote, and to places where a fix can go.
#pragma once

#include "TuAnalysis.h"

#include "clang/AST/ASTContext.h"

#include <optional>
#include <string>

namespace samedevice::tidy {

class SourceText {
public:
  SourceText(clang::ASTContext &context, const clangfront::Lowered &lowered) : context_(context), lowered_(lowered) {}

  const clangfront::SourceEntry *entry(facts::SourceId id) const;
  clang::SourceLocation location(facts::SourceId id) const;
  /// As written, on one line; empty when it has no text of its own (macros, generated code).
  std::string text(facts::SourceId id) const;
  /// Short enough to stand in a message: a name, a member, a small expression.
  std::string name(facts::SourceId id) const;
  const clang::Expr *expression(facts::SourceId id) const;

  /// The whole statement around `id`, as a child of a compound statement: where another can stand before or after it.
  const clang::Stmt *statement(facts::SourceId id) const;
  /// The outermost statement of `function` around `id`, but within the branch that is taken on a device, if there is
  /// one: what stands before it holds for all that follows.
  const clang::Stmt *outermostStatement(facts::SourceId id, const clang::FunctionDecl *function) const;
  std::string indentation(clang::SourceLocation location) const;
  std::optional<clang::SourceLocation> afterStatement(const clang::Stmt *statement) const;
  clang::SourceLocation endOf(const clang::Expr *expression) const;

  /// Whether the expression `id` means the same at `place`: literals, members of one class, and variables in scope.
  bool usableAt(facts::SourceId id, facts::SourceId place) const;

private:
  bool visible(const clang::Expr *expression, const clangfront::SourceEntry &at) const;

  clang::ASTContext &context_;
  const clangfront::Lowered &lowered_;
};

} // namespace samedevice::tidy
