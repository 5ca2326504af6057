// What a condition asks of things that facts have no values of: `rate > 0.5`, `name.starts_with("cuda")`. Asked again
// of the same things, it has the same answer.
#pragma once

#include "Types.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace samedevice::clangfront {

struct Question {
  std::string text;                                ///< spelled alike wherever it is asked; $0, $1 are what it is about
  llvm::SmallVector<const clang::Expr *, 2> about; ///< variables, and members of theirs
  bool isNegated = false;                          ///< the opposite of `text`
  facts::Mode how = facts::Mode::None;             ///< `text` is a number: how it compares with `bound`
  std::int64_t bound = 0;                          ///< by orderOf
};

/// A whole number for each number, in the same order.
std::int64_t orderOf(double number);

/// Nothing where the answer may be another one each time, as of `queue.try_pop(x)` or `rand() % 2`.
std::optional<Question> questionIn(const clang::Expr *condition, Types &types);

/// The variable, the member or the `this` that is changed where this one is: that of `a.b[i]` is `a.b`.
const clang::Expr *changedWith(const clang::Expr *target, Types &types);

/// What an expression itself, and none of its parts, may write to.
llvm::SmallVector<const clang::Expr *, 2> writtenBy(const clang::Expr *expr);

} // namespace samedevice::clangfront
