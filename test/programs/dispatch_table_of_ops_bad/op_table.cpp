#include "op_table.h"

#include <utility>

std::map<std::string, Activation> &activations() {
  static std::map<std::string, Activation> table;
  return table;
}

ActivationEntry::ActivationEntry(const std::string &name, Activation function) {
  activations().emplace(name, std::move(function));
}
