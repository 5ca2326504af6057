// Facts of the program's other files, for analyses of one of them: the bodies of what that only declares.
#pragma once

#include "../facts/Program.h"

#include "llvm/ADT/StringRef.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace samedevice::tidy {

using Unit = std::shared_ptr<const facts::Program>;

/// What this process knows besides the file at hand.
struct OtherUnits {
  std::vector<Unit> units;
  /// Is given the facts of each file that is analysed, sources included; it may be none.
  std::function<void(const facts::Program &)> record;

  static OtherUnits &ofThisProcess();
};

/// The objects below a folder, as far as the files that they tell of are not newer than they are. Read once.
const std::vector<Unit> &unitsIn(const std::string &folder);

/// Where such a folder is: in SAMEDEVICE_FACTS, else where the option DeviceFacts says.
std::string factsFolder(llvm::StringRef option);

} // namespace samedevice::tidy
