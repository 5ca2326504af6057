#pragma once

#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Serialization/ASTReader.h"

namespace samedevice {

/// Templates and virtual tables that precompiled headers leave to the end of the translation unit: nobody looks into
/// them in a fixture, and they would take most of the time. The first class in a fixture may ask for them already.
class HeaderWorkForgotten : public clang::PPCallbacks {
public:
  explicit HeaderWorkForgotten(clang::Preprocessor &preprocessor) : preprocessor_(preprocessor) {}

  void FileChanged(clang::SourceLocation, FileChangeReason, clang::SrcMgr::CharacteristicKind, clang::FileID) override {
    if (!preprocessor_.getExternalSource())
      return;
    auto &header = static_cast<clang::ASTReader &>(*preprocessor_.getExternalSource());
    llvm::SmallVector<std::pair<clang::ValueDecl *, clang::SourceLocation>> instantiations;
    header.ReadPendingInstantiations(instantiations);
    llvm::SmallVector<clang::ExternalVTableUse> tables;
    header.ReadUsedVTables(tables);
  }

private:
  clang::Preprocessor &preprocessor_;
};

} // namespace samedevice
