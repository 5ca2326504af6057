// Every way to move, copy and make tensors, on the pretended GPUs: what comes out is what the same call gives with all
// of it on the CPU, but for the device.
#include <torch/torch.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace {

namespace indexing = torch::indexing;
using at::ScalarType;
using at::Tensor;
using at::TensorOptions;
using c10::Device;

const Device kCpu(c10::kCPU), g0(c10::kCUDA, 0), g1(c10::kCUDA, 1);
const Device kDevices[] = {kCpu, g0, g1};

constexpr ScalarType kTypes[] = {at::kByte,  at::kBool,   at::kHalf, at::kBFloat16,
                                 at::kFloat, at::kDouble, at::kLong, at::kComplexFloat};

struct Layout {
  const char *name;
  Tensor (*of)(const Tensor &base);
};

/// Views of a base that has 2 x 3 x 4 x 5 elements.
const Layout kLayouts[] = {
    {"contiguous", [](const Tensor &t) { return t; }},
    {"transposed", [](const Tensor &t) { return t.transpose(1, 3); }},
    {"permuted", [](const Tensor &t) { return t.permute({3, 0, 2, 1}); }},
    {"strided slice", [](const Tensor &t) { return t.slice(3, 1, 5, 2).slice(1, 1, 3); }},
    {"one row", [](const Tensor &t) { return t[1]; }},
    {"expanded", [](const Tensor &t) { return t.slice(2, 0, 1).expand({2, 3, 6, 5}); }},
    {"overlapping", [](const Tensor &t) { return t.as_strided({5, 3}, {1, 1}, 2); }},
    {"0-dim", [](const Tensor &t) { return t.view({-1})[7]; }},
    {"empty", [](const Tensor &t) { return t.slice(0, 0, 0); }},
    {"channels last", [](const Tensor &t) { return t.contiguous(at::MemoryFormat::ChannelsLast); }},
    {"conjugated", [](const Tensor &t) { return t.conj(); }},
    {"diagonal", [](const Tensor &t) { return t[0].diagonal(0, 0, 1); }},
    // Enough for libtorch to share the work among threads.
    {"large", [](const Tensor &t) { return t.repeat({300, 1, 1, 1}); }},
    {"large transposed", [](const Tensor &t) { return t.repeat({300, 1, 1, 1}).transpose(0, 3); }},
};

/// Small whole numbers, which every type can hold.
Tensor baseOf(ScalarType type) { return torch::arange(120).remainder(13).to(type).view({2, 3, 4, 5}); }

void synchronizeAll() {
  for (int i = 0; i < static_cast<int>(torch::cuda::device_count()); ++i)
    torch::cuda::synchronize(i);
}

void expectSame(const Tensor &result, const Tensor &expected, Device device) {
  synchronizeAll();
  EXPECT_EQ(result.device(), device);
  EXPECT_EQ(result.scalar_type(), expected.scalar_type());
  EXPECT_EQ(result.sizes(), expected.sizes());
  // Where nothing has to move, a view stays as it is.
  EXPECT_EQ(result.clone().strides(), expected.clone().strides());
  const Tensor back = result.cpu();
  ASSERT_TRUE(back.is_cpu());
  EXPECT_TRUE(torch::equal(back, expected)) << back << "instead of\n" << expected;
}

std::string nameOf(Device device) { return device.str(); }
std::string nameOf(ScalarType type) { return c10::toString(type); }

/// A source of every type and layout on every device, and the same one on the CPU.
template <class Work> void forEachSource(Work work) {
  for (const ScalarType type : kTypes)
    for (const Layout &layout : kLayouts) {
      const Tensor base = baseOf(type), onCpu = layout.of(base);
      for (const Device from : kDevices) {
        SCOPED_TRACE(nameOf(type) + ", " + layout.name + ", from " + nameOf(from));
        work(from.is_cpu() ? onCpu : layout.of(base.to(from)), onCpu, from);
      }
    }
}

/// From a source to a device, in one of the ways to write it.
struct Move {
  const char *name;
  Tensor (*to)(const Tensor &source, Device device, ScalarType type);
};

