// What differs between the versions of Clang that the plugin is built for.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/Basic/Version.h"

namespace samedevice::clangfront {

inline bool isInternal(const clang::NamedDecl *decl) {
#if CLANG_VERSION_MAJOR >= 18
  return decl->getFormalLinkage() == clang::Linkage::Internal;
#else
  return decl->getFormalLinkage() == clang::InternalLinkage;
#endif
}

} // namespace samedevice::clangfront
