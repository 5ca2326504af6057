// Which sources make a program together, and what is not looked at again.
#include "Checked.h"

#include <algorithm>
#include <chrono>

namespace samedevice::check {
namespace {

namespace fs = std::filesystem;

/// One library, and two programs that disagree on where its tensors are: each is right by itself.
class Programs : public Checked {
protected:
  static constexpr const char *kTorch = "#include <torch/torch.h>\n";

  /// Facts of NAME.cpp in NAME.facts.
  void makeFacts(const std::string &name) const {
    shell(std::string(SAMEDEVICE " facts -o ").append(name).append(".facts ").append(name).append(".cpp -- ") + kFlags);
  }

  void SetUp() override {
    Checked::SetUp();
    write("frame.h", std::string("#pragma once\n") + kTorch +
                         "torch::Device place();\ntorch::Tensor frame();\nvoid show(torch::Tensor x);\n");
    write("library.cpp",
          "#include \"frame.h\"\n"
          "void show(torch::Tensor x) {\n  torch::Tensor on = torch::ones({2}, place());\n  x + on;\n}\n");
    for (const char *one : {"cpu", "gpu"}) {
      const std::string device = one == std::string("cpu") ? "torch::kCPU" : "torch::kCUDA";
      write(std::string(one) + "_main.cpp", "#include \"frame.h\"\nint main() { show(frame()); }\n");
      std::string frame = "#include \"frame.h\"\ntorch::Device place() { return ";
      frame.append(device)
          .append("; }\ntorch::Tensor frame() { return torch::zeros({2}, ")
          .append(device)
          .append("); }\n");
      write(std::string(one) + "_frame.cpp", frame);
    }
    write("CMakeLists.txt",
          std::string("cmake_minimum_required(VERSION 3.22)\nproject(two LANGUAGES CXX)\n"
                      "set(CMAKE_CXX_STANDARD 17)\nset(CMAKE_EXPORT_COMPILE_COMMANDS ON)\n"
                      "include_directories(SYSTEM " STAND_INS ")\nadd_library(library library.cpp)\n"
                      "foreach(one cpu gpu)\n  add_executable(${one} ${one}_main.cpp ${one}_frame.cpp)\n"
                      "  target_link_libraries(${one} library)\nendforeach()\n"));
  }

  /// The GPU's program gets its frame from the CPU.
  void disagree() {
    write("gpu_frame.cpp", "#include \"frame.h\"\ntorch::Device place() { return torch::kCUDA; }\n"
                           "torch::Tensor frame() { return torch::zeros({2}); }\n");
  }

  void configure(const std::string &generator) {
    const Ran ran = shell("cmake -S . -B build -G '" + generator + "'");
    ASSERT_EQ(ran.status, 0) << ran.output;
  }

  void expectTwoPrograms() {
    Ran ran = check("--cache=cache -p build .");
    EXPECT_EQ(ran.status, 0) << ran.output;
    EXPECT_TRUE(ran.says("0 findings in 5 files")) << ran.output;
    disagree();
    ran = check("--cache=cache -p build .");
    EXPECT_EQ(ran.status, 1) << ran.output;
    EXPECT_TRUE(ran.says("library.cpp:4:3: warning: 'x' is on cpu, but 'on' is on cuda:0")) << ran.output;
    EXPECT_TRUE(ran.says("1 finding in 5 files")) << ran.output;
  }
};

TEST_F(Programs, AsNinjaLinksThem) {
  configure("Ninja");
  expectTwoPrograms();
}

TEST_F(Programs, AsMakeLinksThem) {
  configure("Unix Makefiles");
  expectTwoPrograms();
}

TEST_F(Programs, AsCMakeHasAnswered) {
  fs::create_directories(folder_ / "build/.cmake/api/v1/query");
  write("build/.cmake/api/v1/query/codemodel-v2", "");
  configure("Ninja");
  fs::remove(folder_ / "build/build.ninja");
  expectTwoPrograms();
}

TEST_F(Programs, WithoutABuildNobodyKnowsWhichFrameItIs) {
  disagree();
  writeDatabase({"library.cpp", "cpu_main.cpp", "cpu_frame.cpp", "gpu_main.cpp", "gpu_frame.cpp"});
  EXPECT_EQ(check("--cache=cache .").status, 0);
}

TEST_F(Programs, OnlyThoseThatHaveTheSourceAreLookedAtAgain) {
  configure("Ninja");
  disagree();
  auto looked = [this] {
    std::vector<std::string> names;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder_ / "cache"))
      if (const std::string name = entry.path().filename(); name.find(".changed.json") != std::string::npos)
        names.push_back(name);
    return names.size();
  };
  check("--cache=cache -p build .");
  EXPECT_EQ(looked(), 2U);
  write("cpu_main.cpp", read("cpu_main.cpp") + "int other(torch::Tensor x) { return x.dim(); }\n");
  const Ran ran = check("--cache=cache -p build .");
  EXPECT_EQ(looked(), 3U);
  EXPECT_TRUE(ran.says("1 finding in 5 files (4 unchanged)")) << ran.output;
}

