// From C++ to facts: each spelling of one thing becomes the same fact, and what is not the user's stays out.
#include "Lowered.h"

namespace samedevice::clangfront {
namespace {

TEST(Lowering, OnlyWhatTheUserWrote) {
  Lowered result = lowered("torch::Tensor f(torch::Tensor x) { return x; }");
  ASSERT_EQ(result.program.functions.size(), 1u);
  EXPECT_EQ(result.program.functions[0].name, "f");
}

TEST(Lowering, DevicesHoweverTheyAreSpelled) {
  for (const char *spelling :
       {"torch::kCUDA", "c10::DeviceType::CUDA", "at::Device(\"cuda\")", "torch::Device(torch::kCUDA)"})
    expectFact(factsOf("void f(torch::Tensor x) { auto y = x.to(" + std::string(spelling) + "); }"), "device cuda");
  expectFact(factsOf("auto make() { return torch::zeros(3, torch::Device(\"cuda:1\")); }"), "device cuda:1");
}

TEST(Lowering, MovesAreToldFromOperators) {
  std::string facts = factsOf("void f(torch::Tensor x, torch::Device d) { auto y = x.to(d); auto z = x.add(y); }");
  expectFact(facts, "move to(x@");
  expectFact(facts, "op add(self=x@");
}

TEST(Lowering, ADroppedResultIsMarked) {
  expectFact(factsOf("void f(torch::Tensor x) { x.to(torch::kCUDA); }"), "[discarded]");
  expectNoFact(factsOf("torch::Tensor f(torch::Tensor x) { return x.to(torch::kCUDA); }"), "[discarded]");
}

TEST(Lowering, ConditionsBecomeBranches) {
  std::string facts = factsOf("torch::Tensor f(torch::Tensor x) { if (x.is_cuda() && torch::cuda::is_available()) "
                              "return x.cuda(); return x; }");
  expectFact(facts, "is-cuda(x@");
  expectFact(facts, "available");
  expectFact(facts, "branch");
}

TEST(Lowering, PartsOfAConditionKnowTheWhole) {
  std::string facts =
      factsOf("bool f(torch::Tensor x, torch::Tensor y, bool z) { return (x.is_cuda() || z) && y.is_cuda(); }");
  expectFact(facts, "part \"open open\"");
  expectFact(facts, "part \"yes no\"");
  facts =
      factsOf("int f(torch::Tensor x, torch::Tensor y) { if (x.is_cuda()) { if (y.is_cuda()) return 1; } return 0; }");
  expectFact(facts, "part \"open no\"");
  expectFact(facts, "part \"yes no\"");
  expectNoFact(factsOf("int f(torch::Tensor x) { if (x.is_cuda()) return 1; return 0; }"), "part");
}

TEST(Lowering, CodeThatDoesNotCompile) {
  lowered("class Fwd; struct Owner { Fwd member; torch::Tensor t; ~Owner(); }; Owner::~Owner() {}");
}

TEST(Lowering, HoldersAreWhatTheyHold) {
  std::string facts =
      factsOf("void f(torch::Tensor x) { torch::nn::Linear fc(2, 3); fc->to(torch::kCUDA); fc(x); fc->forward(x); }");
  expectFact(facts, "fc = module Linear");
  expectFact(facts, "move-module(fc@");
  EXPECT_EQ(facts.find("forward forward(fc@") == std::string::npos, false) << facts;
}

TEST(Lowering, ClassesKnowTheirModulesAndMethods) {
  std::string facts = factsOf("struct Net : torch::nn::Module { torch::nn::Linear fc; Net() { fc = "
                              "register_module(\"fc\", torch::nn::Linear(2, 3)); }\n"
                              "  torch::Tensor forward(torch::Tensor x) { return fc(x); } };");
  expectFact(facts, "class Net module");
  expectFact(facts, "field fc: module");
  expectFact(facts, "register module(this");
  expectFact(facts, "call Net::forward");
}

TEST(Lowering, ValuesAreOwnedAndPointersShared) {
  std::string facts = factsOf("struct S { torch::Tensor x; };\n"
                              "struct T { S a; S *b; S &c; };\n"
                              "torch::Tensor f(T t) { return t.a.x; }");
  expectFact(facts, "field a: own record S");
  expectFact(facts, "field b: ref record S");
  expectFact(facts, "field c: ref record S");
}

TEST(Lowering, ReferencesNameThePlaceAndValuesDoNot) {
  expectFact(factsOf("void f(torch::Tensor x) { auto &y = x; y = y.cuda(); }"), "y = bind(x@");
  expectFact(factsOf("void f(torch::Tensor x) { auto y = x; y = y.cuda(); }"), "y = copy(x@");
}

TEST(Lowering, LambdasAreCalledWithWhatTheyCapture) {
  std::string facts =
      factsOf("void f(torch::Tensor x) { auto move = [&x](torch::Device d) { x = x.to(d); }; move(torch::kCUDA); }");
  expectFact(facts, "lambda");
  expectFact(facts, "call lambda(this=move@");
}

TEST(Lowering, TemplatesAreLoweredAsInstantiated) {
  std::string facts =
      factsOf("template <class T> T moved(T t) { return t.cuda(); } void f(torch::Tensor x) { auto y = moved(x); }");
  expectFact(facts, "move cuda(t@");
}

TEST(Lowering, WhatCannotBeSeenMayWriteToWhatItGets) {
  expectFact(factsOf("void unseen(torch::Tensor &); void f(torch::Tensor x) { unseen(x); }"), "call unseen(x@");
  expectFact(factsOf("void unseen(torch::Tensor &); void f(torch::Tensor x) { unseen(x); }"), "!");
  expectNoFact(factsOf("void unseen(const torch::Tensor &); void f(torch::Tensor x) { unseen(x); }"), "!");
}

TEST(Lowering, ErrorsInTheCodeAreNoFacts) {
  Lowered result = lowered("void f(torch::Tensor x) { auto y = undeclared(x); y.to(torch::kCUDA); } void g( {");
  expectNoFact(facts::print(result.program), "move");
}

TEST(Lowering, ClassesMayBeOnlyDeclared) {
  const std::string owner = "class Later;\nstruct Owner { Later member; torch::Tensor t; Owner(); ~Owner(); };\n"
                            "Owner::~Owner() {}\n";
  factsOf(owner + "void f(torch::Tensor x) { Owner o; o.t = x.to(torch::kCUDA); }");
  factsOf(owner + "struct Heir : Owner { torch::Tensor y; }; void f() { Heir h; Heir *p = new Heir; delete p; }");
  factsOf("class Later;\nstruct Heir : Later { torch::Tensor y; ~Heir(); };\nHeir::~Heir() {}\n"
          "void f() { Heir h; Heir l[2]; h.y = l[0].y; }");
  factsOf(
      "class Later;\nLater made(); void f(Later l, Later &r, Later *p) { made(); auto a = made(); delete p; r.go(); }");
  factsOf("template <class T> struct Box; template <class T> struct Box<T *> { T *kept; };\n"
          "struct Owner { Box<int> box; ~Owner() {} }; void f() { Owner o; }");
}

TEST(Lowering, PromisesOfParametersHoldFromTheStart) {
  std::string facts = factsOf("void f([[clang::annotate(\"samedevice:on=cuda:1\")]] torch::Tensor x) { x.add(x); }");
  expectFact(facts, "is-cuda(x");
  expectFact(facts, "same-device(x");
}

TEST(Lowering, FewTurnsAreCountedManyAreNot) {
  auto loop = [](const std::string &end) {
    return factsOf("void f(torch::Tensor x) { for (int i = 0; i < " + end + "; ++i) x.add(x); }");
  };
  expectFact(loop("3"), "compare <");
  expectFact(loop("3"), "advance(i");
  expectNoFact(loop("100"), "compare <");
  expectNoFact(loop("100"), "advance(i");
}

TEST(Lowering, ArraysHaveRoom) {
  expectFact(factsOf("void f(torch::Tensor x) { torch::Tensor l[2]; l[1] = x; }"), "list-add number=2(l");
  expectFact(factsOf("struct Pair { torch::Tensor l[2]; };\nvoid f(torch::Tensor x) { Pair p; p.l[1] = x; }"),
             "list-add number=2(");
  // Objects are built: they may have constructors.
  expectFact(factsOf("struct Stage { torch::Tensor x; }; void f() { Stage l[2]; l[1].x.add(l[0].x); }"),
             "object Stage");
}

TEST(Lowering, IteratorsOfAnyLibrary) {
  // As libc++ has them: their names are nobody's business.
  const std::string library = R"(
    namespace std { struct forward_iterator_tag {}; inline namespace __1 {
    template <class A, class B> struct pair { A first; B second; };
    template <class P> struct __wrap_iter;
    template <class T> struct __wrap_iter<T *> { using iterator_category = forward_iterator_tag; using value_type = T;
      T &operator*() const; T *operator->() const; __wrap_iter &operator++(); bool operator!=(const __wrap_iter &) const; };
    template <class T> struct vector { using iterator = __wrap_iter<T *>; iterator begin(); iterator end(); };
    template <class N> struct __tree_iterator { using iterator_category = forward_iterator_tag; using value_type = N; };
    template <class I> struct __map_iterator { using iterator_category = forward_iterator_tag;
      using value_type = typename I::value_type; value_type &operator*() const; value_type *operator->() const;
      __map_iterator &operator++(); bool operator!=(const __map_iterator &) const; };
    template <class K, class V> struct map { using iterator = __map_iterator<__tree_iterator<pair<const K, V>>>;
      iterator begin(); iterator end(); }; } }
)";
  expectFact(factsOf(library + "void f(std::vector<torch::Tensor> l) { auto it = l.begin(); (*it).add(*it); }"),
             "it: list of tensor");
  expectFact(factsOf(library + "void f(std::map<int, torch::Tensor> l) { auto it = l.begin(); it->second.cuda(); }"),
             "it: list of tensor");
}

TEST(Lowering, NamesThatNewerVersionsKeepElsewhere) {
  // As libtorch 2.14 has them: a class that others inherit from, and one that at's name stands for.
  const std::string library = R"(
    namespace c10 { template <class T> struct HeaderOnlyArrayRef { const T &operator[](unsigned long) const; }; }
    namespace torch::headeronly::detail { template <class T> struct TensorAccessor { T &operator[](long); }; }
)";
  expectFact(factsOf(library + "void f(c10::HeaderOnlyArrayRef<long> l) { auto of = l[1]; }"), "l: list of int");
  expectFact(factsOf(library + "void f(torch::headeronly::detail::TensorAccessor<float> a) { a[1] = 0; }"),
             "a: pointer");
}

