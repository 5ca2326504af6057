// What a run comes to: how much was analysed, what was not and why.
#pragma once

#include "Finding.h"
#include "Source.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>

namespace samedevice::check {

class Summary {
public:
  void add(const Source &source, const Outcome &outcome);
  /// One whose outcome was known from before.
  void addUnchanged() { ++unchanged_; }
  void addNotAnalyzed(llvm::StringRef file, llvm::StringRef why);
  void addSilenced(llvm::StringRef file) { silenced_.insert(file.str()); }
  void setFindings(size_t count) { findings_ = count; }

  void print(llvm::raw_ostream &out) const;
  int exitStatus() const;

private:
  size_t findings_ = 0;
  size_t analyzed_ = 0;
  size_t unchanged_ = 0;
  std::map<std::string, std::string> notAnalyzed_;              ///< file to reason
  std::map<std::string, std::set<std::string>> missingHeaders_; ///< to the files that include them
  std::map<std::string, Note> errors_;                          ///< the first of a file
  std::set<Note> givenUp_;
  std::set<std::string> silenced_;
};

} // namespace samedevice::check
