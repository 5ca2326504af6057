// Findings as a compiler prints them.
#pragma once

#include "SourceLines.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace samedevice::check {

class TextReport {
public:
  TextReport(llvm::raw_ostream &out, bool hasColors);

  void print(const Finding &finding);

private:
  void print(const Place &at, const std::string &kind, const std::string &text, llvm::ArrayRef<Span> spans);

  llvm::raw_ostream &out_;
  bool hasColors_;
  SourceLines lines_;
};

/// As short as it can be said from here.
std::string shownPath(llvm::StringRef file);

} // namespace samedevice::check
