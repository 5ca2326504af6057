// Flags that nobody has told us.
#include "Project.h"
#include "Checked.h"
#include "SetupPy.h"

#include "llvm/ADT/STLExtras.h"

namespace samedevice::check {
namespace {

using Strings = std::vector<std::string>;

TEST(SetupPy, SaysWhatItSaysWithStrings) {
  const SetupPy setup = readSetupPy(R"(
here = os.path.dirname(__file__)  # include_dirs=["comment"]
define_macros = [("WITH_CUDA", None), ("LEVEL", "2"), ("USE_ROCM", None)]
setup(ext_modules=[CUDAExtension(
    name='pkg._C', sources=sources, define_macros=define_macros,
    include_dirs=[os.path.join(here, "csrc"), 'include'] + find(),
    extra_compile_args={"cxx": ["-O3", "-std=c++20"], "nvcc": ["-DFAST", "-U__CUDA_NO_HALF_OPERATORS__"]})])
)");
  EXPECT_EQ(setup.extensions, Strings{"pkg._C"});
  EXPECT_EQ(setup.includeDirectories, (Strings{"csrc", "include"}));
  EXPECT_EQ(setup.flags, (Strings{"-DWITH_CUDA", "-DLEVEL=2", "-std=c++20", "-DFAST", "-U__CUDA_NO_HALF_OPERATORS__"}));
}

TEST(SetupPy, IsReadAsFarAsItGoes) {
  EXPECT_TRUE(readSetupPy("include_dirs = [\"open").includeDirectories.empty());
  EXPECT_TRUE(readSetupPy("CUDAExtension(").extensions.empty());
}

TEST_F(Checked, OfTwoHeadersOfOneNameTheNearerIsMeant) {
  write(".git/config", "");
  for (const std::string part : {"cpu", "cuda"}) {
    write(part + "/include/part.h", "#pragma once\n");
    write(part + "/src/a.cpp", "#include \"part.h\"\n");
  }
  const Project project = readProject(path("cpu/src/a.cpp"));
  for (const std::string part : {"cpu", "cuda"}) {
    const compdb::Command command = commandFor(path(part + "/src/a.cpp"), project, Machine());
    const auto first = llvm::find_if(command.arguments, [](llvm::StringRef word) { return word.starts_with("-I"); });
    ASSERT_NE(first, command.arguments.end());
    EXPECT_EQ(*first, "-I" + path(part + "/include"));
  }
}

TEST_F(Checked, NoDatabaseIsNoProblem) {
  write("setup.py", "CUDAExtension(name='pkg._C', define_macros=[('FLAGGED', None)])\n");
  write("csrc/core/net.h", "#pragma once\n#include <torch/torch.h>\n");
  write("csrc/bind/net.cpp", "#include \"core/net.h\"\n#include <cuda_runtime_api.h>\n#if defined FLAGGED && defined "
                             "TORCH_API_INCLUDE_EXTENSION_H\n" +
                                 dropped() + "#endif\n");
  write(".git/config", "");
  write("vendored/.git", "gitdir: elsewhere\n");
  write("vendored/a.cpp", "#include \"core/net.h\"\n" + dropped());
  std::filesystem::create_directories(folder_ / "torch/include/torch/csrc/api");
  std::filesystem::create_directory_symlink(STAND_INS, folder_ / "torch/include/torch/csrc/api/include");
  write("cuda/include/cuda.h", "");
  write("cuda/include/cuda_runtime_api.h", "");
  const Ran ran = check(".", "TORCH_HOME=" + path("torch") + " CUDA_HOME=" + path("cuda"));
  EXPECT_TRUE(ran.says("no compile_commands.json: flags for C++ and CUDA are worked out from " + folder_.string()))
      << ran.output;
  EXPECT_TRUE(ran.says("libtorch (" + path("torch") + "/include/torch/csrc/api/include)")) << ran.output;
  EXPECT_TRUE(ran.says("CUDA (" + path("cuda") + "/include)")) << ran.output;
  EXPECT_TRUE(ran.says("csrc/bind/net.cpp:4:27: warning:")) << ran.output;
  EXPECT_TRUE(ran.says("1 finding in 1 file")) << ran.output;
}

} // namespace
} // namespace samedevice::check
