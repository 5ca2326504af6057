// Which libtorch the headers that a file has seen belong to.
#pragma once

#include "../facts/Program.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace samedevice::clangfront {

/// As the folder says that `at::Tensor` comes from, so that it is known as well where nobody includes torch/version.h
/// and where headers are precompiled; 0 where it does not say.
facts::TorchVersion torchVersion(const clang::ASTContext &context);

} // namespace samedevice::clangfront