const Move kMoves[] = {
    {"to(device)", [](const Tensor &t, Device d, ScalarType) { return t.to(d); }},
    {"to(device, non_blocking)", [](const Tensor &t, Device d, ScalarType) { return t.to(d, /*non_blocking=*/true); }},
    {"to(device, copy)", [](const Tensor &t, Device d, ScalarType) { return t.to(d, false, /*copy=*/true); }},
    {"to(device, dtype)", [](const Tensor &t, Device d, ScalarType type) { return t.to(d, type); }},
    {"to(device, dtype, non_blocking)", [](const Tensor &t, Device d, ScalarType type) { return t.to(d, type, true); }},
    {"to(device, dtype, copy)", [](const Tensor &t, Device d, ScalarType type) { return t.to(d, type, false, true); }},
    {"to(device).to(dtype)", [](const Tensor &t, Device d, ScalarType type) { return t.to(d).to(type); }},
    {"to(dtype).to(device)", [](const Tensor &t, Device d, ScalarType type) { return t.to(type).to(d); }},
    {"to(options)",
     [](const Tensor &t, Device d, ScalarType type) { return t.to(TensorOptions().device(d).dtype(type)); }},
    {"to(options, contiguous)",
     [](const Tensor &t, Device d, ScalarType type) {
       return t.to(TensorOptions().device(d).dtype(type), false, true, at::MemoryFormat::Contiguous);
     }},
    {"to(other)",
     [](const Tensor &t, Device d, ScalarType type) { return t.to(torch::zeros({1}, TensorOptions(type).device(d))); }},
    {"empty_like, copy_", [](const Tensor &t, Device d,
                             ScalarType type) { return torch::empty_like(t, TensorOptions(type).device(d)).copy_(t); }},
    {"copy_, non_blocking",
     [](const Tensor &t, Device d, ScalarType type) {
       return torch::empty(t.sizes(), TensorOptions(type).device(d)).copy_(t, /*non_blocking=*/true);
     }},
    {"copy_ into a slice",
     [](const Tensor &t, Device d, ScalarType type) {
       Tensor all = torch::zeros({t.numel(), 3}, TensorOptions(type).device(d));
       all.select(1, 1).copy_(t.reshape({-1}));
       return all;
     }},
    {"copy_ into a transposed one",
     [](const Tensor &t, Device d, ScalarType type) {
       Tensor all = torch::zeros({3, t.numel()}, TensorOptions(type).device(d));
       all.t().copy_(t.reshape({-1, 1}));
       return all;
     }},
    {"assignment to a slice",
     [](const Tensor &t, Device d, ScalarType type) {
       Tensor all = torch::zeros({t.numel(), 3}, TensorOptions(type).device(d));
       all.index_put_({indexing::Slice(), 2}, t.reshape({-1}).to(type));
       return all;
     }},
    {"clone().to(device)", [](const Tensor &t, Device d, ScalarType) { return t.clone().to(d); }},
    {"to(device).clone()", [](const Tensor &t, Device d, ScalarType) { return t.to(d).clone(); }},
    {"contiguous().to(device)", [](const Tensor &t, Device d, ScalarType) { return t.contiguous().to(d); }},
    {"to(device).contiguous()", [](const Tensor &t, Device d, ScalarType) { return t.to(d).contiguous(); }},
    {"detach().to(device)", [](const Tensor &t, Device d, ScalarType) { return t.detach().to(d); }},
    {"set_data",
     [](const Tensor &t, Device d, ScalarType) {
       Tensor held = torch::zeros({1}, t.options());
       held.set_data(t.to(d));
       return held;
     }},
};

// NOLINTNEXTLINE(readability-identifier-naming): the name that GoogleTest looks for
void PrintTo(const Move &move, std::ostream *out) { *out << move.name; }

class Moves : public testing::TestWithParam<Move> {};

TEST_P(Moves, GiveWhatTheCpuGives) {
  forEachSource([](const Tensor &source, const Tensor &onCpu, Device) {
    for (const ScalarType type : {source.scalar_type(), at::kFloat, at::kLong, at::kComplexDouble}) {
      // Complex numbers lose their imaginary part with a warning, nothing else.
      if (source.is_complex() && !at::isComplexType(type))
        continue;
      const Tensor expected = GetParam().to(onCpu, kCpu, type);
      for (const Device to : kDevices) {
        SCOPED_TRACE(std::string(GetParam().name) + " " + nameOf(to) + " " + nameOf(type));
        expectSame(GetParam().to(source, to, type), expected, to);
      }
      if (testing::Test::HasFailure())
        return;
    }
  });
}
INSTANTIATE_TEST_SUITE_P(PretendCuda, Moves, testing::ValuesIn(kMoves));

