// Code that does not compile, yet: what it lacks is not held against it, and what is whole is judged.
#include "Tidy.h"

namespace {

const char *const kMixed = "auto y = torch::zeros({2}, torch::kCUDA) + torch::zeros({2}); ";

TEST_F(Plugin, AFunctionThatLacksAStatementIsNotJudged) {
  EXPECT_FALSE(tidy("void f() { torch::nn::Linear net(2, 2); net->to(torch::kCUDA; "
                    "net->forward(torch::zeros({2, 2}, torch::kCUDA)); }\n")
                   .says("[device-"));
  EXPECT_FALSE(tidy(std::string("void f() { if () { } ") + kMixed + "}\n").says("[device-")) << "which way it goes";
  EXPECT_FALSE(tidy(std::string("void f() { undeclared(1); ") + kMixed + "}\n").says("[device-")) << "being typed";
  EXPECT_TRUE(tidy(std::string("int g() { return 1 +; }\nvoid f() { ") + kMixed + "}\n").says("[device-"));
}

TEST_F(Plugin, WhoeverCallsAFunctionMayBeWhatIsMissing) {
  // By itself it mixes a default with what it is given; its caller gives it one on the CPU.
  const std::string callee = "static torch::Tensor f(torch::Tensor x) { return x + torch::zeros({2}); }\n"
                             "bool g(torch::Tensor x) { return x.device() == torch::kCUDA; }\n";
  EXPECT_TRUE(tidy(callee).says("[device-default-factory]"));
  EXPECT_FALSE(tidy(callee + "int main() { f(torch::ones({2})); }\n").says("[device-"));
  EXPECT_FALSE(tidy(callee + "int main() { f(torch::ones({2}; }\n").says("[device-"));
  EXPECT_FALSE(tidy(callee + "int main( { f(torch::ones({2})); }\n").says("[device-"));
}

TEST_F(Plugin, WhereTheTextIsCutOffCallersAreMissing) {
  // The caller's name need not be in what is left of the text.
  const std::string callee = "static torch::Tensor f(torch::Tensor x) { return x + torch::zeros({2}); }\n"
                             "bool g(torch::Tensor x) { return x.device() == torch::kCUDA; }\n";
  EXPECT_FALSE(tidy(callee + "int main() { auto x = torch::ones({2}\n").says("[device-"));
  EXPECT_FALSE(tidy(callee + "#if 1\nint h();\n").says("[device-"));
  EXPECT_FALSE(tidy(callee + "  auto x = torch::ones({2});\n  g(x);\n}\n").says("[device-"));
  EXPECT_FALSE(tidy(callee + "struct S { int mainint x) { return 1; } };\n").says("[device-"));
  EXPECT_TRUE(tidy("int main() { " + std::string(kMixed) + "}\nint g();\n#if 1\nint h();\n").says("[device-"))
      << "nobody else calls it";
}

TEST_F(Plugin, WhereClangFallsSilentNobodyKnowsWhatIsMissing) {
  // Of what follows a missing header, or twenty errors, Clang leaves out what it cannot read and does not say so.
  const std::string body = "void f(torch::IntArrayRef sizes) {\n"
                           "  torch::Tensor a = torch::ones(sizes).cuda();\n  torch::Tensor b = torch::zeros(sizes);\n"
                           "  project::move_to_cuda(b);\n  MOVE_TO_CUDA b;\n  a.add(b);\n}\n",
                    callee = "static torch::Tensor h(torch::Tensor x) { return x + torch::zeros({2}); }\n";
  std::string errors;
  for (int count = 0; count < 30; ++count)
    errors += "int f" + std::to_string(count) + "() { return 1 +; }\n";
  EXPECT_FALSE(tidy("#include \"missing.h\"\n" + body).says("[device-"));
  EXPECT_FALSE(tidy(errors + body).says("[device-"));
  write("near.h", "#pragma once\n#include \"missing.h\"\n");
  EXPECT_FALSE(tidy("#include \"near.h\"\n" + body).says("[device-"));
  EXPECT_FALSE(tidy(callee + errors + "int main() { h(torch::ones({2})); }\n").says("[device-"))
      << "a caller is missing";
  EXPECT_TRUE(tidy("int main() { " + std::string(kMixed) + "}\n" + errors).says("[device-mixed-operands]"))
      << "what stands before it was read";
}

TEST_F(Plugin, AConstantThatIsLeftOutIsNotOneThatSomebodyChose) {
  const std::string program = "const auto second = torch::TensorOptions().device(torch::kCUDA, 1);\n"
                              "const auto place = second;\n"
                              "torch::Tensor sum(const torch::Tensor &a) { return a + torch::zeros({2}, place); }\n"
                              "int main() { sum(torch::ones({2}, torch::Device(torch::kCUDA, 1))); }\n";
  EXPECT_FALSE(tidy(program).says("[device-"));
  EXPECT_FALSE(tidy(program + "void log(auto what) { what.print(); }\n").says("[device-"));
}

TEST_F(Plugin, ADataSetThatLacksAMemberMayMoveItsExamples) {
  auto program = [](const std::string &members) {
    return "struct Set : torch::data::datasets::Dataset<Set> {\n"
           "  explicit Set(torch::Device device) : x_(torch::rand({4, 2})), y_(torch::rand({4}).to(device)) {}\n"
           "  torch::data::Example<> get(size_t i) override { return {x_[i], y_[i]}; }\n"
           "  torch::optional<size_t> size() const override { return 4; }\n" +
           members +
           "};\n"
           "int main() {\n  torch::nn::Linear net(2, 2);\n  net->to(torch::kCUDA);\n"
           "  auto loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(\n"
           "      Set(torch::kCPU).map(torch::data::transforms::Stack<>()), 4);\n"
           "  for (auto &batch : *loader) net->forward(batch.data);\n}\n";
  };
  EXPECT_FALSE(tidy(program("")).says("[device-"));
}

TEST_F(Plugin, AClassThatLacksAMemberIsNotJudged) {
  const std::string
      begin = "struct Net : torch::nn::Module {\n  Net() { fc = torch::nn::Linear(2, 2); }\n",
      end = "  torch::Tensor forward(torch::Tensor x) { return fc(x); }\n  torch::nn::Linear fc{nullptr};\n};\n";
  EXPECT_TRUE(tidy(begin + end).says("[device-unregistered-member]"));
  EXPECT_FALSE(tidy(begin + "  void to(torch::Device device override;\n" + end).says("[device-"));
  EXPECT_FALSE(tidy(begin + "  et(int) { register_module(\"fc\", fc); }\n" + end).says("[device-"))
      << "nobody's function: it has no type";
}

TEST_F(Plugin, ADeviceMayBeMadeCurrentByWhatIsMissing) {
  // Each GPU has a worker, which makes it the current one: the program has no other place, and says which one is meant.
  auto program = [](const std::string &queue) {
    return std::string(R"(#include <c10/cuda/CUDAGuard.h>
struct NetImpl : torch::nn::Module {
  NetImpl() { fc = register_module("fc", torch::nn::Linear(8, 1)); }
  torch::Tensor score() { return fc(torch::ones({1, 8}, torch::kCUDA)); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);
struct Worker {
  void run() { const c10::cuda::CUDAGuard mine(number); }
  int number = 0;
  )") + queue +
           R"( jobs;
};
int main() {
  std::vector<Net> nets(2);
  for (int gpu = 0; gpu < 2; ++gpu)
    nets[gpu]->to(torch::Device("cuda:" + std::to_string(gpu)));
}
)";
  };
  EXPECT_FALSE(tidy(program("std::vector<int>")).says("[device-"));
  EXPECT_FALSE(tidy("#include <>\n" + program("missing::queue<int>")).says("[device-"));
}

TEST_F(Plugin, ABraceTooManyEndsAFunctionEarly) {
  const std::string begin =
      "struct Net : torch::nn::Module { Net(); torch::Tensor forward(torch::Tensor x) { return fc(x); }\n"
      "  torch::nn::Linear fc{nullptr}; };\nNet::Net() { fc = torch::nn::Linear(2, 2); ";
  EXPECT_TRUE(tidy(begin + "}\n").says("[device-unregistered-member]"));
  EXPECT_FALSE(tidy(begin + "} register_module(\"fc\", fc); }\n").says("[device-"));
}

} // namespace
