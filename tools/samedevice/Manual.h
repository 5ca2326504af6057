// The command line, written down for people and for their shells.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace samedevice {

struct Choice {
  std::string value, about;
};

struct Described {
  std::string name; ///< without dashes
  std::string about;
  std::string value; ///< what is behind it: "file", "commit"; empty: nothing
  bool needsValue = true;
  std::vector<Choice> choices;

  std::string dashed() const { return (name.size() == 1 ? "-" : "--") + name; }
  bool takesFolder() const { return value == "directory" || value == "folder"; }
};

struct DescribedCommand {
  std::string name, about;
  std::string positional; ///< "[PATHS...]"
  std::vector<Described> options;
};

/// Of Options.h, by name.
std::vector<DescribedCommand> describedCommands();

void printManPage(const std::vector<DescribedCommand> &commands, llvm::raw_ostream &out);
void printBashCompletion(const std::vector<DescribedCommand> &commands, llvm::raw_ostream &out);
void printZshCompletion(const std::vector<DescribedCommand> &commands, llvm::raw_ostream &out);
void printFishCompletion(const std::vector<DescribedCommand> &commands, llvm::raw_ostream &out);

} // namespace samedevice
