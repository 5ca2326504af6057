#include "Machine.h"

using namespace samedevice::compdb;

namespace {

TEST_F(CompdbTest, OptionsComeInSeveralForms) {
  EXPECT_EQ(hostFlagsOf({"-I=x", "-I", "y", "-Iz", "--include-path=w"}), (Strings{"-Ix", "-Iy", "-Iz", "-Iw"}));
  EXPECT_EQ(hostFlagsOf({"-O=2", "--optimize", "3"}), (Strings{"-O2", "-O3"}));
  EXPECT_EQ(hostFlagsOf({"-std", "c++17", "--std=c++20"}), (Strings{"-std=c++17", "-std=c++20"}));
  EXPECT_EQ(hostFlagsOf({"-t4", "-t", "4", "--threads=4"}), Strings{});
  EXPECT_EQ(hostFlagsOf({"-arch", "sm_90", "-arch=native", "--gpu-architecture=sm_80", "-code=sm_80"}), Strings{});
  EXPECT_EQ(hostFlagsOf({"-include", "a.h", "--pre-include=b.h"}), (Strings{"-include", "a.h", "-include", "b.h"}));
}

TEST_F(CompdbTest, ListsAreSplitAtCommas) {
  EXPECT_EQ(hostFlagsOf({"-DA=1,B=2"}), (Strings{"-DA=1", "-DB=2"}));
  EXPECT_EQ(hostFlagsOf({"-DA=1\\,2", "-DB=\"x,y\""}), (Strings{"-DA=1,2", "-DB=\"x,y\""}));
  EXPECT_EQ(hostFlagsOf({"-isystem=x,y"}), (Strings{"-isystem", "x", "-isystem", "y"}));
}

TEST_F(CompdbTest, HostFlagsAreSplitAsTheShellWouldSplitThem) {
  EXPECT_EQ(hostFlagsOf({"-Xcompiler", "-Wall,-fPIC"}), (Strings{"-Wall", "-fPIC"}));
  EXPECT_EQ(hostFlagsOf({"-Xcompiler=-Wall -fPIC"}), (Strings{"-Wall", "-fPIC"}));
  EXPECT_EQ(hostFlagsOf({"--compiler-options='-fPIC'"}), Strings{"-fPIC"});
  EXPECT_EQ(hostFlagsOf({"-Xcompiler", "-DX='a b'", "-Xcompiler", "-DY=1\\,2"}), (Strings{"-DX=a b", "-DY=1,2"}));
  EXPECT_EQ(hostFlagsOf({"-Xcompiler", "-isystem", "-Xcompiler", "/x"}), (Strings{"-isystem", "/x"}));
}

TEST_F(CompdbTest, DeviceAndLinkerFlagsVanishWithoutARemark) {
  EXPECT_EQ(hostFlagsOf({"-Xptxas", "-v,-dlcm=ca", "-Xlinker=-rpath,/x", "-Xnvlink", "-v", "-lcudart", "-L/x",
                         "--ptxas-options=-O3", "-maxrregcount=64", "--use_fast_math", "--generate-line-info",
                         "-Xcudafe", "--diag_suppress=177", "-diag-suppress", "20012", "--extended-lambda",
                         "-Xcompiler", "-Wl\\,-z\\,now", "-Wl,--as-needed"}),
            Strings{});
  EXPECT_TRUE(translator_.remarks().empty());
}

TEST_F(CompdbTest, WarningsStayWarnings) {
  EXPECT_EQ(hostFlagsOf({"-Werror", "all-warnings", "-Werror=cross-execution-space-call", "-Xcompiler",
                         "-Werror,-Werror=unused,-Wall", "--Werror", "-Wextra"}),
            (Strings{"-Wall", "-Wextra"}));
}

TEST_F(CompdbTest, WhatClangRefusesIsToldOncePerFlag) {
  EXPECT_EQ(hostFlagsOf({"-fno-gnu-unique", "-Xcompiler", "-fno-ipa-made-up,-fPIC"}), Strings{"-fPIC"});
  translateNvcc({"-fno-gnu-unique"}, "b.cu");
  ASSERT_EQ(translator_.remarks().size(), 2u);
  EXPECT_EQ(translator_.remarks()[0].flag, "-fno-gnu-unique");
  EXPECT_EQ(translator_.remarks()[0].firstFile, "a.cu");
  EXPECT_EQ(translator_.remarks()[0].commands, 2u);
  EXPECT_EQ(translator_.remarks()[1].flag, "-fno-ipa-made-up");
}

TEST_F(CompdbTest, ResponseFilesAreReadInTheirPlace) {
  addFile("/p/outer.rsp", "-DOUTER --options-file inner.rsp\n-O2");
  addFile("/p/inner.rsp", "-DINNER='x y' \"-I/with blank\"");
  addFile("/p/loop.rsp", "@loop.rsp");
  EXPECT_EQ(hostFlagsOf({"-optf=outer.rsp"}), (Strings{"-DOUTER", "-DINNER=x y", "-I/with blank", "-O2"}));
  EXPECT_EQ(hostFlagsOf({"@inner.rsp"}), (Strings{"-DINNER=x y", "-I/with blank"}));
  EXPECT_EQ(hostFlagsOf({"@loop.rsp", "-DX"}), Strings{"-DX"});
  EXPECT_EQ(hostFlagsOf({"--options-file", "none.rsp"}), Strings{});
  ASSERT_EQ(translator_.remarks().size(), 2u);
  EXPECT_EQ(translator_.remarks()[0].flag, "@loop.rsp");
  EXPECT_EQ(translator_.remarks()[1].flag, "--options-file none.rsp");
}

TEST_F(CompdbTest, TheLanguageDecides) {
  EXPECT_EQ(translateNvcc({"-c", "a.cpp"}, "a.cpp"),
            (Strings{"clang++", "-x", "c++", "-isystem", "/usr/local/cuda/include", "-Wno-unknown-warning-option",
                     "-Qunused-arguments", "-ferror-limit=0", "-c", "-isystem", "/usr/local/cuda/include/cccl",
                     "-idirafter", "/shim", "a.cpp"}));
  EXPECT_EQ(translateNvcc({"-x", "cu", "-c", "a.cpp"}, "a.cpp")[2], "cuda");
  EXPECT_EQ(translateNvcc({"--x=c++", "a.cu"})[2], "c++");
}

TEST_F(CompdbTest, StreamsAndRelocatableCode) {
  EXPECT_EQ(hostFlagsOf({"-default-stream=per-thread"}), Strings{"-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"});
  EXPECT_EQ(hostFlagsOf({"--default-stream", "legacy"}), Strings{});
  EXPECT_EQ(hostFlagsOf({"-dc"}), (Strings{"-fgpu-rdc", "-c"}));
  EXPECT_EQ(hostFlagsOf({"-rdc=false"}), Strings{});
}

TEST_F(CompdbTest, TorchDefinesStandBeforeTheCommandsOwn) {
  Strings got = hostFlagsOf({"-I/opt/libtorch/include", "-U__CUDA_NO_HALF_OPERATORS__"});
  ASSERT_EQ(got.size(), 6u);
  EXPECT_EQ(got[0], "-D__CUDA_NO_HALF_OPERATORS__");
  EXPECT_EQ(got[5], "-U__CUDA_NO_HALF_OPERATORS__");
  EXPECT_EQ(hostFlagsOf({"-I/opt/torchless/include"}), Strings{"-I/opt/torchless/include"});
}

TEST_F(CompdbTest, TheToolkitIsFoundFromTheCompilersName) {
  auto cudaPath = [&](std::string nvcc) -> std::string {
    Strings got = translator_.translate({"/p", "a.cu", "", {nvcc, "-c", "a.cu"}}).arguments;
    for (const std::string &argument : got)
      if (argument.rfind("--cuda-path=", 0) == 0)
        return argument.substr(12);
    return "none";
  };
  addFile("/opt/cuda/bin/nvcc");
  addFile("/opt/cuda/include/cuda.h");
  addFile("/p/tools/bin/nvcc");
  addFile("/p/tools/include/cuda.h");
  EXPECT_EQ(cudaPath("/usr/local/cuda/bin/nvcc"), "/usr/local/cuda");
  EXPECT_EQ(cudaPath("nvcc"), "/opt/cuda");
  EXPECT_EQ(cudaPath("tools/bin/nvcc"), "/p/tools");
  EXPECT_EQ(cudaPath("/nowhere/bin/nvcc"), "none");
  addFile("/usr/local/bin/nvcc", "#!/bin/sh\nexec /opt/cuda/bin/nvcc \"$@\"\n");
  EXPECT_EQ(cudaPath("/usr/local/bin/nvcc"), "/opt/cuda");
  addFile("/usr/bin/nvcc");
  addFile("/usr/include/cuda.h");
  addFile("/usr/lib/cuda/include/cuda.h");
  EXPECT_EQ(cudaPath("/usr/bin/nvcc"), "/usr/lib/cuda");
}

TEST_F(CompdbTest, CondaKeepsItsHeadersBelowTargets) {
  addFile("/conda/bin/nvcc");
  addFile("/conda/targets/x86_64-linux/include/cuda.h");
  addFile("/conda/targets/x86_64-linux/include/cccl/cub/cub.cuh");
  Strings got = translator_.translate({"/p", "a.cpp", "", {"/conda/bin/nvcc", "a.cpp"}}).arguments;
  EXPECT_EQ(Strings(got.begin() + 8, got.end()),
            (Strings{"-isystem", "/conda/targets/x86_64-linux/include", "-isystem",
                     "/conda/targets/x86_64-linux/include/cccl", "-idirafter", "/shim", "a.cpp"}));
}

TEST_F(CompdbTest, LaunchersAreSkippedAndOtherCompilersLeftAlone) {
  EXPECT_EQ(translator_.translate({"/p", "a.cu", "", {"/usr/bin/ccache", "nvcc", "a.cu"}}).arguments[0], "clang++");
  Strings clang = {"clang++-19", "-fno-gnu-unique", "a.cpp"};
  EXPECT_EQ(translator_.translate({"/p", "a.cpp", "", clang}).arguments, clang);
  EXPECT_EQ(translator_.translate({"/p", "a.cpp", "", {"/usr/bin/x86_64-linux-gnu-g++-12", "-fno-gnu-unique", "a.cpp"}})
                .arguments,
            (Strings{"/usr/bin/x86_64-linux-gnu-g++-12", "-Wno-unknown-warning-option", "-ferror-limit=0", "a.cpp",
                     "-idirafter", "/shim"}));
}

TEST(Database, MalformedOnesAreRefusedWithAReason) {
  auto reason = [](const char *json) {
    llvm::Expected<std::vector<Command>> commands = parseDatabase(json);
    return commands ? std::string("accepted") : llvm::toString(commands.takeError());
  };
  EXPECT_EQ(reason("{}"), "the compilation database is not a list");
  EXPECT_EQ(reason("[1]"), "entry 0 of the compilation database is not an object");
  EXPECT_EQ(reason(R"([{"file": "a", "directory": "/"}])"),
            "entry 0 of the compilation database has neither a command nor arguments");
  EXPECT_EQ(reason(R"([{"file": "a", "arguments": [1]}])"),
            "entry 0 of the compilation database has an argument that is not a string");
  EXPECT_NE(reason("[{"), "accepted");
}

TEST(Database, PrintingAndParsingAgree) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printDatabase({{"/p", "a.cu", "a.o", {"nvcc", "-DX=\"a b\""}}}, out);
  llvm::Expected<std::vector<Command>> commands = parseDatabase(text);
  ASSERT_TRUE(bool(commands));
  EXPECT_EQ(commands->front().output, "a.o");
  EXPECT_EQ(commands->front().arguments, (Strings{"nvcc", "-DX=\"a b\""}));
}

} // namespace
