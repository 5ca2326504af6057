// Tensors, memory and devices; modules are in NativeModules.cpp.
#include "NativeInterpreter.h"

#include "facts/Rules.h"

#include <algorithm>

namespace samedevice::runtime {

Device NativeInterpreter::device(const std::string &text) const {
  if (text.empty() || text == "cpu")
    return {};
  const Device device{text == "cuda" ? backend_.currentDevice() : std::stoi(text.substr(5))};
  if (device.index >= backend_.deviceCount())
    throw StepFailure("CUDA error: invalid device ordinal");
  return device;
}

template <class T> const T &NativeInterpreter::get(int id, const char *what) const {
  const T *value = std::get_if<T>(&values_.at(id));
  if (!value)
    throw Unsupported("value " + std::to_string(id) + " is no " + what);
  return *value;
}

template const ModuleValue &NativeInterpreter::get<ModuleValue>(int, const char *) const;
template const TensorValue &NativeInterpreter::get<TensorValue>(int, const char *) const;
template const OptimizerValue &NativeInterpreter::get<OptimizerValue>(int, const char *) const;

void NativeInterpreter::define(int id, Value value) {
  if (id != kNoValue)
    values_[id] = std::move(value);
}

TensorValue NativeInterpreter::makeTensor(Device device, int rank, bool pinned) {
  if (pinned && device.isCuda())
    throw StepFailure("Only dense CPU tensors can be pinned");
  auto tensor = std::make_shared<TensorObject>();
  tensor->device = device;
  tensor->rank = rank;
  tensor->storage = memory_.make(device.isCuda() ? Memory::Device
                                 : pinned        ? Memory::Pinned
                                                 : Memory::Unregistered,
                                 device);
  return tensor;
}

TensorValue NativeInterpreter::moved(const TensorValue &tensor, Device device, bool nonBlocking) {
  if (tensor->device == device)
    return tensor;
  // PyTorch takes pinned memory for the result of an asynchronous copy.
  TensorValue result = makeTensor(device, tensor->rank, nonBlocking && !device.isCuda());
  copyInto(result, tensor, nonBlocking);
  return result;
}

void NativeInterpreter::copyInto(const TensorValue &to, const TensorValue &from, bool nonBlocking) {
  if (to->device.isCuda() || from->device.isCuda()) {
    memory_.copy(to->storage, from->storage, CopyKind::Default, nonBlocking);
  } else {
    memory_.touchOnHost(from->storage, false);
    memory_.touchOnHost(to->storage, true);
  }
}

TensorValue NativeInterpreter::computed(Device device, int rank, const std::vector<TensorValue> &inputs) {
  TensorValue result = makeTensor(device, rank);
  std::vector<std::shared_ptr<Storage>> storages;
  for (const TensorValue &input : inputs)
    if (input->device == device)
      storages.push_back(input->storage);
  if (device.isCuda())
    memory_.compute(device, *result->storage, storages);
  else
    for (const auto &storage : storages)
      memory_.touchOnHost(storage, false);
  return result;
}

void NativeInterpreter::runOperator(const Step &step) {
  std::vector<Operand> operands;
  std::vector<TensorValue> inputs;
  std::vector<std::string_view> names;
  int rank = 0;
  for (const NamedValue &argument : step.arguments) {
    names.push_back(argument.name);
    for (const int id : argument.ids) {
      const TensorValue &tensor = get<TensorValue>(id, "tensor");
      inputs.push_back(tensor);
      operands.push_back({argument.name, tensor->device, tensor->rank});
      rank = std::max(rank, tensor->rank);
    }
  }
  const facts::OperatorRule *rule = facts::findRule(step.name, step.method, names, step.torch);
  if (!rule)
    throw Unsupported("there is no operator " + step.name);
  try {
    checkDevices(*rule, operands);
  } catch (const DeviceError &error) {
    throw StepFailure(error.what());
  }
  TensorValue result = computed(resultDevice(*rule, operands), step.rank >= 0 ? step.rank : rank, inputs);
  const bool inPlace = rule->kind == facts::OperatorKind::InPlace && !inputs.empty();
  define(step.id, inPlace ? inputs.front() : result);
}

std::shared_ptr<Storage> NativeInterpreter::storageOf(int id) const {
  const Value &value = values_.at(id);
  if (const auto *tensor = std::get_if<TensorValue>(&value))
    return (*tensor)->storage;
  if (const auto *allocation = std::get_if<AllocationValue>(&value))
    return allocation->storage;
  if (const auto *pointer = std::get_if<PointerValue>(&value)) {
    if (auto storage = pointer->storage.lock())
      return storage;
    throw StepFailure("dangling: a pointer into memory that has been freed is used");
  }
  throw Unsupported("value " + std::to_string(id) + " is no memory");
}

void NativeInterpreter::allocate(const Step &step) {
  static const std::map<std::string, Memory> kinds = {{"host", Memory::Unregistered},
                                                      {"device", Memory::Device},
                                                      {"symbol", Memory::Device},
                                                      {"pinned", Memory::Pinned},
                                                      {"managed", Memory::Managed}};
  const Memory memory = kinds.at(step.kind);
  define(step.id, AllocationValue{memory_.make(memory, Device{backend_.currentDevice()})});
}

void NativeInterpreter::takePointer(const Step &step) { define(step.id, PointerValue{storageOf(step.of)}); }

void NativeInterpreter::makeFromBlob(const Step &step) {
  const auto owner = storageOf(step.of);
  auto tensor = std::make_shared<TensorObject>();
  tensor->device = device(step.device);
  tensor->rank = step.rank >= 0 ? step.rank : 2;
  if (tensor->device.isCuda()) {
    const Placement placement = backend_.placementOf(owner->address);
    if (placement.memory == Memory::Unregistered)
      throw StepFailure("The specified pointer resides on host memory and is not registered with any CUDA device.");
    const Device actual{placement.device < 0 ? backend_.currentDevice() : placement.device};
    if (step.device != "cuda" && actual != tensor->device)
      throw StepFailure("Specified device " + tensor->device.text() + " does not match device of data " +
                        actual.text());
    tensor->device = actual;
  }
  tensor->storage = memory_.makeView(owner);
  define(step.id, tensor);
}

void NativeInterpreter::copyMemory(const Step &step) {
  static const std::map<std::string, CopyKind> kinds = {{"host-to-device", CopyKind::HostToDevice},
                                                        {"device-to-host", CopyKind::DeviceToHost},
                                                        {"device-to-device", CopyKind::DeviceToDevice},
                                                        {"host-to-host", CopyKind::HostToHost},
                                                        {"default", CopyKind::Default}};
  memory_.copy(storageOf(step.to), storageOf(step.from), kinds.at(step.kind), step.nonBlocking);
}

void NativeInterpreter::run(const Step &step) {
  switch (step.action) {
  case Action::Tensor:
    return define(step.id, makeTensor(device(step.device), step.rank >= 0 ? step.rank : 2, step.pinned));
  case Action::Move:
    return define(step.id, moved(get<TensorValue>(step.of, "tensor"), device(step.device), step.nonBlocking));
  case Action::View: {
    auto view = std::make_shared<TensorObject>(*get<TensorValue>(step.of, "tensor"));
    view->rank = step.rank >= 0 ? step.rank : view->rank;
    return define(step.id, view);
  }
  case Action::Op:
    return runOperator(step);
  case Action::CopyInto:
    return copyInto(get<TensorValue>(step.to, "tensor"), get<TensorValue>(step.from, "tensor"), step.nonBlocking);
  case Action::SetData:
    *get<TensorValue>(step.to, "tensor") = *get<TensorValue>(step.from, "tensor");
    return;
  case Action::Release:
    values_.erase(step.of);
    return;
  case Action::Module:
    return makeModule(step, false);
  case Action::Register:
    return registerChild(step);
  case Action::Unregister:
    return unregister(step);
  case Action::Parameter:
    return findParameter(step);
  case Action::MoveModule: {
    const Device target = device(step.device);
    return get<ModuleValue>(step.of, "module")->eachTensor([&](const std::string &, const TensorValue &tensor) {
      moveInPlace(tensor, target);
    });
  }
  case Action::CloneModule:
    return define(step.id, cloned(get<ModuleValue>(step.of, "module"),
                                  step.device.empty() ? std::nullopt : std::optional(device(step.device))));
  case Action::LoadState:
    return loadState(step);
  case Action::LoadScript:
    return makeModule(step, true);
  case Action::Forward:
    return forward(step);
  case Action::Optimizer:
    return makeOptimizer(step);
  case Action::OptimizerStep:
    return stepOptimizer(step);
  case Action::Pointer:
    return takePointer(step);
  case Action::Allocate:
    return allocate(step);
  case Action::FromBlob:
    return makeFromBlob(step);
  case Action::HostRead:
    return memory_.touchOnHost(storageOf(step.of), step.write);
  case Action::DeviceUse:
    return memory_.touchOnDevice({storageOf(step.of)}, 0);
  case Action::Memcpy:
    return copyMemory(step);
  case Action::SetDevice:
    return memory_.check(backend_.setDevice(step.index));
  case Action::Stream: {
    StreamValue value;
    memory_.check(backend_.createStream(&value.stream));
    return define(step.id, value);
  }
  case Action::Launch: {
    std::vector<std::shared_ptr<Storage>> storages;
    storages.reserve(step.ids.size());
    for (const int id : step.ids)
      storages.push_back(storageOf(id));
    return memory_.touchOnDevice(storages, step.to == kNoValue ? 0 : get<StreamValue>(step.to, "stream").stream,
                                 step.write);
  }
  case Action::Synchronize:
    return memory_.synchronize();
  }
}

std::unique_ptr<Interpreter> makeInterpreter(Backend &backend) { return std::make_unique<NativeInterpreter>(backend); }

} // namespace samedevice::runtime
