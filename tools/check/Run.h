// Many sources, analysed at the same time; what was found in them, each thing once.
#pragma once

#include "Children.h"
#include "Configuration.h"
#include "Facts.h"
#include "Results.h"
#include "Sources.h"
#include "Summary.h"
#include "WholePrograms.h"

#include <chrono>

namespace samedevice::check {

class Run {
public:
  Run(const Sources &sources, const std::string &checks, const std::string &cache, uint64_t cacheBytes);

  /// `jobs` processes; 0: one for each processor. `isEachAlone`: whatever the other sources know.
  void analyze(unsigned jobs, bool isEachAlone);

  std::vector<Finding> takeFindings();
  Summary &summary() { return summary_; }
  std::string formatStyleOf(const std::string &file);

private:
  struct Work {
    std::reference_wrapper<const Source> source;
    clang::tidy::ClangTidyOptions options;
    std::string key; ///< of its result
    std::optional<Outcome> outcome;
  };

  using Works = std::vector<Work *>;

  void prepare();
  Works analyze(const Works &works, unsigned width, PrecompiledHeaders *headers);
  void lookAtWholePrograms(unsigned width);
  void take(const Work &work, Outcome outcome);
  bool isWanted(llvm::StringRef file, const Work &work) const;
  static void showProgress(size_t done, size_t all, size_t found);
  void note(const Outcome &outcome);

  std::chrono::system_clock::time_point begin_ = std::chrono::system_clock::now();
  const Sources &sources_;
  Configuration configuration_;
  Cache cache_;
  uint64_t cacheBytes_;
  Disk disk_;
  PrecompiledHeaders headers_;
  Results results_;
  Facts facts_;
  std::vector<Work> work_;
  std::vector<Finding> findings_;
  Summary summary_;
  std::string lost_; ///< why not all could be kept
};

} // namespace samedevice::check
