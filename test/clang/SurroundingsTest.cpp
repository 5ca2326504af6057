// What other files say of a function that they call.
#include "clang/Surroundings.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace samedevice::clangfront {
namespace {

using Answer = Surroundings::Answer;

std::vector<std::string> namesOf(const std::vector<CallerInText> &callers) {
  std::vector<std::string> names;
  names.reserve(callers.size());
  for (const CallerInText &caller : callers)
    names.push_back(caller.by + (caller.isGuarded ? " guarded" : "") + (caller.isBackward ? " backward" : ""));
  return names;
}

using Names = std::vector<std::string>;

TEST(CallersInCpp, AreGuardedByWhatStandsBeforeTheCall) {
  const char *text = R"(
    Tensor launch(Tensor x);
    namespace ops {
    struct Helper { int launches = 0; };
    Tensor guarded(Tensor x) { const c10::cuda::CUDAGuard guard(x.device()); return launch(x); }
    Tensor late(Tensor x) { auto y = launch(x); cudaSetDevice(0); return y; }
    template <class T> __attribute__((noinline)) Tensor plain(Tensor x) { if (x.defined()) { return launch<T>(x); } return x; }
    }
  )";
  EXPECT_EQ(namesOf(callersInCpp(text, "launch")), (Names{"guarded guarded", "late", "plain"}));
}

TEST(CallersInCpp, AreNotGuardedByWhatEndedBefore) {
  const char *text = R"(
    void inside(Tensor x) { if (x.defined()) { CUDAGuard guard(x.device()); launch(x); } }
    void after(Tensor x) { if (x.defined()) { CUDAGuard guard(x.device()); prepare(x); } launch(x); }
    void lasting(Tensor x) { if (x.defined()) { cudaSetDevice(x.get_device()); } launch(x); }
  )";
  EXPECT_EQ(namesOf(callersInCpp(text, "launch")), (Names{"inside guarded", "after", "lasting guarded"}));
}

TEST(CallersInCpp, AreNotGuardedInAnotherThread) {
  const char *text = R"(
    void threads(Tensor x) {
      CUDAGuard guard(x.device());
      std::vector<std::thread> all;
      all.emplace_back([&] { launch(x); });
      all.emplace_back([&] { CUDAGuard own(x.device()); launch(x); });
      std::async([x] { launch(x); });
      std::for_each(a, b, [&](int n) { launch(x); });
    }
  )";
  EXPECT_EQ(namesOf(callersInCpp(text, "launch")), (Names{"threads", "threads guarded", "threads", "threads guarded"}));
}

TEST(CallersInCpp, AreKnownAsBackwardByTheirNames) {
  EXPECT_EQ(namesOf(callersInCpp("Tensor swish_backward(Tensor g) { return launch(g); }", "launch")),
            Names{"swish_backward backward"});
}

TEST(CallersInCpp, AreNoneWhereTheFileHasItsOwn) {
  EXPECT_TRUE(callersInCpp("void launch(int) {} void f() { launch(1); }", "launch").empty());
}

TEST(CallersInCpp, DoNotLoseTheirWayInDirectives) {
  EXPECT_EQ(namesOf(callersInCpp("#define BEGIN if (x) { \\\n {\nvoid f() { launch(); }\nvoid g() {}\n", "launch")),
            Names{"f"});
}

TEST(CallersInCpp, BindForPython) {
  const auto callers = callersInCpp("PYBIND11_MODULE(ext, m) { m.def(\"swish\", &launch); }", "launch");
  ASSERT_EQ(callers.size(), 1u);
  EXPECT_EQ(callers[0].boundAs, Names{"swish"});
}

TEST(CallersInPython, AreGuardedByWhatTheyAreIndentedUnder) {
  const char *text = R"(
from ext import swish
def inside(x):
    with torch.cuda.device(x.device):
        return ext.swish(x)
def chosen(x):
    torch.cuda.set_device(x.device)
    return ext.swish(x)
def beside(x):
    with torch.cuda.device(x.device):
        pass
    return ext.swish(x)
class Swish(Function):
    @staticmethod
    def backward(ctx, g):
        return torch.ops.ext.swish.default(g)
torch.library.register_fake("ext::swish")(f)
)";
  EXPECT_EQ(namesOf(callersInPython(text, "swish")),
            (Names{"inside guarded", "chosen guarded", "beside", "backward backward"}));
}

TEST(CallersInPython, TryABackwardOutWhereNothingIsGivenToIt) {
  EXPECT_EQ(namesOf(callersInPython("def check_backward():\n  y = ext.swish(x)\n", "swish")), Names{"check_backward"});
  EXPECT_EQ(namesOf(callersInCpp("void check_backward() { launch(x); }", "launch")), Names{"check_backward"});
}