TEST(PretendCudaMoves, CudaAndCpu) {
  forEachSource([](const Tensor &source, const Tensor &onCpu, Device from) {
    expectSame(source.cpu(), onCpu, kCpu);
    if (!from.is_cuda())
      expectSame(source.cuda(), onCpu, g0);
  });
}

TEST(PretendCudaMoves, UnderEveryMode) {
  const auto moves = [] {
    for (const Device from : kDevices)
      for (const Device to : kDevices)
        for (const ScalarType type : {at::kByte, at::kFloat, at::kDouble}) {
          const Tensor base = baseOf(type);
          expectSame(base.to(from).transpose(0, 2).to(to, at::kFloat), base.transpose(0, 2).to(at::kFloat), to);
          expectSame(base.to(from).to(to, at::kHalf), base.to(at::kHalf), to);
        }
  };
  moves();
  {
    const torch::NoGradGuard mode;
    moves();
  }
  {
    const c10::InferenceMode mode;
    moves();
  }
  {
    const c10::DeviceGuard mode(g1);
    moves();
  }
  std::thread(moves).join();
}

TEST(PretendCudaMoves, Gradients) {
  for (const Device from : kDevices)
    for (const Device to : kDevices) {
      SCOPED_TRACE(nameOf(from) + " " + nameOf(to));
      const Tensor leaf = baseOf(at::kFloat).to(from).requires_grad_();
      leaf.transpose(1, 2).to(to, at::kDouble).mul(2).sum().backward();
      expectSame(leaf.grad(), torch::full({2, 3, 4, 5}, 2.f), from);
    }
}

TEST(PretendCudaMoves, Pinned) {
  for (const ScalarType type : kTypes)
    for (const Layout &layout : kLayouts)
      for (const Device to : {g0, g1})
        for (const bool nonBlocking : {false, true}) {
          SCOPED_TRACE(nameOf(type) + ", " + layout.name + ", " + nameOf(to) + (nonBlocking ? ", non_blocking" : ""));
          const Tensor base = baseOf(type), onCpu = layout.of(base), pinned = layout.of(base.pin_memory());
          for (const ScalarType wanted : {type, at::kComplexFloat}) {
            const Tensor expected = onCpu.to(wanted), there = pinned.to(to, wanted, nonBlocking);
            expectSame(there, expected, to);
            const Tensor back = torch::empty_like(onCpu, TensorOptions(wanted).pinned_memory(true));
            back.copy_(there, nonBlocking);
            synchronizeAll();
            EXPECT_TRUE(back.is_pinned() || back.numel() == 0);
            EXPECT_TRUE(torch::equal(back, expected));
          }
        }
}

/// Made on a device, with some element type.
struct Factory {
  const char *name;
  Tensor (*make)(TensorOptions options);
};

std::vector<uint8_t> bytes = {1, 2, 3, 250, 5, 6};

