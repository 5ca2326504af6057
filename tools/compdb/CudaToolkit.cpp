#include "CudaToolkit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
namespace path = llvm::sys::path;

namespace samedevice::compdb {

static std::string below(StringRef directory, StringRef name) {
  SmallString<128> result(directory);
  path::append(result, name);
  return result.str().str();
}

static std::string findProgram(StringRef name, StringRef directory, StringRef searchPath, vfs::FileSystem &files) {
  if (path::is_absolute(name))
    return name.str();
  if (path::has_parent_path(name))
    return below(directory, name);
  SmallVector<StringRef, 16> entries;
  searchPath.split(entries, ':', -1, /*KeepEmpty=*/false);
  for (StringRef entry : entries)
    if (std::string candidate = below(entry, name); files.exists(candidate))
      return candidate;
  return "";
}

/// The nvcc that a wrapper script hands over to; empty where it is no script, or names none.
static std::string calledByScript(StringRef program, vfs::FileSystem &files) {
  constexpr size_t longest = size_t{64} * 1024;
  auto text = files.getBufferForFile(program);
  if (!text || (*text)->getBufferSize() > longest || !(*text)->getBuffer().starts_with("#!"))
    return "";
  SmallVector<StringRef, 32> words;
  SplitString((*text)->getBuffer(), words, " \t\n\r\"'=;");
  for (StringRef word : words)
    if (path::is_absolute(word) && path::filename(word) == "nvcc" && word != program && files.exists(word))
      return word.str();
  return "";
}

CudaToolkit findCudaToolkit(StringRef nvcc, StringRef directory, StringRef searchPath, vfs::FileSystem &files) {
  CudaToolkit toolkit;
  std::string program = findProgram(nvcc, directory, searchPath, files);
  if (program.empty())
    return toolkit;
  // The command's own name comes first: /usr/local/cuda is a better name for a reader than where it points to.
  // A name like /usr/bin/nvcc leads on to the toolkit only through its link.
  SmallString<128> real;
  std::vector<std::string> candidates = {path::parent_path(path::parent_path(program)).str()};
  if (!files.getRealPath(program, real))
    candidates.push_back(path::parent_path(path::parent_path(real)).str());
  if (std::string called = calledByScript(program, files); !called.empty())
    candidates.push_back(path::parent_path(path::parent_path(called)).str());
  candidates.push_back("/usr/lib/cuda"); // Debian's nvidia-cuda-toolkit lays out for clang what /usr/bin/nvcc uses
  for (std::string &root : candidates) {
    SmallString<128> clean(root);
    path::remove_dots(clean, /*remove_dot_dot=*/true);
    if (!files.exists(below(clean, "include/cuda.h")) && !files.exists(below(clean, "targets")))
      continue;
    if (clean == "/usr" && files.exists("/usr/lib/cuda"))
      continue;
    toolkit.root = clean.str().str();
    break;
  }
  if (toolkit.root.empty())
    return toolkit;
  // conda keeps the headers below targets/; CUDA 13 keeps thrust, cub and libcu++ below cccl/.
  std::vector<std::string> includes = {below(toolkit.root, "include")};
  if (!files.exists(below(includes.front(), "cuda.h"))) {
    std::error_code error;
    for (auto it = files.dir_begin(below(toolkit.root, "targets"), error); !error && it != vfs::directory_iterator();
         it.increment(error)) {
      std::string include = below(it->path(), "include");
      if (files.exists(below(include, "cuda.h"))) {
        includes.push_back(include);
        toolkit.includeDirectories.push_back(include);
        break;
      }
    }
  }
  for (const std::string &include : includes)
    if (std::string cccl = below(include, "cccl"); files.exists(cccl))
      toolkit.includeDirectories.push_back(cccl);
  return toolkit;
}

std::string findGccInstallation(StringRef hostCompiler, vfs::FileSystem &files) {
  auto [name, version] = path::filename(hostCompiler).rsplit('-');
  if (!(name.ends_with("g++") || name.ends_with("gcc")) || version.empty() || !all_of(version, isDigit))
    return "";
  std::string prefix = path::parent_path(path::parent_path(hostCompiler)).str();
  std::string base = below(prefix.empty() ? "/usr" : prefix, "lib/gcc");
  std::error_code error;
  for (auto it = files.dir_begin(base, error); !error && it != vfs::directory_iterator(); it.increment(error))
    if (std::string found = below(it->path(), version); files.exists(found))
      return found;
  return "";
}

} // namespace samedevice::compdb
