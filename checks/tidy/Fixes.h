// The edits that findings ask for, where one is right; none where it is not.
#pragma once

#include "FixParts.h"

namespace samedevice::tidy {

Fixes fixesFor(const analysis::Finding &finding, const SourceText &source, clang::ASTContext &context);

/// GuardFix.cpp
Fixes guardBefore(const analysis::Fix &fix, const SourceText &source, clang::ASTContext &context);

/// A guard that comes too late goes up; one that ended with its block, or at once, is made to hold.
Fixes moveGuard(const analysis::Fix &fix, const SourceText &source, clang::ASTContext &context);

/// A launch, or the call of a launcher, is given PyTorch's current stream (StreamFix.cpp).
Fixes currentStream(const analysis::Fix &fix, const SourceText &source, clang::ASTContext &context);

} // namespace samedevice::tidy
