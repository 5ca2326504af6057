#include "Project.h"

#include "CudaToolkit.h"
#include "Program.h"
#include "SetupPy.h"
#include "Sources.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;
namespace path = llvm::sys::path;
namespace fs = llvm::sys::fs;

namespace samedevice::check {

namespace {

std::string below(StringRef directory, StringRef name) {
  SmallString<256> result(directory);
  path::append(result, name);
  path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

// --- The machine. -------------------------------------------------------------------------------------------------

/// Where the Python that is called python3 keeps its headers, torch, pybind11: a line each, empty where there is none.
/// Nothing is imported: that takes seconds.
std::vector<std::string> askPython() {
  constexpr StringRef question = R"(
import importlib.util, os, sysconfig
print(sysconfig.get_path('include'))
for name in 'torch', 'pybind11', 'numpy':
    try:
        spec = importlib.util.find_spec(name)
    except Exception:
        spec = None
    print(os.path.dirname(spec.origin) if spec and spec.origin else '')
)";
  const std::string text = ask("python3", {"-c", question}).text;
  std::vector<std::string> lines;
  for (StringRef line : split(text, '\n'))
    lines.push_back(line.str());
  return lines;
}

class Search {
public:
  /// The first directory that has the header counts.
  bool find(StringRef name, StringRef header, ArrayRef<std::string> directories) {
    for (const std::string &directory : directories) {
      if (directory.empty() || !fs::exists(below(directory, header)))
        continue;
      add(directory);
      machine.found.push_back((name + " (" + directory + ")").str());
      return true;
    }
    return false;
  }

  void add(const std::string &directory) {
    // The compiler's own place: named before its time, it would come before the standard library.
    if (directory != "/usr/include" && !is_contained(machine.includeDirectories, directory))
      machine.includeDirectories.push_back(directory);
  }

  /// Where CUDA's own variables say, where nvcc is, and where it is installed if nobody says.
  void findCuda() {
    std::vector<std::string> compilers;
    for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
      if (const std::optional<std::string> home = sys::Process::GetEnv(variable); home && !home->empty())
        compilers.push_back(below(*home, "bin/nvcc"));
    append_values(compilers, std::string("nvcc"), std::string("/usr/local/cuda/bin/nvcc"),
                  std::string("/opt/cuda/bin/nvcc"), std::string("/usr/lib/cuda/bin/nvcc"));
    const std::string searchPath = sys::Process::GetEnv("PATH").value_or("");
    for (const std::string &nvcc : compilers) {
      const compdb::CudaToolkit toolkit = compdb::findCudaToolkit(nvcc, "/", searchPath, *vfs::getRealFileSystem());
      std::vector<std::string> directories = toolkit.includeDirectories;
      directories.insert(directories.begin(), below(toolkit.root, "include"));
      for (const std::string &directory : directories)
        if (!toolkit.root.empty() && fs::exists(below(directory, "cuda_runtime_api.h"))) {
          machine.nvcc = nvcc;
          machine.cudaIncludeDirectory = directory;
          machine.found.push_back("CUDA (" + directory + ")");
          return;
        }
    }
  }

