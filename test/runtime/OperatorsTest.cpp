// Every operator that libtorch has, with small tensors: on a pretended GPU it gives what it gives on the CPU, on that
// GPU, or refuses in words of PyTorch's. Each call is a process of its own: arguments that are only guessed crash some
// kernels.
#include "OperatorCalls.h"

#include <torch/torch.h>
#include <torch/version.h>

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace samedevice::runtime {
namespace {

using at::Tensor;
using c10::Device;
using c10::IValue;
using c10::OperatorHandle;
using torch::jit::Stack;

constexpr int kSeed = 2;
const Device g1(c10::kCUDA, 1);

std::string firstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

/// Without dispatching, so that it can be asked of any tensor.
std::string shapeOf(const Tensor &tensor) {
  std::ostringstream out;
  out << tensor.toString() << " " << tensor.sizes();
  return out.str();
}

Tensor comparable(Tensor tensor) {
  tensor = tensor.cpu();
  if (tensor.is_quantized())
    tensor = tensor.dequantize();
  if (tensor.layout() != at::kStrided)
    tensor = tensor.to_dense();
  if (tensor.is_complex())
    tensor = torch::view_as_real(tensor.resolve_conj());
  return tensor.to(at::kDouble);
}

bool alike(const Tensor &first, const Tensor &second) {
  return torch::allclose(comparable(first), comparable(second), 1e-4, 1e-5, /*equal_nan=*/true);
}

/// What comes of memory that nobody has written says nothing.
bool isUnwritten(const std::string &name) {
  for (const char *part : {"empty", "resize", "_make_dual", "set_"})
    if (name.find(part) != std::string::npos)
      return true;
  return false;
}

/// "" where they are the same, but for the device.
std::string difference(const std::string &op, const std::vector<Tensor> &onGpu, const std::vector<Tensor> &onCpu) {
  if (onGpu.size() != onCpu.size())
    return "another number of tensors";
  for (std::size_t i = 0; i < onGpu.size(); ++i) {
    if (onGpu[i].device() != g1)
      return "result on " + onGpu[i].device().str();
    if (onGpu[i].scalar_type() != onCpu[i].scalar_type() || onGpu[i].sizes() != onCpu[i].sizes() ||
        onGpu[i].layout() != onCpu[i].layout())
      return shapeOf(onGpu[i]) + " instead of " + shapeOf(onCpu[i]);
    if (!isUnwritten(op) && !alike(onGpu[i], onCpu[i]))
      return "other numbers";
  }
  return "";
}

constexpr char kGradientsOnCpu[] = "gradients on the CPU";

std::vector<Tensor> tensorsOf(const Stack &stack) {
  std::vector<Tensor> all;
  for (const IValue &value : stack)
    for (const Tensor &tensor : allTensors(value))
      all.push_back(tensor);
  return all;
}

/// Gradients of the inputs, of those results that have any.
std::vector<Tensor> gradients(const OperatorHandle &op, Stack arguments) {
  std::vector<Tensor> inputs;
  for (const Tensor &tensor : tensorsOf(arguments))
    if (tensor.is_floating_point() && tensor.layout() == at::kStrided)
      inputs.push_back(tensor.requires_grad_());
  torch::manual_seed(kSeed);
  torch::cuda::manual_seed_all(kSeed);
  op.callBoxed(&arguments);
  std::vector<Tensor> sums, found;
  for (const Tensor &result : tensorsOf(arguments))
    if (result.requires_grad())
      sums.push_back((result.is_complex() ? torch::view_as_real(result) : result).to(at::kDouble).pow(2).sum());
  if (sums.empty())
    return found;
  torch::stack(sums).sum().backward();
  for (const Tensor &input : inputs)
    if (input.grad().defined())
      found.push_back(input.grad());
  return found;
}

/// Says how far a child is, so that its parent knows where it died.
class Progress {
public:
  explicit Progress(int file) : out_(fdopen(file, "w")) {}
  void say(const std::string &what) {
    std::fprintf(out_, "%s\n", what.c_str());
    std::fflush(out_);
  }

private:
  FILE *out_;
};

Stack onGpu(Stack stack) {
  for (IValue &value : stack)
    value = movedTo(value, g1);
  return stack;
}

struct Called {
  std::vector<Tensor> results, arguments;
};

Called call(const OperatorHandle &op, Stack stack) {
  const Stack arguments = stack;
  torch::manual_seed(kSeed);
  torch::cuda::manual_seed_all(kSeed);
  op.callBoxed(&stack);
  return {tensorsOf(stack), tensorsOf(arguments)};
}

Stack argumentsOf(const OperatorHandle &op, int guess) {
  return guessedArguments(op.schema(), guess).value_or(Stack());
}

/// What the operator does with these arguments on the CPU; nothing where it refuses them, or where two calls differ.
std::optional<Called> onCpu(const OperatorHandle &op, int guess) {
  try {
    Called first = call(op, argumentsOf(op, guess));
    const Called again = call(op, argumentsOf(op, guess));
    for (std::size_t i = 0; i < first.results.size(); ++i)
      if (!isUnwritten(op.schema().name()) && !alike(first.results[i], again.results[i]))
        return std::nullopt;
    return first;
  } catch (const std::exception &) {
    return std::nullopt;
  }
}

std::vector<Tensor> gradientsOnCpu(const OperatorHandle &op, int guess) {
  try {
    return gradients(op, argumentsOf(op, guess));
  } catch (const std::exception &) {
    return {};
  }
}

std::string compared(const OperatorHandle &op, int guess, const Called &expected, Progress &progress) {
  const std::string name = op.schema().name();
  try {
    const Called called = call(op, onGpu(argumentsOf(op, guess)));
    std::string what = difference(name, called.results, expected.results);
    if (what.empty())
      what = difference(name, called.arguments, expected.arguments);
    if (!what.empty())
      return "differs: " + what;
  } catch (const std::exception &error) {
    return "refused: " + firstLine(error.what());
  }
  progress.say(kGradientsOnCpu);
  const std::vector<Tensor> wanted = gradientsOnCpu(op, guess);
  if (wanted.empty())
    return "same";
  progress.say("gradients");
  try {
    const std::string what = difference(name, gradients(op, onGpu(argumentsOf(op, guess))), wanted);
    return what.empty() ? "same with gradients" : "differs: gradients: " + what;
  } catch (const std::exception &error) {
    return "refused: gradients: " + firstLine(error.what());
  }
}

/// Runs in the child: takes the first guess that the CPU accepts.
void compare(const OperatorHandle &op, int guess, Progress progress) {
  for (; guess < guessCount(); ++guess) {
    progress.say("guess " + std::to_string(guess));
    if (const auto expected = onCpu(op, guess)) {
      progress.say("the call");
      return progress.say(compared(op, guess, *expected, progress));
    }
  }
  progress.say("no arguments found");
}

/// The last thing that a child said, and on what signal it ended.
struct Ended {
  std::string said, complaint;
  int signal = 0;
};

std::string readAll(int file) {
  std::string text;
  char part[4096];
  for (ssize_t bytes; (bytes = read(file, part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(bytes));
  return text;
}

std::string lastLine(std::string text) {
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

Ended inChild(const OperatorHandle &op, int guess) {
  int said[2], complaints = memfd_create("complaints", 0);
  if (pipe(said) != 0)
    return {"no pipe", "", 0};
  const pid_t child = fork();
  if (child == 0) {
    close(said[0]);
    dup2(complaints, STDERR_FILENO);
    alarm(30);
    // libtorch makes its threads anew after a fork, and autograd's threads must not all do so at once.
    at::set_num_threads(1);
    compare(op, guess, Progress(said[1]));
    _exit(0);
  }
  close(said[1]);
  Ended ended;
  ended.said = lastLine(readAll(said[0]));
  close(said[0]);
  int status = 0;
  waitpid(child, &status, 0);
  ended.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  lseek(complaints, 0, SEEK_SET);
  ended.complaint = firstLine(readAll(complaints));
  close(complaints);
  return ended;
}

/// What becomes of an operator.
std::string verdict(const OperatorHandle &op) {
  if (!guessedArguments(op.schema(), 0))
    return "not callable";
  for (int guess = 0; guess < guessCount(); ++guess) {
    const Ended ended = inChild(op, guess);
    if (ended.signal == 0)
      return ended.said;
    if (ended.said == kGradientsOnCpu)
      return "same";
    // A kernel of the CPU that died of what we guessed.
    const std::string stage = "guess ";
    if (ended.said.rfind(stage, 0) != 0)
      return "crash: " + ended.said + ", signal " + std::to_string(ended.signal) + ": " + ended.complaint;
    guess = std::stoi(ended.said.substr(stage.size()));
  }
  return "no arguments found";
}

/// What PyTorch itself does not do on CUDA, or not as on the CPU.
const std::map<std::string, const char *> kPyTorchsOwn = {
    {"_make_per_tensor_quantized_tensor", "quantized tensors cannot be brought back to be compared"},
    {"_nested_tensor_from_tensor_list", "nested tensors cannot be brought back to be compared"},
    {"_add_batch_dim", "neither can batches of vmap"},
    {"_pin_memory", "only memory of the CPU is pinned"},
    {"pin_memory", "only memory of the CPU is pinned"},
    {"_shape_as_tensor", "a shape is on the CPU"},
    {"_to_cpu", "is to be on the CPU"},
    {"tensor_split", "the places are wanted on the CPU"},
    {"mkldnn_convolution", "the CPU's library"},
    {"choose_qparams_optimized", "reads the tensor on the host, in shared code"},
    {"_saturate_weight_to_fp16", "reads the tensor on the host, in shared code"},
    {"_grid_sampler_2d_cpu_fallback", "the CPU's kernel, by its name"},
    {"_grid_sampler_2d_cpu_fallback_backward", "the CPU's kernel, by its name"},
    {"range.out_", "calls the CPU's kernel, in shared code"},
    {"_stack.out", "no kernel of its own for CUDA, and the shared one keeps the size of `out`"},
};

/// Operators of CPU kernels alone are refused in these words, as the list of CUDA's kernels has it.
bool isRefusedByPyTorch(const std::string &what) {
  return what.rfind("refused: Could not run 'aten::", 0) == 0 &&
         what.find("with arguments from the 'CUDA' backend.") != std::string::npos;
}

bool isExpected(const std::string &name, const std::string &what) {
  const auto known = [&](const std::string &key) { return kPyTorchsOwn.count(key) != 0; };
  return what.rfind("same", 0) == 0 || what.rfind("no", 0) == 0 || isRefusedByPyTorch(what) || known(name) ||
         known(name.substr(0, name.find('.'))) ||
         // Sparse tensors by rows, by columns and in blocks are not pretended.
         what.find("the pretended CUDA device has no tensors of layout") != std::string::npos;
}

/// Every tenth operator; all of them, and a table of what became of each, with SAMEDEVICE_ALL_OPERATORS.
TEST(Operators, DoOnAGpuWhatTheyDoOnTheCpu) {
  const bool all = std::getenv("SAMEDEVICE_ALL_OPERATORS") != nullptr;
  if (TORCH_VERSION_MAJOR != 1 && !all)
    GTEST_SKIP() << "what is PyTorch's own is known of 1.13 alone";
  std::vector<c10::OperatorName> names = c10::Dispatcher::singleton().getAllOpNames();
  std::sort(names.begin(), names.end(), [](const auto &a, const auto &b) { return toString(a) < toString(b); });
  std::map<std::string, int> counts;
  std::size_t number = 0;
  for (const c10::OperatorName &name : names) {
    // Those named "_test" and "_foobar" are for PyTorch's own tests of its dispatcher.
    if (name.name.rfind("aten::", 0) != 0 || name.name.rfind("aten::_test", 0) == 0 || name.name == "aten::_foobar")
      continue;
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    if (!op || (number++ % 10 != 0 && !all))
      continue;
    const std::string shortName = toString(name).substr(6), what = verdict(*op);
    ++counts[what.substr(0, what.find(':'))];
    if (all)
      std::cout << shortName << "\t" << what << "\n";
    EXPECT_TRUE(isExpected(shortName, what)) << shortName << ": " << what;
  }
  for (const auto &[what, count] : counts)
    std::cout << what << ": " << count << "\n";
  // A sweep that finds nothing to call finds nothing.
  EXPECT_GT(counts["same"] + counts["same with gradients"], all ? 2000 : 200);
}

} // namespace
} // namespace samedevice::runtime
