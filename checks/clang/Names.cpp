#include "Names.h"

#include "clang/AST/DeclCXX.h"

namespace samedevice::clangfront {

using namespace clang;

namespace {

bool isVisibleScope(const DeclContext *context) {
  if (const auto *space = dyn_cast<NamespaceDecl>(context))
    return !space->isInline() && !space->isAnonymousNamespace();
  return isa<RecordDecl>(context) || isa<EnumDecl>(context);
}

std::vector<std::string> scopesOf(const NamedDecl *decl) {
  std::vector<std::string> scopes;
  for (const DeclContext *context = decl->getDeclContext(); context && !context->isTranslationUnit();
       context = context->getParent())
    if (isVisibleScope(context))
      scopes.insert(scopes.begin(), cast<NamedDecl>(context)->getNameAsString());
  return scopes;
}

std::string join(const std::vector<std::string> &scopes, size_t from, const std::string &name) {
  std::string path;
  for (size_t i = from; i < scopes.size(); ++i)
    path += scopes[i] + "::";
  return path + name;
}

} // namespace

std::string Names::qualified(const NamedDecl *decl) { return join(scopesOf(decl), 0, decl->getNameAsString()); }

llvm::StringRef Names::unqualified(llvm::StringRef qualified) {
  const size_t at = qualified.rfind("::");
  return at == llvm::StringRef::npos ? qualified : qualified.drop_front(at + 2);
}

const Name &Names::of(const NamedDecl *decl) {
  auto [place, isNew] = names_.try_emplace(decl);
  if (!isNew)
    return place->second;
  Name &name = place->second;
  auto scopes = scopesOf(decl);
  size_t skip = 0;
  if (!scopes.empty()) {
    if (scopes[0] == "at" || scopes[0] == "torch" || scopes[0] == "c10" || scopes[0] == "caffe2")
      name.library = Name::Torch, skip = 1;
    else if (scopes[0] == "std" || scopes[0] == "__gnu_cxx")
      name.library = Name::Std, skip = 1;
  } else if (const IdentifierInfo *id = decl->getIdentifier()) {
    StringRef plain = id->getName();
    for (StringRef prefix : {"cuda", "cublas", "cudnn", "nccl", "cusparse", "cufft", "curand", "cusolver"})
      if (plain.starts_with(prefix))
        name.library = Name::Cuda;
  }
  // at::native and friends repeat the torch roots; `torch::autograd::Variable` and `c10::impl` do not matter.
  name.path = join(scopes, skip, decl->getNameAsString());
  return name;
}

} // namespace samedevice::clangfront
