// Real libtorch code on the pretended GPUs: what runs on CUDA runs, what PyTorch refuses is refused in its own words.
#include <torch/script.h>
#include <torch/torch.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;
namespace indexing = torch::indexing;
using at::Tensor;
using at::TensorOptions;
using c10::Device;
using c10::kBool;
using c10::kCPU;
using c10::kCUDA;
using c10::kLong;

const Device g0(kCUDA, 0), g1(kCUDA, 1);

template <class Work> std::string errorOf(Work work) {
  std::string text = "no error";
  try {
    work();
  } catch (const std::exception &error) {
    text = error.what();
  }
  // PyTorch 1.13 calls the function around a kernel wrapper_mm, 2.6 wrapper_CUDA_mm.
  const std::string newer = "wrapper_CUDA_";
  if (const std::size_t at = text.find(newer); at != std::string::npos)
    text.replace(at, newer.size(), "wrapper_");
  return text;
}

#define EXPECT_REFUSED(text, ...) EXPECT_THAT(errorOf([] { __VA_ARGS__; }), testing::HasSubstr(text))
#define EXPECT_FAULT(text, ...) EXPECT_EXIT(([] { __VA_ARGS__; })(), testing::KilledBySignal(SIGSEGV), text)

TEST(PretendCuda, Available) {
  EXPECT_TRUE(torch::cuda::is_available());
  EXPECT_TRUE(torch::cuda::device_count() == 2);
}

TEST(PretendCuda, Seed) {
  torch::manual_seed(1);
  torch::cuda::manual_seed_all(1);
}

TEST(PretendCuda, Add) {
  auto a = torch::randn({3, 4}, g0), b = torch::ones({3, 4}, g0);
  auto c = a + b;
  EXPECT_TRUE(c.is_cuda());
  EXPECT_TRUE(torch::allclose(c.cpu(), a.cpu() + 1));
}

TEST(PretendCuda, Index1) {
  auto a = torch::randn({3, 4}, g1);
  EXPECT_TRUE(a.device() == g1);
  EXPECT_TRUE((a * 2).device() == g1);
  EXPECT_TRUE(a.to(kCUDA).device() == g0);
}

TEST(PretendCuda, Scalar0) {
  auto r = torch::randn({3}, g0) * torch::tensor(2.0f);
  EXPECT_TRUE(r.is_cuda());
  (void)r.sum().item<float>();
}

TEST(PretendCuda, InplaceScalar0) {
  auto r = torch::ones({3}, g0);
  r.mul_(torch::tensor(2.0f));
  EXPECT_TRUE(r.sum().item<float>() == 6);
}

TEST(PretendCuda, Conv) {
  nn::Conv2d l(nn::Conv2dOptions(3, 4, 3));
  l->to(g1);
  auto o = l(torch::randn({2, 3, 8, 8}, g1));
  EXPECT_TRUE(o.device() == g1);
  o.sum().backward();
  EXPECT_TRUE(l->weight.grad().device() == g1);
}

TEST(PretendCuda, Depthwise) {
  nn::Conv2d l(nn::Conv2dOptions(4, 8, 3).groups(4).padding(1));
  auto x = torch::randn({2, 4, 8, 8});
  auto want = l(x);
  l->to(g0);
  auto o = l(x.to(g0));
  EXPECT_TRUE(torch::allclose(o.cpu(), want, 1e-4, 1e-4));
}

TEST(PretendCuda, ConvTranspose1d3d) {
  nn::ConvTranspose2d l(nn::ConvTranspose2dOptions(3, 4, 3));
  l->to(g0);
  l(torch::randn({2, 3, 8, 8}, g0));
  nn::Conv1d m(nn::Conv1dOptions(3, 4, 3));
  m->to(g0);
  m(torch::randn({2, 3, 8}, g0));
  nn::Conv3d k(nn::Conv3dOptions(3, 4, 3));
  k->to(g0);
  k(torch::randn({2, 3, 8, 8, 8}, g0));
}

