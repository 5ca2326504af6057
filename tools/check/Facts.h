// The facts of sources, as objects: kept beside what was found in them, for the analysis of whole programs.
#pragma once

#include "Cache.h"

#include "analysis/Findings.h"

#include <map>

namespace samedevice::check {

/// What an analysis finds, by file, as something that can be compared with what another one finds there.
using Signs = std::map<std::string, std::string>;
Signs signsOf(const facts::Program &program, const analysis::Result &result);

class Facts {
public:
  /// Where there is no cache, they last as long as this.
  explicit Facts(const Cache &cache);
  ~Facts();
  Facts(const Facts &) = delete;
  Facts &operator=(const Facts &) = delete;

  static std::string entryName(llvm::StringRef key);
  bool has(llvm::StringRef key) const;
  /// Empty where there are none.
  std::string of(llvm::StringRef key) const;
  /// Of the source alone.
  Signs signsOf(llvm::StringRef key) const;
  /// The next source that this process analyses is this one.
  void recordAs(const std::string &key) const;

private:
  std::string temporary_; ///< folder
  Cache own_;
  const Cache &kept_;
};

} // namespace samedevice::check
