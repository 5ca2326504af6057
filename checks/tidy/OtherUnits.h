// Facts of the program's other files, for analyses of one of them: the bodies of what that only declares.
#pragma once

#include "../analysis/Findings.h"

#include "llvm/ADT/StringRef.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace samedevice::tidy {

using Unit = std::shared_ptr<const facts::Program>;

/// A program that the file at hand is part of, and that was looked at before.
struct Whole {
  const facts::Program *program = nullptr;
  const analysis::Result *result = nullptr; ///< with witnesses
  facts::SourceId sourcesBefore = 0;        ///< of files that come before this one
  std::string object;                       ///< the facts of this one, as they were written
};

/// What this process knows besides the file at hand.
struct OtherUnits {
  std::vector<Unit> units; ///< files that are linked with each that is analysed
  std::optional<Whole> whole;
  /// Is given the facts of each file that is analysed, sources included, and what was found in it; it may be none.
  std::function<void(const facts::Program &, const analysis::Result &)> record;
  /// In an editor, which analyses its files again and again: what was seen of each last takes the place of its object.
  bool remembersFiles = false;

  void remember(const facts::Program &own);
  std::vector<Unit> asRemembered(std::vector<Unit> onDisk) const;

  static OtherUnits &ofThisProcess();

private:
  std::map<std::string, Unit> remembered_; ///< by their main files
};

/// The objects below a folder, as far as the files that they tell of are not newer than they are. Those that have not
/// changed are not read again.
std::vector<Unit> unitsIn(const std::string &folder);

/// Where such a folder is: in SAMEDEVICE_FACTS, else where the option DeviceFacts says.
std::string factsFolder(llvm::StringRef option);

} // namespace samedevice::tidy
