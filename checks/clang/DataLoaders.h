// Data loaders: what their batches are, and whether those are still on the host.
#pragma once

#include "FactWriter.h"

namespace samedevice::clangfront {

class DataLoaders {
public:
  DataLoaders(Unit &unit, FactWriter &facts) : unit_(unit), facts_(facts) {}

  /// A loader, or an iterator over one, whose batches are on the CPU.
  bool has(facts::Slot slot) const { return known_.count(slot) != 0; }
  void add(facts::Slot slot) { known_.insert(slot); }
  bool staysOnHost(clang::QualType loader) const;
  /// What such a loader gives.
  facts::Slot batch(const clang::Stmt *at, clang::QualType type);

private:
  bool movesExamples(const clang::CXXRecordDecl *record) const;
  bool isOwnExample(const clang::CXXRecordDecl *record) const;
  bool namesDevice(const clang::Expr *expr) const;

  Unit &unit_;
  FactWriter &facts_;
  llvm::DenseSet<facts::Slot> known_;
};

} // namespace samedevice::clangfront