  Machine machine;
};

} // namespace

Machine lookAround() {
  std::vector<std::string> python = askPython();
  python.resize(4);
  std::vector<std::string> prefixes;
  auto addPrefix = [&](const std::optional<std::string> &list) {
    const std::string text = list.value_or("");
    for (StringRef prefix : split(text, ':'))
      if (!prefix.empty())
        prefixes.push_back(prefix.str());
  };
  for (const char *variable : {"TORCH_HOME", "Torch_ROOT", "CMAKE_PREFIX_PATH"})
    addPrefix(sys::Process::GetEnv(variable));
  // torch.utils.cmake_prefix_path is share/cmake below the one that is meant.
  for (size_t i = 0, end = prefixes.size(); i < end; ++i)
    if (StringRef(prefixes[i]).rtrim('/').ends_with("share/cmake"))
      prefixes.push_back(path::parent_path(path::parent_path(StringRef(prefixes[i]).rtrim('/'))).str());
  addPrefix(python[1]);
  addPrefix(sys::Process::GetEnv("CONDA_PREFIX"));
  for (const char *usual : {"/usr/local", "/usr", "/opt/libtorch", "/usr/local/libtorch"})
    prefixes.push_back(usual);
  auto inPrefixes = [&](StringRef folder) {
    std::vector<std::string> directories;
    for (const std::string &prefix : prefixes)
      directories.push_back(below(prefix, folder)); // NOLINT(performance-inefficient-vector-operation): few
    return directories;
  };

  Search search;
  std::vector<std::string> api = inPrefixes("include/torch/csrc/api/include");
  search.machine.hasTorch = search.find("libtorch", "torch/torch.h", api);
  if (search.machine.hasTorch)
    search.add(below(search.machine.includeDirectories.front(), "../../../.."));
  search.findCuda();
  search.find("Python", "Python.h", {python[0], "/usr/include/python3"});
  search.find("pybind11", "pybind11/pybind11.h", {below(python[2], "include"), "/usr/include", "/usr/local/include"});
  if (!python[3].empty())
    for (StringRef folder : {"core/include", "_core/include"})
      if (fs::exists(below(python[3], folder)))
        search.add(below(python[3], folder));
  search.find("Eigen", "Eigen/Core", inPrefixes("include/eigen3"));
  search.find("OpenCV", "opencv2/core.hpp", inPrefixes("include/opencv4"));
  return search.machine;
}

// --- The project. -------------------------------------------------------------------------------------------------

namespace {

/// Somebody else's checkout, or what a build has made.
bool isAside(StringRef directory) {
  const StringRef name = path::filename(directory);
  return name.starts_with(".") || name == "node_modules" || fs::exists(below(directory, ".git")) ||
         fs::exists(below(directory, "CMakeCache.txt"));
}

} // namespace

std::string projectRoot(StringRef file) {
  SmallString<256> start(file);
  if (!fs::is_directory(start))
    path::remove_filename(start);
  std::string best = start.str().str();
  for (StringRef folder = start; !folder.empty(); folder = path::parent_path(folder)) {
    if (fs::exists(below(folder, ".git")))
      return folder.str();
    if (fs::exists(below(folder, "setup.py")) || fs::exists(below(folder, "CMakeLists.txt")))
      best = folder.str();
  }
  return best;
}

namespace {

std::size_t sharedLength(StringRef one, StringRef other) {
  return std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first - one.begin();
}

/// Folders of the project in which its own headers are found by the names that #include lines give them.
void findIncludeDirectories(Project &project) {
  StringMap<std::vector<StringRef>> headers;
  for (const std::string &file : project.files)
    if (isHeaderFile(file))
      headers[path::filename(file)].push_back(file);
  StringMap<unsigned> uses;
  StringMap<StringRef> meant;
  for (const std::string &file : project.files) {
    for (const std::string &spelled : includesOf(textOfFile(file))) {
      StringRef name = spelled;
      const bool isQuoted = name.consume_front("\"");
      if (name.contains("..") || (isQuoted && fs::exists(below(path::parent_path(file), name))))
        continue;
      // Of several, the one that is nearest to who asks.
      StringRef best;
      size_t bestShared = 0;
      auto known = headers.find(path::filename(name));
      for (StringRef header : known == headers.end() ? ArrayRef<StringRef>() : ArrayRef(known->second)) {
        if (!header.ends_with(("/" + name).str()))
          continue;
        const size_t shared = sharedLength(header, file);
        if (best.empty() || shared > bestShared) {
          best = header;
          bestShared = shared;
        }
      }
      if (best.empty())
        continue;
      ++uses[best.drop_back(name.size() + 1)];
      project.isAmbiguous |= meant.try_emplace(name, best).first->second != best;
    }
  }
  std::vector<std::pair<unsigned, std::string>> ordered;
  for (const auto &entry : uses)
    ordered.emplace_back(entry.second, entry.first().str());
  llvm::sort(ordered, [](const auto &one, const auto &other) {
    return std::pair(other.first, StringRef(one.second)) < std::pair(one.first, StringRef(other.second));
  });
  for (auto &[count, directory] : ordered)
    project.includeDirectories.push_back(std::move(directory));
}

/// CMAKE_CXX_STANDARD, where it is set to a number.
std::string standardOf(StringRef cmake) {
  const size_t at = cmake.find("CMAKE_CXX_STANDARD ");
  if (at == StringRef::npos)
    return {};
  const StringRef number = cmake.drop_front(at).split(' ').second.ltrim().take_while(isDigit);
  return number == "20" || number == "23" ? ("-std=c++" + number).str() : std::string();
}

} // namespace

std::vector<std::string> includesOf(StringRef text) {
  std::vector<std::string> includes;
  for (StringRef line : split(text, '\n')) {
    line = line.ltrim();
    if (!line.consume_front("#"))
      continue;
    line = line.ltrim();
    if (!line.consume_front("include"))
      continue;
    line = line.ltrim();
    if (line.consume_front("<"))
      includes.push_back(line.take_until([](char c) { return c == '>'; }).str());
    else if (line.starts_with("\""))
      includes.push_back("\"" + line.drop_front().take_until([](char c) { return c == '"'; }).str());
  }
  return includes;
}

std::vector<std::string> filesBelow(StringRef directory) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(directory, error, /*follow_symlinks=*/false), end; entry != end && !error;
       entry.increment(error)) {
    if (entry->type() == fs::file_type::directory_file && isAside(entry->path()))
      entry.no_push();
    else if (entry->type() != fs::file_type::directory_file &&
             (isSourceFile(entry->path()) || isHeaderFile(entry->path())))
      files.push_back(entry->path());
  }
  llvm::sort(files);
  return files;
}

