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
  /// So many findings know what would be right.
  void setFixable(size_t count);
  void setFixes(size_t count, size_t refused, bool isDryRun);
  void setVerdicts(const std::vector<Finding> &findings);
  void setBaseline(llvm::StringRef file, size_t known, std::vector<std::string> stale);

  /// What another run came to.
  void add(const Summary &other);

  void print(llvm::raw_ostream &out) const;
  bool wasAnalyzed(llvm::StringRef file) const { return analyzed_.count(file.str()); }
  bool isIncomplete() const { return !notAnalyzed_.empty() || !errors_.empty() || !missingHeaders_.empty(); }

  friend llvm::json::Value toJSON(const Summary &summary);
  friend bool fromJSON(const llvm::json::Value &value, Summary &summary, llvm::json::Path path);

private:
  size_t findings_ = 0;
  std::string fixes_, verdicts_;
  size_t known_ = 0; ///< left alone, by ...
  std::string baseline_;
  std::set<std::string> stale_;
  std::set<std::string> analyzed_;
  size_t unchanged_ = 0;
  std::map<std::string, std::string> notAnalyzed_;              ///< file to reason
  std::map<std::string, std::set<std::string>> missingHeaders_; ///< to the files that include them
  std::map<std::string, Note> errors_;                          ///< the first of a file
  std::set<Note> givenUp_;
  std::set<std::string> silenced_;
};

} // namespace samedevice::check
