// Questions to Clang's syntax tree that need nothing but the tree.
#pragma once

#include "clang/AST/ExprCXX.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace samedevice::clangfront {

/// Parentheses, temporaries' bookkeeping and casts that do not change what a value is.
const clang::Expr *stripped(const clang::Expr *expr);

/// What a value was made of: constructions around it are passed through. nullptr where one is made of nothing.
const clang::Expr *converted(const clang::Expr *expr);
/// The same, but only through constructions of one thing out of one other.
const clang::Expr *convertedAlone(const clang::Expr *expr);
/// Where a container begins, as `v.begin()`, `std::cbegin(v)`; where it ends: maybe as another kind of iterator.
bool isBegin(const clang::Expr *expr);
bool isEnd(const clang::Expr *expr);
/// The options that others were made of by a call, as in `options.dtype(t).device(d)`; nullptr for other expressions.
const clang::Expr *optionsBefore(const clang::Expr *made);
/// What `register_parameter` writes into, `parameters_`: a module may do so itself.
bool isOwnParameters(const clang::Expr *expr);

/// The number that an expression always is.
std::optional<std::int64_t> constantInt(const clang::Expr *expr, const clang::ASTContext &context);

/// `nullptr`, `NULL`, `nullopt`.
bool isNullLiteral(const clang::Expr *expr);

/// Whether an expression is true or false.
bool isTruth(const clang::Expr *expr);

/// An argument that nobody wrote.
bool isOmitted(const clang::Expr *argument);

/// The variable that an expression names, if it is nothing but that.
const clang::ValueDecl *variableOf(const clang::Expr *expr);
/// The variable or member that `&x`, or `x` itself, names.
const clang::ValueDecl *addressed(const clang::Expr *expr);
/// `x`, `x.y`, `this->y`: a variable of the host's, as against what a pointer leads to.
bool isOwnVariable(const clang::Expr *expr);

/// Whether a class is `base`, or derived from it; not where nobody sees what it is.
bool isOrDerivesFrom(const clang::CXXRecordDecl *record, const clang::CXXRecordDecl *base);

/// What runs when a lambda is called; of a generic one, the only instance that there is.
const clang::CXXMethodDecl *lambdaBody(const clang::CXXRecordDecl *record);

/// Whether a location is the doing of one of these macros, and not of the arguments written between its parentheses.
bool comesFromMacro(clang::SourceLocation location, const std::vector<std::string> &macros,
                    const clang::ASTContext &context);

} // namespace samedevice::clangfront
