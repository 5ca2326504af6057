// Gradients: who gets one, of which shape, type and device. Their values are made up.
#include "Call.h"
#include "c10/core/DeviceGuard.h"

#include <algorithm>
#include <functional>
#include <set>

namespace samedevice::runtime {

namespace {

constexpr double kGradient = 0.01;

thread_local bool enabled = true;

Tensor gradientLike(const Tensor &tensor) {
  return makeTensor(Array(tensor.sizes().vec(), tensor.scalar_type(), kGradient), tensor.device());
}

/// Visits the graph behind `tensor`, nearest first, and calls users' backward functions on the way.
void walk(const Tensor &tensor, std::set<const c10::TensorImpl *> &seen,
          const std::function<void(const Tensor &)> &visit) {
  if (!tensor.defined() || !tensor.requires_grad() || !seen.insert(tensor.unsafeGetTensorImpl()).second)
    return;
  visit(tensor);
  const auto &node = tensor.unsafeGetTensorImpl()->node;
  if (!node)
    return;
  if (node->backward) {
    std::vector<Tensor> incoming;
    for (const auto &weak : node->outputs)
      if (const auto output = weak.lock()) {
        incoming.push_back(gradientLike(Tensor(output)));
        seen.insert(output.get());
      }
    // As on the engine's thread for that device.
    c10::OptionalDeviceGuard guard;
    if (!incoming.empty())
      guard.reset_device(incoming.front().device());
    node->backward(incoming);
  }
  for (const Tensor &input : node->inputs)
    walk(input, seen, visit);
}

void accumulate(const Tensor &tensor) {
  Tensor &grad = tensor.unsafeGetTensorImpl()->grad;
  const Tensor fresh = gradientLike(tensor);
  if (!grad.defined()) {
    grad = fresh;
    return;
  }
  TORCH_CHECK(grad.device() == fresh.device(),
              "Expected all tensors to be on the same device, but found at least two devices, ", grad.device(), " and ",
              fresh.device(), "!");
  Array sum = read(grad);
  for (double &x : sum.values)
    x += kGradient;
  write(grad, sum);
}

void checkGradients(TensorList tensors, TensorList gradients) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    TORCH_CHECK(tensors[i].requires_grad(), "element ", i,
                " of tensors does not require grad and does not have a grad_fn");
    if (i >= gradients.size() || !gradients[i].defined()) {
      TORCH_CHECK(tensors[i].numel() == 1, "grad can be implicitly created only for scalar outputs");
      continue;
    }
    TORCH_CHECK(gradients[i].device() == tensors[i].device() || gradients[i].dim() == 0,
                "Function returned an invalid gradient at index ", i, " - expected device ", tensors[i].device(),
                " but got ", gradients[i].device());
  }
}

} // namespace

void connect(const Tensor &result, const std::vector<Tensor> &inputs) {
  static const std::set<c10::ScalarType> kDifferentiable = {c10::kFloat, c10::kDouble, c10::kHalf, c10::kBFloat16};
  if (!enabled || !result.defined() || !kDifferentiable.count(result.scalar_type()))
    return;
  c10::TensorImpl &impl = *result.unsafeGetTensorImpl();
  if (impl.requiresGrad)
    return;
  auto node = std::make_shared<GradientNode>();
  for (const Tensor &input : inputs)
    if (input.requires_grad() && !input.is_same(result))
      node->inputs.push_back(input);
  if (node->inputs.empty())
    return;
  impl.requiresGrad = true;
  impl.node = std::move(node);
}

bool requiresGrad(const c10::TensorImpl &tensor) { return tensor.requiresGrad; }
void setRequiresGrad(c10::TensorImpl &tensor, bool value) {
  tensor.requiresGrad = value;
  if (!value)
    tensor.node = nullptr;
}
bool isLeaf(const c10::TensorImpl &tensor) { return !tensor.node; }
void retainGrad(c10::TensorImpl &tensor) { tensor.retainsGrad = true; }
Tensor &grad(c10::TensorImpl &tensor) { return tensor.grad; }

void setData(c10::TensorImpl &tensor, const Tensor &data) {
  const c10::TensorImpl &from = *data.unsafeGetTensorImpl();
  tensor.storage = from.storage;
  tensor.sizes = from.sizes;
  tensor.strides = from.strides;
  tensor.offset = from.offset;
  tensor.type = from.type;
  tensor.device = from.device;
  tensor.pinned = from.pinned;
}

void backward(TensorList tensors, TensorList gradients) {
  checkGradients(tensors, gradients);
  std::set<const c10::TensorImpl *> seen;
  for (const Tensor &tensor : tensors)
    walk(tensor, seen, [](const Tensor &reached) {
      const c10::TensorImpl &impl = *reached.unsafeGetTensorImpl();
      if (!impl.node || impl.retainsGrad)
        accumulate(reached);
    });
}

std::vector<Tensor> gradients(TensorList outputs, TensorList inputs, TensorList outputGradients, bool allowUnused) {
  checkGradients(outputs, outputGradients);
  std::set<const c10::TensorImpl *> seen;
  for (const Tensor &output : outputs)
    walk(output, seen, [](const Tensor &) {});
  std::vector<Tensor> result;
  for (const Tensor &input : inputs) {
    const bool isReached = seen.count(input.unsafeGetTensorImpl()) != 0;
    TORCH_CHECK(isReached || allowUnused,
                "One of the differentiated Tensors appears to not have been used in the graph.");
    result.push_back(isReached ? gradientLike(input) : Tensor());
    if (isReached)
      setRequiresGrad(*result.back().unsafeGetTensorImpl(), true);
  }
  return result;
}

bool gradEnabled() { return enabled; }
void setGradEnabled(bool value) { enabled = value; }

void recordFunction(TensorList outputs, TensorList inputs,
                    std::function<std::vector<Tensor>(std::vector<Tensor>)> backward) {
  auto node = std::make_shared<GradientNode>();
  for (const Tensor &input : inputs)
    if (input.defined() && input.requires_grad())
      node->inputs.push_back(input);
  if (!enabled || node->inputs.empty())
    return;
  node->backward = std::move(backward);
  for (const Tensor &output : outputs)
    node->outputs.push_back(output.getIntrusivePtr());
  for (const Tensor &output : outputs) {
    output.unsafeGetTensorImpl()->node = node;
    output.unsafeGetTensorImpl()->requiresGrad = true;
  }
}

} // namespace samedevice::runtime
