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

class Plugin : public ::testing::Test {
protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string &name, const std::string &code) { std::ofstream(folder_ / name) << code; }

  Outcome tidy(const std::string &code, const std::string &options = "--checks='-*,device-*'") {
    write("input.cpp", "#include <torch/torch.h>\n" + code);
    std::string command = std::string(CLANG_TIDY) + " -load " + PLUGIN + " --quiet " + options + " " +
                          (folder_ / "input.cpp").string() + " -- -std=c++17 -I" + ANNOTATIONS + " -isystem " + FACADE +
                          " 2>&1";
    Outcome run;
    FILE *pipe = popen(command.c_str(), "r");
    for (char buffer[4096]; size_t count = fread(buffer, 1, sizeof buffer, pipe);)
      run.output.append(buffer, count);
    run.status = pclose(pipe);
    return run;
  }

  Outcome tidyWith(const std::string &option, const std::string &value, const std::string &code) {
    return tidy(code, "--config='{Checks: \"-*,device-*\", CheckOptions: {" + option + ": \"" + value + "\"}}'");
  }

private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("samedevice-plugin-" + std::to_string(::getpid()) + "-" +
                                                ::testing::UnitTest::GetInstance()->current_test_info()->name());
};
