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

TEST_F(Plugin, AClassThatLacksAMemberIsNotJudged) {
  const std::string
      begin = "struct Net : torch::nn::Module {\n  Net() { fc = torch::nn::Linear(2, 2); }\n",
      end = "  torch::Tensor forward(torch::Tensor x) { return fc(x); }\n  torch::nn::Linear fc{nullptr};\n};\n";
  EXPECT_TRUE(tidy(begin + end).says("[device-unregistered-member]"));
  EXPECT_FALSE(tidy(begin + "  void to(torch::Device device override;\n" + end).says("[device-"));
}

TEST_F(Plugin, ABraceTooManyEndsAFunctionEarly) {
  const std::string begin =
      "struct Net : torch::nn::Module { Net(); torch::Tensor forward(torch::Tensor x) { return fc(x); }\n"
      "  torch::nn::Linear fc{nullptr}; };\nNet::Net() { fc = torch::nn::Linear(2, 2); ";
  EXPECT_TRUE(tidy(begin + "}\n").says("[device-unregistered-member]"));
  EXPECT_FALSE(tidy(begin + "} register_module(\"fc\", fc); }\n").says("[device-"));
}

} // namespace
