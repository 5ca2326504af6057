// The plugin as clang-tidy runs it: suppressions, severity, options, and input that does not compile.
#include "Tidy.h"

namespace {

const char *const kDropped = "void f(torch::Tensor x) { x.to(torch::kCUDA); }\n";

TEST_F(Plugin, Warns) {
  Outcome run = tidy(kDropped);
  EXPECT_NE(run.output.find("input.cpp:2:27: warning:"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("[device-discarded-to]"), std::string::npos) << run.output;
  EXPECT_EQ(run.status, 0);
}

TEST_F(Plugin, SaysInALineThatItWasBuiltForAnotherClangTidy) {
  // The loader alone, as it is where none of the checks beside it are for this clang-tidy.
  const std::filesystem::path alone = path("samedevice-tidy.so");
  std::filesystem::copy_file(PLUGIN, alone);
  Outcome run = ::run(std::string(CLANG_TIDY) + " -load " + alone.string() + " --list-checks --checks=-*,device-*");
  EXPECT_TRUE(run.says("samedevice: this is clang-tidy " + std::string(CLANG_TIDY_VERSION) +
                       ", and the checks were built for clang-tidy "))
      << run.output;
  EXPECT_FALSE(run.says("undefined symbol")) << run.output;
}

TEST_F(Plugin, NolintSilencesOneCheck) {
  EXPECT_EQ(tidy("void f(torch::Tensor x) { x.to(torch::kCUDA); } // NOLINT(device-discarded-to)\n").output, "");
  EXPECT_NE(tidy("void f(torch::Tensor x) { x.to(torch::kCUDA); } // NOLINT(device-host-access)\n").output, "");
}

TEST_F(Plugin, WarningsCanBeErrors) {
  Outcome run = tidy(kDropped, "--checks='-*,device-*' --warnings-as-errors='device-*'");
  EXPECT_NE(run.output.find("error: "), std::string::npos) << run.output;
  EXPECT_NE(run.status, 0);
}

TEST_F(Plugin, OtherChecksCanBeOff) { EXPECT_EQ(tidy(kDropped, "--checks='-*,device-host-access'").output, ""); }

TEST_F(Plugin, HeadersAreFiltered) {
  write("input.h", "inline void f(torch::Tensor x) { x.to(torch::kCUDA); }\n");
  // What is shown where nothing is said has become more with 22.
  EXPECT_FALSE(tidy("#include \"input.h\"\n", "--checks='-*,device-*' --header-filter='^$'").says("input.h:"));
  Outcome run = tidy("#include \"input.h\"\n", "--checks='-*,device-*' --header-filter='.*input\\.h'");
  EXPECT_TRUE(run.says("input.h:1:")) << run.output;
}

TEST_F(Plugin, BrokenCodeIsNoReasonToSpeakOrToCrash) {
  Outcome run = tidy(
      "#include \"not_there.h\"\n"
      "struct Net : torch::nn::Module { Net() { fc = register_module(\"fc\", torch::nn::Linear(3, )); }\n"
      "  torch::Tensor forward(torch::Tensor x) { return undefined(fc(x)) + ; } torch::nn::Linear fc{nullptr}; };\n"
      "int main() { Net n; n.to(torch::kCUDA; auto y = n.forward(foo(1)); y.data_ptr<float>()[0]; for (auto x : b\n");
  EXPECT_EQ(run.output.find("[device-"), std::string::npos) << run.output;
  EXPECT_EQ(run.output.find("Stack dump"), std::string::npos) << run.output;
}

TEST_F(Plugin, LoopsOfCpp20EndAsThoseBefore) {
  // An iterator has no `!=` of its own there.
  const std::string code =
      "int main() {\n  std::vector<torch::Tensor> all;\n  all.push_back(torch::ones({3}, torch::kCUDA));\n"
      "  for (auto &one : all) one = one.to(torch::kCPU);\n"
      "  for (const auto &one : all) one + torch::ones({3}, torch::kCUDA);\n"
      "  for (const auto &one : all) one + torch::ones({3});\n}\n";
  for (const char *standard : {"17", "20"}) {
    flags_ = std::string("-std=c++") + standard + " -isystem " + STAND_INS;
    Outcome run = tidy("#include <vector>\n" + code);
    EXPECT_TRUE(run.says("input.cpp:7:")) << run.output;
    EXPECT_FALSE(run.says("input.cpp:8:")) << run.output;
  }
}

TEST_F(Plugin, OperatorsFollowTheVersionOfTheHeaders) {
  const std::filesystem::path headers = path("headers"), version = headers / "torch/csrc/api/include/torch/version.h";
  std::filesystem::copy(STAND_INS, headers, std::filesystem::copy_options::recursive);
  std::filesystem::create_directories(version.parent_path());
  write("input.cpp", "#include <torch/torch.h>\n"
                     "int main() { auto x = torch::rand({8}, torch::kCUDA);\n"
                     "  torch::where(x > 0, x, torch::tensor(0.0)).add_(1); }\n");
  auto outputFor = [&](const char *major, const char *minor) {
    std::ofstream(version) << "#define TORCH_VERSION_MAJOR " << major << "\n#define TORCH_VERSION_MINOR " << minor
                           << "\n";
    return run(std::string(CLANG_TIDY) + " -load " + PLUGIN + " --quiet --checks=-*,device-* " + path("input.cpp") +
               " -- -std=c++17 -isystem " + headers.string());
  };
  EXPECT_TRUE(outputFor("1", "13").says("input.cpp:3:")) << "a number on the CPU passed from 2.0 on";
  EXPECT_EQ(outputFor("2", "6").output, "");
}

TEST_F(Plugin, DeepTemplatesEnd) {
  Outcome run = tidy(
      "template <int N> struct Deep { static torch::Tensor f(torch::Tensor x) { return Deep<N - 1>::f(x + 1); } };\n"
      "template <> struct Deep<0> { static torch::Tensor f(torch::Tensor x) { return x; } };\n"
      "torch::Tensor r() { return Deep<300>::f(torch::ones({1})); }\n");
  EXPECT_EQ(run.output, "");
}

TEST_F(Plugin, LongFunctionsEnd) {
  std::string code = "void f(torch::Tensor a, torch::Device d) {\n";
  for (int i = 0; i < 1000; ++i) {
    // tN and uN of the N-th turn
    std::string turn = "auto t@ = torch::zeros({4}, d); auto u@ = t@ + a.to(d);\n if (u@.numel() > @) u@ = u@ * 2;\n"
                       " t@ = u@.to(d); a = t@ - u@;\n";
    for (std::size_t at = 0; (at = turn.find('@', at)) != std::string::npos;)
      turn.replace(at, 1, std::to_string(i));
    code += turn;
  }
  EXPECT_EQ(tidy(code + "}\n").output, "");
}

} // namespace
