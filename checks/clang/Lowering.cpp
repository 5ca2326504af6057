#include "Lowering.h"

#include "Errors.h"
#include "Unit.h"

#include "clang/AST/ASTContext.h"

namespace samedevice::clangfront {

Lowered lower(clang::ASTContext &context, const LoweringOptions &options, Surroundings *surroundings) {
  Lowered lowered;
  const std::shared_ptr<Errors> errors = Errors::find(context.getDiagnostics());
  llvm::ArrayRef<clang::SourceLocation> places;
  if (errors)
    places = errors->places();
  Unit(context, options, lowered, surroundings, places).run();
  return lowered;
}

} // namespace samedevice::clangfront
