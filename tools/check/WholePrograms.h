// What is found in sources once their programs are whole: many a mistake has its other half in another file.
#pragma once

#include "tidy/OtherUnits.h"

#include <string>
#include <vector>

namespace samedevice::check {

class WholePrograms {
public:
  /// Of each source its facts, as they were written; one without any takes part in nothing.
  explicit WholePrograms(std::vector<std::string> objects);

  /// Of all objects: as long as it is the same, so is everything below.
  const std::string &digest() const { return digest_; }

  /// What follows needs the facts themselves; where all of it is known from before, nobody does.
  void read();

  /// Those in which something else is found when their programs are looked at as wholes.
  std::vector<std::size_t> changed() const;

  /// From now on this process knows the facts of the others.
  void useAllBut(std::size_t index) const;

private:
  std::vector<std::string> objects_; ///< until they are read
  std::string digest_;
  std::vector<tidy::Unit> units_; ///< null where there are no facts
};

} // namespace samedevice::check