const Factory kFactories[] = {
    {"tensor(number)", [](TensorOptions o) { return torch::tensor(3, o); }},
    {"tensor(bool)", [](TensorOptions o) { return torch::tensor(true, o); }},
    {"tensor({...})", [](TensorOptions o) { return torch::tensor({1, 2, 3}, o); }},
    {"tensor({{...}})", [](TensorOptions o) { return torch::tensor({{1., 2.}, {3., 4.}}, o); }},
    {"tensor({})", [](TensorOptions o) { return torch::tensor(at::ArrayRef<float>(), o); }},
    {"tensor(vector of float)", [](TensorOptions o) { return torch::tensor(std::vector<float>{1, 2, 3}, o); }},
    {"tensor(vector of double)", [](TensorOptions o) { return torch::tensor(std::vector<double>{1, 2, 3}, o); }},
    {"tensor(vector of int64_t)", [](TensorOptions o) { return torch::tensor(std::vector<int64_t>{1, 2, 3}, o); }},
    {"tensor(vector of int)", [](TensorOptions o) { return torch::tensor(std::vector<int>{1, 2, 3}, o); }},
    {"tensor(bytes)", [](TensorOptions o) { return torch::tensor(bytes, o); }},
    {"tensor(large)", [](TensorOptions o) { return torch::tensor(std::vector<int>(70000, 7), o); }},
    {"from_blob(bytes).to", [](TensorOptions o) { return torch::from_blob(bytes.data(), {2, 3}, at::kByte).to(o); }},
    {"from_blob(strides).to",
     [](TensorOptions o) { return torch::from_blob(bytes.data(), {3, 2}, {1, 3}, at::kByte).to(o); }},
    {"scalar_tensor", [](TensorOptions o) { return torch::scalar_tensor(5, o); }},
    {"zeros", [](TensorOptions o) { return torch::zeros({2, 3}, o); }},
    {"ones", [](TensorOptions o) { return torch::ones({2, 3}, o); }},
    {"full", [](TensorOptions o) { return torch::full({2, 3}, 4, o); }},
    {"arange", [](TensorOptions o) { return torch::arange(2, 9, 2, o); }},
    {"linspace", [](TensorOptions o) { return torch::linspace(0, 8, 5, o); }},
    {"logspace", [](TensorOptions o) { return torch::logspace(0, 2, 3, 2, o); }},
    {"eye", [](TensorOptions o) { return torch::eye(3, o); }},
    {"empty, fill_", [](TensorOptions o) { return torch::empty({2, 3}, o).fill_(3); }},
    {"empty, zero_", [](TensorOptions o) { return torch::empty({2, 3}, o).zero_(); }},
    {"empty, fill_(tensor)", [](TensorOptions o) { return torch::empty({2, 3}, o).fill_(torch::tensor(3)); }},
    {"empty(channels last)",
     [](TensorOptions o) { return torch::empty({1, 2, 3, 4}, o, at::MemoryFormat::ChannelsLast).fill_(1); }},
    {"empty_strided", [](TensorOptions o) { return torch::empty_strided({2, 3}, {1, 2}, o).fill_(3); }},
    {"zeros_like(on the CPU)", [](TensorOptions o) { return torch::zeros_like(torch::rand({2, 3}), o); }},
    {"ones_like(of bytes)", [](TensorOptions o) { return torch::ones_like(torch::zeros({2, 3}, at::kByte), o); }},
    {"full_like(from a GPU)", [](TensorOptions o) { return torch::full_like(torch::zeros({2, 3}, g1), 2, o); }},
    {"new_zeros", [](TensorOptions o) { return torch::rand({1}, o.device()).new_zeros({2, 3}, o); }},
    {"new_ones", [](TensorOptions o) { return torch::rand({1}).new_ones({2, 3}, o); }},
    {"new_full", [](TensorOptions o) { return torch::rand({1}, g0).new_full({2, 3}, 5, o); }},
    {"new_empty, fill_", [](TensorOptions o) { return torch::rand({1}, g0).new_empty({2, 3}, o).fill_(1); }},
    {"assignment to a row",
     [](TensorOptions o) {
       Tensor all = torch::zeros({3, 2}, o);
       all[1] = 5;
       all[2] = torch::tensor({1, 2}, o);
       return all;
     }},
    {"index_put_ of a number",
     [](TensorOptions o) {
       Tensor all = torch::zeros({3, 2}, o);
       all.index_put_({indexing::Slice(1, indexing::None), 0}, 5);
       all.index_put_({torch::tensor({0, 2}, o.device())}, torch::tensor(7, o));
       return all;
     }},
    {"masked_fill_",
     [](TensorOptions o) {
       Tensor all = torch::arange(6, o);
       return all.masked_fill_(all == 2, 9);
     }},
    {"tril_indices", [](TensorOptions o) { return torch::tril_indices(3, 3, 0, o.dtype(at::kLong)); }},
    {"hann_window", [](TensorOptions o) { return torch::hann_window(8, o.dtype(at::kFloat)).mul(8).round(); }},
    {"one element after another",
     [](TensorOptions o) {
       Tensor all = torch::empty({4}, o);
       for (int i = 0; i < 4; ++i)
         all[i] = i;
       return all;
     }},
    {"stack", [](TensorOptions o) { return torch::stack({torch::ones({2}, o), torch::zeros({2}, o)}); }},
    {"cat of types",
     [](TensorOptions o) { return torch::cat({torch::ones({2}, o), torch::ones({1}, o.dtype(at::kByte))}).to(o); }},
};

