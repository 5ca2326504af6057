#include "KernelTable.h"

#include "KernelList.h"

#include <sstream>

namespace samedevice::runtime {

const KernelTable &KernelTable::get() {
  static const auto *table = new KernelTable;
  return *table;
}

KernelTable::KernelTable() {
  std::istringstream lines(kKernelList);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (name.empty() || name[0] == '#')
      continue;
    if (name == ">") {
      words >> prefix_;
      continue;
    }
    if (name == "!" || name == "=") {
      std::unordered_set<std::string> &marked = name == "!" ? ownBodies_ : structured_;
      words >> name;
      marked.insert(name);
      continue;
    }
    std::vector<std::string> &arguments = checked_[name];
    for (std::string argument; words >> argument;)
      arguments.push_back(argument);
  }
}

const std::vector<std::string> *KernelTable::checked(const std::string &kernel) const {
  const auto found = checked_.find(kernel);
  return found == checked_.end() ? nullptr : &found->second;
}

std::string KernelTable::wrapper(const std::string &kernel, bool isOut) const {
  const std::size_t dot = kernel.find('.');
  const std::string overload = dot == std::string::npos ? "" : kernel.substr(dot + 1);
  const std::string function = kernel.substr(0, dot) + (isOut ? "_out" : "");
  if (structured_.count(kernel))
    return prefix_ + function + (overload.empty() ? "" : "_" + overload);
  return prefix_ + overload + "_" + function;
}

} // namespace samedevice::runtime
