// A machine of the tests' own: files and a toolkit that exist only in memory.
#pragma once

#include "Translator.h"

#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

namespace samedevice::compdb {

class CompdbTest : public ::testing::Test {
protected:
  CompdbTest() {
    addFile("/usr/local/cuda/include/cuda.h");
    addFile("/usr/local/cuda/include/cccl/cub/cub.cuh");
    addFile("/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus");
  }

  void addFile(llvm::StringRef path, llvm::StringRef text = "") {
    files_->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  }

  /// Translates the one entry of a database as the build tool wrote it.
  std::vector<std::string> translate(llvm::StringRef json) {
    llvm::Expected<std::vector<Command>> commands = parseDatabase(json);
    if (!commands) {
      ADD_FAILURE() << llvm::toString(commands.takeError());
      return {};
    }
    return translator_.translate(commands->front()).arguments;
  }

  /// Translates arguments of nvcc for /p/a.cu.
  std::vector<std::string> translateNvcc(std::vector<std::string> arguments, llvm::StringRef file = "a.cu") {
    arguments.insert(arguments.begin(), "/usr/local/cuda/bin/nvcc");
    return translator_.translate({"/p", file.str(), "", std::move(arguments)}).arguments;
  }

  /// What a translation has between its fixed beginning and its fixed end.
  std::vector<std::string> hostFlagsOf(std::vector<std::string> arguments) {
    constexpr size_t end = 4; // -isystem cccl -idirafter shim
    std::vector<std::string> all = translateNvcc(std::move(arguments)), plain = translateNvcc({}), result;
    for (size_t index = 0, common = 0; index + end < all.size(); ++index)
      if (common + end < plain.size() && all[index] == plain[common])
        ++common;
      else
        result.push_back(all[index]);
    return result;
  }

  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> files_ = new llvm::vfs::InMemoryFileSystem;
  Translator translator_{Settings{"/shim", "/usr/bin:/opt/cuda/bin", files_}};
};

using Strings = std::vector<std::string>;

} // namespace samedevice::compdb
