// What the text of a body in another file says of its tensors.
#include "clang/BodiesInText.h"

#include <gtest/gtest.h>

namespace samedevice::clangfront {
namespace {

std::string usesOf(const char *text, const char *name, unsigned parameters) {
  const std::optional<BodyInText> body = bodyInCpp(text, name, parameters);
  if (!body)
    return "no body";
  std::string all;
  for (const BodyInText::Use &use : body->uses)
    all += (all.empty() ? "" : ", ") + std::to_string(use.parameter) + (use.member.empty() ? "" : "." + use.member) +
           " in " + use.kernel;
  return all;
}

int resultOf(const char *body) {
  const std::string text =
      "std::tuple<Tensor, Tensor> f(const at::Tensor &x, at::Tensor y, int64_t n) {" + std::string(body) + "}";
  const std::optional<BodyInText> read = bodyInCpp(text, "f", 3);
  return read && read->resultLike ? static_cast<int>(*read->resultLike) : -1;
}

TEST(BodiesInText, GiveMemoryToKernels) {
  EXPECT_EQ(usesOf(R"(
    template <typename T> __global__ void k(const T *x, int n) {}
    void f(const at::Tensor &x, const std::vector<int> &sizes, at::Tensor out) {
      const int n = x.numel();
      AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "f", [&] {
        k<scalar_t><<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
            x.contiguous().data_ptr<scalar_t>(), out.packed_accessor32<float, 2>(), n);
      });
    })",
                   "f", 3),
            "0 in k, 2 in k");
}

TEST(BodiesInText, GiveItByVariables) {
  EXPECT_EQ(usesOf(R"(
    void f(const Group &group, at::Tensor x) {
      auto compact = x.contiguous();
      const int64_t *sizes = group.sizes.data_ptr<int64_t>();
      const auto *rest = sizes + 1;
      k<<<1, 32>>>(rest, compact.data_ptr<float>());
    })",
                   "f", 2),
            "0.sizes in k, 1 in k");
}

TEST(BodiesInText, GiveOneOfTwo) {
  EXPECT_EQ(usesOf("void f(float *x, float *scratch, float *bias, bool last) {"
                   "  float *y = last ? x : scratch;"
                   "  float *b = last ? bias : nullptr;"
                   "  k<<<1, 32>>>(y, b);"
                   "}",
                   "f", 4),
            "0 in k, 1 in k");
}

TEST(BodiesInText, GiveItThroughOtherFunctions) {
  EXPECT_EQ(usesOf(R"(
    static void launch(const float *p, int n) { k<<<1, 32>>>(n, p); }
    void f(at::Tensor x, at::Tensor y) { launch(y.data_ptr<float>(), 4); x.size(0); }
    )",
                   "f", 2),
            "1 in k");
}

TEST(BodiesInText, SayNothingOfWhatTheyMakeAnew) {
  EXPECT_EQ(usesOf("void f(at::Tensor x) { x = x.cuda(); k<<<1, 32>>>(x.data_ptr<float>()); }", "f", 1), "");
  EXPECT_EQ(
      usesOf("void f(at::Tensor x) { auto there = x.to(device_); k<<<1, 32>>>(there.data_ptr<float>()); }", "f", 1),
      "");
  EXPECT_EQ(usesOf("void f(at::Tensor x) { auto n = x.cpu(); k<<<1, 32>>>(n.data_ptr<float>()[0]); }", "f", 1), "");
}

TEST(BodiesInText, ReadElementsOnTheHost) {
  EXPECT_EQ(usesOf("void f(float *x, const int *widths) { int w = widths[2]; k<<<1, 32>>>(x, w); }", "f", 2), "0 in k");
  EXPECT_EQ(usesOf("void f(float *x, const int *n) { k<<<1, 32>>>(x, *n); k<<<1, 32>>>(n[0], x); }", "f", 2), "0 in k");
  EXPECT_EQ(usesOf("void f(at::Tensor x) { int n = x.data_ptr<int>()[1]; k<<<1, 32>>>(n, x[0].size(0)); }", "f", 1),
            "");
  EXPECT_EQ(usesOf("void f(float *x) { k<<<1, 32>>>(&x[8]); }", "f", 1), "0 in k");
  EXPECT_EQ(usesOf("void f(at::Tensor x) { k<<<1, 32>>>(x[3].data_ptr<float>()); }", "f", 1), "0 in k");
}

