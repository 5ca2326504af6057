// The plugin as clang-tidy runs it: suppressions, severity, options, and input that does not compile.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace fs = std::filesystem;

namespace {

struct Outcome {
  std::string output;
  int status = 0;
};

class Plugin : public ::testing::Test {
protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  Outcome tidy(const std::string &code, const std::string &options = "--checks='-*,device-*'") {
    fs::path file = folder_ / "input.cpp";
    std::ofstream(file) << "#include <torch/torch.h>\n" << code;
    std::string command = std::string(CLANG_TIDY) + " -load " + PLUGIN + " --quiet " + options + " " + file.string() +
                          " -- -std=c++17 -isystem " + FACADE + " 2>&1";
    Outcome run;
    FILE *pipe = popen(command.c_str(), "r");
    for (char buffer[4096]; size_t count = fread(buffer, 1, sizeof buffer, pipe);)
      run.output.append(buffer, count);
    run.status = pclose(pipe);
    return run;
  }

private:
  fs::path folder_ = fs::temp_directory_path() / ("samedevice-plugin-" + std::to_string(::getpid()) + "-" +
                     ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

const char *const kDropped = "void f(torch::Tensor x) { x.to(torch::kCUDA); }\n";

TEST_F(Plugin, Warns) {
  Outcome run = tidy(kDropped);
  EXPECT_NE(run.output.find("input.cpp:2:27: warning:"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("[device-discarded-to]"), std::string::npos) << run.output;
  EXPECT_EQ(run.status, 0);
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

TEST_F(Plugin, ProjectNamesItsHostFunctions) {
  const char *code = "void plot(const float *p);\n"
                     "void f() { auto t = torch::ones({3}, torch::kCUDA); plot(t.data_ptr<float>()); }\n";
  EXPECT_EQ(tidy(code).output, "");
  Outcome run = tidy(code, "--config='{Checks: \"-*,device-*\", CheckOptions: {DeviceHostFunctions: plot}}'");
  EXPECT_NE(run.output.find("[device-host-access]"), std::string::npos) << run.output;
}

TEST_F(Plugin, BrokenCodeIsNoReasonToSpeakOrToCrash) {
  Outcome run = tidy("#include \"not_there.h\"\n"
                 "struct Net : torch::nn::Module { Net() { fc = register_module(\"fc\", torch::nn::Linear(3, )); }\n"
                 "  torch::Tensor forward(torch::Tensor x) { return undefined(fc(x)) + ; } torch::nn::Linear fc{nullptr}; };\n"
                 "int main() { Net n; n.to(torch::kCUDA; auto y = n.forward(foo(1)); y.data_ptr<float>()[0]; for (auto x : b\n");
  EXPECT_EQ(run.output.find("[device-"), std::string::npos) << run.output;
  EXPECT_EQ(run.output.find("Stack dump"), std::string::npos) << run.output;
}

TEST_F(Plugin, DeepTemplatesEnd) {
  Outcome run = tidy("template <int N> struct Deep { static torch::Tensor f(torch::Tensor x) { return Deep<N - 1>::f(x + 1); } };\n"
                 "template <> struct Deep<0> { static torch::Tensor f(torch::Tensor x) { return x; } };\n"
                 "torch::Tensor r() { return Deep<300>::f(torch::ones({1})); }\n");
  EXPECT_EQ(run.output, "");
}

TEST_F(Plugin, LongFunctionsEnd) {
  std::string code = "void f(torch::Tensor a, torch::Device d) {\n";
  for (int i = 0; i < 1000; ++i) {
    std::string n = std::to_string(i);
    code += "auto t" + n + " = torch::zeros({4}, d); auto u" + n + " = t" + n + " + a.to(d);\n if (u" + n + ".numel() > " + n + ") u" + n +
            " = u" + n + " * 2;\n t" + n + " = u" + n + ".to(d); a = t" + n + " - u" + n + ";\n";
  }
  EXPECT_EQ(tidy(code + "}\n").output, "");
}

} // namespace
