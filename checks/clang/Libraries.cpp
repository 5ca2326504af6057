#include "Libraries.h"

#include "clang/AST/Decl.h"
#include "llvm/Support/Path.h"

namespace samedevice::clangfront {

using namespace clang;

namespace {

/// What torch installs side by side, in a folder that may be anybody's.
constexpr llvm::StringLiteral torchFolders[] = {"ATen", "c10", "torch", "caffe2"};

/// Libraries without an entity that everybody who uses them needs: known by what follows #include.
constexpr llvm::StringLiteral librariesByName[] = {"pybind11/", "opencv2/", "Eigen/", "thrust/", "cub/", "Python.h"};

/// "torch/torch.h" of `#include <torch/torch.h>`.
StringRef spelledAt(const SourceManager &sources, SourceLocation include) {
  if (!include.isFileID())
    return {};
  auto [file, offset] = sources.getDecomposedLoc(include);
  StringRef text = sources.getBufferDataOrNone(file).value_or("").substr(offset);
  if (!text.consume_front("<") && !text.consume_front("\""))
    return {};
  return text.take_until([](char c) { return c == '>' || c == '"' || c == '\n'; });
}

} // namespace

bool Libraries::own(SourceLocation location) {
  location = sources_.getExpansionLoc(location);
  // A header may say in its middle that it is the system's: asked for each place.
  return sources_.isInSystemHeader(location) || isLibrary(sources_.getFileID(location));
}

bool Libraries::isLibrary(FileID file) {
  if (file.isInvalid() || file == sources_.getMainFileID())
    return false;
  auto [place, isNew] = known_.try_emplace(file, false);
  if (!isNew)
    return place->second;
  const std::string path = pathOf(file);
  const bool isOne = path.empty() || isIncludedAsLibrary(file) || isInFolders(path);
  return known_[file] = isOne;
}

/// By name, or by another library: none includes its users' code.
bool Libraries::isIncludedAsLibrary(FileID file) {
  const SourceLocation include = sources_.getIncludeLoc(file);
  if (include.isInvalid())
    return false;
  const StringRef spelled = spelledAt(sources_, include);
  return llvm::any_of(librariesByName, [&](StringRef name) { return spelled.starts_with(name); }) || own(include);
}

bool Libraries::isInFolders(const std::string &path) {
  if (!folders_)
    findFolders();
  return folders_ &&
         llvm::any_of(*folders_, [&](const std::string &folder) { return StringRef(path).starts_with(folder); });
}

void Libraries::findFolders() {
  folders_.emplace();
  // In a checkout, unlike in an installation, these lie in different places: made by the build, and written.
  for (auto [scope, name] : {std::pair("at", "Tensor"), std::pair("at", "TensorBase"), std::pair("c10", "Device")}) {
    const std::string path = pathOfDeclaring(scope, name);
    size_t root = std::string::npos;
    for (StringRef folder : torchFolders)
      if (size_t at = StringRef(path).rfind(("/" + folder + "/").str()); at != StringRef::npos)
        root = root == std::string::npos ? at : std::max(root, at);
    if (root != std::string::npos)
      for (StringRef folder : torchFolders)
        folders_->push_back(path.substr(0, root + 1) + folder.str() + "/");
  }
  const std::string cuda = pathOfDeclaring("", "cudaFree");
  if (llvm::sys::path::filename(cuda) == "cuda_runtime_api.h") // the toolkit's, not somebody's stub
    folders_->push_back(llvm::sys::path::parent_path(cuda).str() + "/");
}

std::string Libraries::pathOf(FileID file) const {
  const auto entry = sources_.getFileEntryRefForID(file);
  if (!entry)
    return {};
  llvm::SmallString<256> path(entry->getName());
  llvm::sys::path::remove_dots(path, true);
  return path.str().str();
}

std::string Libraries::pathOfDeclaring(StringRef scope, StringRef name) const {
  const DeclContext *within = context_.getTranslationUnitDecl();
  auto lookUp = [&](StringRef wanted) -> const NamedDecl * {
    const auto found = within->lookup(&context_.Idents.get(wanted));
    return found.empty() ? nullptr : found.front();
  };
  if (!scope.empty()) {
    within = dyn_cast_or_null<NamespaceDecl>(lookUp(scope));
    if (!within)
      return {};
  }
  const NamedDecl *declared = lookUp(name);
  if (const auto *record = dyn_cast_or_null<TagDecl>(declared); record && record->getDefinition())
    declared = record->getDefinition();
  return declared ? pathOf(sources_.getFileID(sources_.getExpansionLoc(declared->getLocation()))) : std::string();
}

} // namespace samedevice::clangfront