TEST(BodiesInText, ReadTensorsOnTheHost) {
  auto read = [](const std::string &body) {
    return bodyInCpp("int f(int n, const at::Tensor &x) {" + body + "}", "f", 2).value_or(BodyInText()).readOnHost;
  };
  EXPECT_EQ(read("auto a = x.accessor<float, 1>(); return a[n];"), std::vector<unsigned>{1});
  EXPECT_EQ(read("auto y = x.contiguous(); return y.accessor<int, 1>()[0];"), std::vector<unsigned>{1});
  EXPECT_TRUE(read("auto y = x.cpu(); return y.accessor<int, 1>()[0];").empty());
  EXPECT_TRUE(read("if (x.is_cuda()) return g(x); return x.accessor<int, 1>()[0];").empty());
  EXPECT_TRUE(read("auto a = x.packed_accessor32<float, 1>(); return 0;").empty());
}

TEST(BodiesInText, CallMembersOfClassesInTheirFile) {
  EXPECT_EQ(usesOf(R"(
    void Pass::start(const float *p, int n) { k<<<1, 32>>>(n, p); }
    int Solver::solve(const float *p) { Pass::start(p, 4); return 0; }
    )",
                   "Solver::solve", 1),
            "0 in k");
}

TEST(BodiesInText, OfFunctionsThatAllCallEachOtherAreReadOnceEach) {
  std::string text = "void last(float *p) { k<<<1, 32>>>(p); }\n";
  for (int n = 0; n < 120; ++n) {
    text += "void step" + std::to_string(n) + "(float *p) { last(p); ";
    for (int called = 0; called < 120; ++called)
      text += "step" + std::to_string(called) + "(p); ";
    text += "}\n";
  }
  EXPECT_EQ(usesOf(text.c_str(), "step0", 1), "0 in k");
}

TEST(BodiesInText, AreOfFunctionsOnly) {
  EXPECT_EQ(usesOf("void f(at::Tensor x); struct A { void f(at::Tensor x) { } };", "g", 1), "no body");
  EXPECT_EQ(usesOf("void A::f(at::Tensor x) { k<<<1, 2>>>(x.data_ptr<int>()); }", "f", 1), "no body");
  EXPECT_EQ(usesOf("void ns::A::f(at::Tensor x) { k<<<1, 2>>>(x.data_ptr<int>()); }", "A::f", 1), "0 in k");
  EXPECT_EQ(usesOf("void f(at::Tensor x) {} void f(float *x) {}", "f", 1), "no body");
}

TEST(BodiesInText, SayWhereTheResultIs) {
  EXPECT_EQ(resultOf("auto out = at::empty({n}, y.options().dtype(at::kInt)); return out;"), 1);
  EXPECT_EQ(resultOf("auto out = at::zeros_like(x), more = at::empty_like(out); return std::make_tuple(out, more);"),
            0);
  EXPECT_EQ(resultOf("const int count = cells(x); auto out = at::zeros({count}, x.options()); return {out, y};"), 0);
  EXPECT_EQ(
      resultOf("auto opts = at::TensorOptions().device(y.device()); auto out = at::zeros({n}, opts); return out;"), 1);
  EXPECT_EQ(resultOf("return x.view({n}).to(at::kFloat);"), 0);
}

