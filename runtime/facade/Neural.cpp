// Matrix products, layers and losses. Layers whose numbers no program of ours looks at (convolutions, recurrent ones,
// attention) give results of the right shape with plain numbers in them.
#include "Call.h"

#include <algorithm>
#include <cmath>

namespace samedevice::runtime {

namespace {

/// The last two dimensions are matrices, the others a batch.
Array multiplied(Array a, Array b) {
  const bool isVectorA = a.rank() == 1, isVectorB = b.rank() == 1;
  if (isVectorA)
    a.sizes.insert(a.sizes.begin(), 1);
  if (isVectorB)
    b.sizes.push_back(1);
  const int64_t n = a.sizes[a.sizes.size() - 2], k = a.sizes.back(), m = b.sizes.back();
  TORCH_CHECK(b.sizes[b.sizes.size() - 2] == k, "mat1 and mat2 shapes cannot be multiplied (", n, "x", k, " and ",
              b.sizes[b.sizes.size() - 2], "x", m, ")");
  const Sizes batchA(a.sizes.begin(), a.sizes.end() - 2), batchB(b.sizes.begin(), b.sizes.end() - 2);
  Sizes batch = broadcastShapes(batchA, batchB), wideA = batch, wideB = batch;
  wideA.insert(wideA.end(), {n, k});
  wideB.insert(wideB.end(), {k, m});
  a = broadcast(a, wideA);
  b = broadcast(b, wideB);
  Sizes sizes = batch;
  if (!isVectorA)
    sizes.push_back(n);
  if (!isVectorB)
    sizes.push_back(m);
  Array out(sizes, promote(a.type, b.type));
  for (int64_t s = 0; s < countOf(batch); ++s)
    for (int64_t i = 0; i < n; ++i)
      for (int64_t p = 0; p < k; ++p) {
        const double left = a.values[static_cast<std::size_t>((s * n + i) * k + p)];
        for (int64_t j = 0; j < m; ++j)
          out.values[static_cast<std::size_t>((s * n + i) * m + j)] +=
              left * b.values[static_cast<std::size_t>((s * k + p) * m + j)];
      }
  return out;
}
Array transposed(const Array &in) {
  Array out({in.sizes.at(1), in.sizes.at(0)}, in.type);
  for (int64_t i = 0; i < in.sizes[0]; ++i)
    for (int64_t j = 0; j < in.sizes[1]; ++j)
      out.values[static_cast<std::size_t>(j * in.sizes[0] + i)] =
          in.values[static_cast<std::size_t>(i * in.sizes[1] + j)];
  return out;
}
Array plus(const Array &a, const Array &b, double factor = 1) {
  const Sizes shape = broadcastShapes(a.sizes, b.sizes);
  Array out = broadcast(a, shape);
  const Array right = broadcast(b, shape);
  for (std::size_t i = 0; i < out.values.size(); ++i)
    out.values[i] += factor * right.values[i];
  return out;
}
Array scaled(Array in, double factor) {
  for (double &x : in.values)
    x *= factor;
  return in;
}

Array second(const Call &call) {
  for (const char *name : {"other", "mat2", "vec", "tensor", "vec2"})
    if (call.has(name))
      return call.array(name);
  return {};
}
Results matmul(Call &call) { return call.result(multiplied(call.self(), second(call))); }
Results outer(Call &call) {
  Array a = call.self(), b = second(call);
  a.sizes.push_back(1);
  b.sizes.insert(b.sizes.begin(), 1);
  return call.result(multiplied(a, b));
}
Results plusProduct(Call &call) {
  const char *first = call.has("mat1") ? "mat1" : call.has("mat") ? "mat" : "batch1";
  const char *other = call.has("mat2") ? "mat2" : call.has("vec") ? "vec" : "batch2";
  const Array product = scaled(multiplied(call.array(first), call.array(other)), call.real("alpha", 1));
  return call.result(plus(product, scaled(call.self(), call.real("beta", 1))));
}
Results linear(Call &call) {
  const Array weight = call.array("weight");
  Array out = multiplied(call.array("input"), weight.rank() == 2 ? transposed(weight) : weight);
  return call.result(call.isGiven("bias") ? plus(out, call.array("bias")) : out);
}
Results einsum(Call &call) {
  const std::string equation = call.text("equation");
  const std::vector<Tensor> tensors = call.tensors("tensors");
  std::unordered_map<char, int64_t> sizes;
  std::size_t tensor = 0, dim = 0;
  const std::size_t arrow = equation.find("->");
  for (std::size_t i = 0; i < std::min(arrow, equation.size()); ++i) {
    if (equation[i] == ',')
      ++tensor, dim = 0;
    else if (std::isalpha(static_cast<unsigned char>(equation[i])))
      sizes[equation[i]] = tensors.at(tensor).size(static_cast<int64_t>(dim++));
  }
  Array out;
  for (std::size_t i = arrow == std::string::npos ? equation.size() : arrow + 2; i < equation.size(); ++i)
    if (std::isalpha(static_cast<unsigned char>(equation[i])))
      out.sizes.push_back(sizes[equation[i]]);
  return call.result(Array(out.sizes, tensors.at(0).scalar_type(), 1));
}
Results cdist(Call &call) {
  const Array a = call.array("x1"), b = call.array("x2");
  Sizes sizes = a.sizes;
  sizes.back() = b.sizes[b.sizes.size() - 2];
  Array out(sizes, a.type);
  if (a.rank() == 2)
    for (int64_t i = 0; i < a.sizes[0]; ++i)
      for (int64_t j = 0; j < b.sizes[0]; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < a.sizes[1]; ++k) {
          const double d = a.values[static_cast<std::size_t>(i * a.sizes[1] + k)] -
                           b.values[static_cast<std::size_t>(j * a.sizes[1] + k)];
          sum += d * d;
        }
        out.values[static_cast<std::size_t>(i * b.sizes[0] + j)] = std::sqrt(sum);
      }
  return call.result(out);
}
Results alongLast(Call &call) {
  const Array a = call.array("x1");
  Array out = a;
  const int64_t dim = wrapDim(call.integer("dim", -1), a.rank());
  out.sizes.erase(out.sizes.begin() + dim);
  return call.result(Array(out.sizes, a.type, 0.5));
}
Results likeSelf(Call &call) { return call.result(call.array(call.has("self") ? "self" : "A")); }
Results identityLike(Call &call) {
  Array out = call.array(call.has("self") ? "self" : "A");
  const int64_t n = out.sizes.back();
  for (std::size_t i = 0; i < out.values.size(); ++i)
    out.values[i] = static_cast<int64_t>(i) % n == static_cast<int64_t>(i) / n % n;
  return call.result(out);
}
Results solved(Call &call) { return call.result(call.array("B")); }
Results oneNumber(Call &call) {
  const Array in = call.array(call.has("self") ? "self" : "A");
  return call.result(Array(Sizes(in.sizes.begin(), in.sizes.end() - 2), in.type, 1));
}
Results svd(Call &call) {
  const Array in = call.array(call.has("self") ? "self" : "A");
  const int64_t rows = in.sizes.at(in.sizes.size() - 2), columns = in.sizes.back(), k = std::min(rows, columns);
  return std::vector<Tensor>{call.result(Array({rows, k}, in.type)), call.result(Array({k}, in.type, 1)),
                             call.result(Array({k, columns}, in.type))};
}
Results eigh(Call &call) {
  const Array in = call.array(call.has("self") ? "self" : "A");
  return std::vector<Tensor>{call.result(Array({in.sizes.back()}, in.type, 1)), call.result(in)};
}

// Layers.

int64_t at(const Sizes &values, std::size_t i, int64_t otherwise) {
  return values.empty() ? otherwise : values[std::min(i, values.size() - 1)];
}
Results convolution(Call &call) {
  const Tensor input = call.tensor("input"), weight = call.tensor("weight");
  const bool transposed = call.name().find("transpose") != std::string::npos || call.flag("transposed");
  const bool keepsSize = call.text("padding") == "same";
  const Sizes stride = call.ints("stride"), padding = call.ints("padding"), dilation = call.ints("dilation"),
              extra = call.ints("output_padding");
  const auto spatial = static_cast<std::size_t>(weight.dim() - 2),
             first = static_cast<std::size_t>(input.dim()) - spatial;
  TORCH_CHECK(input.size(static_cast<int64_t>(first) - 1) ==
                  (transposed ? weight.size(0) : weight.size(1) * call.integer("groups", 1)),
              "Given weight of size ", weight.size(0), ", expected input to have other channels");
  Sizes sizes = input.sizes().vec();
  sizes[first - 1] = transposed ? weight.size(1) * call.integer("groups", 1) : weight.size(0);
  for (std::size_t i = 0; i < spatial; ++i) {
    const int64_t reach = at(dilation, i, 1) * (weight.size(static_cast<int64_t>(i) + 2) - 1), pad = at(padding, i, 0);
    int64_t &size = sizes[first + i];
    if (transposed)
      size = (size - 1) * at(stride, i, 1) - 2 * pad + reach + at(extra, i, 0) + 1;
    else if (!keepsSize)
      size = (size + 2 * pad - reach - 1) / at(stride, i, 1) + 1;
  }
  return call.result(Array(sizes, input.scalar_type(), 0.1));
}
Array pooled(const Call &call) {
  const Tensor self = call.tensor("self");
  const Sizes kernel = call.ints("kernel_size"), padding = call.ints("padding"), dilation = call.ints("dilation");
  Sizes stride = call.ints("stride"), sizes = self.sizes().vec();
  if (stride.empty())
    stride = kernel;
  const std::size_t spatial = static_cast<std::size_t>(call.name()[call.name().find("pool") + 4] - '0');
  for (std::size_t i = 0; i < spatial; ++i) {
    int64_t &size = sizes[sizes.size() - spatial + i];
    const int64_t span = size + 2 * at(padding, i, 0) - at(dilation, i, 1) * (at(kernel, i, 1) - 1) - 1;
    size = (span + (call.flag("ceil_mode") ? at(stride, i, 1) - 1 : 0)) / at(stride, i, 1) + 1;
  }
  return Array(sizes, self.scalar_type(), 0.1);
}
Results pool(Call &call) { return call.result(pooled(call)); }
Results poolWithIndices(Call &call) {
  const Array out = pooled(call);
  return std::vector<Tensor>{call.result(out), call.result(Array(out.sizes, c10::kLong))};
}
/// The last dimensions become the asked ones.
Array resized(const Call &call) {
  const Tensor self = call.tensor("self").defined() ? call.tensor("self") : call.tensor("input");
  Sizes wanted = call.ints("output_size"), sizes = self.sizes().vec();
  std::vector<double> factors;
  if (wanted.empty()) {
    const std::size_t spatial = sizes.size() - 2;
    for (std::size_t i = 0; i < spatial; ++i)
      wanted.push_back(static_cast<int64_t>(static_cast<double>(sizes[2 + i]) * call.factor("scale_factors", i)));
  }
  for (std::size_t i = 0; i < wanted.size(); ++i)
    sizes[sizes.size() - wanted.size() + i] = wanted[i];
  return Array(sizes, self.scalar_type(), 0.1);
}
Results resize(Call &call) { return call.result(resized(call)); }
Results resizeWithIndices(Call &call) {
  const Array out = resized(call);
  return std::vector<Tensor>{call.result(out), call.result(Array(out.sizes, c10::kLong))};
}
Results gridSample(Call &call) {
  const Tensor input = call.tensor("input"), grid = call.tensor("grid");
  return call.result(Array({input.size(0), input.size(1), grid.size(1), grid.size(2)}, input.scalar_type(), 0.1));
}
Results likeInput(Call &call) { return call.result(call.array("input")); }
Results dropout(Call &call) { return call.result(call.array(call.has("input") ? "input" : "self")); }

Results halved(Call &call) {
  Array in = call.self();
  const auto dim = static_cast<std::size_t>(wrapDim(call.integer("dim", -1), in.rank()));
  Sizes sizes = in.sizes;
  sizes[dim] /= 2;
  return call.result(Array(sizes, in.type, 0.1));
}

// Recurrent layers: [time, batch, features] or, with batch_first, [batch, time, features].
std::vector<Tensor> recurrent(Call &call, bool hasCell) {
  const bool isPacked = call.has("data");
  const Tensor input = call.tensor(isPacked ? "data" : "input");
  const std::vector<Tensor> states = call.tensors("hx");
  const Tensor hidden = states.at(0);
  Sizes sizes = input.sizes().vec();
  sizes.back() = hidden.size(-1) * (call.flag("bidirectional") ? 2 : 1);
  std::vector<Tensor> out = {call.result(Array(sizes, input.scalar_type(), 0.1)),
                             call.result(Array(hidden.sizes().vec(), hidden.scalar_type(), 0.1))};
  if (hasCell)
    out.push_back(call.result(Array(hidden.sizes().vec(), hidden.scalar_type(), 0.1)));
  return out;
}
Results lstm(Call &call) { return recurrent(call, true); }
Results gru(Call &call) { return recurrent(call, false); }
Results lstmCell(Call &call) {
  const std::vector<Tensor> states = call.tensors("hx");
  return std::vector<Tensor>{call.result(read(states.at(0))), call.result(read(states.at(1)))};
}
Results cell(Call &call) { return call.result(call.array("hx")); }

Results batchNorm(Call &call) { return call.result(call.array("input")); }

// Losses.

double meanOf(const Array &values) {
  double sum = 0;
  for (const double x : values.values)
    sum += x;
  return values.values.empty() ? 0 : sum / static_cast<double>(values.values.size());
}
Results reduced(Call &call, const Array &each) {
  switch (call.integer("reduction", at::Reduction::Mean)) {
  case at::Reduction::None:
    return call.result(each);
  case at::Reduction::Sum:
    return call.result(Array({}, each.type, meanOf(each) * static_cast<double>(each.values.size())));
  default:
    return call.result(Array({}, each.type, meanOf(each)));
  }
}
template <double (*Loss)(double input, double target)> Results pointLoss(Call &call) {
  const Array a = call.array(call.has("self") ? "self" : "input"), b = call.array("target");
  const Sizes shape = broadcastShapes(a.sizes, b.sizes);
  Array each = broadcast(a, shape);
  const Array targets = broadcast(b, shape);
  for (std::size_t i = 0; i < each.values.size(); ++i)
    each.values[i] = Loss(each.values[i], targets.values[i]);
  return reduced(call, each);
}
double squared(double a, double b) { return (a - b) * (a - b); }
double absolute(double a, double b) { return std::fabs(a - b); }
double smooth(double a, double b) { return std::fabs(a - b) < 1 ? 0.5 * (a - b) * (a - b) : std::fabs(a - b) - 0.5; }
double entropy(double p, double t) {
  const double safe = std::fmin(std::fmax(p, 1e-12), 1 - 1e-12);
  return -t * std::log(safe) - (1 - t) * std::log(1 - safe);
}
double logitEntropy(double x, double t) { return std::fmax(x, 0) - x * t + std::log1p(std::exp(-std::fabs(x))); }
double divergence(double x, double t) { return t > 0 ? t * (std::log(t) - x) : 0; }

Results classLoss(Call &call) {
  const Tensor self = call.tensor("self"), target = call.tensor("target");
  if (c10::isFloatingType(target.scalar_type()))
    return reduced(call, Array({self.size(0)}, self.scalar_type(), 1));
  return reduced(call, Array(target.sizes().vec(), self.scalar_type(), 1));
}
Results someLoss(Call &call) {
  return reduced(call, Array({call.inputs().at(0).dim() == 0 ? 1 : call.inputs().at(0).size(0)}, c10::kFloat, 1));
}

const AddKernels add = {
    {"matmul", matmul},
    {"linalg_matmul", matmul},
    {"mm", matmul},
    {"bmm", matmul},
    {"mv", matmul},
    {"dot", matmul},
    {"vdot", matmul},
    {"inner", matmul},
    {"outer", outer},
    {"ger", outer},
    {"addmm", plusProduct},
    {"addmv", plusProduct},
    {"addbmm", plusProduct},
    {"baddbmm", plusProduct},
    {"linear", linear},
    {"einsum", einsum},
    {"cdist", cdist},
    {"cosine_similarity", alongLast},
    {"pairwise_distance", alongLast},
    {"cross", likeSelf},
    {"linalg_cross", likeSelf},
    {"linalg_inv", identityLike},
    {"inverse", identityLike},
    {"linalg_pinv", identityLike},
    {"linalg_cholesky", identityLike},
    {"cholesky", identityLike},
    {"linalg_solve", solved},
    {"linalg_det", oneNumber},
    {"det", oneNumber},
    {"logdet", oneNumber},
    {"linalg_svd", svd},
    {"svd", svd},
    {"linalg_eigh", eigh},
    {"linalg_qr", eigh},
    {"matrix_exp", likeSelf},
    {"matrix_power", likeSelf},
    {"fft_fft", likeSelf},
    {"fft_ifft", likeSelf},
    {"fft_rfft", likeSelf},
    {"fft_irfft", likeSelf},
    {"fft_fft2", likeSelf},
    {"fft_ifft2", likeSelf},
    {"fft_fftshift", likeSelf},
    {"conv1d", convolution},
    {"conv2d", convolution},
    {"conv3d", convolution},
    {"conv_transpose1d", convolution},
    {"conv_transpose2d", convolution},
    {"conv_transpose3d", convolution},
    {"convolution", convolution},
    {"max_pool1d", pool},
    {"max_pool2d", pool},
    {"max_pool3d", pool},
    {"avg_pool1d", pool},
    {"avg_pool2d", pool},
    {"avg_pool3d", pool},
    {"max_pool2d_with_indices", poolWithIndices},
    {"adaptive_avg_pool1d", resize},
    {"adaptive_avg_pool2d", resize},
    {"adaptive_avg_pool3d", resize},
    {"adaptive_max_pool1d", resizeWithIndices},
    {"adaptive_max_pool2d", resizeWithIndices},
    {"upsample_nearest1d", resize},
    {"upsample_nearest2d", resize},
    {"upsample_bilinear2d", resize},
    {"upsample_linear1d", resize},
    {"upsample_bicubic2d", resize},
    {"grid_sampler", gridSample},
    {"batch_norm", batchNorm},
    {"instance_norm", batchNorm},
    {"layer_norm", likeInput},
    {"group_norm", likeInput},
    {"dropout", dropout},
    {"feature_dropout", dropout},
    {"alpha_dropout", dropout},
    {"glu", halved},
    {"lstm", lstm},
    {"gru", gru},
    {"rnn_tanh", gru},
    {"rnn_relu", gru},
    {"lstm_cell", lstmCell},
    {"gru_cell", cell},
    {"rnn_tanh_cell", cell},
    {"rnn_relu_cell", cell},
    {"mse_loss", pointLoss<squared>},
    {"l1_loss", pointLoss<absolute>},
    {"smooth_l1_loss", pointLoss<smooth>},
    {"huber_loss", pointLoss<smooth>},
    {"binary_cross_entropy", pointLoss<entropy>},
    {"binary_cross_entropy_with_logits", pointLoss<logitEntropy>},
    {"kl_div", pointLoss<divergence>},
    {"cross_entropy_loss", classLoss},
    {"nll_loss", classLoss},
    {"nll_loss2d", classLoss},
    {"nll_loss_nd", classLoss},
    {"margin_ranking_loss", someLoss},
    {"cosine_embedding_loss", someLoss},
    {"triplet_margin_loss", someLoss},
    {"hinge_embedding_loss", someLoss},
    {"ctc_loss", someLoss},
    {"poisson_nll_loss", someLoss},
    {"soft_margin_loss", someLoss},
    {"multi_margin_loss", someLoss},
    {"multilabel_margin_loss", someLoss},
};

bool startsWith(const std::string &text, const char *start) { return text.rfind(start, 0) == 0; }

void checkConvolution(const Call &call) {
  const Tensor input = call.tensor("input");
  for (const char *name : {"weight", "bias"}) {
    const Tensor parameter = call.tensor(name);
    if (!parameter.defined())
      continue;
    TORCH_CHECK(input.is_cuda() == parameter.is_cuda(), "Input type (", input.toString(), ") and ", name, " type (",
                parameter.toString(), ") should be the same",
                input.is_cuda() ? ""
                                : c10::str(" or input should be a MKLDNN tensor and ", name, " is a dense tensor"));
    TORCH_CHECK(input.device() == parameter.device(),
                "Expected all tensors to be on the same device, but found at least two devices, ", input.device(),
                " and ", parameter.device(), "!");
  }
}

void checkRecurrent(const Call &call) {
  const Tensor input = call.tensor(call.has("data") ? "data" : "input");
  const auto check = [&](const char *list, const char *what) {
    for (const Tensor &tensor : call.tensors(list))
      TORCH_CHECK(tensor.device() == input.device(), "Input and ", what,
                  " tensors are not at the same device, found input tensor at ", input.device(), " and ", what,
                  " tensor at ", tensor.device());
  };
  check("hx", "hidden");
  check("params", "parameter");
}

} // namespace

bool checkLayer(const Call &call) {
  if (startsWith(call.name(), "conv")) {
    checkConvolution(call);
    return true;
  }
  if (call.has("params")) {
    checkRecurrent(call);
    return true;
  }
  return false;
}

} // namespace samedevice::runtime
