// What is said about the checks in several places, and whether the places agree. The list of checks is
// checks/analysis/Checks.def; everything else follows it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace samedevice::docs {

struct Check {
  std::string name;
  std::string summary;
};

const std::vector<Check> &checks();

/// README.md with its table of checks as it should be.
std::string withTable(const std::string &readme);

std::string readFile(const std::filesystem::path &path);

/// Each way in which README, doc pages and fixtures below `root` disagree with the list.
std::vector<std::string> drift(const std::filesystem::path &root);

} // namespace samedevice::docs
