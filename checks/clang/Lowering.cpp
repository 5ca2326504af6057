#include "Lowering.h"

#include "Unit.h"

namespace samedevice::clangfront {

Lowered lower(clang::ASTContext &context, const LoweringOptions &options) {
  Lowered lowered;
  Unit(context, options, lowered).run();
  return lowered;
}

} // namespace samedevice::clangfront