Project readProject(StringRef start) {
  Project project;
  project.root = projectRoot(start);
  project.files = filesBelow(project.root);
  std::string standard = standardOf(textOfFile(below(project.root, "CMakeLists.txt")));
  const SetupPy setup = readSetupPy(textOfFile(below(project.root, "setup.py")));
  const StringRef extension = setup.extensions.empty() ? StringRef("extension") : setup.extensions.front();
  project.flags.push_back(("-DTORCH_EXTENSION_NAME=" + extension.rsplit('.').second).str());
  if (!extension.contains('.'))
    project.flags.back() = ("-DTORCH_EXTENSION_NAME=" + extension).str();
  if (!setup.extensions.empty()) // as PyTorch's build of extensions does: torch/torch.h brings pybind11 then
    project.flags.push_back("-DTORCH_API_INCLUDE_EXTENSION_H");
  for (const std::string &flag : setup.flags) {
    if (StringRef(flag).starts_with("-std="))
      standard = flag;
    else
      project.flags.push_back(flag);
  }
  // Since 2.1 libtorch asks for this one, and says so.
  if (standard.empty() || standard < "-std=c++17")
    standard = "-std=c++17";
  project.flags.push_back(standard);
  findIncludeDirectories(project);
  for (const std::string &written : setup.includeDirectories)
    if (std::string directory = below(project.root, written);
        !written.empty() && fs::is_directory(directory) && !is_contained(project.includeDirectories, directory))
      project.includeDirectories.push_back(directory);
  return project;
}

compdb::Command commandFor(StringRef file, const Project &project, const Machine &machine) {
  compdb::Command command;
  command.directory = project.root;
  command.file = file.str();
  command.arguments = {isCudaFile(file) ? machine.nvcc : "g++"};
  append_range(command.arguments, project.flags);
  std::vector<std::string> directories = project.includeDirectories;
  if (project.isAmbiguous) // cpu/include/utils.h is for cpu/src, whoever includes cuda/include/utils.h more often
    llvm::stable_sort(directories, [file](StringRef one, StringRef other) {
      return sharedLength(one, file) > sharedLength(other, file);
    });
  for (const std::string &directory : directories)
    command.arguments.push_back("-I" + directory);
  for (const std::string &directory : machine.includeDirectories)
    append_values(command.arguments, std::string("-isystem"), directory);
  if (!isCudaFile(file) && !machine.cudaIncludeDirectory.empty() && machine.cudaIncludeDirectory != "/usr/include")
    append_values(command.arguments, std::string("-isystem"), machine.cudaIncludeDirectory);
  if (isHeaderFile(file) && !isCudaFile(file))
    append_values(command.arguments, std::string("-x"), std::string("c++"));
  command.arguments.push_back(file.str());
  return command;
}

} // namespace samedevice::check
