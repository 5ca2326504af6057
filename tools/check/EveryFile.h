// Which files Clang reads, those of the system among them, and which it looked for in vain.
#pragma once

#include "clang/Frontend/Utils.h"

#include <set>

namespace samedevice::check {

class EveryFile : public clang::DependencyCollector {
public:
  bool needSystemDependencies() override { return true; }
  bool sawDependency(llvm::StringRef, bool, bool, bool isModuleFile, bool isMissing) override {
    return !isModuleFile && !isMissing;
  }
  void attachToASTReader(clang::ASTReader &) override {} // what precompiled headers were made of is known
  void attachToPreprocessor(clang::Preprocessor &preprocessor) override;

  /// Where a header would be that was not there: once it is, the source says something else.
  const std::set<std::string> &missing() const { return missing_; }

private:
  std::set<std::string> missing_;
};

} // namespace samedevice::check
