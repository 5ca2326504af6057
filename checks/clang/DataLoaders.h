// Data loaders: what their batches are, and whether those are still on the host.
#pragma once

#include "FactWriter.h"

namespace samedevice::clangfront {

class DataLoaders {
public:
  DataLoaders(Unit &unit, FactWriter &facts) : unit_(unit), facts_(facts) {}

  /// A loader, or an iterator over one, whose batches are known.
  bool has(facts::Slot slot) const { return known_.count(slot) != 0; }
  /// `set` makes them; without one they are on the CPU.
  void add(facts::Slot slot, clang::QualType set) { known_[slot] = set; }
  clang::QualType setOf(facts::Slot slot) const { return known_.lookup(slot); }
  bool staysOnHost(clang::QualType loader) const;
  /// What one gives that stays on the CPU.
  facts::Slot batch(const clang::Stmt *at, clang::QualType type);

private:
  bool movesExamples(const clang::CXXRecordDecl *record) const;
  bool isOwnExample(const clang::CXXRecordDecl *record) const;
  bool namesDevice(const clang::Expr *expr) const;

  Unit &unit_;
  FactWriter &facts_;
  llvm::DenseMap<facts::Slot, clang::QualType> known_;
};

} // namespace samedevice::clangfront
