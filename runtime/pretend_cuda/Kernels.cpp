// Stands in for every CUDA kernel of PyTorch: replays the same-device check that PyTorch generates for it, lets the
// shared code of the operator check the rest, and runs the CPU kernel on the GPU's memory.
#include "Aliases.h"

#include "device_rules/KernelTable.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <unordered_set>

namespace samedevice::runtime::pretend {

namespace {

using at::Tensor;
using c10::Device;
using c10::IValue;
using torch::jit::Stack;

const KernelTable &table() { return KernelTable::get(); }

std::string nameOf(const c10::OperatorName &op) {
  const std::string name = op.name.rfind("aten::", 0) == 0 ? op.name.substr(6) : op.name;
  return op.overload_name.empty() ? name : name + "." + op.overload_name;
}

c10::OperatorName operatorNamed(const std::string &name) {
  const std::size_t dot = name.find('.');
  return {"aten::" + name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)};
}

struct Call {
  const c10::OperatorHandle &op;
  const std::string name;
  Stack *stack;
  const std::size_t count = op.schema().arguments().size();
  const std::size_t first = stack->size() - count;

  const IValue &argument(std::size_t i) const { return (*stack)[first + i]; }
  const std::string &argumentName(std::size_t i) const { return op.schema().arguments()[i].name(); }
  template <class Visit> void eachTensor(Visit visit) const {
    for (std::size_t i = 0; i < count; ++i)
      for (const Tensor &tensor : tensorsIn(argument(i)))
        visit(argumentName(i), tensor);
  }
  void finish(Stack results) {
    torch::jit::drop(*stack, count);
    for (IValue &value : results)
      stack->push_back(std::move(value));
  }
};

/// Where the results live: with the first CUDA tensor, else where the caller asks for.
Device deviceOf(const Call &call) {
  c10::optional<Device> device;
  call.eachTensor([&](const std::string &, const Tensor &tensor) {
    if (!device && tensor.is_cuda())
      device = tensor.device();
  });
  for (std::size_t i = 0; i < call.count && !device; ++i)
    if (call.argument(i).isDevice() && call.argument(i).toDevice().is_cuda())
      device = withIndex(call.argument(i).toDevice());
  return device.value_or(currentCuda());
}

bool isOut(const c10::FunctionSchema &schema) {
  for (const c10::Argument &argument : schema.arguments())
    if (argument.kwarg_only() && argument.alias_info() && argument.alias_info()->isWrite())
      return true;
  return false;
}

void checkGenerated(const Call &call) {
  c10::optional<Device> common;
  for (const std::string &wanted : *table().checked(call.name))
    call.eachTensor([&](const std::string &argument, const Tensor &tensor) {
      if (argument != wanted)
        return;
      if (!common)
        common = tensor.device();
      TORCH_CHECK(*common == tensor.device(),
                  "Expected all tensors to be on the same device, but found at least two devices, ", *common, " and ",
                  tensor.device(), "! (when checking argument for argument ", argument, " in method ",
                  table().wrapper(call.name, isOut(call.op.schema())), ")");
    });
}

bool isMixed(const Call &call) {
  c10::optional<Device> common;
  bool mixed = false;
  call.eachTensor([&](const std::string &, const Tensor &tensor) {
    if (!common)
      common = tensor.device();
    mixed |= tensor.device() != *common;
  });
  return mixed;
}

void checkOwnBody(const Call &call, Device device) {
  if (call.name.rfind("masked_fill_.", 0) == 0) {
    const Tensor self = call.argument(0).toTensor(), mask = call.argument(1).toTensor();
    TORCH_CHECK(self.device() == mask.device(), "expected self and mask to be on the same device, but got mask on ",
                mask.device(), " and self on ", self.device());
    return;
  }
  call.eachTensor([&](const std::string &, const Tensor &tensor) {
    TORCH_CHECK(tensor.device() == device || (tensor.is_cpu() && tensor.dim() == 0),
                "Expected all tensors to be on the same device, but found at least two devices, ", device, " and ",
                tensor.device(), "!");
  });
}

bool isMissingKernel(const std::string &message) {
  for (const char *sign : {"missing kernel for cuda", "missing CUDA kernel", "is_cpu()",
                           "device_or_default(device_opt).type() == DeviceType::CPU", "from the 'CPU' backend"})
    if (message.find(sign) != std::string::npos)
      return true;
  return false;
}

/// Runs the operator's shared code on CUDA tensors. Its own checks throw; where it gets as far as looking for a
/// CUDA kernel, it has accepted its arguments. True when it did the whole work.
bool acceptedAndDone(Call &call, Device device) {
  Aliases aliases(Aliases::Twins::SameDevice, device);
  Stack arguments;
  for (std::size_t i = 0; i < call.count; ++i)
    arguments.push_back(aliases.toTwin(call.argument(i)));
  try {
    call.op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), &arguments);
  } catch (const c10::Error &error) {
    if (isMissingKernel(error.what()))
      return false;
    throw;
  }
  Stack results;
  for (const IValue &value : arguments)
    results.push_back(aliases.fromTwin(value));
  call.finish(std::move(results));
  return true;
}

