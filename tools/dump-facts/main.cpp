// samedevice-dump-facts FILE -- FLAGS: prints what the analysis gets to see of a translation unit.
#include "../../checks/clang/Lowering.h"
#include "../../checks/facts/Text.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Tooling/CommonOptionsParser.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace {

class DumpConsumer : public clang::ASTConsumer {
public:
  void HandleTranslationUnit(clang::ASTContext &context) override {
    samedevice::clangfront::LoweringOptions options;
    llvm::outs() << samedevice::facts::print(samedevice::clangfront::lower(context, options).program);
  }
};

class DumpAction : public clang::ASTFrontendAction {
public:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<DumpConsumer>();
  }
};

llvm::cl::OptionCategory category("samedevice-dump-facts");

} // namespace

int main(int argc, const char **argv) {
  auto parser = clang::tooling::CommonOptionsParser::create(argc, argv, category);
  if (!parser) {
    llvm::errs() << llvm::toString(parser.takeError());
    return 2;
  }
  clang::tooling::ClangTool tool(parser->getCompilations(), parser->getSourcePathList());
  return tool.run(clang::tooling::newFrontendActionFactory<DumpAction>().get());
}
