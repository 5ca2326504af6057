// What Clang does for the headers of libraries, and nobody looks at, is left undone: their functions' bodies, the
// instantiations of their templates, their virtual tables.
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace samedevice::check {

/// Beside the consumer that looks at the user's own code.
std::unique_ptr<clang::ASTConsumer> ownCodeOnly(clang::CompilerInstance &compiler,
                                                std::unique_ptr<clang::ASTConsumer> consumer);

/// Beside one that writes down headers of libraries alone.
std::unique_ptr<clang::ASTConsumer> librariesOnly(clang::CompilerInstance &compiler,
                                                  std::unique_ptr<clang::ASTConsumer> consumer);

} // namespace samedevice::check
