// Commands as build tools write them, and what clang gets instead.
#include "Machine.h"

using namespace samedevice::compdb;

namespace {

const Strings cudaStart = {"clang++",
                           "-x",
                           "cuda",
                           "--cuda-host-only",
                           "-nocudalib",
                           "-Wno-unknown-cuda-version",
                           "--cuda-path=/usr/local/cuda"};
const Strings cudaInclude = {"-include", "/shim/samedevice/nvcc_host_overloads.h", "-Wno-unknown-warning-option",
                             "-Qunused-arguments", "-ferror-limit=0"};
const Strings torchDefines = {"-D__CUDA_NO_HALF_OPERATORS__", "-D__CUDA_NO_HALF_CONVERSIONS__",
                              "-D__CUDA_NO_BFLOAT16_CONVERSIONS__", "-D__CUDA_NO_HALF2_OPERATORS__"};
const Strings cudaEnd = {"-isystem", "/usr/local/cuda/include/cccl", "-idirafter", "/shim"};

Strings concat(std::initializer_list<Strings> parts) {
  Strings result;
  for (const Strings &part : parts)
    result.insert(result.end(), part.begin(), part.end());
  return result;
}

TEST_F(CompdbTest, CMakeWithNinja) {
  Strings got = translate(R"json([{
    "directory": "/home/ada/proj/build",
    "command": "/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler -DNAME=\"\\\"a b\\\"\" -I/home/ada/proj/include -isystem=/usr/local/cuda/include -O3 -DNDEBUG --generate-code=arch=compute_80,code=[compute_80,sm_80] --generate-code=arch=compute_90,code=[compute_90,sm_90] -Xcompiler=-fPIC --expt-relaxed-constexpr -Xcompiler=-Wall,-fopenmp --diag-suppress=177,186 -Xcudafe --display_error_number -std=c++17 -MD -MT CMakeFiles/a.dir/a.cu.o -MF CMakeFiles/a.dir/a.cu.o.d -x cu -rdc=true -c /home/ada/proj/a.cu -o CMakeFiles/a.dir/a.cu.o",
    "file": "/home/ada/proj/a.cu",
    "output": "CMakeFiles/a.dir/a.cu.o"
  }])json");
  EXPECT_EQ(got,
            concat({cudaStart,
                    {"-fgpu-rdc"},
                    cudaInclude,
                    {"-DNAME=\"a b\"", "-I/home/ada/proj/include", "-isystem", "/usr/local/cuda/include", "-O3",
                     "-DNDEBUG", "-fPIC", "-Wall", "-fopenmp", "-std=c++17", "-c", "-o", "CMakeFiles/a.dir/a.cu.o"},
                    cudaEnd,
                    {"/home/ada/proj/a.cu"}}));
  EXPECT_TRUE(translator_.remarks().empty());
}

TEST_F(CompdbTest, CMakeWithMakefilesPutsIncludesIntoAnOptionsFile) {
  addFile("/home/ada/proj/build/CMakeFiles/a.dir/includes_CUDA.rsp",
          "-I\"/home/ada/my includes\" -isystem=/usr/local/cuda/include");
  Strings got = translate(R"json([{
    "directory": "/home/ada/proj/build",
    "command": "/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler  --options-file CMakeFiles/a.dir/includes_CUDA.rsp -g --generate-code=arch=compute_75,code=[compute_75] -Xcompiler=-fvisibility=hidden -x cu -c /home/ada/proj/a.cu -o CMakeFiles/a.dir/a.cu.o",
    "file": "/home/ada/proj/a.cu"
  }])json");
  EXPECT_EQ(got, concat({cudaStart,
                         cudaInclude,
                         {"-I/home/ada/my includes", "-isystem", "/usr/local/cuda/include", "-g", "-fvisibility=hidden",
                          "-c", "-o", "CMakeFiles/a.dir/a.cu.o"},
                         cudaEnd,
                         {"/home/ada/proj/a.cu"}}));
}