TEST_F(Programs, WhatIsKnownOfSourcesThatNobodyAsksForCounts) {
  configure("Ninja");
  disagree();
  EXPECT_EQ(check("--cache=cache -p build library.cpp").status, 0) << "nothing is known of the others";
  check("--cache=cache -p build .");
  const Ran ran = check("--cache=cache -p build library.cpp");
  EXPECT_TRUE(ran.says("library.cpp:4:3: warning: 'x' is on cpu")) << ran.output;
  EXPECT_TRUE(ran.says("1 finding in 1 file")) << ran.output;
  EXPECT_EQ(check("--cache=cache -p build --alone .").status, 0) << "whatever is known of the others";
  shell("git init -q . && git add -A . && git -c user.name=a -c user.email=a@b commit -qm one");
  write("library.cpp", "#include \"frame.h\"\nvoid show(torch::Tensor x) {\n  x + torch::ones({2}, place());\n}\n");
  EXPECT_TRUE(check("--cache=cache -p build --diff HEAD").says("library.cpp:3:3: warning:"));
  write("gpu_frame.cpp", read("cpu_frame.cpp") + "// has changed, and nobody has looked\n");
  EXPECT_EQ(check("--cache=cache -p build library.cpp").status, 0) << "what is stale counts as unknown";
}

#ifdef PLUGIN
TEST_F(Programs, ThePluginFindsTheOtherFilesWhereTheyWereLeft) {
  write("main.cpp", "#include \"frame.h\"\nint main() {\n  torch::ones({2}, place()) + frame();\n}\n");
  disagree();
  writeDatabase({"main.cpp", "gpu_frame.cpp"});
  auto tidy = [this](const std::string &environment = "") {
    return shell("XDG_CACHE_HOME=" CACHE " " + environment +
                 " " CLANG_TIDY " -load " PLUGIN " --quiet --checks='-*,device-*' -p . main.cpp");
  };
  EXPECT_FALSE(tidy().says("warning:")) << "nobody knows what is in the other file";
  check(".");
  EXPECT_TRUE(tidy().says("main.cpp:3:")) << tidy().output;
  EXPECT_FALSE(tidy("SAMEDEVICE_FACTS=").says("warning:")) << "from nowhere, where somebody says so";
  write("gpu_frame.cpp", read("gpu_frame.cpp") + "// has changed\n");
  EXPECT_FALSE(tidy().says("warning:")) << "what is stale counts as unknown";
  check(".");
  EXPECT_TRUE(tidy().says("main.cpp:3:")) << tidy().output;
}
#endif

TEST_F(Programs, AreTheSameInAnyOrderAndWidth) {
  disagree();
  std::vector<std::string> files = {"gpu_frame", "gpu_main", "library"};
  for (const std::string &file : files)
    makeFacts(file);
  std::string linked, checked;
  do {
    const Ran ran = shell(SAMEDEVICE " link " + files[0] + ".facts " + files[1] + ".facts " + files[2] + ".facts");
    EXPECT_EQ(ran.status, 1) << ran.output;
    linked = linked.empty() ? ran.output : linked;
    EXPECT_EQ(ran.output, linked);
  } while (std::next_permutation(files.begin(), files.end()));
  for (const char *order :
       {"-j1 library.cpp gpu_main.cpp gpu_frame.cpp", "-j3 gpu_frame.cpp gpu_main.cpp library.cpp"}) {
    const Ran ran = checkWithFlags(std::string("--cache= --json - ") + order);
    EXPECT_EQ(ran.status, 1) << ran.output;
    checked = checked.empty() ? ran.output : checked;
    EXPECT_EQ(ran.output, checked);
  }
}

