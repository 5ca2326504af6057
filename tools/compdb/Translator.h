// nvcc's compile commands as clang's: the host pass of a CUDA source, with what clang lacks supplied.
#pragma once

#include "Command.h"
#include "CudaToolkit.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace samedevice::compdb {

struct Settings {
  std::string shimDirectory; ///< the headers that clang needs and does not find
  std::string searchPath;    ///< $PATH, for commands that name nvcc without a directory
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = llvm::vfs::getRealFileSystem();
};

/// Something that could not be translated, told once however many commands hold it.
struct Remark {
  std::string flag;
  std::string reason;
  std::string firstFile;
  unsigned commands = 0;
};

/// Translates the commands of one database. Commands of gcc lose the flags clang would refuse and get the headers it
/// lacks; those of other compilers stay as they are.
class Translator {
public:
  explicit Translator(Settings settings) : settings_(std::move(settings)) {}

  Command translate(const Command &command);

  /// In the order in which the flags were met.
  const std::vector<Remark> &remarks() const { return remarks_; }

private:
  struct NvccCommand;

  Command translateNvcc(const Command &command, size_t compiler);
  Command translateGcc(const Command &command, size_t compiler);
  NvccCommand readNvcc(const Command &command, size_t compiler);
  const CudaToolkit &toolkitOf(llvm::StringRef nvcc, llvm::StringRef directory);
  std::vector<std::string> keepFlags(llvm::ArrayRef<std::string> flags, const Command &command);
  void remark(llvm::StringRef flag, llvm::StringRef reason, const Command &command);

  Settings settings_;
  llvm::StringMap<CudaToolkit> toolkits_;
  std::vector<Remark> remarks_;
  llvm::StringMap<size_t> remarkOfFlag_;
};

/// The shim directory that belongs to an executable of this build or installation.
std::string shimDirectoryOf(llvm::StringRef executable);

} // namespace samedevice::compdb
