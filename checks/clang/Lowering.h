// Lowers what Clang knows of a translation unit to facts: the only door between the two.
#pragma once

#include "../facts/Program.h"

#include "clang/Basic/SourceLocation.h"

#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Decl;
class Stmt;
} // namespace clang

namespace samedevice::clangfront {

/// What a facts::SourceId stands for.
struct SourceEntry {
  clang::SourceRange range;
  const clang::Stmt *stmt = nullptr;
  const clang::Decl *decl = nullptr;
  const clang::Decl *function = nullptr; ///< the function whose body it stands in
};

/// Names a project adds to the vocabulary, qualified as its code says them.
struct LoweringOptions {
  std::vector<std::string> moduleBases;
  std::vector<std::string> tensorTypes;
  std::vector<std::string> hostFunctions;
  std::vector<std::string> deviceFunctions;
  std::vector<std::string> checkMacros;
  std::vector<std::string> guardTypes;
  std::vector<std::string> guardMacros;
  std::vector<std::string> annotations;

  friend bool operator==(const LoweringOptions &a, const LoweringOptions &b) = default;
};

struct Lowered {
  facts::Program program;
  std::vector<SourceEntry> sources;                                 ///< index = SourceId; 0 is nowhere
  llvm::DenseMap<const clang::Decl *, facts::FunctionId> functions; ///< by canonical declaration
  llvm::DenseMap<const clang::Decl *, facts::ClassId> classes;      ///< by definition
};

class Surroundings;

/// `surroundings`: the project's other files, where they may be asked what functions do that are only declared here.
Lowered lower(clang::ASTContext &context, const LoweringOptions &options, Surroundings *surroundings = nullptr);

} // namespace samedevice::clangfront