TEST(CallersInPython, KnowANameByWhichItIsImported) {
  const char *text = R"(
from .ops import (
    swish as swish_cuda,
    swished as other,
)
# swish as prose
def renamed(x):
    torch.cuda.set_device(x.device)
    return swish_cuda(x)
def bare(x):
    return swish_cuda(x)
def another(x):
    return other(x) + prose(x)
)";
  EXPECT_EQ(namesOf(callersInPython(text, "swish")), (Names{"renamed guarded", "bare"}));
}

TEST(CallersInPython, KeepAFunctionForALaterCall) {
  const char *text = R"(
TABLE = {
    "fp32": ext.swish
}
class Layer:
    def __init__(self, rank):
        if rank >= 0:
            torch.cuda.set_device(rank)
        self.create()
    def create(self):
        f = (
            ext.swish_fp16
            if self.half
            else ext.swish
        )
        f(self.weight)
    def rest(self):
        self.other.create()
        self.swish = ext.swish_fp16
)";
  EXPECT_EQ(namesOf(callersInPython(text, "swish")), Names{"create"});
  EXPECT_EQ(namesOf(callersInPython(text, "create", /*mayBeDefined=*/true)), (Names{"__init__ guarded", "rest"}));
  EXPECT_TRUE(callersInPython("def g(self):\n  self.swish(x)\n", "swish", true).empty());
}

TEST(CallersInPython, MayAssignToAListOverSeveralLines) {
  const char *text = R"(
def backward(
    ctx, g
) -> Tensor:
    (
        one,
        two,
    ) = ext.swish(g)
)";
  EXPECT_EQ(namesOf(callersInPython(text, "swish")), Names{"backward backward"});
}

/// A project in a folder of its own.
class Project : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "surroundings-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    std::filesystem::create_directory(folder_ / "src");
    write("setup.py", "");
    write("src/main.cu", "Tensor swish_cuda(Tensor x) { return x; }");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string &name, const std::string &text) { std::ofstream(folder_ / name) << text; }
  Answer ask(const std::string &function, const Names &bound = {}) {
    return Surroundings((folder_ / "src/main.cu").string()).callersOf(function, bound);
  }

  std::filesystem::path folder_;
};

TEST_F(Project, SaysNothingOfWhatNobodyCalls) { EXPECT_EQ(ask("swish_cuda"), Answer::Nothing); }

TEST_F(Project, GuardsInACaller) {
  write("src/ops.cpp", "Tensor swish(Tensor x) { c10::DeviceGuard guard(x.device()); return swish_cuda(x); }");
  EXPECT_EQ(ask("swish_cuda"), Answer::Guarded);
}

TEST_F(Project, GuardsInACallersCaller) {
  write("src/ops.cpp", "Tensor middle(Tensor x) { return swish_cuda(x); }");
  write("src/api.cpp", "Tensor top(Tensor x) { CUDA_DEVICE_GUARD(x); return middle(x); }");
  EXPECT_EQ(ask("swish_cuda"), Answer::Guarded);
}

TEST_F(Project, FollowsPythonsImportsUnderAnotherName) {
  write("quant.py", "def swish(x):\n  return _C.swish_op(x)\n");
  const std::string import = "from .quant import swish as swish_fast\n";
  write("core.py", import + "def f(x):\n  torch.cuda.set_device(x.device)\n  return swish_fast(x)\n");
  EXPECT_EQ(ask("swish_cuda", {"swish_op"}), Answer::Guarded);
  write("core.py", import + "def f(x):\n  return swish_fast(x)\n");
  EXPECT_EQ(ask("swish_cuda", {"swish_op"}), Answer::Unguarded);
}

TEST_F(Project, MayCallItTwiceUnderOneGuard) {
  const std::string guard = "  torch.cuda.set_device(x.device)\n";
  write("ops.py", "def swish_f(x):\n  return _C.swish_op(x)\ndef swish_g(x):\n  _C.swish_op(x)\n  _C.swish_op(x)\n");
  write("core.py", "def top(x):\n" + guard + "  swish_f(x)\n  swish_g(x)\n");
  EXPECT_EQ(ask("swish_cuda", {"swish_op"}), Answer::Guarded);
  write("core.py", "def top(x):\n" + guard + "  swish_f(x)\ndef bare(x):\n  swish_g(x)\n");
  EXPECT_EQ(ask("swish_cuda", {"swish_op"}), Answer::Unguarded);
}

TEST_F(Project, GuardsInPythonACallerThatIsBoundInItsFile) {
  write("src/bind.cpp",
        "Tensor swish(Tensor x) { return swish_cuda(x); } PYBIND11_MODULE(e, m) { m.def(\"swish_op\", &swish); }");
  write("use.py", "def f(x):\n  torch.cuda.set_device(x.device)\n  ext.swish_op(x)\n");
  EXPECT_EQ(ask("swish_cuda"), Answer::Guarded);
}

