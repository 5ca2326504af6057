// The way through a function's body to a place in it.
#pragma once

#include "clang/AST/Stmt.h"

#include <utility>
#include <vector>

namespace clang {
class Decl;
class SourceManager;
} // namespace clang

namespace samedevice::tidy {

bool contains(const clang::SourceManager &sources, clang::SourceRange outer, clang::SourceRange inner);
const clang::Stmt *bodyOf(const clang::Decl *function);
/// From the body inwards: every compound statement around `at`, and the child of each that holds it.
std::vector<std::pair<const clang::CompoundStmt *, const clang::Stmt *>>
pathTo(const clang::SourceManager &sources, const clang::Stmt *from, clang::SourceRange at);

} // namespace samedevice::tidy