TEST(PretendCuda, Lstm) {
  nn::LSTM l(3, 4);
  auto x = torch::randn({2, 1, 3});
  auto w = std::get<0>(l(x));
  l->to(g0);
  auto o = std::get<0>(l(x.to(g0)));
  EXPECT_TRUE(o.is_cuda());
  EXPECT_TRUE(torch::allclose(o.cpu(), w, 1e-4, 1e-4));
  o.sum().backward();
}

TEST(PretendCuda, LstmGrads) {
  nn::LSTM l(3, 4);
  auto x = torch::randn({2, 5, 3});
  std::get<0>(l(x)).pow(2).sum().backward();
  auto w = l->parameters()[0].grad().clone();
  l->zero_grad();
  auto xx = x;
  l->to(g0);
  for (auto &p : l->parameters())
    p.mutable_grad() = Tensor();
  std::get<0>(l(x.to(g0))).pow(2).sum().backward();
  EXPECT_TRUE(torch::allclose(l->parameters()[0].grad().cpu(), w, 1e-3, 1e-4));
}

TEST(PretendCuda, Gru) {
  nn::GRU l(3, 4);
  auto x = torch::randn({2, 5, 3});
  auto o1 = std::get<0>(l(x));
  o1.pow(2).sum().backward();
  auto w = l->parameters()[0].grad().clone();
  l->to(g0);
  for (auto &p : l->parameters())
    p.mutable_grad() = Tensor();
  auto o = std::get<0>(l(x.to(g0)));
  EXPECT_TRUE(torch::allclose(o.cpu(), o1, 1e-4, 1e-4));
  o.pow(2).sum().backward();
  EXPECT_TRUE(torch::allclose(l->parameters()[0].grad().cpu(), w, 1e-3, 1e-4));
}

TEST(PretendCuda, Training) {
  nn::Sequential s(nn::Linear(4, 8), nn::BatchNorm1d(8), nn::ReLU(), nn::Dropout(0.1),
                   nn::LayerNorm(nn::LayerNormOptions({8})), nn::Linear(8, 3));
  s->to(g0);
  torch::optim::Adam o(s->parameters());
  for (int i = 0; i < 3; i++) {
    o.zero_grad();
    auto y = s->forward(torch::randn({5, 4}, g0));
    auto loss = F::cross_entropy(y, torch::randint(0, 3, {5}, TensorOptions(kLong).device(g0)));
    loss.backward();
    nn::utils::clip_grad_norm_(s->parameters(), 1.0);
    o.step();
  }
}

