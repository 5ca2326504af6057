// What fixes are made of: which expressions can be written again, where text can go in.
#pragma once

#include "SourceText.h"

#include "clang/AST/DeclCXX.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace samedevice::tidy {

using Fixes = std::vector<clang::FixItHint>;

/// A variable or a member of one: can be written twice without doing anything twice.
bool isPlain(const clang::Expr *expression);
bool isTensor(const clang::Expr *expression);
std::string textOf(const clang::Expr *expression, clang::ASTContext &context);
/// The statement without what Clang wraps around it for temporaries.
const clang::Stmt *withoutCleanups(const clang::Stmt *statement);
/// Whether `holds` for the class or one of its bases.
bool anyOfBases(const clang::CXXRecordDecl *record, llvm::function_ref<bool(const clang::CXXRecordDecl *)> holds);
/// The function's own assignment `a = b`, through whatever Clang wraps around it; nullptr when it is none.
const clang::CXXOperatorCallExpr *asAssignment(const clang::Stmt *statement);
/// `suffix` behind an expression that takes one: a name, a call, a subscript.
Fixes append(const clang::Expr *expression, const std::string &suffix, const SourceText &source);
/// A whole line before what stands at `place`, indented as that is.
clang::FixItHint lineBefore(clang::SourceLocation place, const std::string &line, const SourceText &source);

/// The host reads a tensor's memory: it gets a copy, which is named where a pointer into it must live on.
Fixes hostCopy(const analysis::Fix &fix, const SourceText &source, clang::ASTContext &context);
/// A tensor member, or a module, gets registered where it is stored.
Fixes registerMember(const analysis::Fix &fix, const SourceText &source, clang::ASTContext &context);

} // namespace samedevice::tidy
