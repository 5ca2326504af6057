// The guard line, before the first statement that needs it, and the header that declares it.
#include "Fixes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"

namespace samedevice::tidy {
using namespace clang;
using analysis::Fix;

namespace {

constexpr llvm::StringLiteral kHeader = "c10/cuda/CUDAGuard.h";

/// A name for the guard that nothing in the function has.
std::string freeName(const DeclContext *function) {
  for (const char *name : {"guard", "device_guard", "cuda_device_guard"}) {
    bool isTaken = false;
    for (const Decl *decl : function->decls())
      if (const auto *named = dyn_cast<NamedDecl>(decl))
        isTaken = isTaken || named->getDeclName().getAsString() == name;
    if (!isTaken)
      return name;
  }
  return {};
}

std::string guardFor(const ParmVarDecl *tensor) {
  const CXXRecordDecl *record = tensor->getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || tensor->getName().empty())
    return {};
  if (record->getName() == "Tensor")
    return "const c10::cuda::CUDAGuard {0}(" + tensor->getNameAsString() + ".device());";
  // The tensors of a list may be on several devices: one guard would not do.
  if (record->getName() == "optional")
    return "const c10::cuda::OptionalCUDAGuard {0}(at::device_of(" + tensor->getNameAsString() + "));";
  return {};
}

/// Where among the file's #include lines the header's own belongs; nothing where it is there already.
std::optional<FixItHint> includeIn(FileID file, const SourceManager &sources) {
  llvm::StringRef text = sources.getBufferData(file);
  if (text.contains(kHeader))
    return std::nullopt;
  std::size_t after = llvm::StringRef::npos;
  bool isAmongTorchs = false;
  for (std::size_t start = 0; start < text.size();) {
    std::size_t end = std::min(text.find('\n', start), text.size());
    llvm::StringRef line = text.slice(start, end).trim();
    if (line.consume_front("#") && line.ltrim().consume_front("include")) {
      llvm::StringRef name = line.drop_front(line.find_first_of("<\"") + 1);
      bool isTorchs = name.starts_with("c10/") || name.starts_with("ATen/") || name.starts_with("torch/");
      if (isTorchs || !isAmongTorchs)
        after = end;
      isAmongTorchs = isAmongTorchs || isTorchs;
    }
    start = end + 1;
  }
  if (after == llvm::StringRef::npos)
    return std::nullopt;
  return FixItHint::CreateInsertion(sources.getLocForStartOfFile(file).getLocWithOffset(static_cast<int>(after)),
                                    ("\n#include <" + kHeader + ">").str());
}

} // namespace

Fixes guardBefore(const Fix &fix, const SourceText &source, ASTContext &context) {
  const clangfront::SourceEntry *at = source.entry(fix.at), *subject = source.entry(fix.subject);
  const auto *tensor = subject ? dyn_cast_or_null<ParmVarDecl>(subject->decl) : nullptr;
  const auto *function = at ? dyn_cast_or_null<FunctionDecl>(at->function) : nullptr;
  if (!tensor || !function)
    return {};
  // A lambda's launch is the business of the function that the tensor was given to.
  const auto *owner = dyn_cast<FunctionDecl>(tensor->getDeclContext());
  const Stmt *before = owner ? source.outermostStatement(fix.at, owner) : nullptr;
  const SourceManager &sources = context.getSourceManager();
  std::string guard = guardFor(tensor), name = owner ? freeName(owner) : std::string();
  if (!before || guard.empty() || name.empty())
    return {};
  guard.replace(guard.find("{0}"), 3, name);
  SourceLocation place = sources.getExpansionLoc(before->getBeginLoc()); // AT_DISPATCH is a macro
  Fixes hints{lineBefore(place, guard, source)};
  if (std::optional<FixItHint> include = includeIn(sources.getFileID(place), sources))
    hints.push_back(*include);
  return hints;
}

} // namespace samedevice::tidy