/// The two primitives, one by one.
class Linked : public Programs {
protected:
  void SetUp() override {
    Programs::SetUp();
    disagree();
    for (const char *file : {"library", "gpu_main", "gpu_frame"})
      makeFacts(file);
  }
  Ran link(const std::string &more = "") const {
    return shell(SAMEDEVICE " link library.facts gpu_main.facts gpu_frame.facts " + more);
  }
};

TEST_F(Linked, ObeyTheUser) {
  EXPECT_TRUE(link().says("library.cpp:4:3: warning:"));
  EXPECT_EQ(link("--fail-on=errors").status, 0);
  EXPECT_EQ(link("--checks=-device-mixed-operands").status, 0);
  write(".clang-tidy", "WarningsAsErrors: 'device-*'\n");
  EXPECT_EQ(link("--fail-on=errors").status, 1);
  const std::string text = read("library.cpp");
  for (const auto &[said, isTold] : {std::pair("NOLINT", false), std::pair("NOLINT(device-mixed-*)", false),
                                     std::pair("NOLINT(other)", true), std::pair("NOLINTNEXTLINE", true)}) {
    write("library.cpp", text.substr(0, text.rfind("\n}")) + " // " + said + "\n}\n");
    EXPECT_EQ(link().says("warning:") || link().says("error:"), isTold) << said;
  }
}

TEST_F(Linked, SayWhatCannotBeRead) {
  const std::string object = read("gpu_frame.facts");
  write("gpu_frame.facts", object.substr(0, object.size() / 2));
  Ran ran = link();
  EXPECT_EQ(ran.status, 3) << ran.output;
  EXPECT_EQ(ran.output, "samedevice link: error: gpu_frame.facts: it is damaged\n");
  write("gpu_frame.facts", object.substr(0, 17) + "\x7f" + object.substr(18));
  EXPECT_EQ(link().output, "samedevice link: error: gpu_frame.facts: another version wrote it\n");
  fs::remove(folder_ / "gpu_frame.facts");
  EXPECT_EQ(link().output, "samedevice link: error: gpu_frame.facts: No such file or directory\n");
}

TEST_F(Linked, NeedNoSource) {
  fs::remove(folder_ / "library.cpp");
  const Ran ran = link();
  EXPECT_TRUE(ran.says("library.cpp:4:3: warning: 'x' is on cpu")) << ran.output;
}

TEST_F(Linked, TwoAtOnceDoNotDisturbEachOther) {
  const std::string run =
      SAMEDEVICE " check --cache=cache library.cpp gpu_main.cpp gpu_frame.cpp -- " + std::string(kFlags);
  const Ran ran = shell("{ " + run + " >one 2>&1 & " + run + " >two 2>&1; wait; cmp one two && cat one; }");
  EXPECT_TRUE(ran.says("library.cpp:4:3: warning:")) << ran.output;
  EXPECT_TRUE(ran.says("1 finding in 3 files,")) << ran.output;
}

TEST_F(Linked, WhatIsNotKnownAnyMoreGoesFromBesideTheObject) {
  const std::string facts = SAMEDEVICE " facts --beside-object library.cpp -- ",
                    flags = std::string(kFlags) + " -o library.o";
  EXPECT_EQ(shell(facts + flags).status, 0);
  EXPECT_TRUE(fs::exists(folder_ / "library.o.facts"));
  fs::remove(folder_ / "library.cpp");
  const Ran ran = shell(facts + flags);
  EXPECT_EQ(ran.status, 0) << "no reason to end a build";
  EXPECT_TRUE(ran.says("there is no such")) << ran.output;
  EXPECT_FALSE(fs::exists(folder_ / "library.o.facts"));
  EXPECT_EQ(shell(facts + kFlags).status, 2) << "no object, no place";
}

} // namespace
} // namespace samedevice::check
