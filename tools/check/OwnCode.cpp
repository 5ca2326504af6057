#include "OwnCode.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace samedevice::check {

using Deferred = llvm::SmallSetVector<Decl *, 4>;
Deferred &deferredDiagnostics(Sema &sema);
/// Sema has no door to them. An explicit instantiation may name what is private.
template <Deferred Sema::*Member> struct DoorTo {
  friend Deferred &deferredDiagnostics(Sema &sema) { return sema.*Member; }
};
template struct DoorTo<&Sema::DeclsToCheckForDeferredDiags>;

namespace {

/// Whose a declaration is. Precompiled are headers of libraries alone.
class Ownership {
public:
  explicit Ownership(const SourceManager &sources) : sources_(sources) {}

  bool isLibrarys(const Decl &decl) const {
    return decl.isFromASTFile() || sources_.isInSystemHeader(sources_.getExpansionLoc(decl.getLocation()));
  }

  /// A generic lambda for one: only in the body of the library's function that calls it does Clang get to see its
  /// types.
  bool mayCallOwnTemplate(const FunctionDecl &function) const {
    const TemplateArgumentList *arguments = function.getTemplateSpecializationArgs();
    if (arguments && namesOwnTemplate(arguments->asArray()))
      return true;
    const auto *method = llvm::dyn_cast<CXXMethodDecl>(&function);
    return method && isOwnTemplate(*method->getParent());
  }

  bool isOwnTemplate(const CXXRecordDecl &record) const {
    if (const auto *made = llvm::dyn_cast<ClassTemplateSpecializationDecl>(&record))
      if (namesOwnTemplate(made->getTemplateArgs().asArray()))
        return true;
    // One with a template in it, or a local one, whose uses Clang wants to see defined.
    return !isLibrarys(record) && (record.isLambda() || record.isLocalClass() || !record.hasExternalFormalLinkage() ||
                                   llvm::isa<ClassTemplateSpecializationDecl>(record) ||
                                   llvm::any_of(record.decls(), [](const Decl *decl) { return decl->isTemplated(); }));
  }

private:
  bool namesOwnTemplate(llvm::ArrayRef<TemplateArgument> arguments) const {
    return llvm::any_of(arguments, [this](const TemplateArgument &argument) {
      if (argument.getKind() == TemplateArgument::Pack)
        return namesOwnTemplate(argument.pack_elements());
      if (argument.getKind() != TemplateArgument::Type)
        return false;
      const CXXRecordDecl *record = argument.getAsType().getNonReferenceType()->getAsCXXRecordDecl();
      return record && isOwnTemplate(*record);
    });
  }

  const SourceManager &sources_;
};

/// Clang comes to what is pending when it has seen the end of the file; `forget` is called just before.
template <typename Forget> void atEndOfFile(CompilerInstance &compiler, Forget forget) {
  compiler.getPreprocessor().setTokenWatcher([&compiler, forget](const Token &token) {
    if (token.is(tok::eof) && compiler.hasSema())
      forget(compiler.getSema());
  });
}

class OwnCode : public ASTConsumer {
public:
  explicit OwnCode(CompilerInstance &compiler) : sources_(compiler.getSourceManager()), ownership_(sources_) {
    atEndOfFile(compiler, [this](Sema &sema) { forgetLibraries(sema); });
  }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *decl : group)
      if (!ownership_.isLibrarys(*decl))
        own_.push_back(decl);
    return true;
  }

  /// Those of a precompiled header.
  void HandleInterestingDecl(DeclGroupRef) override {}

  void HandleTranslationUnit(ASTContext &context) override { context.setTraversalScope(own_); }

  /// A template's body is kept: it is where a template of the user's own may be called.
  bool shouldSkipFunctionBody(Decl *decl) override {
    const FunctionDecl *function = decl->getAsFunction();
    return function && !function->isDependentContext() && ownership_.isLibrarys(*decl);
  }

private:
  void forgetLibraries(Sema &sema) {
    llvm::erase_if(sema.PendingInstantiations, [this](const auto &pending) {
      const auto *function = llvm::dyn_cast<FunctionDecl>(pending.first);
      return function && ownership_.isLibrarys(*function) && !ownership_.mayCallOwnTemplate(*function);
    });
    llvm::erase_if(sema.VTableUses, [this](const Sema::VTableUse &use) {
      return ownership_.isLibrarys(*use.first) && !ownership_.isOwnTemplate(*use.first);
    });
  }

  const SourceManager &sources_;
  Ownership ownership_;
  std::vector<Decl *> own_;
};

class Libraries : public ASTConsumer {
public:
  explicit Libraries(CompilerInstance &compiler) {
    atEndOfFile(compiler, [](Sema &sema) {
      sema.PendingInstantiations.clear();
      sema.VTableUses.clear();
      deferredDiagnostics(sema).clear(); // what only devices forbid: a look at every function of CUDA's headers
    });
  }

  bool shouldSkipFunctionBody(Decl *decl) override {
    const FunctionDecl *function = decl->getAsFunction();
    return function && !function->isDependentContext();
  }

  /// For each declaration that is written down, Clang asks whether any of the same name was referred to: for a
  /// namespace that is opened a thousand times that is a thousand questions, a thousand times over. One that was needs
  /// no second.
  void HandleTranslationUnit(ASTContext &context) override { markNamespaces(*context.getTranslationUnitDecl()); }

private:
  static void markNamespaces(const DeclContext &within) {
    for (Decl *decl : within.noload_decls()) {
      if (auto *space = llvm::dyn_cast<NamespaceDecl>(decl))
        space->setReferenced();
      if (llvm::isa<NamespaceDecl, LinkageSpecDecl>(decl))
        markNamespaces(*llvm::cast<DeclContext>(decl));
    }
  }
};

std::unique_ptr<ASTConsumer> both(CompilerInstance &compiler, std::unique_ptr<ASTConsumer> first,
                                  std::unique_ptr<ASTConsumer> second) {
  compiler.getFrontendOpts().SkipFunctionBodies = true; // the consumers are asked about each
  std::vector<std::unique_ptr<ASTConsumer>> consumers;
  consumers.push_back(std::move(first));
  consumers.push_back(std::move(second));
  return std::make_unique<MultiplexConsumer>(std::move(consumers));
}

} // namespace

std::unique_ptr<ASTConsumer> ownCodeOnly(CompilerInstance &compiler, std::unique_ptr<ASTConsumer> consumer) {
  return both(compiler, std::make_unique<OwnCode>(compiler), std::move(consumer));
}

std::unique_ptr<ASTConsumer> librariesOnly(CompilerInstance &compiler, std::unique_ptr<ASTConsumer> consumer) {
  return both(compiler, std::make_unique<Libraries>(compiler), std::move(consumer));
}

} // namespace samedevice::check
