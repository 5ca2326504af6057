#include "Lowering.h"

#include "Errors.h"
#include "Unit.h"

#include "clang/AST/ASTContext.h"

namespace samedevice::clangfront {

Lowered lower(clang::ASTContext &context, const LoweringOptions &options, Surroundings *surroundings) {
  Lowered lowered;
  const std::shared_ptr<Errors> errors = Errors::find(context.getDiagnostics());
  Unit(context, options, lowered, surroundings, errors.get()).run();
  return lowered;
}

} // namespace samedevice::clangfront
