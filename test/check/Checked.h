// `samedevice check` in a folder of its own, on a few lines of code.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace samedevice::check {

struct Ran {
  std::string output; ///< what it says of findings, and of itself
  int status = -1;

  bool says(const std::string &text) const { return output.find(text) != std::string::npos; }
  size_t times(const std::string &text) const {
    size_t count = 0;
    for (size_t at = 0; (at = output.find(text, at)) != std::string::npos; at += text.size())
      ++count;
    return count;
  }
};

class Checked : public ::testing::Test {
protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    folder_ = std::filesystem::canonical(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string &name) const { return (folder_ / name).string(); }

  void write(const std::string &name, const std::string &text) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }

  std::string read(const std::string &name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name).rdbuf();
    return text.str();
  }

  /// A function that makes the mistake which takes the fewest words.
  static std::string dropped(const std::string &name = "f") {
    return "void " + name + "(torch::Tensor x) { x.to(torch::kCUDA); }\n";
  }

  void writeDatabase(std::initializer_list<const char *> files) {
    std::string entries;
    for (const char *file : files)
      entries += (entries.empty() ? "" : ",") + std::string("{\"directory\": \"") + path("") + "\", \"file\": \"" +
                 file + "\", \"command\": \"g++ " + kFlags + " -c " + file + "\"}";
    write("compile_commands.json", "[" + entries + "]");
  }

  Ran shell(const std::string &command) const {
    Ran ran;
    const std::string whole = "cd " + folder_.string() + " && { " + command + "; } 2>&1";
    FILE *pipe = popen(whole.c_str(), "r");
    char buffer[4096];
    for (size_t count = 0; (count = fread(buffer, 1, sizeof buffer, pipe)) != 0;)
      ran.output.append(buffer, count);
    ran.status = WEXITSTATUS(pclose(pipe));
    return ran;
  }

  Ran check(const std::string &arguments, const std::string &environment = "") const {
    // What is precompiled in one test serves the others.
    return shell("XDG_CACHE_HOME=" CACHE " " + environment + " " SAMEDEVICE " check --cache-size=512 " + arguments);
  }
  Ran checkWithFlags(const std::string &arguments) const { return check(arguments + " -- " + kFlags); }

  static constexpr const char *kFlags = "-std=c++17 -isystem " STAND_INS;

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("samedevice-check-" + std::to_string(::getpid()) + "-" +
                                                ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

} // namespace samedevice::check
