// Which files Clang reads, those of the system among them.
#pragma once

#include "clang/Frontend/Utils.h"

namespace samedevice::check {

class EveryFile : public clang::DependencyCollector {
public:
  bool needSystemDependencies() override { return true; }
  bool sawDependency(llvm::StringRef, bool, bool, bool isModuleFile, bool isMissing) override {
    return !isModuleFile && !isMissing;
  }
  void attachToASTReader(clang::ASTReader &) override {} // what precompiled headers were made of is known
};

} // namespace samedevice::check
