#include "TorchInterpreter.h"

#include "Operators.h"

#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Logging.h>

#include <sstream>

namespace samedevice::runtime {

namespace nn = torch::nn;
using at::Tensor;

namespace {

/// Every dimension has this size, so that all tensors of a rank fit each other.
constexpr int64_t kSize = 2;

std::vector<int64_t> shape(int rank) { return std::vector<int64_t>(static_cast<std::size_t>(rank), kSize); }

c10::Device device(const std::string &text) { return text.empty() ? c10::Device(c10::kCPU) : c10::Device(text); }

/// The same device in a shape that an operator takes.
Tensor fitted(const Tensor &tensor, int rank) {
  return tensor.dim() == rank ? tensor : tensor.reshape({-1}).slice(0, 0, 1).expand(shape(rank)).contiguous();
}

} // namespace

void TorchInterpreter::run(const Step &step) {
  try {
    perform(step);
  } catch (const c10::Error &error) {
    const std::string text = firstLine(error);
    if (isAboutDevices(text))
      throw StepFailure(text);
    throw Unsupported("libtorch wants more than the witness says: " + text);
  } catch (const std::runtime_error &error) {
    // TorchScript's errors are plain ones.
    const std::string text = error.what();
    const std::size_t inner = text.rfind("RuntimeError: ");
    if (inner == std::string::npos || dynamic_cast<const StepFailure *>(&error) ||
        dynamic_cast<const Unsupported *>(&error))
      throw;
    throw StepFailure(text.substr(inner + 14, text.find('\n', inner) - inner - 14));
  }
}

template <class T> const T &TorchInterpreter::get(int id, const char *what) const {
  const T *value = std::get_if<T>(&values_.at(id));
  if (!value)
    throw Unsupported("value " + std::to_string(id) + " is no " + what);
  return *value;
}

void TorchInterpreter::define(int id, Value value) {
  if (id != kNoValue)
    values_.insert_or_assign(id, std::move(value));
}

void TorchInterpreter::runOperator(const Step &step) {
  std::vector<std::string_view> names;
  std::vector<OperatorArgument> given;
  for (const NamedValue &argument : step.arguments) {
    names.push_back(argument.name);
    given.push_back({argument.name, {}});
    for (const int id : argument.ids)
      given.back().tensors.push_back(tensor(id));
  }
  const facts::OperatorRule *rule = facts::findRule(step.name, step.method, names, step.torch);
  if (!rule)
    throw Unsupported("there is no operator " + step.name);
  // torch::nn::functional calls it by another name.
  for (OperatorArgument &argument : given)
    if (argument.name == "input" && !rule->argument("input") && rule->argument("self"))
      argument.name = "self";
  const Tensor result = callOperator(*rule, given);
  if (result.defined())
    define(step.id, result);
}

void TorchInterpreter::makeModule(const Step &step) {
  const std::string &name = step.name;
  std::shared_ptr<nn::Module> made;
  if (name == "Linear")
    made = nn::Linear(kSize, kSize).ptr();
  else if (name == "Conv1d")
    made = nn::Conv1d(nn::Conv1dOptions(kSize, kSize, 1)).ptr();
  else if (name == "Conv2d")
    made = nn::Conv2d(nn::Conv2dOptions(kSize, kSize, 1)).ptr();
  else if (name == "Conv3d")
    made = nn::Conv3d(nn::Conv3dOptions(kSize, kSize, 1)).ptr();
  else if (name == "BatchNorm1d" || name == "BatchNorm2d")
    made = nn::BatchNorm2d(kSize).ptr();
  else if (name == "LayerNorm")
    made = nn::LayerNorm(nn::LayerNormOptions({kSize})).ptr();
  else if (name == "Embedding")
    made = nn::Embedding(kSize, kSize).ptr();
  else if (name == "LSTM")
    made = nn::LSTM(kSize, kSize).ptr();
  else if (name == "GRU")
    made = nn::GRU(kSize, kSize).ptr();
  else if (name == "RNN")
    made = nn::RNN(kSize, kSize).ptr();
  else {
    made = std::make_shared<nn::Module>(name);
    for (const std::string &parameter : step.state)
      made->register_parameter(parameter, torch::ones(shape(2)));
  }
  made->to(device(step.device));
  define(step.id, ModuleValue{name, made});
}

void TorchInterpreter::forward(const Step &step) {
  std::vector<Tensor> inputs;
  for (const int id : step.ids)
    inputs.push_back(tensor(id));
  if (auto *script = std::get_if<torch::jit::Module>(&values_.at(step.of))) {
    define(step.id, script->forward({fitted(inputs.at(0), 2)}).toTensor());
    return;
  }
  const auto &[name, made] = module(step.of);
  if (inputs.empty())
    return;
  Tensor out = inputs[0];
  if (auto *linear = made->as<nn::LinearImpl>())
    out = linear->forward(fitted(out, std::max<int>(static_cast<int>(out.dim()), 1)));
  else if (auto *conv1d = made->as<nn::Conv1dImpl>())
    out = conv1d->forward(fitted(out, 3));
  else if (auto *conv2d = made->as<nn::Conv2dImpl>())
    out = conv2d->forward(fitted(out, 4));
  else if (auto *conv3d = made->as<nn::Conv3dImpl>())
    out = conv3d->forward(fitted(out, 5));
  else if (auto *batchNorm = made->as<nn::BatchNorm2dImpl>())
    out = batchNorm->forward(fitted(out, 4));
  else if (auto *layerNorm = made->as<nn::LayerNormImpl>())
    out = layerNorm->forward(fitted(out, 2));
  else if (auto *embedding = made->as<nn::EmbeddingImpl>())
    out = embedding->forward(out.to(at::kLong));
  else if (auto *lstm = made->as<nn::LSTMImpl>())
    out = inputs.size() < 2
              ? std::get<0>(lstm->forward(fitted(out, 3)))
              : std::get<0>(lstm->forward(fitted(out, 3), std::make_tuple(fitted(inputs[1], 3).slice(0, 0, 1),
                                                                          fitted(inputs.back(), 3).slice(0, 0, 1))));
  else if (auto *gru = made->as<nn::GRUImpl>())
    out = std::get<0>(gru->forward(fitted(out, 3), inputs.size() < 2 ? Tensor() : fitted(inputs[1], 3).slice(0, 0, 1)));
  else if (auto *rnn = made->as<nn::RNNImpl>())
    out = std::get<0>(rnn->forward(fitted(out, 3), inputs.size() < 2 ? Tensor() : fitted(inputs[1], 3).slice(0, 0, 1)));
  else {
    // A user's own module: its state meets its inputs somehow.
    out = fitted(out, 2);
    for (const Tensor &parameter : made->parameters(/*recurse=*/false))
      out = out + parameter;
    for (const Tensor &buffer : made->buffers(/*recurse=*/false))
      out = out + fitted(buffer, 2);
    for (std::size_t i = 1; i < inputs.size(); ++i)
      out = out + fitted(inputs[i], 2);
  }
  define(step.id, out);
}

void TorchInterpreter::loadState(const Step &step) {
  // A file as the program would find it: written where the state was, read where it is to go.
  std::stringstream file;
  const c10::optional<c10::Device> target =
      step.device.empty() ? c10::optional<c10::Device>() : c10::optional<c10::Device>(device(step.device));
  if (auto *single = std::get_if<Tensor>(&values_.at(step.of))) {
    torch::save(single->detach().to(device(step.kind)), file);
    Tensor loaded;
    torch::load(loaded, file, target);
    single->set_data(loaded);
    return;
  }
  if (auto *optimizer = std::get_if<Optimizer>(&values_.at(step.of))) {
    torch::save(**optimizer, file);
    torch::load(**optimizer, file, target.value_or(device(step.kind)));
    return;
  }
  const std::shared_ptr<nn::Module> &made = module(step.of).module;
  const auto before = made->parameters().empty() ? c10::Device(c10::kCPU) : made->parameters()[0].device();
  made->to(device(step.kind));
  torch::serialize::OutputArchive written;
  made->save(written);
  written.save_to(file);
  made->to(before);
  torch::serialize::InputArchive archive;
  archive.load_from(file, target);
  made->load(archive);
}

void TorchInterpreter::stepOptimizer(const Step &step) {
  const Optimizer &optimizer = get<Optimizer>(step.of, "optimizer");
  std::vector<Tensor> held;
  for (auto &group : optimizer->param_groups())
    for (Tensor &parameter : group.params()) {
      parameter.mutable_grad() = torch::ones_like(parameter);
      held.push_back(parameter);
    }
  optimizer->step();
  if (step.to == kNoValue)
    return;
  for (const auto &entry : module(step.to).module->named_parameters())
    if (std::none_of(held.begin(), held.end(),
                     [&](const Tensor &parameter) { return parameter.is_same(entry.value()); }))
      throw StepFailure("stale: the optimizer does not hold '" + entry.key() + "', which stays as it is");
}

void *TorchInterpreter::addressOf(int id) const {
  const auto *pointer = std::get_if<Pointer>(&values_.at(id));
  if (!pointer)
    return tensor(id).data_ptr();
  if (!pointer->tensor.lock())
    throw StepFailure("dangling: a pointer into memory that has been freed is used");
  return pointer->address;
}

/// libtorch is not asked about kernels and copies of the program's own: they go to the GPUs below it.
void check(Error error) {
  if (error == Error::Unknown)
    throw Unsupported("CUDA error: " + gpus().explain(error));
  if (error != Error::None)
    throw StepFailure("CUDA error: " + gpus().explain(error));
}

void TorchInterpreter::launch(const std::vector<int> &arguments, Stream stream, bool writes) {
  Kernel kernel;
  kernel.count = 1;
  std::vector<const void *> addresses;
  for (const int id : arguments)
    addresses.push_back(addressOf(id));
  for (const void *address : addresses) {
    if (gpus().reachesHostMemory() && gpus().placementOf(address).memory == Memory::Unregistered)
      throw Unsupported("this GPU's kernels reach the host's memory, so that nothing fails here");
    kernel.a = static_cast<const float *>(address);
    check(gpus().launch(kernel, stream));
  }
  if (addresses.empty())
    check(gpus().launch(Kernel{Kernel::Delay}, stream));
  check(gpus().synchronizeDevice());
  check(gpus().takeError());
  for (const void *address : addresses)
    order_.use(address, stream, writes);
}

void TorchInterpreter::touch(int id, bool write) {
  auto *address = static_cast<volatile char *>(addressOf(id));
  const char value = *address;
  if (write)
    *address = value;
}

void TorchInterpreter::perform(const Step &step) {
  const torch::NoGradGuard noGradients;
  switch (step.action) {
  case Action::Tensor:
    return define(step.id, torch::ones(shape(step.rank < 0 ? 2 : step.rank),
                                       at::TensorOptions(device(step.device)).pinned_memory(step.pinned)));
  case Action::Move:
    return define(step.id, tensor(step.of).to(device(step.device), step.nonBlocking));
  case Action::View:
    return define(step.id, tensor(step.of).alias());
  case Action::Op:
    return runOperator(step);
  case Action::CopyInto:
    tensor(step.to).copy_(tensor(step.from), step.nonBlocking);
    return;
  case Action::SetData:
    return tensor(step.to).set_data(tensor(step.from));
  case Action::Release:
    values_.erase(step.of);
    return;
  case Action::Module:
    return makeModule(step);
  case Action::Register: {
    nn::Module &parent = *module(step.of).module;
    if (step.kind == "parameter")
      parent.register_parameter(step.name, tensor(step.to));
    else if (step.kind == "buffer")
      parent.register_buffer(step.name, tensor(step.to));
    else if (parent.named_children().contains(step.name))
      parent.replace_module(step.name, module(step.to).module);
    else
      parent.register_module(step.name, module(step.to).module);
    return;
  }
  case Action::Unregister:
    return module(step.of).module->unregister_module(step.name);
  case Action::Parameter:
    return define(step.id, module(step.of).module->named_parameters(/*recurse=*/false)[step.name]);
  case Action::MoveModule:
    if (auto *script = std::get_if<torch::jit::Module>(&values_.at(step.of)))
      return script->to(device(step.device));
    return module(step.of).module->to(device(step.device));
  case Action::CloneModule:
    return define(step.id, ModuleValue{module(step.of).name,
                                       module(step.of).module->clone(step.device.empty() ? c10::optional<c10::Device>()
                                                                                         : device(step.device))});
  case Action::LoadState:
    return loadState(step);
  case Action::LoadScript: {
    torch::jit::Module saved("saved");
    saved.register_parameter("weight", torch::ones(shape(2)), false);
    saved.define("def forward(self, x):\n  return x * self.weight\n");
    saved.to(device(step.kind));
    std::stringstream file;
    saved.save(file);
    return define(step.id, step.device.empty() ? torch::jit::load(file) : torch::jit::load(file, device(step.device)));
  }
  case Action::Forward:
    return forward(step);
  case Action::Optimizer: {
    std::vector<Tensor> parameters;
    for (const int id : step.ids)
      if (const auto *single = std::get_if<Tensor>(&values_.at(id)))
        parameters.push_back(*single);
      else
        for (const Tensor &parameter : module(id).module->parameters())
          parameters.push_back(parameter);
    return define(step.id, std::make_shared<torch::optim::Adam>(parameters));
  }
  case Action::OptimizerStep:
    return stepOptimizer(step);
  case Action::Pointer: {
    const Tensor of = tensor(step.of);
    return define(step.id, Pointer{of.data_ptr(), c10::weak_intrusive_ptr<c10::TensorImpl>(of.getIntrusivePtr())});
  }
  case Action::Allocate:
    if (step.kind == "managed")
      break;
    return define(step.id, torch::empty({64}, at::TensorOptions(
                                                  step.kind == "host" || step.kind == "pinned" ? at::kCPU : at::kCUDA)
                                                  .pinned_memory(step.kind == "pinned")));
  case Action::FromBlob: {
    const auto *pointer = std::get_if<Pointer>(&values_.at(step.of));
    return define(step.id, torch::from_blob(pointer ? pointer->address : tensor(step.of).data_ptr(), {kSize},
                                            at::TensorOptions(device(step.device))));
  }
  case Action::HostRead:
    return touch(step.of, step.write);
  case Action::SetDevice:
    return c10::impl::VirtualGuardImpl(at::kCUDA).setDevice(
        c10::Device(at::kCUDA, static_cast<c10::DeviceIndex>(step.index)));
  case Action::Synchronize:
    order_.synchronize();
    for (int i = 0; i < static_cast<int>(torch::cuda::device_count()); ++i)
      torch::cuda::synchronize(i);
    return;
  case Action::DeviceUse:
    return launch({step.of}, 0);
  case Action::Launch:
    return launch(step.ids, step.to == kNoValue ? 0 : get<StreamNumber>(step.to, "stream").number, step.write);
  case Action::Stream: {
    StreamNumber stream;
    check(gpus().createStream(&stream.number));
    return define(step.id, stream);
  }
  case Action::Memcpy: {
    static const std::map<std::string, CopyKind> kinds = {{"host-to-device", CopyKind::HostToDevice},
                                                          {"device-to-host", CopyKind::DeviceToHost},
                                                          {"device-to-device", CopyKind::DeviceToDevice},
                                                          {"host-to-host", CopyKind::HostToHost},
                                                          {"default", CopyKind::Default}};
    void *to = addressOf(step.to), *from = addressOf(step.from);
    const std::size_t bytes = kSize * sizeof(float);
    return check(step.nonBlocking ? gpus().copyAsync(to, from, bytes, kinds.at(step.kind), 0)
                                  : gpus().copy(to, from, bytes, kinds.at(step.kind)));
  }
  default:
    break;
  }
  throw Unsupported("libtorch itself has nothing to do with this step");
}

} // namespace samedevice::runtime

extern "C" {

__attribute__((visibility("default"))) samedevice::runtime::Interpreter *samedeviceTorchInterpreter() {
  // The GPUs start now, in the replay's own process, so that what they say of faults is replaced afterwards.
  samedevice::runtime::gpus();
  c10::SetStackTraceFetcher([] { return std::string(); });
  return new samedevice::runtime::TorchInterpreter;
}

__attribute__((visibility("default"))) const char *samedeviceTorchPlace(const void *address) {
  static std::string text;
  text = samedevice::runtime::describeFault(address);
  return text.c_str();
}

__attribute__((visibility("default"))) bool samedeviceTorchIsReal() { return samedevice::runtime::kGpusAreReal; }

/// How many GPUs there are, and their description; for none, why.
__attribute__((visibility("default"))) const char *samedeviceTorchDescription(int *devices) {
  static std::string text;
  const bool any = samedevice::runtime::haveGpus(text);
  *devices = any ? samedevice::runtime::gpus().deviceCount() : 0;
  if (any)
    text = samedevice::runtime::describeLibtorch();
  return text.c_str();
}
}
