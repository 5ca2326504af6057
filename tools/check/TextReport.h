// Findings as a compiler prints them.
#pragma once

#include "Finding.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace samedevice::check {

class TextReport {
public:
  TextReport(llvm::raw_ostream &out, bool hasColors);

  void print(const Finding &finding);

private:
  void print(const Place &at, const std::string &kind, const std::string &text, llvm::ArrayRef<Span> spans);
  std::string lineOf(const Place &at);

  llvm::raw_ostream &out_;
  bool hasColors_;
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> texts_;
};

/// As short as it can be said from here.
std::string shownPath(llvm::StringRef file);

} // namespace samedevice::check