bool isCopy(const std::string &name) {
  return name == "copy_" || name == "_copy_from" || name == "copy_sparse_to_sparse_";
}

/// Operators whose result the host has to wait for.
bool waits(const std::string &name) {
  static const std::unordered_set<std::string> names = {"_local_scalar_dense",
                                                        "nonzero",
                                                        "masked_select",
                                                        "equal",
                                                        "_unique2",
                                                        "unique_dim",
                                                        "unique_consecutive",
                                                        "is_set_to",
                                                        "repeat_interleave.Tensor",
                                                        "_assert_async",
                                                        "bincount"};
  return names.count(name) != 0;
}

/// What a copy leaves to wait for, or waits for itself.
void afterCopy(const Call &call) {
  const bool toSelf = call.name == "copy_";
  const Tensor to = call.argument(toSelf ? 0 : 1).toTensor(), from = call.argument(toSelf ? 1 : 0).toTensor();
  if (to.is_cuda() == from.is_cuda())
    return;
  const c10::Stream stream = currentStream((to.is_cuda() ? to : from).device());
  const auto device = static_cast<unsigned char>(stream.device_index());
  const auto number = static_cast<Stream>(stream.id());
  const bool isPinned = machine().placementOf((to.is_cuda() ? from : to).data_ptr()).memory == Memory::Pinned;
  if (!call.argument(2).toBool() || !isPinned)
    machine().synchronize(device, number);
  else if (to.is_cuda())
    machine().holdUntilSynchronized(from.data_ptr(), HostAccess::Read, device, number);
  else
    machine().holdUntilSynchronized(to.data_ptr(), HostAccess::None, device, number);
}

void runOnHost(Call &call, Device device, c10::DispatchKey host = c10::DispatchKey::CPU) {
  // An error that stays fails everything after it.
  check(machine().setDevice(machine().currentDevice()));
  Aliases aliases(Aliases::Twins::OnCpu, device);
  Stack values;
  for (std::size_t i = 0; i < call.count; ++i) {
    const bool pins = call.argumentName(i) == "pin_memory" && call.argument(i).isBool() && call.argument(i).toBool();
    TORCH_CHECK(!pins, "Only dense CPU tensors can be pinned");
    values.push_back(aliases.toTwin(call.argument(i)));
  }
  {
    // Sparse tensors on either side may be given new memory; what is to be on the GPU is brought there afterwards.
    const AllocateOn gpu(host == c10::DispatchKey::CPU ? device.index() : -1);
    call.op.redispatchBoxed(c10::DispatchKeySet(host), &values);
    aliases.writeBack();
  }
  if (isCopy(call.name) && host == c10::DispatchKey::CPU)
    afterCopy(call);
  else if (waits(call.name))
    machine().synchronize(device.index(), static_cast<Stream>(currentStream(device).id()));
  Stack results;
  for (const IValue &value : values)
    results.push_back(isCopy(call.name) ? call.argument(call.name == "_copy_from" ? 1 : 0) : aliases.fromTwin(value));
  call.finish(std::move(results));
}