TEST(PretendCuda, SgdGpu1) {
  nn::Linear l(3, 3);
  l->to(g1);
  torch::optim::SGD o(l->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  l(torch::randn({2, 3}, g1)).sum().backward();
  o.step();
}

TEST(PretendCuda, IndexCpuIdx) {
  auto x = torch::randn({4}, g0);
  auto y = x.index({torch::zeros({2}, kLong)});
  EXPECT_TRUE(y.is_cuda());
}

TEST(PretendCuda, IndexPut) {
  auto x = torch::zeros({4}, g0);
  x.index_put_({torch::zeros({2}, kLong)}, torch::tensor(1.f));
  x[1] = 5;
  x.index_put_({indexing::Slice(2, 4)}, torch::ones({2}));
  EXPECT_TRUE(x.sum().item<float>() == 8);
}

TEST(PretendCuda, MaskIdx) {
  auto x = torch::randn({4}, g0);
  auto y = x.index({x > 0});
  EXPECT_TRUE(y.is_cuda());
  auto z = torch::where(x > 0, x, zeros_like(x));
  z.masked_fill_(x > 0, 0.);
}

TEST(PretendCuda, CatEtc) {
  auto x = torch::randn({4, 4}, g1);
  auto y = torch::cat({x, x});
  torch::stack({x, x});
  x.t();
  x.view({16});
  x.permute({1, 0}).contiguous();
  std::get<0>(x.max(1));
  x.argmax(1);
  torch::softmax(x, 1);
  std::get<0>(torch::topk(x, 2));
  std::get<0>(torch::sort(x, 0, false));
  x.chunk(2);
  x.repeat({2, 1});
  x.expand({2, 4, 4});
  EXPECT_TRUE(y.device() == g1);
}

TEST(PretendCuda, FromBlobDev) {
  auto t = torch::ones({4}, g0);
  auto b = torch::from_blob(t.data_ptr(), {4}, TensorOptions().device(kCUDA));
  EXPECT_TRUE(b.sum().item<float>() == 4);
}

TEST(PretendCuda, AsyncSync) {
  auto t = torch::ones({4}, g0);
  auto h = t.to(kCPU, true);
  torch::cuda::synchronize();
  EXPECT_TRUE(h[0].item<float>() == 1);
}

TEST(PretendCuda, AsyncH2d) {
  auto h = torch::ones({4}, TensorOptions().pinned_memory(true));
  EXPECT_TRUE(h.is_pinned());
  auto t = h.to(g0, true);
  (void)t.sum().item<float>();
  h.fill_(2);
  EXPECT_TRUE(t.sum().item<float>() == 4);
}

TEST(PretendCuda, Pin) {
  auto h = torch::ones({4}).pin_memory();
  EXPECT_TRUE(h.is_pinned() && h.sum().item<float>() == 4);
}

TEST(PretendCuda, Print) {
  std::stringstream s;
  s << torch::ones({2}, g1);
  EXPECT_THAT(s.str(), testing::HasSubstr("CUDAFloatType"));
}

TEST(PretendCuda, SaveLoad) {
  nn::Linear l(3, 3);
  l->to(g1);
  std::stringstream s;
  torch::save(l, s);
  nn::Linear m(3, 3);
  torch::load(m, s);
  EXPECT_TRUE(m->weight.device() == g1);
  std::stringstream s2;
  torch::save(l, s2);
  nn::Linear k(3, 3);
  torch::load(k, s2, kCPU);
  EXPECT_TRUE(k->weight.is_cpu());
  EXPECT_TRUE(torch::allclose(k->weight, l->weight.cpu()));
}

TEST(PretendCuda, Script) {
  torch::jit::Module m("m");
  m.register_parameter("w", torch::ones({3}), false);
  m.define("def forward(self, x):\n  return x * self.w\n");
  m.to(g0);
  auto y = m.forward({torch::ones({3}, g0)}).toTensor();
  EXPECT_TRUE(y.is_cuda());
  EXPECT_THAT(errorOf([&] { m.forward({torch::ones({3})}); }), testing::HasSubstr("at least two devices"));
  std::stringstream s;
  m.save(s);
  auto n = torch::jit::load(s);
  EXPECT_TRUE((*n.parameters().begin()).is_cuda());
}

TEST(PretendCuda, CloneDev) {
  nn::Linear l(3, 3);
  auto c = l->clone(g1);
  EXPECT_TRUE(c->parameters()[0].device() == g1);
}

TEST(PretendCuda, RandOps) {
  auto x = torch::empty({100}, g0).normal_();
  x.uniform_();
  torch::bernoulli(x);
  torch::multinomial(x, 3);
  torch::randperm(10, TensorOptions().device(g0));
  torch::arange(5, TensorOptions().device(g0));
  torch::linspace(0, 1, 5, TensorOptions().device(g0));
  torch::eye(3, TensorOptions().device(g0));
  torch::full({3}, 1.5, g0);
  torch::one_hot(torch::zeros({2}, TensorOptions(kLong).device(g0)), 3);
}

TEST(PretendCuda, Guard) {
  c10::DeviceGuard g(g1);
  EXPECT_TRUE(torch::ones({2}, kCUDA).device() == g1);
}

TEST(PretendCuda, Linalg) {
  auto a = torch::eye(3, TensorOptions().device(g0));
  at::linalg_inv(a);
  at::linalg_solve(a, a);
  at::bmm(torch::randn({2, 3, 3}, g0), torch::randn({2, 3, 3}, g0));
  at::einsum("ij,jk->ik", {a, a});
  torch::cdist(a, a);
  at::linalg_svd(a);
  torch::fft::fft(a);
}

TEST(PretendCuda, ResizeSet) {
  auto a = torch::empty({0}, g0);
  a.resize_({4});
  a.fill_(1);
  EXPECT_TRUE(a.sum().item<float>() == 4);
  auto b = torch::empty({0}, g0);
  at::add_out(b, a, a);
  EXPECT_TRUE(b.size(0) == 4 && b.is_cuda());
}

TEST(PretendCuda, ViewAlias) {
  auto a = torch::zeros({4, 4}, g0);
  auto v = a[1];
  v.fill_(3);
  EXPECT_TRUE(a.sum().item<float>() == 12);
  a.slice(0, 0, 1).copy_(torch::ones({1, 4}));
  EXPECT_TRUE(a.sum().item<float>() == 16);
  EXPECT_TRUE(v.storage().is_alias_of(a.storage()));
}

TEST(PretendCuda, Attention) {
  nn::TransformerEncoderLayer l(nn::TransformerEncoderLayerOptions(8, 2).dropout(0.0));
  l->to(g0);
  auto o = l(torch::randn({3, 2, 8}, g0));
  o.sum().backward();
  nn::MultiheadAttention m(8, 2);
  m->to(g0);
  auto x = torch::randn({3, 2, 8}, g0);
  m(x, x, x);
}

TEST(PretendCuda, Pack) {
  auto p = nn::utils::rnn::pack_padded_sequence(torch::randn({3, 2, 4}, g0), torch::tensor({3, 2}));
  EXPECT_TRUE(p.data().is_cuda() && p.batch_sizes().is_cpu());
  nn::LSTM l(4, 5);
  l->to(g0);
  auto o = l->forward_with_packed_input(p);
  nn::utils::rnn::pad_packed_sequence(std::get<0>(o));
}

TEST(PretendCuda, Interp) {
  auto x = torch::randn({1, 3, 8, 8}, g0);
  F::interpolate(
      x, F::InterpolateFuncOptions().size(std::vector<int64_t>{4, 4}).mode(torch::kBilinear).align_corners(false));
  F::grid_sample(x, torch::randn({1, 4, 4, 2}, g0));
  F::max_pool2d(x, F::MaxPool2dFuncOptions(2));
  F::avg_pool2d(x, F::AvgPool2dFuncOptions(2));
  F::adaptive_avg_pool2d(x, F::AdaptiveAvgPool2dFuncOptions(1));
  F::pad(x, F::PadFuncOptions({1, 1, 1, 1}));
}

TEST(PretendCuda, Distance) {
  auto a = torch::rand({10, 4}, g0);
  auto k = a.norm(2, 1);
  torch::nonzero(k > 0.1);
  std::get<0>(at::_unique(k));
  torch::cumsum(k, 0);
  torch::bincount(torch::zeros({3}, TensorOptions(kLong).device(g0)));
  torch::histc(k);
  torch::roll(k, 1);
  torch::flip(k, {0});
  torch::tril(a);
  torch::triu(torch::ones({3, 3}, g0), 1);
  std::get<0>(at::kthvalue(k, 1));
  at::meshgrid({k, k});
  at::logsumexp(a, 1);
  at::std(a);
  at::var(a, 1);
  a.prod();
  a.clamp(0, 1);
  at::lerp(k, k, 0.5);
  at::addcmul(k, k, k);
  at::index_add(k, 0, torch::zeros({1}, TensorOptions(kLong).device(g0)), torch::ones({1}, g0));
  k.any().item<bool>();
  at::equal(k, k);
}

TEST(PretendCuda, RefusesTwoDevices) {
  EXPECT_REFUSED("found at least two devices, cuda:0 and cpu!", torch::randn({3}, g0) + torch::randn({3}));
  EXPECT_REFUSED("found at least two devices, cuda:0 and cuda:1!", torch::randn({3}, g0) + torch::randn({3}, g1));
  EXPECT_REFUSED("wrapper_mm", torch::mm(torch::randn({3, 3}, g0), torch::randn({3, 3})));
  EXPECT_REFUSED("argument mat1 in method wrapper_addmm", nn::Linear l(3, 3); l->to(g0); l(torch::randn({2, 3})));
  EXPECT_REFUSED("wrapper_addmm", nn::Linear l(3, 3); l(torch::randn({2, 3}, g0)));
  EXPECT_REFUSED("Input type (CUDAFloatType) and weight type (CPUFloatType) should be the same",
                 nn::Conv2d l(nn::Conv2dOptions(3, 4, 3));
                 l(torch::randn({2, 3, 8, 8}, g0)));
  EXPECT_REFUSED("Input and parameter tensors are not at the same device, found input tensor at cuda:0 and parameter "
                 "tensor at cpu",
                 nn::LSTM l(3, 4);
                 l(torch::randn({2, 1, 3}, g0)));
  EXPECT_REFUSED("Input and hidden tensors are not at the same device", nn::LSTM l(3, 4); l->to(g0);
                 l(torch::randn({2, 1, 3}, g0), std::make_tuple(torch::zeros({1, 1, 4}), torch::zeros({1, 1, 4}))));
  EXPECT_REFUSED("found at least two devices, cuda:0 and cpu!",
                 F::cross_entropy(torch::randn({5, 3}, g0), torch::randint(0, 3, {5}, kLong)));
  EXPECT_REFUSED("wrapper__index_select", nn::Embedding e(10, 3); e->to(g0); e(torch::zeros({2}, kLong)));
  EXPECT_REFUSED("indices should be either on cpu or on the same device as the indexed tensor (cpu)",
                 torch::randn({4})[0];
                 auto x = torch::randn({4}); x.index({torch::zeros({2}, TensorOptions(kLong).device(g0))}));
  EXPECT_REFUSED("expected self and mask to be on the same device",
                 torch::randn({4}, g0).masked_fill(torch::zeros({4}, kBool), 1.0));
  EXPECT_REFUSED("found at least two devices", torch::cat({torch::randn({2}, g0), torch::randn({2})}));
  EXPECT_REFUSED("found at least two devices", torch::binary_cross_entropy(torch::rand({2}, g0), torch::rand({2})));
  EXPECT_REFUSED("found at least two devices", torch::mse_loss(torch::rand({2}, g0), torch::rand({2})));
  EXPECT_REFUSED("The specified pointer resides on host memory", float v[4]; torch::from_blob(v, {4}, kCUDA));
  EXPECT_REFUSED("does not match device of data cuda:0", auto t = torch::ones({4}, g0);
                 torch::from_blob(t.data_ptr(), {4}, TensorOptions().device(g1)));
  EXPECT_REFUSED("only dense CPU tensors can be pinned", torch::ones({4}, g0).pin_memory());
  EXPECT_REFUSED("Expected a 'cuda' device type for generator but found 'cpu'",
                 auto g = at::detail::createCPUGenerator();
                 torch::randn({3}, g, TensorOptions().device(g0)));
  EXPECT_REFUSED("wrapper_bmm", at::bmm(torch::randn({2, 3, 3}, g0), torch::randn({2, 3, 3})));
  EXPECT_REFUSED("found at least two devices", torch::where(torch::ones({3}, TensorOptions(kBool).device(g0)),
                                                            torch::ones({3}, g0), torch::zeros({3})));
  EXPECT_REFUSED("wrapper_scatter", torch::zeros({3, 3}, g0).scatter_(1, torch::zeros({3, 1}, kLong), 1.0));
  EXPECT_REFUSED("wrapper_gather", torch::zeros({3, 3}, g0).gather(1, torch::zeros({3, 1}, kLong)));
  EXPECT_REFUSED("two devices", torch::matmul(torch::randn({3, 3}), torch::randn({3}, g0)));
  EXPECT_REFUSED("two devices", nn::Linear l(2, 2); l->to(g0); torch::optim::Adam o(l->parameters());
                 l(torch::randn({1, 2}, g0)).sum().backward(); o.step(); l->to(kCPU);
                 for (auto &p : l->parameters()) p.mutable_grad() = Tensor(); l(torch::randn({1, 2})).sum().backward();
                 o.step());
}

TEST(PretendCuda, HostAccessFaults) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_FAULT("the host touches memory of cuda:1", auto t = torch::ones({4}, g1);
               volatile float x = t.data_ptr<float>()[0]; (void)x);
  EXPECT_FAULT("memory of cuda:0", auto t = torch::ones({4}, g0); auto a = t.accessor<float, 1>();
               volatile float x = a[1]; (void)x);
  EXPECT_FAULT("memory of cuda:0", auto t = torch::ones({4}, g0); auto b = torch::from_blob(t.data_ptr(), {4});
               (void)b.sum().item<float>());
  EXPECT_FAULT("has not filled yet", auto t = torch::ones({4}, g0); auto h = t.to(kCPU, true);
               volatile float x = h.data_ptr<float>()[0]; (void)x);
  EXPECT_FAULT("still reads", auto h = torch::ones({4}, TensorOptions().pinned_memory(true)); auto t = h.to(g0, true);
               h.fill_(2));
}

