#pragma once

#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Serialization/ASTReader.h"

namespace samedevice {

using Deferred = llvm::SmallSetVector<clang::GlobalDeclID, 4>;
Deferred &deferredDiagnostics(clang::ASTReader &reader);
/// The reader has no door to them. An explicit instantiation may name what is private.
template <Deferred clang::ASTReader::*Member> struct DoorTo {
  friend Deferred &deferredDiagnostics(clang::ASTReader &reader) { return reader.*Member; }
};
template struct DoorTo<&clang::ASTReader::DeclsToCheckForDeferredDiags>;

/// Bodies of the headers' templates, and virtual tables, that clang would make for a fixture: nobody looks into them,
/// and they would take most of the time. Those that may call a template of the fixture's own stay, a generic lambda for
/// one.
class HeaderWorkForgotten : public clang::PPCallbacks {
public:
  explicit HeaderWorkForgotten(clang::Preprocessor &preprocessor) : preprocessor_(preprocessor) {
    // Clang gets to its pending instantiations when it has seen the end of the file.
    preprocessor_.setTokenWatcher([this](const clang::Token &token) {
      if (token.is(clang::tok::eof))
        forgetInstantiations();
    });
  }

  /// What the precompiled header left over; the first class in a fixture may ask for it already.
  void FileChanged(clang::SourceLocation, FileChangeReason, clang::SrcMgr::CharacteristicKind, clang::FileID) override {
    clang::ASTReader *header = reader();
    if (!header)
      return;
    llvm::SmallVector<std::pair<clang::ValueDecl *, clang::SourceLocation>> instantiations;
    header->ReadPendingInstantiations(instantiations);
    llvm::SmallVector<clang::ExternalVTableUse> tables;
    header->ReadUsedVTables(tables);
    // The functions of CUDA's headers, which Clang would all load to ask them for what only devices forbid.
    deferredDiagnostics(*header).clear();
  }

private:
  clang::ASTReader *reader() const { return static_cast<clang::ASTReader *>(preprocessor_.getExternalSource()); }

  void forgetInstantiations() {
    if (!reader() || !reader()->getSema())
      return;
    const clang::SourceManager &sources = preprocessor_.getSourceManager();
    std::erase_if(reader()->getSema()->PendingInstantiations, [&](const auto &pending) {
      const auto *function = llvm::dyn_cast<clang::FunctionDecl>(pending.first);
      return function && sources.isInSystemHeader(sources.getExpansionLoc(function->getLocation())) &&
             !mayCallOwnTemplate(*function);
    });
  }

  static bool mayCallOwnTemplate(const clang::FunctionDecl &function) {
    const clang::TemplateArgumentList *arguments = function.getTemplateSpecializationArgs();
    if (arguments && llvm::any_of(arguments->asArray(), namesOwnTemplate))
      return true;
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    return method && isOwnTemplate(*method->getParent());
  }

  static bool namesOwnTemplate(const clang::TemplateArgument &argument) {
    if (argument.getKind() == clang::TemplateArgument::Pack)
      return llvm::any_of(argument.pack_elements(), namesOwnTemplate);
    if (argument.getKind() != clang::TemplateArgument::Type)
      return false;
    const clang::CXXRecordDecl *record = argument.getAsType().getNonReferenceType()->getAsCXXRecordDecl();
    return record && isOwnTemplate(*record);
  }

  /// A class of the fixture's with a template in it, or a local one, whose uses clang wants to see defined; or a
  /// header's class made of one.
  static bool isOwnTemplate(const clang::CXXRecordDecl &record) {
    if (const auto *made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record))
      return llvm::any_of(made->getTemplateArgs().asArray(), namesOwnTemplate);
    return !record.isFromASTFile() &&
           (record.isLambda() || record.isLocalClass() || !record.hasExternalFormalLinkage() ||
            llvm::any_of(record.decls(), [](const clang::Decl *decl) { return decl->isTemplated(); }));
  }

  clang::Preprocessor &preprocessor_;
};

} // namespace samedevice
