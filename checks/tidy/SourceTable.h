// Where facts come from and what their user calls things, written down: so that other files can tell of them when no
// AST of this one is left.
#pragma once

#include "../clang/Lowering.h"

namespace samedevice::tidy {

/// Fills the sources of `lowered.program`. The first of its files is the one that was compiled.
void describeSources(clang::ASTContext &context, clangfront::Lowered &lowered);

} // namespace samedevice::tidy
