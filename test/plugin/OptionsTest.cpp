// What a project tells us of its own code, by options and by annotations: each makes a difference, in each direction.
#include "Tidy.h"

namespace {

class Options : public Plugin {};

TEST_F(Options, HostFunctions) {
  const char *code = "void plot(const float *p);\n"
                     "void f() { auto t = torch::ones({3}, torch::kCUDA); plot(t.data_ptr<float>()); }\n";
  EXPECT_EQ(tidy(code).output, "");
  Outcome run = tidyWith("DeviceHostFunctions", "plot", code);
  EXPECT_TRUE(run.says("[device-host-access]")) << run.output;
}

TEST_F(Options, OfOneCheckAreItsOwn) {
  // Checks share their analysis only where they are told the same; whichever comes first.
  const char *code = "void plot(const float *p);\nvoid enqueue(const float *p);\n"
                     "void f() { auto t = torch::ones({3}, torch::kCUDA); plot(t.data_ptr<float>()); }\n"
                     "void g() { float local[4]; enqueue(local); }\n";
  Outcome host = tidyWith("device-host-access.DeviceHostFunctions", "plot", code);
  EXPECT_TRUE(host.says("[device-host-access]")) << host.output;
  EXPECT_FALSE(host.says("[device-raw-pointer]")) << host.output;
  Outcome device = tidyWith("device-raw-pointer.DeviceDeviceFunctions", "enqueue", code);
  EXPECT_TRUE(device.says("[device-raw-pointer]")) << device.output;
  EXPECT_FALSE(device.says("[device-host-access]")) << device.output;
}

TEST_F(Options, RemarksTellWhatWasLeftOut) {
  // Each function calls the one before four times: a million calls.
  std::string code = "torch::Tensor f0(torch::Tensor x, torch::Device d) { return x.to(d) + 1; }\n";
  for (int level = 1; level <= 10; ++level) {
    code.append("torch::Tensor f").append(std::to_string(level)).append("(torch::Tensor x, torch::Device d) { return ");
    for (int call = 0; call < 4; ++call)
      code.append("f").append(std::to_string(level - 1)).append("(");
    code += "x, d), d), d), d); }\n";
  }
  code += "void tangle(torch::Device d) { f10(torch::ones({3}), d); }\n";
  const std::string told = " has too many paths or steps; left out";
  EXPECT_FALSE(tidy(code).says(told));
  Outcome run = tidyWith("DeviceRemarks", "true", code);
  const std::size_t first = run.output.find("remark: 'f0'" + told);
  ASSERT_NE(first, std::string::npos) << run.output;
  EXPECT_EQ(run.output.find("remark: 'f0'", first + 1), std::string::npos) << "said by every check";
}

TEST_F(Options, DeviceFunctions) {
  const char *code = "void enqueue(const float *p);\n"
                     "void f() { float local[4]; enqueue(local); }\n";
  EXPECT_EQ(tidy(code).output, "");
  Outcome run = tidyWith("DeviceDeviceFunctions", "enqueue", code);
  EXPECT_TRUE(run.says("[device-raw-pointer]")) << run.output;
}

TEST_F(Options, ModuleBases) {
  // The project's own module class, with torch's way of registering.
  const char *code =
      "namespace mine { struct Layer { void to(torch::Device d);\n"
      "  template <class M> M register_module(const char *name, M m) { return m; } }; }\n"
      "struct Net : mine::Layer { torch::nn::Linear fc = register_module(\"fc\", torch::nn::Linear(2, 2));\n"
      "  torch::Tensor forward(torch::Tensor x) { return fc(x); } };\n"
      "void f() { Net net; net.to(torch::kCUDA); net.forward(torch::ones({2, 2})); }\n";
  EXPECT_EQ(tidy(code).output.find("[device-mixed-operands]"), std::string::npos);
  Outcome run = tidyWith("DeviceModuleBases", "mine::Layer", code);
  EXPECT_TRUE(run.says("[device-")) << run.output;
}

TEST_F(Options, TensorTypes) {
  const char *code = "struct Image { Image to(torch::Device d) const; };\n"
                     "void f(Image image) { image.to(torch::kCUDA); }\n";
  EXPECT_EQ(tidy(code).output, "");
  Outcome run = tidyWith("DeviceTensorTypes", "Image", code);
  EXPECT_TRUE(run.says("[device-discarded-to]")) << run.output;
}

const char *const kOwnCheck = "void demand(const torch::Tensor &t, const char *name);\n"
                              "#define REQUIRE_GPU(x) demand(x, #x)\n"
                              "void f(torch::Tensor x) { REQUIRE_GPU(x); x.data_ptr<float>()[0] = 1; }\n";

TEST_F(Options, CheckMacros) {
  EXPECT_EQ(tidy(kOwnCheck).output, "");
  Outcome run = tidyWith("DeviceCheckMacros", "REQUIRE_GPU", kOwnCheck);
  EXPECT_TRUE(run.says("[device-host-access]")) << run.output;
}

const char *const kOwnGuard =
    "#include <ATen/cuda/CUDAContext.h>\n"
    "namespace mine { struct OnDevice { explicit OnDevice(const torch::Tensor &t); ~OnDevice(); }; }\n"
    "#define ON_DEVICE_OF(x) mine::OnDevice on_device_(x)\n"
    "void launch(float *data, cudaStream_t stream);\n"
    "torch::Tensor op(torch::Tensor x) {\n"
    "  ON_DEVICE_OF(x);\n"
    "  launch(x.data_ptr<float>(), at::cuda::getCurrentCUDAStream());\n"
    "  return x;\n}\n"
    "PYBIND11_MODULE(m, module) { module.def(\"op\", &op); }\n";

TEST_F(Options, GuardsAreKnownByTypeOrMacro) {
  std::string code = "#include <torch/extension.h>\n" + std::string(kOwnGuard);
  Outcome without = tidy(code);
  EXPECT_TRUE(without.says("[device-missing-guard]")) << without.output;
  EXPECT_EQ(tidyWith("DeviceGuardTypes", "mine::OnDevice", code).output, "");
  EXPECT_EQ(tidyWith("DeviceGuardMacros", "ON_DEVICE_OF", code).output, "");
}

TEST_F(Options, AllChecksAreOnButThoseThatMustBeNamed) {
  write("runtime.h", "#pragma GCC system_header\n#include <ATen/cuda/CUDAContext.h>\n"
                     "extern \"C\" int cudaLaunchKernel(const void *, int, int, void **, size_t, cudaStream_t);\n");
  const char *code = "#include <torch/extension.h>\n#include \"runtime.h\"\n"
                     "torch::Tensor op(torch::Tensor x) {\n"
                     "  float *data = x.data_ptr<float>();\n"
                     "  void *arguments[] = {&data};\n"
                     "  cudaLaunchKernel(nullptr, 1, 1, arguments, 0, 0);\n"
                     "  return x;\n}\n"
                     "PYBIND11_MODULE(m, module) { module.def(\"op\", &op); }\n";
  const Outcome all = tidy(code);
  EXPECT_TRUE(all.says("[device-missing-guard]")) << all.output;
  EXPECT_FALSE(all.says("[device-default-stream]")) << all.output;
  EXPECT_TRUE(tidy(code, "--checks='-*,device-*,device-default-stream'").says("[device-default-stream]"));
  EXPECT_TRUE(tidy(code, "--checks='-*,device-default-stream'").says("[device-default-stream]"));
  EXPECT_FALSE(tidy(code, "--checks='-*,device-default-stream,-device-default-*'").says("[device-default-stream]"));
}

TEST_F(Options, WhatMustBeNamedSpeaksOfAnotherStreamThatIsCurrent) {
  write("runtime.h", "#pragma GCC system_header\n#include <ATen/cuda/CUDAContext.h>\n#include <c10/cuda/CUDAGuard.h>\n"
                     "#if !__has_include(<cuda_runtime_api.h>)\n"
                     "extern \"C\" int cudaMemsetAsync(void *, int, size_t, cudaStream_t stream = 0);\n"
                     "#endif\n");
  const std::string begin = "#include <torch/extension.h>\n#include \"runtime.h\"\n"
                            "torch::Tensor op(torch::Tensor x) {\n"
                            "  const c10::cuda::CUDAGuard guard(x.device());\n",
                    end = "  auto y = x * 2;\n"
                          "  cudaMemsetAsync(y.data_ptr<float>(), 0, 4);\n"
                          "  return y;\n}\n"
                          "PYBIND11_MODULE(m, module) { module.def(\"op\", &op); }\n";
  EXPECT_EQ(tidy(begin + end).output, "");
  const Outcome another = tidy(begin + "  c10::cuda::CUDAStreamGuard side(c10::cuda::getStreamFromPool());\n" + end,
                               "--checks='-*,device-*'");
  EXPECT_TRUE(another.says("[device-default-stream]")) << another.output;
}

const char *const kVendor = "namespace vendor { torch::Tensor upload(const char *path); }\n"
                            "void f() { auto t = vendor::upload(\"a\"); t.data_ptr<float>()[0] = 1; }\n";

TEST_F(Options, Annotations) {
  EXPECT_EQ(tidy(kVendor).output, "");
  EXPECT_EQ(tidyWith("DeviceAnnotations", "vendor::upload on=cpu", kVendor).output, "");
  Outcome run = tidyWith("DeviceAnnotations", "vendor::upload on=cuda", kVendor);
  EXPECT_TRUE(run.says("[device-host-access]")) << run.output;
}

TEST_F(Options, AnnotationsOfParameters) {
  const char *code = "void draw(torch::Tensor image, torch::Tensor legend);\n"
                     "void f() { auto t = torch::ones({2}, torch::kCUDA), u = torch::ones({2}); draw(t, u); }\n";
  EXPECT_EQ(tidyWith("DeviceAnnotations", "draw(legend) host", code).output, "");
  Outcome run = tidyWith("DeviceAnnotations", "draw(image) host", code);
  EXPECT_TRUE(run.says("[device-host-access]")) << run.output;
}

std::string annotated(const std::string &code) { return "#include <samedevice/annotations.h>\n" + code; }

TEST_F(Options, ResultsLiveWhereTheCodeSays) {
  Outcome run = tidy(annotated("SAMEDEVICE_RESULT_LIKE(\"image\") torch::Tensor blur(torch::Tensor image);\n"
                               "void f() { auto t = blur(torch::ones({2}, torch::kCUDA));\n"
                               "  auto ok = blur(torch::ones({2})).data_ptr<float>()[0];\n"
                               "  t.data_ptr<float>()[0] = 1; }\n"));
  EXPECT_TRUE(run.says("input.cpp:6:3: warning")) << run.output;
  EXPECT_FALSE(run.says("input.cpp:5:")) << run.output;
}

TEST_F(Options, MovesAreBelieved) {
  const char *code =
      "void place(torch::nn::Module &m, torch::Device d);\n"
      "void f(torch::Device d) { torch::nn::Linear fc(2, 2); auto x = torch::ones({2, 2}, torch::kCUDA);\n"
      "  place(*fc, torch::kCUDA); fc(x); }\n"
      "void g() { torch::nn::Linear fc(2, 2); place(*fc, torch::kCUDA); fc(torch::ones({2, 2})); }\n";
  EXPECT_EQ(tidy(code).output, "");
  Outcome run = tidy(annotated("SAMEDEVICE_MOVES_TO(\"d\") " + std::string(code)));
  EXPECT_TRUE(run.says("input.cpp:6:66: warning")) << run.output;
  EXPECT_FALSE(run.says("input.cpp:5:")) << run.output;
}

TEST_F(Options, ChecksAndMembersAreBelieved) {
  Outcome run = tidy(annotated("SAMEDEVICE_CHECKS_CUDA void demand(torch::Tensor t);\n"
                               "struct Cache { SAMEDEVICE_ON(\"cuda\") torch::Tensor table; void fill();\n"
                               "  float first() { return table.data_ptr<float>()[0]; } };\n"
                               "float f(torch::Tensor t) { demand(t); return t.data_ptr<float>()[0]; }\n"));
  EXPECT_TRUE(run.says("input.cpp:5:")) << run.output;
  EXPECT_TRUE(run.says("input.cpp:6:")) << run.output;
}

TEST_F(Options, MembersMovedElsewhereAreLeftAlone) {
  const char *code = "struct Net : torch::nn::Module { MOVED torch::Tensor mask;\n"
                     "  torch::nn::Linear fc{nullptr};\n"
                     "  Net() { fc = register_module(\"fc\", torch::nn::Linear(2, 2)); mask = torch::ones({2, 2}); }\n"
                     "  torch::Tensor forward(torch::Tensor x) { return fc(x) * mask; } };\n"
                     "int main() { auto net = std::make_shared<Net>(); net->to(torch::kCUDA);\n"
                     "  net->forward(torch::ones({2, 2}, torch::kCUDA)); }\n";
  Outcome run = tidy(annotated("#define MOVED\n" + std::string(code)));
  EXPECT_TRUE(run.says("[device-unregistered-member]")) << run.output;
  EXPECT_EQ(tidy(annotated("#define MOVED SAMEDEVICE_MOVED_ELSEWHERE\n" + std::string(code))).output, "");
}

} // namespace
