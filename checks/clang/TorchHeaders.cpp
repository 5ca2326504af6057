#include "TorchHeaders.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace samedevice::clangfront {

using namespace clang;

namespace {

template <typename Declared> const Declared *find(const ASTContext &context, const DeclContext &scope, StringRef name) {
  for (const NamedDecl *found : scope.lookup(&context.Idents.get(name)))
    if (const auto *wanted = dyn_cast<Declared>(found))
      return wanted;
  return nullptr;
}

/// The N of `#define NAME N`; nothing where it is not defined by a number.
unsigned defined(StringRef text, StringRef name) {
  unsigned value = 0;
  text.split(("#define " + name + " ").str()).second.consumeInteger(10, value);
  return value;
}

} // namespace

facts::TorchVersion torchVersion(const ASTContext &context) {
  const auto *space = find<NamespaceDecl>(context, *context.getTranslationUnitDecl(), "at");
  const auto *tensor = space ? find<CXXRecordDecl>(context, *space, "Tensor") : nullptr;
  if (tensor && tensor->getDefinition())
    tensor = tensor->getDefinition();
  if (!tensor)
    return 0;
  const SourceManager &sources = context.getSourceManager();
  // .../include/ATen/core/TensorBody.h
  StringRef folder = sources.getFilename(sources.getExpansionLoc(tensor->getLocation()));
  for (int levels = 0; levels < 3; ++levels)
    folder = llvm::sys::path::parent_path(folder);
  for (const char *header : {"torch/headeronly/version.h", "torch/csrc/api/include/torch/version.h"}) {
    SmallString<256> path(folder);
    llvm::sys::path::append(path, header);
    if (const auto text = sources.getFileManager().getBufferForFile(path)) {
      const unsigned major = defined((*text)->getBuffer(), "TORCH_VERSION_MAJOR");
      if (major)
        return major * 100 + defined((*text)->getBuffer(), "TORCH_VERSION_MINOR");
    }
  }
  return 0;
}

} // namespace samedevice::clangfront
