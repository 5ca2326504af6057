// clang-tidy with our plugin, on a few lines of code.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

struct Outcome {
  std::string output;
  int status = 0;

  bool says(const std::string &text) const { return output.find(text) != std::string::npos; }
};

inline Outcome run(const std::string &command) {
  Outcome outcome;
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  char buffer[4096];
  for (size_t count = 0; (count = fread(buffer, 1, sizeof buffer, pipe)) != 0;)
    outcome.output.append(buffer, count);
  outcome.status = pclose(pipe);
  return outcome;
}

class Plugin : public ::testing::Test {
protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string &name) const { return (folder_ / name).string(); }
  void write(const std::string &name, const std::string &code) { std::ofstream(folder_ / name) << code; }

  /// The command that checks `code` as the file `name`.
  std::string command(const std::string &code, const std::string &options, const std::string &name = "input.cpp") {
    write(name, "#include <torch/torch.h>\n" + code);
    return std::string(CLANG_TIDY) + " -load " + PLUGIN + " --quiet " + sparingHeaders(options) + " " + path(name) +
           " -- " + flags_ + " -I" + ANNOTATIONS;
  }

  Outcome tidy(const std::string &code, const std::string &options = "--checks='-*,device-*'") {
    return run(command(code, options));
  }

  Outcome tidyWith(const std::string &option, const std::string &value, const std::string &code) {
    return tidy(code, "--config='{Checks: \"-*,device-*\", CheckOptions: {" + option + ": \"" + value + "\"}}'");
  }

  std::string flags_ = FLAGS;

private:
  static std::string sparingHeaders(std::string options) {
    const std::string module = OWN_CODE_ONLY, nothing = "-*,";
    const size_t checks = options.find(nothing);
    if (module.empty() || checks == std::string::npos)
      return options;
    return "-load " + module + " " + options.insert(checks + nothing.size(), "own-code-only,");
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("samedevice-plugin-" + std::to_string(::getpid()) + "-" +
                                                ::testing::UnitTest::GetInstance()->current_test_info()->name());
};
