// Where CUDA and gcc are, read off the names of the compilers that a build used.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace samedevice::compdb {

struct CudaToolkit {
  std::string root;                            ///< for --cuda-path; empty where nothing was found
  std::vector<std::string> includeDirectories; ///< what nvcc.profile adds beyond `root`/include
};

/// `nvcc` as the command names it: a path, or a bare name looked up in `searchPath` (as $PATH is written).
CudaToolkit findCudaToolkit(llvm::StringRef nvcc, llvm::StringRef directory, llvm::StringRef searchPath,
                            llvm::vfs::FileSystem &files);

/// gcc's own directory for a compiler like g++-12, so that clang takes the same libstdc++; empty where the name
/// has no version or nothing is there.
std::string findGccInstallation(llvm::StringRef hostCompiler, llvm::vfs::FileSystem &files);

} // namespace samedevice::compdb