// NOLINTNEXTLINE(readability-identifier-naming): the name that GoogleTest looks for
void PrintTo(const Factory &factory, std::ostream *out) { *out << factory.name; }

class Factories : public testing::TestWithParam<Factory> {};

TEST_P(Factories, MakeWhatTheCpuMakes) {
  for (const ScalarType type : {at::kByte, at::kHalf, at::kFloat, at::kDouble, at::kLong, at::kComplexFloat}) {
    Tensor expected;
    try {
      expected = GetParam().make(TensorOptions(type).device(kCpu));
    } catch (const c10::Error &) {
      continue; // not for this type, wherever it is
    }
    for (const Device device : kDevices) {
      SCOPED_TRACE(nameOf(type) + " " + nameOf(device));
      expectSame(GetParam().make(TensorOptions(type).device(device)), expected, device);
      const c10::DeviceGuard other(g1);
      expectSame(GetParam().make(TensorOptions(type).device(device)), expected, device);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(PretendCuda, Factories, testing::ValuesIn(kFactories));

TEST(PretendCudaMoves, RandomNumbers) {
  for (const Device device : {g0, g1}) {
    const TensorOptions options = TensorOptions().device(device);
    for (const Tensor &made :
         {torch::rand({9}, options), torch::randn({9}, options), torch::randint(1, 9, {9}, options),
          torch::randperm(9, options), torch::rand_like(torch::zeros({9}), options),
          torch::randn_like(torch::zeros({9}, options)), torch::empty({9}, options).uniform_(),
          torch::empty({9}, options).normal_(), torch::empty({9}, options).random_(3),
          torch::normal(0., 1., {9}).to(options), torch::bernoulli(torch::rand({9}, options))}) {
      EXPECT_EQ(made.device(), device);
      EXPECT_TRUE(torch::isfinite(made.cpu().to(at::kFloat)).all().item<bool>());
    }
    for (const ScalarType type : {at::kHalf, at::kDouble})
      EXPECT_EQ(torch::rand({9}, options.dtype(type)).cpu().scalar_type(), type);
  }
}

TEST(PretendCudaMoves, SingleElements) {
  for (const ScalarType type : kTypes)
    for (const Device device : kDevices) {
      SCOPED_TRACE(nameOf(type) + " " + nameOf(device));
      const Tensor there = baseOf(type).to(device);
      const double wanted = type == at::kBool ? 1 : 8;
      const Tensor one = there[1][0][0][3];
      EXPECT_EQ(torch::real(one).item().toDouble(), type == at::kBool ? 1 : 11);
      EXPECT_EQ(there.index({0, 0, 0, 0}).item<bool>(), false);
      const Tensor back = there.transpose(0, 1).cpu().to(at::kFloat).contiguous();
      EXPECT_EQ(back.data_ptr<float>()[8], wanted);
      EXPECT_EQ((back.accessor<float, 4>()[0][0][1][3]), wanted);
    }
}

TEST(PretendCudaMoves, TheHostStillMayNotTouch) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto first = [](const Tensor &tensor) {
    volatile char value = *static_cast<const volatile char *>(tensor.data_ptr());
    (void)value;
  };
  for (const Tensor &tensor :
       {baseOf(at::kByte).to(g1, at::kFloat), baseOf(at::kFloat).transpose(0, 1).to(g1, at::kHalf),
        torch::tensor(bytes, TensorOptions(at::kFloat).device(g1)), baseOf(at::kFloat).to(g0).to(g1, at::kLong),
        torch::zeros({3}, g1), torch::arange(3, TensorOptions(g1)), torch::zeros_like(torch::rand({2}), g1),
        torch::rand({2, 2}).to(g1).t().contiguous(), baseOf(at::kFloat).pin_memory().to(g1, at::kDouble, true)})
    EXPECT_EXIT(first(tensor), testing::KilledBySignal(SIGSEGV), "the host touches memory of cuda:1");
}

} // namespace
