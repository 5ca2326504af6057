#include "MissingGuardCheck.h"

#include "Words.h"

#include "clang/AST/ExprCXX.h"

namespace samedevice::tidy {

std::string MissingGuardCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  // A launch may be told of at the call of what launches: a library's, or a launcher's.
  const bool isLaunch = llvm::isa_and_nonnull<clang::CUDAKernelCallExpr>(source.expression(finding.at));
  const std::string what = finding.variant == "stream"   ? "this stream is one of"
                           : finding.variant != "launch" ? "this memory is allocated on"
                           : isLaunch                    ? "this kernel is launched on"
                                                         : "kernels are launched here on";
  return what + " the current GPU, which need not be the one that " +
         quoted(source.name(finding.subject), "its tensor") + " is on: no device guard is in force here";
}

std::string MissingGuardCheck::note(const analysis::Note &note, const analysis::Finding &finding,
                                    const SourceText &source) const {
  if (note.kind == analysis::Event::Guarded)
    return note.at > finding.at ? "this guard comes too late" : "this guard is gone by then";
  if (note.kind == analysis::Event::Kept)
    return "so it is here";
  return DeviceCheck::note(note, finding, source);
}

} // namespace samedevice::tidy
