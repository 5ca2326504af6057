// A finding as a program: a straight line of steps with every device made concrete, at the end of which it fails.
// docs/witness-format.md says what the steps mean; checks/tidy writes them down.
#pragma once

#include "../facts/Program.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace samedevice::analysis {

struct Step {
  struct Argument {
    std::string name;
    std::vector<int> ids;
    bool isList = false;
  };
  using Member =
      std::variant<bool, int, std::string, std::vector<int>, std::vector<std::string>, std::vector<Argument>>;

  std::string action;
  facts::SourceId at = 0;
  std::vector<std::pair<std::string, Member>> members; ///< by the format's names
  bool fails = false;

  Step &with(std::string name, Member value) {
    members.emplace_back(std::move(name), std::move(value));
    return *this;
  }
};

struct Witness {
  std::vector<Step> steps;
  std::vector<Step> fixedSteps; ///< the same with the finding's fix; none: there is no fix
  int devices = 1;              ///< how many GPUs it takes
  std::string unsupported;      ///< why there are no steps
};

} // namespace samedevice::analysis