TEST(PretendCuda, SparseTensors) {
  const auto dense = torch::eye(3), there = dense.to(g1).to_sparse();
  EXPECT_TRUE(there.is_sparse() && there.device() == g1 && there.values().device() == g1);
  EXPECT_TRUE(torch::equal(there.cpu().to_dense(), dense));
  EXPECT_TRUE(torch::equal(there.to(g0).mm(torch::ones({3, 2}, g0)).cpu(), dense.mm(torch::ones({3, 2}))));
  const auto sum = torch::zeros({3, 3}, g1).add_(there + there).cpu();
  EXPECT_TRUE(torch::equal(sum, dense * 2));
  EXPECT_REFUSED("Expected all tensors to be on the same device",
                 torch::eye(3, g0).to_sparse().mm(torch::ones({3, 2}, g1)));
  EXPECT_REFUSED("the pretended CUDA device has no tensors of layout", torch::eye(3, g0).to_sparse_csr());
}

TEST(PretendCuda, SparseGradients) {
  nn::Embedding table(nn::EmbeddingOptions(5, 2).sparse(true));
  table->to(g1);
  torch::optim::SGD optimizer(table->parameters(), 1.);
  const auto before = table->weight.detach().cpu().clone();
  table(torch::tensor({1, 3}, TensorOptions(kLong).device(g1))).sum().backward();
  EXPECT_TRUE(table->weight.grad().is_sparse() && table->weight.grad().device() == g1);
  optimizer.step();
  const auto change = before - table->weight.detach().cpu();
  EXPECT_TRUE(torch::allclose(change.sum(1), torch::tensor({0.f, 2.f, 0.f, 2.f, 0.f})));
}

TEST(PretendCuda, ZerosWithoutMemory) {
  auto x = torch::ones({3}, g1).requires_grad_();
  x.sgn().sum().backward();
  EXPECT_TRUE(torch::equal(x.grad().cpu(), torch::zeros({3})));
  const auto zeros = torch::_efficientzerotensor({2}, TensorOptions(g1));
  EXPECT_TRUE(torch::equal(torch::ones({2}, g1).copy_(zeros).cpu(), torch::zeros({2})));
}

TEST(PretendCuda, KernelsPastTheDispatcher) {
  const auto window = torch::kaiser_window(6, TensorOptions(g1));
  EXPECT_TRUE(window.device() == g1);
  EXPECT_TRUE(torch::allclose(window.cpu(), torch::kaiser_window(6)));
  auto values = torch::empty({0}, g1), indices = torch::empty({0}, TensorOptions(kLong).device(g1));
  torch::mode_out(values, indices, torch::tensor({{1.f, 2.f, 2.f}}, g1));
  EXPECT_TRUE(values.item<float>() == 2);
}

} // namespace
