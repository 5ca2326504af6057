// Whose headers are whose: what a user includes is lowered wherever it lies, what torch, CUDA and the standard library
// bring is not, however the compiler found it.
#include "Lowered.h"

namespace samedevice::clangfront {
namespace {

/// The functions whose bodies were lowered.
std::string bodies(const Files &files, const std::vector<std::string> &flags, const std::string &code) {
  std::string names;
  for (const facts::Function &function : loweredWith(files, flags, code).program.functions)
    names += (names.empty() ? "" : " ") + function.name;
  return names;
}

/// torch as it is installed: a header for the user, what that includes, and inline code in both.
Files installed(const std::string &root) {
  return {{root + "/torch/torch.h", "#pragma once\n#include <ATen/core/TensorBody.h>\n"
                                    "namespace torch { inline Tensor inTorch(Tensor x) { return x.cuda(); } }\n"},
          {root + "/ATen/core/TensorBody.h", "#pragma once\n#include <c10/core/Device.h>\n" + std::string(kTorch) +
                                                 "inline at::Tensor inATen(at::Tensor x) { return x.cuda(); }\n"},
          {root + "/c10/core/Device.h", "#pragma once\ninline int inC10() { return 1; }\n"},
          {root + "/c10/cuda/CUDAGuard.h", "#pragma once\ninline int inGuard() { return 1; }\n"},
          {root + "/pybind11/pybind11.h", "#pragma once\n#include \"detail/common.h\"\n"
                                          "inline int inPybind() { return 1; }\n"},
          {root + "/pybind11/detail/common.h", "#pragma once\n#include <Python.h>\n"},
          {"/opt/python/include/Python.h", "#pragma once\ninline int inPython() { return 1; }\n"}};
}

const char *const kMove = "#pragma once\n#include <torch/torch.h>\n"
                          "inline torch::Tensor moved(torch::Tensor x) { return x.cuda(); }\n";
const char *const kUse = "torch::Tensor f(torch::Tensor x) { return moved(x); }\n";

std::string withHeader(const std::string &path, const std::string &include, std::vector<std::string> flags) {
  Files files = installed("/opt/libtorch/include");
  files.push_back({path, kMove});
  flags.insert(flags.end(), {"-I/opt/libtorch/include", "-I/opt/python/include"});
  return bodies(files, flags, "#include " + include + "\n" + kUse);
}

TEST(Libraries, HeadersOfTheUsersLieAnywhere) {
  EXPECT_EQ(withHeader("/home/me/project/csrc/cuda/op.cuh", "\"csrc/cuda/op.cuh\"", {}), "moved f");
  EXPECT_EQ(withHeader("/home/me/project/csrc/cuda/op.cuh", "<cuda/op.cuh>", {"-I/home/me/project/csrc"}), "moved f");
  EXPECT_EQ(withHeader("/home/me/torch/project/net.h", "<net.h>", {"-I/home/me/torch/project"}), "moved f");
  EXPECT_EQ(withHeader("/home/me/torch/project/net.h", "<torch/project/net.h>", {"-I/home/me"}), "moved f");
  EXPECT_EQ(
      withHeader("/home/me/c10/targets/runtime/include/net.h", "<net.h>", {"-I/home/me/c10/targets/runtime/include"}),
      "moved f");
}

TEST(Libraries, WhatIsMarkedAsTheSystemsIsNobodysToMend) {
  EXPECT_EQ(withHeader("/home/me/vendor/op.h", "<op.h>", {"-isystem", "/home/me/vendor"}), "f");
}

TEST(Libraries, TorchIsFoundThroughIAndIsystem) {
  const std::string code =
      "#include <torch/torch.h>\n#include <c10/cuda/CUDAGuard.h>\n"
      "#include <pybind11/pybind11.h>\ntorch::Tensor f(torch::Tensor x) { return torch::inTorch(x); }\n";
  for (const char *flag : {"-I", "-isystem"})
    for (const char *root :
         {"/opt/libtorch/include", "/home/me/project/third_party/libtorch/include", "/home/me/torch"})
      EXPECT_EQ(bodies(installed(root), {flag, root, flag, "/opt/python/include"}, code), "f") << flag << " " << root;
  // A folder of the user's in the way there: the same place under another name.
  EXPECT_EQ(
      bodies(installed("/opt/libtorch/include"), {"-I/opt/libtorch/lib/../include", "-I/opt/python/include"}, code),
      "f");
}

TEST(Libraries, ExtensionsInsideACheckoutOfPyTorch) {
  const std::string torch = kTorch;
  const size_t rest = torch.find("namespace at");
  Files checkout = {
      {"/home/me/pytorch/torch/csrc/api/include/torch/torch.h", "#include <ATen/core/TensorBody.h>\n"},
      {"/home/me/pytorch/build/aten/src/ATen/core/TensorBody.h",
       "#pragma once\n#include <ATen/core/TensorBase.h>\n#include <c10/core/Device.h>\n" + torch.substr(rest)},
      {"/home/me/pytorch/aten/src/ATen/core/TensorBase.h", "namespace at { class TensorBase {}; }\n"},
      {"/home/me/pytorch/aten/src/ATen/TensorUtils.h", "inline int inUtils() { return 1; }\n"},
      {"/home/me/pytorch/c10/core/Device.h",
       "#pragma once\n" + torch.substr(0, rest) + "inline int inC10() { return 1; }\n"},
      {"/home/me/pytorch/c10/util/Half.h", "inline int inHalf() { return 1; }\n"},
      {"/home/me/pytorch/extensions/op/cuda/op.h", kMove}};
  EXPECT_EQ(bodies(checkout,
                   {"-I/home/me/pytorch/torch/csrc/api/include", "-I/home/me/pytorch/build/aten/src",
                    "-I/home/me/pytorch/aten/src", "-I/home/me/pytorch"},
                   "#include <extensions/op/cuda/op.h>\n#include <ATen/TensorUtils.h>\n#include <c10/util/Half.h>\n" +
                       std::string(kUse)),
            "moved f");
}

TEST(Libraries, CudaIsFoundThroughI) {
  Files files = installed("/opt/libtorch/include");
  files.push_back({"/opt/toolkit/include/cuda_runtime.h", "#include \"cuda_runtime_api.h\"\n"
                                                          "inline int inRuntime() { return 1; }\n"});
  files.push_back({"/opt/toolkit/include/cuda_runtime_api.h", "int cudaFree(void *);\n"});
  files.push_back({"/opt/toolkit/include/crt/math.h", "inline int inMath() { return 1; }\n"});
  files.push_back({"/opt/toolkit/include/thrust/sort.h", "inline int inThrust() { return 1; }\n"});
  EXPECT_EQ(bodies(files, {"-I/opt/toolkit/include"},
                   "#include <cuda_runtime.h>\n#include <crt/math.h>\n#include <thrust/sort.h>\nvoid f() {}\n"),
            "f");
  // A stub beside the user's own headers makes no library of them.
  EXPECT_EQ(bodies({{"/home/me/project/cuda/stubs.h", "int cudaFree(void *);\n"},
                    {"/home/me/project/cuda/op.h", "inline int op() { return 1; }\n"}},
                   {}, "#include \"cuda/stubs.h\"\n#include \"cuda/op.h\"\nvoid f() {}\n"),
            "op f");
}

TEST(Libraries, TheMainFileIsTheUsersWhereverItLies) {
  // A source file of torch's own repository.
  Files files = installed("/home/me");
  EXPECT_EQ(bodies(files, {"-I/home/me"}, "#include <torch/torch.h>\ntorch::Tensor f(torch::Tensor x) { return x; }\n"),
            "f");
}

} // namespace
} // namespace samedevice::clangfront
