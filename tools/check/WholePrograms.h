// What is found in sources once their programs are whole: many a mistake has its other half in another file.
#pragma once

#include "tidy/OtherUnits.h"

#include <string>
#include <vector>

namespace samedevice::check {

class WholePrograms {
public:
  /// Facts of a source, as they were written; without any it takes part in nothing.
  void add(const std::string &object);

  /// Of all objects: as long as it is the same, so is everything below.
  std::string digest() const;

  /// Those in which something else is found when their programs are looked at as wholes.
  std::vector<std::size_t> changed() const;

  /// From now on this process knows the facts of the others.
  void useAllBut(std::size_t index) const;

private:
  std::vector<std::string> objects_;
  std::vector<tidy::Unit> units_; ///< null where there are no facts
};

} // namespace samedevice::check