TEST(BodiesInText, DoNotGuessWhereTheResultIs) {
  EXPECT_EQ(resultOf("auto out = at::zeros_like(x).cpu(); return out;"), -1);
  EXPECT_EQ(resultOf("auto out = at::zeros({n}); return out;"), -1);
  EXPECT_EQ(resultOf("auto out = at::zeros_like(x); if (n) out = helper(out); return out;"), -1);
  EXPECT_EQ(resultOf("if (n) return at::zeros({n}); return at::empty_like(x);"), -1);
  EXPECT_EQ(resultOf("auto out = at::zeros_like(x); out = out.to(target); return out;"), -1);
  EXPECT_EQ(resultOf("return helper(x);"), -1);
}

TEST(BodiesInText, ReadLaunchesAsNvccTakesThem) {
  EXPECT_EQ(usesOf("void f(const float *x, float *y, int n) { k << <(n + 255) / 256, 256 >> > (x, y, n); }", "f", 3),
            "0 in k, 1 in k, 2 in k");
  EXPECT_EQ(usesOf("void f(float *x, int n, int m) { g(n << 2); h(m >> n > (1)); y = x; }", "f", 3), "");
}

TEST(BodiesInText, FollowWhatIsInAnotherFile) {
  const BodyInText blend{{{1, "", "blend"}}, {}, {false, false}, {}, false};
  BodyInText guarded = blend;
  guarded.isGuarded = true;
  auto read = [&](const char *body) {
    const std::string text = "void f(at::Tensor x, at::Tensor y) {" + std::string(body) + "}";
    return bodyInCpp(text, "f", 2,
                     [&](llvm::StringRef name, unsigned parameters) -> const BodyInText * {
                       return parameters != 2           ? nullptr
                              : name == "Painter::fill" ? &blend
                              : name == "fill_guarded"  ? &guarded
                                                        : nullptr;
                     })
        .value_or(BodyInText());
  };
  const BodyInText filled = read("gpu::Painter::fill(x.size(0), y.contiguous().data_ptr<float>());");
  ASSERT_EQ(filled.uses.size(), 1u);
  EXPECT_EQ(filled.uses[0].parameter, 1u);
  EXPECT_EQ(filled.uses[0].kernel, "blend");
  EXPECT_FALSE(filled.isGuarded);
  EXPECT_TRUE(read("fill_guarded(x.size(0), y.data_ptr<float>());").isGuarded);
  EXPECT_TRUE(read("Painter::fill(x.data_ptr<float>(), y.size(0));").uses.empty());
  EXPECT_TRUE(read("fill(x.data_ptr<float>(), y.data_ptr<float>());").uses.empty());
}

TEST(BodiesInText, MayGiveNoMemoryAtAll) {
  EXPECT_EQ(usesOf("void f(at::Tensor x, at::Tensor y, at::Tensor z) {"
                   "  float *p = y.defined() ? y.data_ptr<float>() : nullptr;"
                   "  k<<<1, 2>>>(x.data_ptr<float>(), p, z.numel() ? z.data_ptr<float>() : NULL); }",
                   "f", 3),
            "0 in k");
}

TEST(BodiesInText, AreToldWhichGpu) {
  auto isGuarded = [](const char *text) { return bodyInCpp(text, "f", 2).value_or(BodyInText()).isGuarded; };
  EXPECT_TRUE(isGuarded("void f(float *x, int device) { pool.get({device, 4})->put(x); k<<<1, 2>>>(x); }"));
  EXPECT_FALSE(isGuarded("void f(float *x, int device) { k<<<1, 2>>>(x); }"));
  EXPECT_FALSE(isGuarded("void f(float *x, int count) { k<<<count, 2>>>(x); }"));
}

TEST(BodiesInText, KnowWhatIsAssignedToAndGuarded) {
  const auto found = bodyInCpp(
      "void f(at::Tensor &x, at::Tensor &y) { CUDAGuard guard(x.device()); y = at::zeros({1}); x.add_(1); }", "f", 2);
  ASSERT_TRUE(found);
  const BodyInText body = found.value_or(BodyInText());
  EXPECT_EQ(body.isRebound, (std::vector<bool>{false, true}));
  EXPECT_TRUE(body.isGuarded);
}

} // namespace
} // namespace samedevice::clangfront
