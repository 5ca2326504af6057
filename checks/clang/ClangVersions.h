// What differs between the versions of Clang that the plugin is built for.
#pragma once

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Version.h"

namespace samedevice::clangfront {

#if CLANG_VERSION_MAJOR >= 18
constexpr auto kNonVirtualBase = clang::CXXConstructionKind::NonVirtualBase,
               kVirtualBase = clang::CXXConstructionKind::VirtualBase,
               kDelegating = clang::CXXConstructionKind::Delegating;
#else
constexpr auto kNonVirtualBase = clang::CXXConstructExpr::CK_NonVirtualBase,
               kVirtualBase = clang::CXXConstructExpr::CK_VirtualBase,
               kDelegating = clang::CXXConstructExpr::CK_Delegating;
#endif

inline bool isUnnamedBitField(const clang::FieldDecl *field) {
#if CLANG_VERSION_MAJOR >= 19
  return field->isUnnamedBitField();
#else
  return field->isUnnamedBitfield();
#endif
}

inline bool isInternal(const clang::NamedDecl *decl) {
#if CLANG_VERSION_MAJOR >= 18
  return decl->getFormalLinkage() == clang::Linkage::Internal;
#else
  return decl->getFormalLinkage() == clang::InternalLinkage;
#endif
}

} // namespace samedevice::clangfront
