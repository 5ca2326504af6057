#pragma once

#include <torch/extension.h>

#include <functional>
#include <map>
#include <string>

// Activations by name; the files that have them enter them here when they are loaded.
using Activation = std::function<void(const torch::Tensor &, torch::Tensor &)>;

std::map<std::string, Activation> &activations();

struct ActivationEntry {
  ActivationEntry(const std::string &name, Activation function);
};
