// samedevice-docs ROOT: writes what is generated in the documentation, and tells what only a person can mend.
#include "Docs.h"

#include <fstream>
#include <iostream>

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: samedevice-docs ROOT\n";
    return 2;
  }
  const std::filesystem::path root = argv[1];
  const std::string readme = samedevice::docs::withTable(samedevice::docs::readFile(root / "README.md"));
  std::ofstream(root / "README.md") << readme;
  const std::vector<std::string> left = samedevice::docs::drift(root);
  for (const std::string &line : left)
    std::cerr << line << "\n";
  return left.empty() ? 0 : 1;
}