void kernel(const c10::OperatorHandle &op, Stack *stack) {
  Call call{op, nameOf(op.operator_name()), stack};
  TORCH_CHECK(table().checked(call.name), "Could not run 'aten::", call.name,
              "' with arguments from the 'CUDA' backend.");
  checkGenerated(call);
  const at::AutoDispatchBelowADInplaceOrView below;
  const Device device = deviceOf(call);
  if (isMixed(call) && !isCopy(call.name)) {
    if (table().hasOwnBody(call.name))
      checkOwnBody(call, device);
    else if (acceptedAndDone(call, device))
      return;
  }
  runOnHost(call, device);
}

/// For operators without a generated check: all on one device, then the host's kernel of that kind.
template <c10::DispatchKey host> void unlistedKernel(const c10::OperatorHandle &op, Stack *stack) {
  Call call{op, nameOf(op.operator_name()), stack};
  const at::AutoDispatchBelowADInplaceOrView below;
  const Device device = deviceOf(call);
  if (!isCopy(call.name))
    checkOwnBody(call, device);
  runOnHost(call, device, host);
}

template <c10::DispatchKey host> torch::CppFunction unlisted() {
  return torch::CppFunction::makeFromBoxedFunction<&unlistedKernel<host>>();
}

/// PyTorch's sparse operators are the same on both kinds of devices.
void registerSparseKernels() {
  constexpr auto onHost = c10::DispatchKey::SparseCPU;
  static auto *kept =
      new torch::Library(torch::Library::IMPL, "aten", c10::DispatchKey::SparseCUDA, __FILE__, __LINE__);
  c10::Dispatcher &dispatcher = c10::Dispatcher::singleton();
  for (const c10::OperatorName &name : dispatcher.getAllOpNames())
    if (name.name.rfind("aten::", 0) == 0 && dispatcher.findOp(name)->hasKernelForDispatchKey(onHost))
      kept->impl(nameOf(name).c_str(), unlisted<onHost>());
}

bool isPinned(const Tensor &self, c10::optional<Device>) {
  return machine().placementOf(self.storage().data()).memory == Memory::Pinned;
}

Tensor pinMemory(const Tensor &self, c10::optional<Device>) {
  TORCH_CHECK(self.is_cpu(), "cannot pin '", self.toString(), "' only dense CPU tensors can be pinned");
  return at::empty(self.sizes(), self.options().pinned_memory(true)).copy_(self);
}

} // namespace

void registerKernels() {
  static auto *kept = new torch::Library(torch::Library::IMPL, "aten", c10::DispatchKey::CUDA, __FILE__, __LINE__);
  torch::Library &library = *kept;
  static const std::unordered_set<std::string> byHand = {"is_pinned",
                                                         "_pin_memory",
                                                         "_use_cudnn_ctc_loss",
                                                         "_use_cudnn_ctc_loss.Tensor",
                                                         "_thnn_fused_lstm_cell",
                                                         "_thnn_fused_lstm_cell_backward_impl",
                                                         "_thnn_fused_gru_cell",
                                                         "_thnn_fused_gru_cell_backward",
                                                         "_conv_depthwise2d",
                                                         "_efficientzerotensor"};
  for (const auto &[name, arguments] : table().all()) {
    if (!byHand.count(name) && c10::Dispatcher::singleton().findSchema(operatorNamed(name)))
      library.impl(name.c_str(), torch::CppFunction::makeFromBoxedFunction<&kernel>());
  }
  // Their shared code goes to kernels past the dispatcher, where a CPU-only libtorch has none for CUDA.
  for (const char *name : {"kaiser_window", "kaiser_window.periodic", "kaiser_window.beta", "kaiser_window.out",
                           "kaiser_window.periodic_out", "kaiser_window.beta_out", "mode.values", "nanmean.out"})
    if (c10::Dispatcher::singleton().findSchema(operatorNamed(name)))
      library.impl(name, unlisted<c10::DispatchKey::CPU>());
  library.impl("is_pinned", &isPinned);
  library.impl("_pin_memory", &pinMemory);
  registerCudaOnlyKernels(library);
  registerSparseKernels();
}

} // namespace samedevice::runtime::pretend

TORCH_LIBRARY_IMPL(_, CUDA, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&samedevice::runtime::pretend::kernel>());
}
