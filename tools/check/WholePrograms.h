// What is found in sources once their programs are whole: many a mistake has its other half in another file.
#pragma once

#include "Facts.h"
#include "Products.h"
#include "Results.h"

#include "tidy/OtherUnits.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace samedevice::check {

/// A source whose facts there are.
struct Unit {
  std::reference_wrapper<const Source> source;
  const clang::tidy::ClangTidyOptions *options;
  std::string key;  ///< of its facts, and of what was found in it alone
  Outcome *outcome; ///< what was found in it; nullptr where nobody asks for that
};

class WholePrograms {
public:
  WholePrograms(std::vector<Unit> units, const std::string &buildDirectory, const Cache &cache, Results &results,
                const Facts &facts, PrecompiledHeaders &headers);

  /// Where a program shows something else in a source than that shows alone, the outcome becomes what it shows.
  /// Returns what went wrong, a line each.
  std::vector<std::string> run(unsigned width);

  /// For clang-tidy and editors, which look at one source: what else there is of its programs. `begin`: before
  /// anything of it was read.
  void leaveBehind(std::chrono::system_clock::time_point begin) const;

private:
  struct Program {
    std::vector<size_t> units;
    std::string key;
    std::vector<size_t> changed;   ///< of its units, those that show something else in it
    std::vector<Outcome> outcomes; ///< of those among them that are asked for
    bool isKnown = false;
  };

  void findPrograms();
  void read();
  bool find(Program &program);
  std::string lookAt(const Program &program, unsigned width);
  std::string resultKeyOf(size_t unit, const Program &program) const;
  bool isAsked(size_t unit) const { return units_[unit].outcome != nullptr; }
  void take();

  std::vector<Unit> units_;
  std::vector<std::string> objects_; ///< the facts of each, as they were written
  std::vector<tidy::Unit> read_;     ///< and read; null where there are none
  std::vector<facts::Product> products_;
  std::vector<Program> programs_;
  const Cache &cache_;
  Results &results_;
  const Facts &facts_;
  PrecompiledHeaders &headers_;
};

} // namespace samedevice::check
