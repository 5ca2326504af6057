// Modules and optimizers of a witness, with the words PyTorch has for a module and an input that do not meet.
#include "NativeInterpreter.h"

#include <algorithm>
#include <set>

namespace samedevice::runtime {

namespace {

bool isContainer(const ModuleObject &module) {
  static const std::set<std::string> names = {"Sequential", "ModuleList", "ModuleDict", "AnyModule"};
  return module.isScript || names.count(module.name) != 0;
}

bool isRecurrent(const std::string &name) {
  static const std::set<std::string> names = {"RNN", "LSTM", "GRU"};
  return names.count(name) != 0;
}

bool isConvolution(const std::string &name) { return name.rfind("Conv", 0) == 0; }

const char *typeText(Device device) { return device.isCuda() ? "CUDAFloatType" : "CPUFloatType"; }

/// The argument and the wrapper that the check generated for the module's kernel names, where it has one.
struct GeneratedCheck {
  const char *argument;
  const char *wrapper;
  bool parameterFirst; ///< the parameter comes before the input in the kernel's arguments
};
const std::map<std::string, GeneratedCheck> kGenerated = {
    {"Linear", {"mat1", "wrapper_addmm", true}},
    {"Embedding", {"index", "wrapper__index_select", true}},
    {"BatchNorm1d", {"weight", "wrapper__native_batch_norm", false}},
    {"BatchNorm2d", {"weight", "wrapper__native_batch_norm", false}},
    {"BatchNorm3d", {"weight", "wrapper__native_batch_norm", false}},
    {"LayerNorm", {"weight", "wrapper__native_layer_norm", false}},
    {"GroupNorm", {"weight", "wrapper__native_group_norm", false}},
    {"LSTMCell", {"mat1", "wrapper_addmm", true}},
    {"GRUCell", {"mat1", "wrapper_addmm", true}},
    {"RNNCell", {"mat1", "wrapper_addmm", true}},
};

void failOnModule(const std::string &name, Device input, Device parameter) {
  if (isRecurrent(name))
    throw DeviceError("Input and parameter tensors are not at the same device, found input tensor at " + input.text() +
                      " and parameter tensor at " + parameter.text());
  if (isConvolution(name)) {
    if (input.isCuda() != parameter.isCuda())
      throw DeviceError(std::string("Input type (") + typeText(input) + ") and weight type (" + typeText(parameter) +
                        ") should be the same" +
                        (input.isCuda() ? "" : " or input should be a MKLDNN tensor and weight is a dense tensor"));
    failOnTwoDevices(input, parameter, "weight", "wrapper__cudnn_convolution");
  }
  const auto check = kGenerated.find(name);
  if (check == kGenerated.end())
    failOnTwoDevices(input.isCuda() ? input : parameter, input.isCuda() ? parameter : input);
  const auto &[argument, wrapper, parameterFirst] = check->second;
  failOnTwoDevices(parameterFirst ? parameter : input, parameterFirst ? input : parameter, argument, wrapper);
}

template <class Entries> auto findEntry(Entries &entries, const std::string &name) {
  return std::find_if(entries.begin(), entries.end(), [&](const auto &entry) { return entry.first == name; });
}

template <class Entries, class Entry> void setEntry(Entries &entries, const std::string &name, Entry entry) {
  const auto found = findEntry(entries, name);
  if (found == entries.end())
    entries.emplace_back(name, std::move(entry));
  else
    found->second = std::move(entry);
}

} // namespace

void NativeInterpreter::makeModule(const Step &step, bool isScript) {
  auto module = std::make_shared<ModuleObject>();
  module->name = isScript ? "script::Module" : step.name;
  module->isScript = isScript;
  const std::string &where = isScript && step.device.empty() ? step.kind : step.device;
  for (const std::string &name : isScript ? std::vector<std::string>{"weight"} : step.state)
    module->state.emplace_back(name, makeTensor(device(where), 2));
  define(step.id, module);
}

void NativeInterpreter::registerChild(const Step &step) {
  const ModuleValue &parent = get<ModuleValue>(step.of, "module");
  if (step.kind != "module")
    return setEntry(parent->state, step.name, get<TensorValue>(step.to, "tensor"));
  const ModuleValue &child = get<ModuleValue>(step.to, "module");
  const std::function<bool(const ModuleValue &)> holdsParent = [&](const ModuleValue &module) {
    return module == parent || std::any_of(module->children.begin(), module->children.end(),
                                           [&](const auto &entry) { return holdsParent(entry.second); });
  };
  if (holdsParent(child))
    throw Unsupported("a module cannot be its own child");
  setEntry(parent->children, step.name, child);
}

void NativeInterpreter::unregister(const Step &step) {
  const ModuleValue &parent = get<ModuleValue>(step.of, "module");
  if (const auto child = findEntry(parent->children, step.name); child != parent->children.end())
    parent->children.erase(child);
  else if (const auto own = findEntry(parent->state, step.name); own != parent->state.end())
    parent->state.erase(own);
  else
    throw Unsupported("nothing is registered as " + step.name);
}

void NativeInterpreter::findParameter(const Step &step) {
  const ModuleValue &module = get<ModuleValue>(step.of, "module");
  const auto found = findEntry(module->state, step.name);
  if (found == module->state.end())
    throw Unsupported("no tensor is registered as " + step.name);
  define(step.id, found->second);
}

void NativeInterpreter::moveInPlace(const TensorValue &tensor, Device device) {
  *tensor = TensorObject(*moved(tensor, device, false));
}

ModuleValue NativeInterpreter::cloned(const ModuleValue &module, std::optional<Device> device) {
  auto copy = std::make_shared<ModuleObject>();
  copy->name = module->name;
  copy->isScript = module->isScript;
  for (const auto &[name, tensor] : module->state) {
    TensorValue fresh = makeTensor(device.value_or(tensor->device), tensor->rank);
    copyInto(fresh, tensor, false);
    copy->state.emplace_back(name, std::move(fresh));
  }
  for (const auto &[name, child] : module->children)
    copy->children.emplace_back(name, cloned(child, device));
  return copy;
}

void NativeInterpreter::loadState(const Step &step) {
  const Device target = device(step.device.empty() ? step.kind : step.device);
  const Value &value = values_.at(step.of);
  if (const auto *tensor = std::get_if<TensorValue>(&value))
    return moveInPlace(*tensor, target);
  if (const auto *module = std::get_if<ModuleValue>(&value))
    return (*module)->eachTensor([&](const std::string &, const TensorValue &tensor) { moveInPlace(tensor, target); });
  const OptimizerValue &optimizer = get<OptimizerValue>(step.of, "module, tensor or optimizer");
  optimizer->state.clear();
  optimizer->loaded = target;
}

void NativeInterpreter::checkForward(const ModuleObject &module, const std::vector<TensorValue> &inputs) const {
  if (inputs.empty())
    return;
  const Device input = inputs.front()->device;
  for (const auto &[name, tensor] : module.state)
    if (tensor->device != input)
      failOnModule(module.name, input, tensor->device);
  for (const TensorValue &other : inputs) {
    if (other->device == input)
      continue;
    if (isRecurrent(module.name))
      throw DeviceError("Input and hidden tensors are not at the same device, found input tensor at " + input.text() +
                        " and hidden tensor at " + other->device.text());
    if (!module.state.empty() || other->rank > 0)
      failOnTwoDevices(input.isCuda() ? input : other->device, input.isCuda() ? other->device : input);
  }
  if (isContainer(module))
    for (const auto &[name, child] : module.children)
      checkForward(*child, inputs);
}

void NativeInterpreter::forward(const Step &step) {
  const ModuleValue &module = get<ModuleValue>(step.of, "module");
  std::vector<TensorValue> inputs;
  int rank = 0;
  for (const int id : step.ids) {
    inputs.push_back(get<TensorValue>(id, "tensor"));
    rank = std::max(rank, inputs.back()->rank);
  }
  try {
    checkForward(*module, inputs);
  } catch (const DeviceError &error) {
    throw StepFailure(error.what());
  }
  const Device where = inputs.empty() ? Device() : inputs.front()->device;
  for (const auto &[name, tensor] : module->state)
    inputs.push_back(tensor);
  define(step.id, computed(where, step.rank >= 0 ? step.rank : rank, inputs));
}

void NativeInterpreter::makeOptimizer(const Step &step) {
  auto optimizer = std::make_shared<OptimizerObject>();
  for (const int id : step.ids) {
    if (const auto *tensor = std::get_if<TensorValue>(&values_.at(id)))
      optimizer->parameters.push_back(*tensor);
    else
      get<ModuleValue>(id, "module or tensor")->eachTensor([&](const std::string &, const TensorValue &parameter) {
        optimizer->parameters.push_back(parameter);
      });
  }
  define(step.id, optimizer);
}

void NativeInterpreter::stepOptimizer(const Step &step) {
  const OptimizerValue &optimizer = get<OptimizerValue>(step.of, "optimizer");
  for (const TensorValue &parameter : optimizer->parameters) {
    const auto state = optimizer->state.emplace(parameter.get(), optimizer->loaded.value_or(parameter->device)).first;
    if (state->second != parameter->device)
      throw StepFailure("Expected all tensors to be on the same device, but found at least two devices, " +
                        (state->second.isCuda() ? state->second : parameter->device).text() + " and " +
                        (state->second.isCuda() ? parameter->device : state->second).text() + "!");
  }
  if (step.to == kNoValue)
    return;
  get<ModuleValue>(step.to, "module")->eachTensor([&](const std::string &name, const TensorValue &parameter) {
    const auto &held = optimizer->parameters;
    if (std::find(held.begin(), held.end(), parameter) == held.end())
      throw StepFailure("stale: the optimizer does not hold '" + name + "', which stays as it is");
  });
}

} // namespace samedevice::runtime