TEST_F(CompdbTest, PyTorchBuildExtensionWithNinja) {
  Strings got = translate(R"json([{
    "directory": "/home/ada/ext/build/temp.linux-x86_64-cpython-311",
    "command": "/usr/local/cuda/bin/nvcc --generate-dependencies-with-compile --dependency-output /home/ada/ext/build/temp.linux-x86_64-cpython-311/csrc/scatter_cuda.o.d -I/home/ada/ext/csrc -I/home/ada/.venv/lib/python3.11/site-packages/torch/include -I/home/ada/.venv/lib/python3.11/site-packages/torch/include/torch/csrc/api/include -I/usr/local/cuda/include -I/usr/include/python3.11 -c -c /home/ada/ext/csrc/scatter_cuda.cu -o /home/ada/ext/build/temp.linux-x86_64-cpython-311/csrc/scatter_cuda.o -D__CUDA_NO_HALF_OPERATORS__ -D__CUDA_NO_HALF_CONVERSIONS__ -D__CUDA_NO_BFLOAT16_CONVERSIONS__ -D__CUDA_NO_HALF2_OPERATORS__ --expt-relaxed-constexpr --compiler-options ''\"'\"'-fPIC'\"'\"'' -O2 -Xfatbin -compress-all -lineinfo -DTORCH_API_INCLUDE_EXTENSION_H '-DPYBIND11_COMPILER_TYPE=\"_gcc\"' '-DPYBIND11_STDLIB=\"_libstdcpp\"' '-DPYBIND11_BUILD_ABI=\"_cxxabi1011\"' -DTORCH_EXTENSION_NAME=_scatter_cuda -D_GLIBCXX_USE_CXX11_ABI=0 -gencode=arch=compute_80,code=compute_80 -gencode=arch=compute_80,code=sm_80 -ccbin /usr/bin/g++-12 -std=c++17",
    "file": "/home/ada/ext/csrc/scatter_cuda.cu",
    "output": "/home/ada/ext/build/temp.linux-x86_64-cpython-311/csrc/scatter_cuda.o"
  }])json");
  const std::string torch = "/home/ada/.venv/lib/python3.11/site-packages/torch/include";
  EXPECT_EQ(got, concat({cudaStart,
                         cudaInclude,
                         {"--gcc-install-dir=/usr/lib/gcc/x86_64-linux-gnu/12"},
                         torchDefines,
                         {"-I/home/ada/ext/csrc", "-I" + torch, "-I" + torch + "/torch/csrc/api/include",
                          "-I/usr/local/cuda/include", "-I/usr/include/python3.11", "-c", "-c", "-o",
                          "/home/ada/ext/build/temp.linux-x86_64-cpython-311/csrc/scatter_cuda.o"},
                         torchDefines,
                         {"-fPIC", "-O2", "-DTORCH_API_INCLUDE_EXTENSION_H", "-DPYBIND11_COMPILER_TYPE=\"_gcc\"",
                          "-DPYBIND11_STDLIB=\"_libstdcpp\"", "-DPYBIND11_BUILD_ABI=\"_cxxabi1011\"",
                          "-DTORCH_EXTENSION_NAME=_scatter_cuda", "-D_GLIBCXX_USE_CXX11_ABI=0", "-std=c++17"},
                         cudaEnd,
                         {"/home/ada/ext/csrc/scatter_cuda.cu"}}));
  EXPECT_TRUE(translator_.remarks().empty());
}

TEST_F(CompdbTest, PyTorchBuildExtensionHostFile) {
  Strings got = translate(R"json([{
    "directory": "/home/ada/ext/build",
    "command": "c++ -MMD -MF /home/ada/ext/build/scatter.o.d -pthread -Wsign-compare -fno-var-tracking-assignments -fno-gnu-unique -fPIC -I/home/ada/.venv/lib/python3.11/site-packages/torch/include -I/usr/local/cuda/include -c -c /home/ada/ext/csrc/scatter.cpp -o /home/ada/ext/build/scatter.o -DTORCH_EXTENSION_NAME=_scatter_cuda -std=c++17",
    "file": "/home/ada/ext/csrc/scatter.cpp"
  }])json");
  EXPECT_EQ(got,
            (Strings{"c++", "-Wno-unknown-warning-option", "-ferror-limit=0", "-pthread", "-Wsign-compare", "-fPIC",
                     "-I/home/ada/.venv/lib/python3.11/site-packages/torch/include", "-I/usr/local/cuda/include", "-c",
                     "-c", "/home/ada/ext/csrc/scatter.cpp", "-o", "/home/ada/ext/build/scatter.o",
                     "-DTORCH_EXTENSION_NAME=_scatter_cuda", "-std=c++17", "-idirafter", "/shim"}));
}

TEST_F(CompdbTest, XMake) {
  Strings got = translate(R"json([{
    "directory": "/home/ada/proj",
    "arguments": ["/usr/local/cuda/bin/nvcc", "-c", "-Xcompiler", "-fPIE", "-ccbin=/usr/bin/g++-12", "-g", "-lineinfo", "-Wreorder", "-Xcompiler", "-Wall -Wextra", "-O3", "-Iinclude", "--std", "c++17", "-DNDEBUG", "-I/usr/local/cuda/include", "-m64", "-rdc=true", "-gencode", "arch=compute_86,code=sm_86", "-gencode", "arch=compute_86,code=compute_86", "-o", "build/.objs/app/linux/x86_64/release/src/main.cu.o", "src/main.cu"],
    "file": "src/main.cu"
  }])json");
  EXPECT_EQ(got, concat({cudaStart,
                         {"-fgpu-rdc"},
                         cudaInclude,
                         {"--gcc-install-dir=/usr/lib/gcc/x86_64-linux-gnu/12", "-c", "-fPIE", "-g", "-Wreorder",
                          "-Wall", "-Wextra", "-O3", "-Iinclude", "-std=c++17", "-DNDEBUG", "-I/usr/local/cuda/include",
                          "-m64", "-o", "build/.objs/app/linux/x86_64/release/src/main.cu.o"},
                         cudaEnd,
                         {"src/main.cu"}}));
}

} // namespace