TEST_F(Project, MayGuardAroundALayer) {
  write("src/layer.h", "struct Layer { Tensor forward(Tensor x) { return activate(x); } };");
  write("src/activate.h", "Tensor activate(Tensor x) { return swish_cuda(x); }");
  write("src/ops.cpp", "void other(Tensor x) { CUDAGuard guard(x.device()); } PYBIND11_MODULE(m, e) {}"); // its own
  EXPECT_EQ(ask("swish_cuda"), Answer::Unguarded);
  write("src/worker.cpp", "void work(Net net) { c10::DeviceGuard guard(device); net->forward(next()); }");
  EXPECT_EQ(ask("swish_cuda"), Answer::Perhaps);
}

TEST_F(Project, IsUnguardedWhereOneCallerHoldsNone) {
  write("src/ops.cpp",
        "Tensor a(Tensor x) { CUDAGuard g(0); return swish_cuda(x); } Tensor b(Tensor x) { return swish_cuda(x); }");
  EXPECT_EQ(ask("swish_cuda"), Answer::Unguarded);
}

TEST_F(Project, GuardsInPythonWhoCallsAWrapperOfTheSameName) {
  write("ops.py", "def swish_op(\n    x,\n) -> None:\n  _ext.swish_op(x)\ndef use(x):\n  "
                  "torch.cuda.set_device(x.device)\n  swish_op(x)\n");
  EXPECT_EQ(ask("swish_cuda", {"swish_op"}), Answer::Guarded);
  write("other.py", "def careless(x):\n  swish_op(x)\n");
  EXPECT_EQ(ask("swish_cuda", {"swish_op"}), Answer::Unguarded);
}

TEST_F(Project, MayBeAProgramOfOneGpu) {
  auto isOne = [&] { return Surroundings((folder_ / "src/main.cu").string()).areOfOneGpuProgram(); };
  EXPECT_FALSE(isOne());
  write("src/train.cpp", "int main() { auto x = torch::zeros({4}, torch::kCUDA); }");
  EXPECT_TRUE(isOne());
  write("src/options.cpp",
        "void wait(torch::DeviceType type = torch::kCUDA, int n = 1) { torch::cuda::synchronize(); }");
  EXPECT_TRUE(isOne());
  write("src/options.cpp", "void move(Tensor x) { x.to(torch::kCUDA, true); x.to(torch::kCUDA, torch::kHalf); }");
  EXPECT_TRUE(isOne());
  for (const char *choice : {"cudaSetDevice(gpu)", "torch::Device(torch::kCUDA, gpu)", "net->to(\"cuda:1\")",
                             "torch::cuda::device_count()"}) {
    write("src/options.cpp", "void choose(int gpu) { " + std::string(choice) + "; }");
    EXPECT_FALSE(isOne()) << choice;
  }
  write("src/options.cpp", "TORCH_LIBRARY(render, m) { m.class_<Info>(\"Info\").def(torch::init()); }");
  EXPECT_TRUE(isOne());
  for (const char *binding : {"TORCH_LIBRARY(ops, m) { m.def(\"f\", &f); }", "PYBIND11_MODULE(m, e) {}"}) {
    write("src/options.cpp", binding);
    EXPECT_FALSE(isOne()) << binding;
  }
}

TEST_F(Project, HasWorkersThatMayCallIt) {
  write("src/norm.h", "struct Norm { Tensor forward(Tensor x) { return swish_cuda(x); } };");
  EXPECT_EQ(ask("swish_cuda"), Answer::Unguarded);
  EXPECT_EQ(ask("nobodys"), Answer::Nothing);
  for (const char *part : {"queue", "sampler", "batch", "router", "http", "model"})
    write("src/" + std::string(part) + ".cpp", "");
  write("src/server.cpp", "int main(int argc, char **argv) { Worker worker(argv[1]); }");
  write("src/ops.cpp", "void other(Tensor x) { CUDAGuard guard(x.device()); } PYBIND11_MODULE(m, e) {}"); // its own
  EXPECT_EQ(ask("swish_cuda"), Answer::Unguarded);
  write("src/worker.cpp", "void Worker::step() { torch::DeviceGuard guard(device_); model_->forward(x); }");
  EXPECT_EQ(ask("nobodys"), Answer::Worker);
  EXPECT_EQ(ask("unheard_of"), Answer::Worker);
  EXPECT_EQ(ask("swish_cuda"), Answer::Worker);
  EXPECT_EQ(Surroundings((folder_ / "tests/main.cu").string()).callersOf("unheard_of", {}), Answer::Nothing);
  write("src/demo.cpp", "int main() { other_cuda(x); }");
  EXPECT_EQ(ask("other_cuda"), Answer::Unguarded);
  write("src/bind.cpp", "PYBIND11_MODULE(m, e) { m.def(\"nobodys\", &nobodys); }");
  EXPECT_NE(ask("nobodys"), Answer::Worker);
  for (const char *part : {"sampler", "router", "http"}) // a collection of programs
    write("src/" + std::string(part) + ".cpp", "int main() {}");
  EXPECT_EQ(ask("unheard_of"), Answer::Nothing);
}