TEST(Lowering, WhatIsPrintedCanBeReadAgain) {
  std::string text = factsOf(
      "struct Net : torch::nn::Module { torch::nn::Linear fc; torch::Tensor forward(torch::Tensor x) { return fc(x) + "
      "x; } };\n"
      "int main() { Net net; net.to(torch::kCUDA); torch::Tensor kept[2]; kept[0] = torch::zeros(2); for (int i = 0; i "
      "< 3; ++i) net.forward(torch::zeros(2)); }");
  std::string error;
  std::optional<facts::Program> again = facts::parse(text, error);
  ASSERT_TRUE(again) << error << "\n" << text;
  EXPECT_EQ(facts::print(again.value_or(facts::Program())), text);
}

TEST(Lowering, WhatNobodyCanReadMayBeAGuardAndMayRunWhatItIsGiven) {
  // As where a header is missing.
  expectFact(factsOf("struct Scope { unknown::Guard guard; };\nvoid f() { Scope scope; }"), "guard broken");
  expectFact(factsOf("template <class T> struct List { void add(T); };\nvoid g(torch::Tensor x);\n"
                     "void f(torch::Tensor x) { List<unknown::Thread> l; l.add([x](int i) { g(x); }); }"),
             "call-value(");
}

/// Whether `name` is taken for a function that only autograd's backward calls, beside the other declarations.
bool isBackward(const std::string &name, const std::string &others, const std::string &parameter = "x") {
  const Lowered result =
      lowered(others + "\ntorch::Tensor " + name + "(torch::Tensor " + parameter + ") { return " + parameter + "; }");
  for (const facts::Function &function : result.program.functions)
    if (function.name == name)
      return function.isGuarded;
  ADD_FAILURE() << name;
  return false;
}

