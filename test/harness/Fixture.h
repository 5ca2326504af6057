// A fixture and what its comments promise.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace samedevice::harness {

struct Expectation {
  int line = 0;
  std::string check;     ///< empty: a note
  std::string substring; ///< of the message; empty: any
};

struct Fixture {
  std::filesystem::path path;
  std::string check; ///< the folder it is in
  std::string name;  ///< the file's name without its extension
  std::vector<Expectation> warnings, notes;
  std::vector<int> unfixed; ///< lines with a warning that no fix-it may come with
  /// Its name says that it is known to come out wrong (FP_, FN_).
  bool isKnownLimit = false;
  /// It includes what only a CUDA toolkit has.
  bool needsCuda = false;

  /// What is wrong with the fixture itself; empty if nothing is.
  std::string complaint() const;
};

Fixture readFixture(const std::filesystem::path &path);

/// Every fixture below `root`, by the name of its folder.
std::map<std::string, std::vector<Fixture>> readFixtures(const std::filesystem::path &root);

bool isFixture(const std::filesystem::path &path);

} // namespace samedevice::harness
