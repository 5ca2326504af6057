// Kernels that PyTorch has for CUDA alone, so that no CPU kernel can stand in for them.
#include "Pretend.h"

#include <ATen/EmptyTensor.h>
#include <ATen/native/TensorFactories.h>
#include <ATen/ops/convolution_native.h>

namespace samedevice::runtime::pretend {

namespace {

using at::Tensor;
using Optional = c10::optional<Tensor>;

void checkSame(const char *function, std::initializer_list<std::pair<const char *, Tensor>> tensors) {
  c10::optional<c10::Device> common;
  for (const auto &[argument, tensor] : tensors) {
    if (!tensor.defined())
      continue;
    if (!common)
      common = tensor.device();
    TORCH_CHECK(*common == tensor.device(),
                "Expected all tensors to be on the same device, but found at least two devices, ", *common, " and ",
                tensor.device(), "! (when checking argument for argument ", argument, " in method wrapper__", function,
                ")");
  }
}

Tensor valueOf(const Optional &tensor) { return tensor.value_or(Tensor()); }

Tensor plus(const Tensor &gates, const Tensor &bias) { return bias.defined() ? gates + bias : gates; }

std::tuple<Tensor, Tensor, Tensor> lstmCell(const Tensor &inputGates, const Tensor &hiddenGates, const Tensor &cx,
                                            const Optional &inputBias, const Optional &hiddenBias) {
  checkSame("_thnn_fused_lstm_cell", {{"input_gates", inputGates},
                                      {"hidden_gates", hiddenGates},
                                      {"cx", cx},
                                      {"input_bias", valueOf(inputBias)},
                                      {"hidden_bias", valueOf(hiddenBias)}});
  const Tensor gates = plus(inputGates, valueOf(inputBias)) + plus(hiddenGates, valueOf(hiddenBias));
  const auto part = gates.chunk(4, 1);
  const Tensor in = part[0].sigmoid(), forget = part[1].sigmoid(), cell = part[2].tanh(), out = part[3].sigmoid();
  const Tensor cy = forget * cx + in * cell;
  return {out * cy.tanh(), cy, at::cat({in, forget, cell, out}, 1)};
}

std::tuple<Tensor, Tensor> gruCell(const Tensor &inputGates, const Tensor &hiddenGates, const Tensor &hx,
                                   const Optional &inputBias, const Optional &hiddenBias) {
  checkSame("_thnn_fused_gru_cell", {{"input_gates", inputGates},
                                     {"hidden_gates", hiddenGates},
                                     {"hx", hx},
                                     {"input_bias", valueOf(inputBias)},
                                     {"hidden_bias", valueOf(hiddenBias)}});
  const auto in = plus(inputGates, valueOf(inputBias)).chunk(3, 1);
  const auto hidden = plus(hiddenGates, valueOf(hiddenBias)).chunk(3, 1);
  const Tensor reset = (in[0] + hidden[0]).sigmoid(), update = (in[1] + hidden[1]).sigmoid();
  const Tensor fresh = (in[2] + reset * hidden[2]).tanh();
  return {(hx - fresh) * update + fresh, at::cat({reset, update, fresh, hx, hidden[2]}, 1)};
}

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> lstmCellBackward(const Optional &gradHy, const Optional &gradCy,
                                                                    const Tensor &cx, const Tensor &cy,
                                                                    const Tensor &workspace, bool hasBias) {
  const auto part = workspace.chunk(4, 1);
  const Tensor &in = part[0], &forget = part[1], &cell = part[2], &out = part[3];
  const Tensor squashed = cy.tanh();
  const Tensor dhy = valueOf(gradHy).defined() ? *gradHy : at::zeros_like(cy);
  const Tensor dcy = (valueOf(gradCy).defined() ? *gradCy : at::zeros_like(cy)) + dhy * out * (1 - squashed * squashed);
  const Tensor gates = at::cat({dcy * cell * in * (1 - in), dcy * cx * forget * (1 - forget),
                                dcy * in * (1 - cell * cell), dhy * squashed * out * (1 - out)},
                               1);
  const Tensor bias = hasBias ? gates.sum(0) : Tensor();
  return {gates, gates, dcy * forget, bias, bias};
}

std::tuple<Tensor, Tensor, Tensor> lstmCellBackwardImpl(const Optional &gradHy, const Optional &gradCy,
                                                        const Tensor &cx, const Tensor &cy, const Tensor &workspace,
                                                        bool hasBias) {
  const auto [input, hidden, dcx, inputBias, hiddenBias] = lstmCellBackward(gradHy, gradCy, cx, cy, workspace, hasBias);
  return {input, dcx, inputBias};
}

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> gruCellBackward(const Tensor &gradHy, const Tensor &workspace,
                                                                   bool hasBias) {
  const auto part = workspace.chunk(5, 1);
  const Tensor &reset = part[0], &update = part[1], &fresh = part[2], &hx = part[3], &hidden = part[4];
  const Tensor dFresh = gradHy * (1 - update) * (1 - fresh * fresh);
  const Tensor dUpdate = gradHy * (hx - fresh) * update * (1 - update);
  const Tensor dReset = dFresh * hidden * reset * (1 - reset);
  const Tensor input = at::cat({dReset, dUpdate, dFresh}, 1), inner = at::cat({dReset, dUpdate, dFresh * reset}, 1);
  return {input, inner, gradHy * update, hasBias ? input.sum(0) : Tensor(), hasBias ? inner.sum(0) : Tensor()};
}

Tensor depthwise2d(const Tensor &self, const Tensor &weight, at::IntArrayRef, const Optional &bias,
                   at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation) {
  checkSame("_conv_depthwise2d", {{"self", self}, {"weight", weight}, {"bias", valueOf(bias)}});
  // One plain convolution per channel: what a CPU build would do for these groups.
  std::vector<Tensor> channels;
  const auto inputs = self.split(1, 1);
  const auto weights = weight.split(weight.size(0) / self.size(1), 0);
  channels.reserve(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    channels.push_back(
        at::slow_conv_dilated2d(inputs[i], weights[i], weights[i].sizes().slice(2), {}, stride, padding, dilation));
  const Tensor out = at::cat(channels, 1);
  return valueOf(bias).defined() ? out + bias->view({1, -1, 1, 1}) : out;
}

/// Convolution itself is shared code, but a CUDA build checks its arguments before it picks one of cuDNN's kernels.
Tensor convolution(const Tensor &input, const Tensor &weight, const Optional &bias, at::IntArrayRef stride,
                   at::IntArrayRef padding, at::IntArrayRef dilation, bool transposed, at::IntArrayRef outputPadding,
                   int64_t groups) {
  const char *mkldnn = input.is_cuda() ? "" : " or input should be a MKLDNN tensor and ";
  const auto checkType = [&](const Tensor &parameter, const char *name) {
    TORCH_CHECK(input.options().type_equal(parameter.options()), "Input type (", input.toString(), ") and ", name,
                " type (", parameter.toString(), ") should be the same", mkldnn,
                input.is_cuda() ? "" : std::string(name) + " is a dense tensor");
    TORCH_CHECK(input.device() == parameter.device(),
                "Expected all tensors to be on the same device, but found at least two devices, ", input.device(),
                " and ", parameter.device(), "! (when checking argument for argument ", name,
                " in method wrapper__cudnn_convolution)");
  };
  checkType(weight, "weight");
  if (valueOf(bias).defined())
    checkType(*bias, "bias");
  return at::native::convolution(input, weight, bias, stride, padding, dilation, transposed, outputPadding, groups);
}

/// Zeros without memory, which gradients of what nobody asked for are made of.
Tensor efficientZeros(at::IntArrayRef size, c10::optional<at::ScalarType> type, c10::optional<at::Layout>,
                      c10::optional<at::Device> device, c10::optional<bool>) {
  at::native::ZeroTensorAllocator nowhere(withIndex(device.value_or(currentCuda())));
  const auto keys = c10::DispatchKeySet(c10::DispatchKey::CUDA) | c10::DispatchKeySet(c10::DispatchKey::ZeroTensor);
  return at::detail::empty_generic(size, &nowhere, keys, c10::dtype_or_default(type), c10::nullopt);
}

/// Only a choice, and what comes after it takes both. Newer ctc_loss asks it with lengths that are tensors, too.
template <class Lengths> bool useCudnnCtcLoss(const Tensor &, const Tensor &, Lengths, Lengths, int64_t) {
  return false;
}

} // namespace

void registerCudaOnlyKernels(torch::Library &library) {
  library.impl("_use_cudnn_ctc_loss", &useCudnnCtcLoss<at::IntArrayRef>);
  library.impl("_use_cudnn_ctc_loss.Tensor", &useCudnnCtcLoss<const Tensor &>);
  library.impl("_efficientzerotensor", &efficientZeros);
  library.impl("_thnn_fused_lstm_cell", &lstmCell);
  library.impl("_thnn_fused_lstm_cell_backward_impl", &lstmCellBackwardImpl);
  library.impl("_thnn_fused_gru_cell", &gruCell);
  library.impl("_thnn_fused_gru_cell_backward", &gruCellBackward);
  library.impl("_conv_depthwise2d", &depthwise2d);
  library.impl("convolution", &convolution);
}

} // namespace samedevice::runtime::pretend
