// What is analysed, with which words it is told, and how it ends.
#include "Checked.h"

namespace samedevice::check {
namespace {

const std::string kTorch = "#include <torch/torch.h>\n";

TEST_F(Checked, TellsAStoryAsACompilerDoes) {
  write("net.cpp", kTorch + "void f(torch::Device d) {\n"
                            "  torch::nn::Linear a(2, 2);\n"
                            "  a->to(torch::kCUDA);\n"
                            "  auto x = torch::zeros({2, 2});\n"
                            "  a->forward(x);\n}\n");
  const Ran ran = checkWithFlags("net.cpp");
  EXPECT_EQ(ran.status, 1) << ran.output;
  EXPECT_TRUE(ran.says("\nnet.cpp:5:") || ran.output.rfind("net.cpp:", 0) == 0) << ran.output;
  EXPECT_TRUE(ran.says(": warning: ")) << ran.output;
  EXPECT_TRUE(ran.says(": note: ")) << ran.output;
  EXPECT_TRUE(ran.says("auto x = torch::zeros({2, 2});\n")) << ran.output;
  EXPECT_TRUE(ran.says("^")) << ran.output;
  EXPECT_TRUE(ran.says("1 finding in 1 file")) << ran.output;
  EXPECT_FALSE(ran.says("\033[")) << "colours are for terminals";
}

TEST_F(Checked, SaysByItsExitStatusHowItWent) {
  write("good.cpp", kTorch);
  write("bad.cpp", kTorch + dropped());
  EXPECT_EQ(checkWithFlags("good.cpp").status, 0);
  EXPECT_EQ(checkWithFlags("good.cpp bad.cpp").status, 1);
  EXPECT_EQ(checkWithFlags("--no-such-option good.cpp").status, 2);
  EXPECT_EQ(check("-p nowhere good.cpp").status, 2);
  const Ran gone = checkWithFlags("good.cpp gone.cpp");
  EXPECT_EQ(gone.status, 3);
  EXPECT_TRUE(gone.says("not analysed: gone.cpp: there is no such file\n")) << gone.output;
}

TEST_F(Checked, ACrashTakesNobodyAlong) {
  write("crash.cpp", kTorch + "#pragma clang __debug crash\n");
  write("bad.cpp", kTorch + dropped());
  const Ran ran = checkWithFlags("-j1 crash.cpp bad.cpp");
  EXPECT_TRUE(ran.says("not analysed: crash.cpp: the front end crashed")) << ran.output;
  EXPECT_TRUE(ran.says("bad.cpp:2:27: warning:")) << ran.output;
  EXPECT_FALSE(ran.says("Stack dump")) << ran.output;
}

TEST_F(Checked, WhatIsMissingTakesOnlyItsUsersAlong) {
  write("bad.cpp", kTorch + "#include <not/there.h>\nint g() { return not_there(); }\n" + dropped());
  const Ran ran = checkWithFlags("bad.cpp");
  EXPECT_TRUE(ran.says("bad.cpp:4:27: warning:")) << ran.output;
  EXPECT_TRUE(ran.says("analysed in part: no header not/there.h (bad.cpp)\n")) << ran.output;
  write("good.cpp", kTorch + "#include <not/there.h>\n");
  EXPECT_EQ(checkWithFlags("good.cpp").status, 3);
}

TEST_F(Checked, LaunchesAreReadAsNvccReadsThem) {
  write("scale.cu", kTorch + "struct dim3 { dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1); };\n"
                             "extern \"C\" unsigned __cudaPushCallConfiguration(dim3, dim3, decltype(sizeof(0)) = 0, "
                             "struct CUstream_st * = nullptr);\n"
                             "__attribute__((global)) void scale(float *);\n"
                             "void grid() { scale<<<{2, 3}, {32}>>>(torch::zeros({2}).data_ptr<float>()); }\n"
                             "void tidied() { scale<< <2, 32>> >(torch::zeros({2}).data_ptr<float>()); }\n");
  const Ran ran = check("scale.cu -- -x cuda --cuda-host-only -nocudainc -nocudalib "
                        "'-D__host__=__attribute__((host))' '-D__device__=__attribute__((device))' " +
                        std::string(kFlags));
  EXPECT_TRUE(ran.says("scale.cu:5:39: warning:")) << ran.output;
  EXPECT_TRUE(ran.says("scale.cu:6:36: warning:")) << ran.output;
  EXPECT_TRUE(ran.says("void tidied() { scale<< <2, 32>> >(")) << "as it is written: " << ran.output;
  EXPECT_FALSE(ran.says("analysed in part")) << ran.output;
}

TEST_F(Checked, WhatAMissingHeaderDeclaresMayDoAnythingToWhatItGets) {
  const std::string made = kTorch + "#include <not/there.h>\nvoid f() { auto a = torch::zeros({2}), "
                                    "b = torch::zeros({2}, torch::kCUDA); ";
  auto isTold = [&](const std::string &rest) {
    write("sum.cpp", made + rest + " a + b; }\n");
    return checkWithFlags("sum.cpp").says("[device-mixed-operands]");
  };
  EXPECT_TRUE(isTold("undeclared(1);"));
  EXPECT_FALSE(isTold("undeclared(a);"));
  EXPECT_FALSE(isTold("a = undeclared(1);"));
  EXPECT_FALSE(isTold("a = a.to(undeclared);"));
  EXPECT_FALSE(isTold("if (undeclared) a = b;"));
  EXPECT_FALSE(isTold("a = a.to(b;"));
}

TEST_F(Checked, WhatAMissingHeaderDeclaresMayMakeAGpuCurrent) {
  const std::string made = kTorch + "#include <not/there.h>\n"
                                    "struct dim3 { dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1); };\n"
                                    "extern \"C\" unsigned __cudaPushCallConfiguration(dim3, dim3, "
                                    "decltype(sizeof(0)) = 0, struct CUstream_st * = nullptr);\n"
                                    "__attribute__((global)) void scale(float *);\n"
                                    "void scaled(torch::Tensor x) { TORCH_CHECK(x.is_cuda()); ";
  auto isTold = [&](const std::string &before) {
    write("scale.cu", made + before + " scale<<<{2, 3}, {32}>>>(x.data_ptr<float>()); }\n");
    return check("scale.cu -- -x cuda --cuda-host-only -nocudainc -nocudalib '-D__host__=__attribute__((host))' "
                 "'-D__device__=__attribute__((device))' " +
                 std::string(kFlags))
        .says("[device-missing-guard]");
  };
  EXPECT_TRUE(isTold(""));
  EXPECT_FALSE(isTold("make_current(1);"));
  EXPECT_FALSE(isTold("c10::cuda::Current current(x.device());"));
}

TEST_F(Checked, WhatAMissingHeaderDeclaresMayWaitForACopy) {
  auto isTold = [&](const std::string &between) {
    write("fetched.cpp", kTorch +
                             "#include <not/there.h>\n"
                             "int main() {\n"
                             "  auto x = torch::rand({8}, torch::kCUDA);\n"
                             "  auto fetched = x.to(torch::kCPU, /*non_blocking=*/true);\n" +
                             between + "  return fetched.accessor<float, 1>()[0] > 0;\n}\n");
    return check("fetched.cpp -- " + std::string(kFlags)).says("[device-async-copy]");
  };
  EXPECT_TRUE(isTold(""));
  EXPECT_FALSE(isTold("  at::cuda::Event done;\n  done.synchronize();\n"));
}

TEST_F(Checked, AnErrorOfClangsIsNoFindingWhateverItIsCalled) {
  write("bad.cpp", kTorch + "int text = \"\";\n");
  const Ran ran = checkWithFlags("bad.cpp");
  EXPECT_TRUE(ran.says("0 findings in 1 file, 1 analysed in part")) << ran.output;
}

TEST_F(Checked, AWarningThatIsAnErrorTakesNothingAlong) {
  write("bad.cpp", kTorch + "void f(torch::Tensor x, double y) { float narrow[] = {y}; x.to(torch::kCUDA); }\n");
  const Ran ran = checkWithFlags("bad.cpp"); // [-Wc++11-narrowing]: GCC lets it pass
  EXPECT_TRUE(ran.says("bad.cpp:2:59: warning:")) << ran.output;
  EXPECT_FALSE(ran.says("analysed in part")) << ran.output;
}

TEST_F(Checked, ADatabaseNamesTheSources) {
  write("one/a.cpp", kTorch + "#include \"../both.h\"\n" + dropped("a"));
  write("two/b.cpp", kTorch + "#include \"../both.h\"\n" + dropped("b"));
  write("both.h", "#pragma once\ninline " + dropped("h"));
  writeDatabase({"one/a.cpp", "two/b.cpp", "two/b.cpp"});
  const Ran all = check(".");
  EXPECT_TRUE(all.says("3 findings in 2 files")) << all.output;
  EXPECT_EQ(all.times("both.h:2:34: warning:"), 1U) << all.output;
  EXPECT_LT(all.output.find("both.h:2"), all.output.find("one/a.cpp:3")) << "sorted: " << all.output;
  EXPECT_TRUE(check("two").says("1 finding in 1 file"));
  EXPECT_TRUE(check("one/a.cpp").says("1 finding in 1 file")) << "its header was not asked for";
  write("one/new.cpp", kTorch + dropped("n"));
  EXPECT_TRUE(check("one/new.cpp").says("1 finding in 1 file")) << "its neighbour's flags are its own";
  write("examples/c.cpp", kTorch + dropped("c"));
  const Ran examples = check("examples");
  EXPECT_TRUE(examples.says("1 finding in 1 file")) << "the build does not have it: " << examples.output;
  EXPECT_TRUE(examples.says("has nothing below " + path("examples"))) << examples.output;
}

TEST_F(Checked, AHeaderIsCheckedThroughASourceThatIncludesIt) {
  write("a.cpp", kTorch + "#include \"through.h\"\n" + dropped("a"));
  write("through.h", "#include \"header.h\"\n");
  write("header.h", "inline " + dropped("h")); // by itself it does not know torch
  writeDatabase({"a.cpp"});
  const Ran ran = check("header.h");
  EXPECT_TRUE(ran.says("header.h:1:34: warning:")) << ran.output;
  EXPECT_TRUE(ran.says("1 finding in 1 file")) << ran.output;
}

TEST_F(Checked, ClangTidysConfigurationMeansWhatItMeansThere) {
  write("bad.cpp", kTorch + "#include \"header.h\"\n" + dropped("f") +
                       "void g(torch::Tensor x) { x.to(torch::kCUDA); } // NOLINT(device-discarded-to)\n");
  write("header.h", "inline " + dropped("h"));
  EXPECT_TRUE(checkWithFlags("bad.cpp").says("1 finding in 1 file"));
  write(".clang-tidy", "WarningsAsErrors: 'device-*'\nHeaderFilterRegex: '.*'\n");
  const Ran strict = checkWithFlags("bad.cpp");
  EXPECT_TRUE(strict.says("2 findings in 1 file")) << strict.output;
  EXPECT_TRUE(strict.says("bad.cpp:3:27: error: ")) << strict.output;
  write(".clang-tidy", "Checks: '-*,bugprone-*'\n");
  const Ran silenced = checkWithFlags("bad.cpp");
  EXPECT_EQ(silenced.status, 0) << silenced.output;
  EXPECT_TRUE(silenced.says("1 left out (no device-* check in their .clang-tidy)")) << silenced.output;
  EXPECT_TRUE(checkWithFlags("--checks=device-discarded-to bad.cpp").says("1 finding in 1 file"));
  write(".clang-tidy", "Checks: device-*\nCheks: x\n");
  EXPECT_TRUE(checkWithFlags("bad.cpp").says(".clang-tidy:2:")) << "what is wrong with it is said";
}

} // namespace
} // namespace samedevice::check