TEST(Lowering, BackwardIsToldByItsTwin) {
  auto declared = [](const std::string &name) { return "void " + name + "(torch::Tensor);"; };
  EXPECT_TRUE(isBackward("ms_deform_attn_cuda_backward", declared("ms_deform_attn_cuda_forward")));
  EXPECT_TRUE(isBackward("PSAMaskBackwardCUDAKernelLauncher", declared("PSAMaskForwardCUDAKernelLauncher")));
  EXPECT_TRUE(isBackward("spline_backward_x_cuda", declared("spline_forward_cuda")));
  EXPECT_TRUE(isBackward("mha_bwd_block", declared("mha_fwd")));
  EXPECT_TRUE(isBackward("interpolate_bw_cu", declared("interpolate_fw_kernel")));
  EXPECT_TRUE(isBackward("backward", declared("forward")));
  EXPECT_TRUE(isBackward("roll_backward", declared("roll_cuda")));
  EXPECT_FALSE(isBackward("roll_backward", declared("unroll_forward")));
  EXPECT_FALSE(isBackward("backward_warp", declared("warp_kernel")));
  EXPECT_FALSE(isBackward("roll_forward_backward", declared("roll_forward"), "grad"));
}

TEST(Lowering, OrByTheGradientItTakes) {
  for (const char *gradient : {"grad_output", "gradOut", "dy_", "dL_dout", "v_colors", "top_diff", "d_out"})
    EXPECT_TRUE(isBackward("roll_backward", "", gradient)) << gradient;
  for (const char *other : {"x", "depth", "data", "d_x", "v", "dim"})
    EXPECT_FALSE(isBackward("roll_backward", "", other)) << other;
  // A gradient that is a result of its own.
  EXPECT_FALSE(isBackward("sobel_gradient", "void sobel(torch::Tensor);"));
  EXPECT_FALSE(isBackward("clip_grad", "", "grads"));
  EXPECT_TRUE(isBackward("gather_points_grad", "void gather_points(torch::Tensor);", "grad_out"));
}

} // namespace
} // namespace samedevice::clangfront
