// The edits that findings ask for, where one is right; none where it is not.
#pragma once

#include "SourceText.h"

#include "clang/Basic/Diagnostic.h"

namespace samedevice::tidy {

std::vector<clang::FixItHint> fixesFor(const analysis::Finding &finding, const SourceText &source,
                                       clang::ASTContext &context);

} // namespace samedevice::tidy