TEST_F(Project, HoldsTheBodiesOfItsFunctions) {
  write("src/kernels.cu", "void encode(Tensor x, Tensor y) { k<<<1, 2>>>(y.data_ptr<float>()); }");
  Surroundings surroundings((folder_ / "src/main.cu").string());
  const BodyInText *body = surroundings.bodyOf("encode", 2);
  ASSERT_TRUE(body);
  ASSERT_EQ(body->uses.size(), 1u);
  EXPECT_EQ(body->uses[0].parameter, 1u);
  EXPECT_EQ(surroundings.bodyOf("encode", 3), nullptr);
  EXPECT_EQ(surroundings.bodyOf("decode", 2), nullptr);
}

TEST_F(Project, HoldsBodiesThatCallEachOther) {
  write("src/paint.cpp",
        "int Canvas::paint(int n, const float *x, float *out) { PAINT::spread(n, x, out); return n; }");
  write("src/spread.cu", "void PAINT::spread(int n, const float *x, float *out) { k << <n, 256 >> > (n, x, out); }");
  write("src/turns.cu", "void turn(float *x) { back(x); }\nvoid back(float *x) { turn(x); }");
  write("src/back.cu", "void turn_again(float *x) { turn(x); }");
  Surroundings surroundings((folder_ / "src/main.cu").string());
  const BodyInText *body = surroundings.bodyOf("Canvas::paint", 3);
  ASSERT_TRUE(body);
  ASSERT_EQ(body->uses.size(), 3u);
  EXPECT_EQ(body->uses[1].kernel, "k");
  const BodyInText *turn = surroundings.bodyOf("turn_again", 1);
  ASSERT_TRUE(turn);
  EXPECT_TRUE(turn->uses.empty());
}

TEST_F(Project, DoesNotKnowWhichOfTwoBodiesIsMeant) {
  write("src/one.cu", "void encode(Tensor x) { k<<<1, 2>>>(x.data_ptr<float>()); }");
  write("src/two.cpp", "void encode(Tensor x) { x.mul_(2); }");
  EXPECT_EQ(Surroundings((folder_ / "src/main.cu").string()).bodyOf("encode", 1), nullptr);
}

TEST_F(Project, HasOneFunctionOfANameInEachFolder) {
  std::filesystem::create_directory(folder_ / "other");
  write("src/ops.cpp", "Tensor swish(Tensor x) { c10::DeviceGuard guard(x.device()); return swish_cuda(x); }");
  write("other/ops.cpp", "Tensor swish(Tensor x) { return swish_cuda(x); }");
  EXPECT_EQ(ask("swish_cuda"), Answer::Guarded);
}

TEST_F(Project, CallsItInBackwardOnly) {
  write("ops.py", "class F(Function):\n  def forward(ctx, x):\n    return x\n  def backward(ctx, g):\n    return "
                  "ext.distribute(g)\n");
  EXPECT_EQ(ask("swish_cuda", {"distribute"}), Answer::Guarded);
  write("src/bind.cpp", "PYBIND11_MODULE(ext, m) { m.def(\"distribute\", &swish_cuda); }");
  EXPECT_EQ(ask("swish_cuda"), Answer::Guarded);
  write("other.py", "def use(x):\n  return ext.distribute(x)\n");
  EXPECT_EQ(ask("swish_cuda", {"distribute"}), Answer::Unguarded);
}

TEST_F(Project, MayBindItByACommonName) {
  write("src/use.py", "def f(x):\n  torch.cuda.set_device(x.device)\n  ext.forward(x)\n  self.forward(x)\n");
  write("train.py", "def train(x):\n  model.forward(x)\n");
  EXPECT_EQ(ask("swish_cuda", {"forward"}), Answer::Guarded);
  write("src/use.py", "def f(x):\n  ext.forward(x)\n");
  EXPECT_EQ(ask("swish_cuda", {"forward"}), Answer::Nothing);
  EXPECT_EQ(ask("forward"), Answer::Nothing);
}

TEST_F(Project, IsTheSameAsLongAsItsFilesAre) {
  write("ops.py", "x\n");
  const auto now = [&] {
    return Surroundings::fingerprint(Surroundings::projectOf((folder_ / "src" / "swish.cu").string()));
  };
  const std::string before = now();
  write("README", "nothing that is read\n");
  EXPECT_EQ(now(), before);
  write("ops.py", "more\n");
  EXPECT_NE(now(), before);
}

} // namespace
} // namespace samedevice::clangfront
