// What differs between the versions of Clang that the plugin is built for.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Version.h"
#if CLANG_VERSION_MAJOR >= 23
#include "clang/UnifiedSymbolResolution/USRGeneration.h"
#else
#include "clang/Index/USRGeneration.h"
#endif

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

inline clang::QualType recordType(const clang::RecordDecl *record) {
#if CLANG_VERSION_MAJOR >= 22
  return record->getASTContext().getCanonicalTagType(record);
#else
  return record->getASTContext().getRecordType(record);
#endif
}

} // namespace samedevice::clangfront
