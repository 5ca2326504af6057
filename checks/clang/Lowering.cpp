#include "Lowering.h"

#include "Unit.h"

namespace samedevice::clangfront {

Lowered lower(clang::ASTContext &context, const LoweringOptions &options, Surroundings *surroundings) {
  Lowered lowered;
  Unit(context, options, lowered, surroundings).run();
  return lowered;
}

} // namespace samedevice::clangfront
