// PyTorch's current stream for a launch, or for the call of a launcher that leaves its stream to its default.
#include "../clang/Types.h"
#include "FixParts.h"
#include "Fixes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

namespace samedevice::tidy {
using namespace clang;
using analysis::Fix;

namespace {

constexpr llvm::StringLiteral kStream = "at::cuda::getCurrentCUDAStream()", kHeader = "ATen/cuda/CUDAContext.h";

/// Which argument is the stream; -1 where none is, or several are.
int streamAmong(const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  int found = -1;
  for (unsigned n = 0; callee && n < callee->getNumParams() && n < call->getNumArgs(); ++n)
    if (clangfront::Types::isCudaStream(callee->getParamDecl(n)->getType())) {
      if (found >= 0)
        return -1;
      found = static_cast<int>(n);
    }
  return found;
}

} // namespace

Fixes currentStream(const Fix &fix, const SourceText &source, ASTContext &context) {
  const Expr *at = source.expression(fix.at);
  const auto *launch = dyn_cast_or_null<CUDAKernelCallExpr>(at ? at->IgnoreImplicit() : nullptr);
  const auto *call = launch ? launch->getConfig() : dyn_cast_or_null<CallExpr>(at ? at->IgnoreImplicit() : nullptr);
  if (!call || isa<CXXOperatorCallExpr>(call))
    return {};
  const int stream = launch && call->getNumArgs() > 3 ? 3 : launch ? -1 : streamAmong(call);
  if (stream <= 0)
    return {};
  auto isLeftOut = [&](int n) { return isa<CXXDefaultArgExpr>(call->getArg(static_cast<unsigned>(n))); };
  std::string text = kStream.str();
  int last = stream; // the last one that is written
  while (last >= 0 && isLeftOut(last))
    --last;
  if (last < 0 || (last < stream - 1 && !(launch && last == 1)))
    return {};
  const CharSourceRange written = asInFile(call->getArg(static_cast<unsigned>(last)), context);
  if (written.isInvalid())
    return {};
  const SourceManager &sources = context.getSourceManager();
  Fixes hints;
  if (last == stream)
    hints.push_back(FixItHint::CreateReplacement(written, text));
  else
    hints.push_back(FixItHint::CreateInsertion(written.getEnd(), (last < stream - 1 ? ", 0, " : ", ") + text));
  if (std::optional<FixItHint> include = includeIn(sources.getFileID(written.getBegin()), kHeader, sources))
    hints.push_back(*include);
  return hints;
}

} // namespace samedevice::tidy
